# Which work-item it is does not change: asked for in front of the loops, as by OpenCL C's
# compilers.
#
# RUN: cplc %s:shared --as kernel --types "x=float32[] y=float32[] n=int32" \
# RUN:   --target opencl:spv1.2 --emit llvm | FileCheck %s
# RUN: cplc %s:summed --as kernel --types "x=float32[] y=float32[] n=int32" \
# RUN:   --target opencl:spv1.2 --emit llvm | FileCheck %s --check-prefix SUM
from compyle.low_level import GDIM_0, GID_0, LDIM_0, LID_0, declare, local_barrier


def shared(x, y, n):
    t = declare('LOCAL_MEM matrix(64, "float")')
    s = 0.0
    for k in range(n):
        t[LID_0] = x[64*k + LID_0]
        local_barrier()
        for j in range(64):
            s += t[j]*t[LID_0]
        local_barrier()
    y[64*GID_0 + LID_0] = s


# CHECK-LABEL: define spir_kernel void @shared
# CHECK: @_Z12get_local_idj(i32 0)
# CHECK: br i1
# CHECK-NOT: _Z12get_local_idj
# CHECK: {{^}}for.end:
# CHECK: declare spir_func i64 @_Z12get_local_idj(i32) #[[ATTRS:[0-9]+]]
# CHECK: attributes #[[ATTRS]] = { nounwind willreturn memory(none) }


def summed(x, y, n):
    s = 0.0
    for k in range(n):
        s += x[k*LDIM_0*GDIM_0 + LID_0]
    y[LID_0] = s


# SUM-LABEL: define spir_kernel void @summed
# SUM: br i1
# SUM-COUNT-3: call spir_func i64 @_Z
# SUM: {{^}}for:
# SUM-NOT: call spir_func
# SUM: {{^}}for.end:
