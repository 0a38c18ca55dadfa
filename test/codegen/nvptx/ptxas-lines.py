# What ptxas is asked for: lines where there is debug information, else not.
# RUN: env CPL_CUDA_DRIVER=/nowhere/libcuda.so.1 CPL_PTXAS=%S/Inputs/ptxas cplc %s:f \
# RUN:   --types 'x=float64[]' --target cuda:sm_90 --emit cubin -o %t.cubin
# RUN: FileCheck %s --input-file=%t.cubin --match-full-lines --check-prefix=CODE
# RUN: env CPL_CUDA_DRIVER=/nowhere/libcuda.so.1 CPL_PTXAS=%S/Inputs/ptxas cplc %s:f \
# RUN:   --types 'x=float64[]' --target cuda:sm_90 --emit cubin -o %t.cubin --option debug_info=1
# RUN: FileCheck %s --input-file=%t.cubin --match-full-lines --check-prefix=LINES
# CODE: asked: -arch=sm_90
# LINES: asked: -arch=sm_90 -lineinfo


def f(i, x):
    x[i] = 2.0*x[i]
