# An elementwise kernel on CUDA: a grid-stride loop, address spaces, mathematics of the library's own, nothing left to be linked.
# RUN: env CPL_LIBDEVICE= cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' \
# RUN:   --target cuda:sm_90 --emit llvm | FileCheck %s
# RUN: env CPL_LIBDEVICE= cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' \
# RUN:   --target cuda:sm_90 --emit ptx | FileCheck %s --check-prefix=PTX
# RUN: env CPL_LIBDEVICE= cplc %s:axpb --types 'x=float32[] y=float32[] a=float32 b=float32' \
# RUN:   -o %t.ptx
# RUN: FileCheck %s --check-prefix=DEFAULT --input-file=%t.ptx
#
# CHECK: target triple = "nvptx64-nvidia-cuda"
# CHECK: define ptx_kernel void @axpb(i64 %n, ptr addrspace(1) readonly %x, ptr addrspace(1) %y, double %a, double %b)
# CHECK-DAG: call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
# CHECK-DAG: call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
# CHECK-DAG: call range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
# CHECK: load double, ptr addrspace(1)
# CHECK: store double {{.*}}, ptr addrspace(1)
# CHECK-NOT: declare {{.*}}@_Z
#
# PTX: .target sm_90
# PTX: .visible .entry axpb(
# PTX: .param .u64 .ptr .global
# PTX: mov.u32 {{.*}}%ctaid.x
# PTX-DAG: ld.global.b64
# PTX-DAG: st.global.b64
# PTX-NOT: .extern
#
# DEFAULT: .target sm_75
from math import sin


def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b
