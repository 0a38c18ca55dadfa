# Operations of complex constants are computed once: their parts are numbers.
# RUN: cplc %s:f --as function --types 'x=complex128[]' --emit ir | FileCheck %s


def f(x):
    x[0] = (1 + 2j)*(3 + 5j)
    x[1] = (1 + 2j) - (3 + 5j)
    x[2] = -(3 - 5j)
    x[3] = +(2 + 7j)


# CHECK: store(field<real>({{.*}}), -7.0:float64)
# CHECK-NEXT: store(field<imag>({{.*}}), 11.0:float64)
# CHECK: store(field<real>({{.*}}), -2.0:float64)
# CHECK-NEXT: store(field<imag>({{.*}}), -3.0:float64)
# CHECK: store(field<real>({{.*}}), -3.0:float64)
# CHECK-NEXT: store(field<imag>({{.*}}), 5.0:float64)
# CHECK: store(field<real>({{.*}}), 2.0:float64)
# CHECK-NEXT: store(field<imag>({{.*}}), 7.0:float64)
