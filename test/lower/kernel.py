# Kernels: places in the grid, local memory, barriers, sub-groups, vectors, memory order.
# RUN: cplc --emit ir %s:total --as kernel \
# RUN:   --types 'x=float32[] out=float64[] tmp=local int32[] n=int32' | FileCheck %s
# RUN: cplc --emit ir %s:total --as kernel \
# RUN:   --types 'x=float32[] out=float64[] tmp=local int32[] n=int32' -o %t.cir
# RUN: cplc --emit ir %t.cir | FileCheck %s
from compyle.low_level import *


def gather(t, n):
    s = 0.0
    for i in range(n):
        s += t[i]
    return s


def total(x, out, tmp, n):
    tile = declare('LOCAL_MEM matrix((2, 64), "float")')
    v = declare('matrix(4, "float")')
    i = LID_0 + LDIM_0 * GID_0
    k = GDIM_1
    tile[0][LID_0] = x[i]
    local_barrier()
    global_barrier()
    a = shuffle(x[i], LID_1)
    x[i] = shuffle_up(a, 1) + a
    b = ballot(n)
    out[1] = subgroup_add(LID_0 < n)
    vload(v, x, i)
    vstore(v, tile[1], LID_0)
    out[0] = gather(tile[0], n) + lane_id() + subgroup_size()
    fence()
    fence(scope='group', order='acquire')
    atomic_add(tmp[0], 1, order='acq_rel')
    h = atomic_cas(tmp[0], 1, 2, scope='group')
    atomic_inc(tile[1, 0], scope='system')


# CHECK: func gather(t: float32 local*, n: int32) -> float32 {
# CHECK: entry kernel func total(x: float32 global*, out: float64 global*, tmp: int32 local*, n: int32) {
# CHECK-NEXT: var tile: float32[2][64] local
# CHECK-NEXT: var v: float32[4]
# CHECK: i = add(convert<int64>(local_id<0>()), mul(convert<int64>(local_size<0>()), group_id<0>()))
# CHECK-NEXT: k = group_count<1>()
# CHECK-NEXT: store(item(item(addr(tile), 0:int32), local_id<0>()), load(elem(x, i)))
# CHECK-NEXT: barrier<local>()
# CHECK-NEXT: barrier<global>()
# CHECK-NEXT: a = shuffle(load(elem(x, i)), local_id<1>())
# CHECK-NEXT: [[T:t[_0-9]*]] = shuffle_up(a, 1:int32)
# CHECK-NEXT: store(elem(x, i), add([[T]], a))
# CHECK-NEXT: b = ballot(ne(n, 0:int32))
# CHECK-NEXT: [[T:t[_0-9]*]] = subgroup_add(convert<int32>(lt(local_id<0>(), n)))
# CHECK-NEXT: store(elem(out, 1:int32), convert<float64>([[T]]))
# CHECK-NEXT: vcopy<4>(item(addr(v), 0:int32), elem(x, mul(i, 4:int64)))
# CHECK-NEXT: vcopy<4>(elem(item(item(addr(tile), 1:int32), 0:int32), mul(convert<int64>(local_id<0>()), 4:int64)), item(addr(v), 0:int32))
# CHECK-NEXT: [[T:t[_0-9]*]] = call gather(item(item(addr(tile), 0:int32), 0:int32), n)
# CHECK-NEXT: store(elem(out, 0:int32), convert<float64>(add(add([[T]], convert<float32>(lane())), convert<float32>(subgroup_size()))))
# CHECK-NEXT: fence<seq_cst, device>()
# CHECK-NEXT: fence<acquire, group>()
# CHECK-NEXT: atomic_add<acq_rel, device>(elem(tmp, 0:int32), 1:int32)
# CHECK-NEXT: h = atomic_cas<relaxed, group>(elem(tmp, 0:int32), 1:int32, 2:int32)
# CHECK-NEXT: atomic_add<relaxed, system>(item(item(addr(tile), 1:int32), 0:int32), 1.0:float32)
