# Kernels ask for their place in the grid, share local memory and work together; their helpers too.
# RUN: cplc %s:total --as kernel --types 'x=float32[] out=float64[] tmp=local int32[] n=int32' \
# RUN:   --emit types | FileCheck %s
from compyle.api import annotate, declare
from compyle.low_level import *
import compyle.low_level as ll


def gather(t, n):
    s = 0.0
    for i in range(n):
        s += t[i]
    local_barrier()
    return s + LID_1


@annotate(ldoublep='more')
def total(x, out, tmp, n, more):
    tile = declare('LOCAL_MEM matrix((2, 64), "float")')
    v = declare('matrix(4, "float")')
    p = declare('LOCAL_MEM double*')
    p = more
    i = LID_0 + LDIM_0 * GID_0
    j = ll.LID_2 + LDIM_2
    k = GDIM_1
    tile[0][LID_0] = x[i]
    local_barrier()
    global_barrier()
    q = address(tile[1, 0])
    a = shuffle(x[i], 0)
    b = shuffle_up(n, 1)
    c = subgroup_add(2)
    d = subgroup_scan_max(more[0])
    e = ballot(i < n)
    f = subgroup_add(i < n)
    g = shuffle_xor(i < n, 1)
    vload(v, x, i)
    vstore(v, tile[0], LID_0)
    out[0] = gather(tile[0], n) + gather(more, n) + lane_id() + subgroup_size()
    fence()
    fence(order='acquire', scope='group')
    atomic_add(tmp[0], 1, order='acq_rel', scope='device')
    h = atomic_load(tmp[0], order='seq_cst')
    launch_bounds(256)
    launch_bounds(64*2, 2 + 2)


# CHECK: gather(t: local float32[], n: int32) -> float32
# CHECK: gather.1(t: local float64[], n: int32) -> float64
# CHECK: total(x: float32[], out: float64[], tmp: local int32[], n: int32, more: local float64[]) -> void
# CHECK-NEXT: tile: local float32[2][64]
# CHECK-NEXT: v: float32[4]
# CHECK-NEXT: p: local float64[]
# CHECK-NEXT: i: int64
# CHECK-NEXT: j: int32
# CHECK-NEXT: k: int64
# CHECK-NEXT: q: local float32[]
# CHECK-NEXT: a: float32
# CHECK-NEXT: b: int32
# CHECK-NEXT: c: int32
# CHECK-NEXT: d: float64
# CHECK-NEXT: e: uint64
# CHECK-NEXT: f: int32
# CHECK-NEXT: g: bool
# CHECK-NEXT: h: int32
