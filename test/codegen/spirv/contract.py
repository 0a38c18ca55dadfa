# Kernels may fuse multiplication and addition only where the options say so.
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --target opencl --emit asm \
# RUN:   | FileCheck %s --check-prefix=FUSED
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --target opencl --emit asm --option precise=1 \
# RUN:   | FileCheck %s --check-prefix=PRECISE
#
# FUSED-NOT: ContractionOff
# FUSED: OpFMul
# FUSED: OpFAdd
# PRECISE: OpExecutionMode %[[#]] ContractionOff


def f(i, x, y):
    y[i] = x[i]*y[i] + x[i]
