# A struct goes from lane to lane number by number: a complex number is two, what has 64 bits too.
# RUN: cplc %s:f --as kernel --target cuda:sm_90 --types 'x=double[] y=double[]' --emit ptx \
# RUN:   | FileCheck %s
@struct
class Best:
    value: 'double'
    at: 'int'
    z: 'complex64'


def f(x, y):
    b = declare('Best')
    b.value = x[LID_0]
    b.at = LID_0
    b.z = complex(1, LID_0)
    b = shuffle_down(b, 3)
    y[LID_0] = b.value + b.at + b.z.real + b.z.imag


# CHECK-LABEL: .entry f
# CHECK-COUNT-5: shfl.sync.down.b32
# CHECK-NOT: shfl
# CHECK: ret;
