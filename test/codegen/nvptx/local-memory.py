# Local memory: a variable of the group is a .shared variable, a parameter an offset into the block whose size the launch decides.
# RUN: cplc %s:total --as kernel --types 'x=float64[] sums=float64[] n=int64' --emit ptx \
# RUN:   | FileCheck %s
# RUN: cplc %s:turned --as kernel --emit llvm --target cuda --types 'x=int32[] part=int32[]' \
# RUN:   | FileCheck %s --check-prefix=DYNAMIC
# RUN: cplc %s:turned --as kernel --emit ptx --types 'x=int32[] part=int32[]' \
# RUN:   | FileCheck %s --check-prefix=BLOCK
#
# CHECK: .visible .entry total(
# CHECK: .shared .align 16 .b8 [[BUF:total[_$a-z]*]][2048];
# CHECK: st.shared.b64
# CHECK: bar.sync 0;
# CHECK: bar.sync 0;
#
# DYNAMIC: @cpl_local = external addrspace(3) global [0 x i8], align 16
# DYNAMIC: define ptx_kernel void @turned(ptr addrspace(1) %x, i32 %part)
# DYNAMIC: zext i32 %part to i64
# DYNAMIC: getelementptr {{.*}}ptr addrspace(3) @cpl_local
# DYNAMIC: attributes #0 = { convergent
# BLOCK: .extern .shared .align 16 .b8 cpl_local[];
# BLOCK: .param .u32 turned_param_1
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
