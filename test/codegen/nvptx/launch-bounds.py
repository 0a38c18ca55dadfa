# What is known of a launch reaches NVIDIA's assembler; other targets take no notice.
# RUN: cplc %s:both --as kernel --target cuda --types 'x=float[]' --emit ptx \
# RUN:   | FileCheck %s --check-prefix=BOTH
# RUN: cplc %s:one --as kernel --target cuda --types 'x=float[]' --emit ptx \
# RUN:   | FileCheck %s --check-prefix=ONE
# RUN: cplc %s:one --as kernel --target opencl:c1.2 --types 'x=float[]' --emit opencl-c \
# RUN:   | FileCheck %s --check-prefix=CL
# RUN: cplc run %s:both --as kernel --global 512 --local 512 x=float[512] | count 0
def both(x):
    launch_bounds(256, 4)
    x[LID_0] = 1


def one(x):
    launch_bounds(128)
    x[LID_0] = 1


# BOTH: .entry both(
# BOTH: .maxntid 256
# BOTH-NEXT: .minnctapersm 4
# ONE: .entry one(
# ONE: .maxntid 128
# ONE-NOT: .minnctapersm
# CL: kernel void one(global float *x)
