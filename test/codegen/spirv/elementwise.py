# An elementwise kernel in SPIR-V: a grid-stride loop, address spaces, mathematics by OpenCL's functions, in each version.
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target opencl \
# RUN:   --emit llvm | FileCheck %s
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target opencl \
# RUN:   --emit asm | FileCheck %s --check-prefix=WORDS
# RUN: cplc %s:axpb --types 'x=float32[] y=float32[] a=float32 b=float32' --target opencl,-fp64 \
# RUN:   --emit asm | FileCheck %s --check-prefix=NARROW
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target opencl:spv1.4 \
# RUN:   -o %t.spv
# RUN: od -A n -t x4 -N 8 %t.spv | FileCheck %s --check-prefix=MAGIC
#
# CHECK: target triple = "spirv64v1.2-unknown-unknown"
# CHECK: define spir_kernel void @axpb(i64 %n, ptr addrspace(1) readonly %x, ptr addrspace(1) %y, double %a, double %b)
# CHECK: call spir_func i64 @_Z12get_group_idj(i32 0)
# CHECK: call spir_func double @_Z3sind(double
#
# WORDS-DAG: OpCapability Kernel
# WORDS-DAG: OpCapability Float64
# WORDS-DAG: OpEntryPoint Kernel %[[#]] "axpb"
# WORDS-DAG: OpDecorate %[[#]] BuiltIn LocalInvocationId
# WORDS-DAG: OpSource OpenCL_C 200000
# WORDS: OpExtInst %[[#]] %[[#]] sin
# NARROW-NOT: OpCapability Float64
# NARROW: OpExtInst %[[#]] %[[#]] sin
# MAGIC: 07230203 00010400
from math import sin


def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b
