# Arrays known to share no memory: what is only read is loaded through the read-only cache, and kept over writes.
# RUN: cplc %s:twice --types 'x=float64[] y=float64[] z=float64[]' --emit llvm --target cuda \
# RUN:   --facts apart | FileCheck %s
# RUN: cplc %s:twice --types 'x=float64[] y=float64[] z=float64[]' --emit ptx --facts apart \
# RUN:   | FileCheck %s --check-prefix=PTX
# RUN: cplc %s:twice --types 'x=float64[] y=float64[] z=float64[]' --emit ptx \
# RUN:   | FileCheck %s --check-prefix=OVERLAP
# RUN: cplc %s:passed --as kernel --types 'x=int32[] y=int32[]' --emit llvm --target cuda \
# RUN:   --facts apart | FileCheck %s --check-prefix=PASSED
# RUN: cplc %s:counted --types 'x=int32[] y=int32[]' --emit llvm --target cuda --facts apart \
# RUN:   | FileCheck %s --check-prefix=COUNTED
# RUN: cplc %s:vectors --as kernel --types 'x=float32[] y=float32[]' --emit llvm --target cuda \
# RUN:   --facts apart | FileCheck %s --check-prefix=VECTORS
# RUN: cplc %s:twice --types 'x=float64[] y=float64[] z=float64[]' --emit llvm --target cuda \
# RUN:   --facts apart --option bounds_check=1 | FileCheck %s --check-prefix=CHECKED
# RUN: cplc %s:twice --types 'x=float64[] y=float64[] z=float64[]' --emit ir --facts apart \
# RUN:   | FileCheck %s --check-prefix=HOST
#
# CHECK: define ptx_kernel void @twice(i64 %n, ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z)
# PTX-NOT: ld.global.b64
# PTX: ld.global.nc.b64
# PTX-NOT: ld.global.b64
#
# A write to y may be one to x: it is loaded again.
# OVERLAP-NOT: .nc
# OVERLAP: ld.global.b64 [[FIRST:%rd[0-9]+]], [[[AT:%rd[0-9]+]]]
# OVERLAP: st.global.b64
# OVERLAP: ld.global.b64 {{.*}}, [[[AT]]]
# OVERLAP-NOT: .nc
#
# What work-items write for each other changes behind the kernel's back, as seen by one of them.
# PASSED: @passed(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) %y)
# COUNTED: @counted(i64 %n, ptr addrspace(1) noalias readonly %x, ptr addrspace(1) %y, i64 %y_len)
# VECTORS: @vectors(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %y)
# CHECKED: ptr addrspace(1) noalias readonly %x, {{.*}}, ptr addrspace(1) %cpl_fault_record)
# HOST-NOT: noalias
from compyle.api import declare
from compyle.low_level import GID_0, LDIM_0, LID_0, atomic_inc, global_barrier


def twice(i, x, y, z):
    y[i] = 2.0*x[i]
    z[i] = x[i] + 1.0


def passed(x, y):
    i = GID_0*LDIM_0 + LID_0
    y[i] = x[i]
    global_barrier()
    y[i] = y[i] + y[GID_0*LDIM_0]


def counted(i, x, y):
    atomic_inc(y[x[i]])


def vectors(x, y):
    m = declare('matrix(4, "float32")')
    i = GID_0*LDIM_0 + LID_0
    vload(m, x, i)
    vstore(m, y, i)
