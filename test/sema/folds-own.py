# A method of a struct, and a function of the file, keep their names: min(x) and x.mean() are theirs.
# RUN: cplc %s:f --as function --types 'p=Pair x=float64[]' --emit ir | FileCheck %s


@struct
class Pair:
    a: 'double'
    b: 'double'

    def mean(self):
        return 0.5*(self.a + self.b)


def min(x):
    return x[0]


def f(p, x):
    return p.mean() + min(x)
# CHECK-LABEL: func f(
# CHECK-NOT: for
# CHECK: call {{.*}}mean
# CHECK: call min
