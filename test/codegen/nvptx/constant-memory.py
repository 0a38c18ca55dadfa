# Numbers of float64 that no instruction can hold come from constant memory, each once; those of
# 32 bits, and float32's, stay where they are.
# RUN: cplc %s:f --types 'x=float64[] y=float32[]' --emit ptx | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[] y=float32[]' --emit ptx | FileCheck %s --check-prefix=ONCE
# RUN: cplc %s:few --types 'x=float64[]' --emit ptx | FileCheck %s --check-prefix=FEW
#
# CHECK-DAG: .const .align 8 .f64 number_3fb999999999999a = 0d3FB999999999999A;
# CHECK-DAG: .const .align 8 .f64 number_3ff3333333333333 = 0d3FF3333333333333;
# CHECK: ld.const.b64
# CHECK: fma.rn.f64 {{.*}}, 0d3FE0000000000000
# CHECK: 0f3DCCCCCD
# ONCE-COUNT-2: .const .align 8
# ONCE-NOT: .const .align 8
# FEW-NOT: .const
# FEW-NOT: ld.const


def f(i, x, y):
    x[i] = (x[i]*0.1 + 0.5)*1.2 - x[i]*0.1
    y[i] = y[i]*0.1


def few(i, x):
    x[i] = x[i]*0.75 + 3.0
