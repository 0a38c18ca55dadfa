# Local memory in SPIR-V: a variable of the group, or a parameter that points to what the launch sets aside; barriers with their memory.
# RUN: cplc %s:total --as kernel --types 'x=float64[] sums=float64[] n=int64' --target opencl \
# RUN:   --emit asm | FileCheck %s
# RUN: cplc %s:turned --as kernel --types 'x=int32[] part=int32[]' --target opencl --emit llvm \
# RUN:   | FileCheck %s --check-prefix=DYNAMIC
#
# CHECK: %[[UINT:[0-9]+]] = OpTypeInt 32 0
# CHECK-DAG: %[[GROUP:[0-9]+]] = OpConstant %[[UINT]] 2{{ *$}}
# CHECK-DAG: %[[ORDER:[0-9]+]] = OpConstant %[[UINT]] 272{{ *$}}
# CHECK-DAG: OpVariable %[[#]] Workgroup
# CHECK: OpControlBarrier %[[GROUP]] %[[GROUP]] %[[ORDER]]
# DYNAMIC: define spir_kernel void @turned(ptr addrspace(1) %x, ptr addrspace(3) %part)
# DYNAMIC: attributes #0 = { convergent
from compyle.api import annotate, declare
from compyle.low_level import LID_0, LDIM_0, GID_0, local_barrier


def total(x, sums, n):
    i, s = declare('int', 2)
    buf = declare('LOCAL_MEM matrix(256)')
    i = GID_0*LDIM_0 + LID_0
    buf[LID_0] = x[i] if i < n else 0.0
    local_barrier()
    s = LDIM_0 // 2
    while s > 0:
        if LID_0 < s:
            buf[LID_0] += buf[LID_0 + s]
        local_barrier()
        s = s // 2
    if LID_0 == 0:
        sums[GID_0] = buf[0]


@annotate(x='gintp', part='lintp')
def turned(x, part):
    part[LID_0] = x[LID_0]
    local_barrier()
    x[LID_0] = part[LDIM_0 - 1 - LID_0]
