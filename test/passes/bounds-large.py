# A loop that is large beside its checks stays one on devices, with the checks in its rounds; a small
# one is there twice, with and without them, and on the host a large one too.
# RUN: cplc %s:large --types 'x=float64[] n=int' --as function --target opencl:c1.2 --emit ir \
# RUN:   --option bounds_check=1 --passes=bounds | FileCheck %s --check-prefix=ONE
# RUN: cplc %s:small --types 'x=float64[] n=int' --as function --target opencl:c1.2 --emit ir \
# RUN:   --option bounds_check=1 --passes=bounds | FileCheck %s --check-prefix=TWO
# RUN: cplc %s:large --types 'x=float64[] n=int' --as function --emit ir \
# RUN:   --option bounds_check=1 --passes=bounds | FileCheck %s --check-prefix=TWO
# ONE: s = 0.0:float64
# ONE-NEXT: for i in
# ONE: fault<0, "x">
# ONE-NOT: for i in
# ONE: return s
# TWO: if lt({{.*}}, x_len) {
# TWO-NEXT: for i in
# TWO-NOT: fault
# TWO: } else {
# TWO-NEXT: for i in
# TWO: fault<0, "x">
# TWO: return s


def large(x, n):
    s = 0.0
    for i in range(n):
        v = x[i]
        v = v*v + 1.0
        v = v*v + 2.0
        v = v*v + 3.0
        v = v*v + 4.0
        v = v*v + 5.0
        v = v*v + 6.0
        v = v*v + 7.0
        v = v*v + 8.0
        v = v*v + 9.0
        v = v*v + 10.0
        v = v*v + 11.0
        v = v*v + 12.0
        v = v*v + 13.0
        v = v*v + 14.0
        v = v*v + 15.0
        v = v*v + 16.0
        v = v*v + 17.0
        v = v*v + 18.0
        v = v*v + 19.0
        v = v*v + 20.0
        v = v*v + 21.0
        v = v*v + 22.0
        v = v*v + 23.0
        v = v*v + 24.0
        v = v*v + 25.0
        v = v*v + 26.0
        v = v*v + 27.0
        v = v*v + 28.0
        v = v*v + 29.0
        v = v*v + 30.0
        s += v
    return s


def small(x, n):
    s = 0.0
    for i in range(n):
        s += x[i]
    return s
