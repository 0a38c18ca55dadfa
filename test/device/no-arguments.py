# A function without arguments that reduces: its two kernels take on devices what the one hands on to
# the other alone.
# RUN: cplc run %s:squares --as function | FileCheck %s
# RUN: %if pocl %{ %pocl cplc run %s:squares --as function --target opencl:c1.2 | FileCheck %s %}
# RUN: %if intel %{ %intel cplc run %s:squares --as function --target opencl:spv1.2 \
# RUN:   | FileCheck %s %}
# CHECK: result = 332833500{{$}}


def squares():
    s = 0
    for i in prange(1000):
        s += i*i
    return s
