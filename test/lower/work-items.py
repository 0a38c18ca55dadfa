# What kernels alone have: places, lanes, votes, vectors, barriers, fences, and atomics of every kind.
# RUN: cplc --emit ir %s:k --as kernel --types 'x=float64[] n=int64[] b=bool u=uint8' | FileCheck %s

def step(x):
    x[0] += 1
    return 0

def k(x, n, b, u):
    a = declare('matrix(4)')
    tile = declare('LOCAL_MEM matrix(64)')
    vload(a, x, LID_0)
    vstore(a, x, GID_1 + LDIM_2*GDIM_0)
    n[0] = ballot(u)
    x[0] = shuffle(x[1], lane_id()) + shuffle_xor(u, 1) + shuffle_up(b, n[0]) + shuffle_down(2.5, subgroup_size())
    x[1] = subgroup_add(b) + subgroup_min(u) + subgroup_max(x[0])
    x[2] = subgroup_scan_add(u) + subgroup_scan_min(x[1]) + subgroup_scan_max(1)
    local_barrier()
    global_barrier()
    fence()
    fence(order='acquire', scope='group')
    c = atomic_inc(n[0])
    c = atomic_dec(n[step(x)])
    atomic_add(x[0], step(x), order='acq_rel', scope='system')
    c = atomic_sub(n[0], u) + atomic_min(n[0], 1) + atomic_max(n[0], 2)
    c = atomic_and(n[0], 3) + atomic_or(n[0], 4) + atomic_xor(n[0], 5)
    c = atomic_xchg(n[0], 6) + atomic_cas(n[0], 7, 8) + atomic_load(n[0])
    atomic_store(n[0], 9)
    tile[LID_0] = c
    shuffle(x[0], 1)
    atomic_add(tile[0], a[0])

# CHECK: cir 1
# CHECK: func step(x: float64 global*) -> int32 {
# CHECK-NEXT:   store(elem(x, 0:int32), add(load(elem(x, 0:int32)), 1.0:float64))
# CHECK-NEXT:   return 0:int32
# CHECK-NEXT: }
# CHECK: entry kernel func k(x: float64 global*, n: int64 global*, b: bool, u: uint8) {
# CHECK-NEXT:   var a: float64[4]
# CHECK-NEXT:   var tile: float64[64] local
# CHECK-NEXT:   var c: int64
# CHECK-NEXT:   var t: uint64
# CHECK-NEXT:   var t_1: float64
# CHECK-NEXT:   var t_2: uint8
# CHECK-NEXT:   var t_3: bool
# CHECK-NEXT:   var t_4: float64
# CHECK-NEXT:   var t_5: int32
# CHECK-NEXT:   var t_6: uint8
# CHECK-NEXT:   var t_7: float64
# CHECK-NEXT:   var t_8: uint8
# CHECK-NEXT:   var t_9: float64
# CHECK-NEXT:   var t_10: int32
# CHECK-NEXT:   var t_11: int32
# CHECK-NEXT:   var t_12: int32
# CHECK-NEXT:   var t_13: int64
# CHECK-NEXT:   var t_14: int64
# CHECK-NEXT:   var t_15: int64
# CHECK-NEXT:   var t_16: int64
# CHECK-NEXT:   var t_17: int64
# CHECK-NEXT:   var t_18: int64
# CHECK-NEXT:   var t_19: int64
# CHECK-NEXT:   var t_20: int64
# CHECK-NEXT:   var t_21: int64
# CHECK-NEXT:   vcopy<4>(item(addr(a), 0:int32), elem(x, mul(convert<int64>(local_id<0>()), 4:int64)))
# CHECK-NEXT:   vcopy<4>(elem(x, mul(add(group_id<1>(), mul(convert<int64>(local_size<2>()), group_count<0>())), 4:int64)), item(addr(a), 0:int32))
# CHECK-NEXT:   t = ballot(ne(u, 0:uint8))
# CHECK-NEXT:   store(elem(n, 0:int32), convert<int64>(t))
# CHECK-NEXT:   t_1 = shuffle(load(elem(x, 1:int32)), lane())
# CHECK-NEXT:   t_2 = shuffle_xor(u, 1:int32)
# CHECK-NEXT:   t_3 = shuffle_up(b, convert<int32>(load(elem(n, 0:int32))))
# CHECK-NEXT:   t_4 = shuffle_down(2.5:float64, subgroup_size())
# CHECK-NEXT:   store(elem(x, 0:int32), add(add(add(t_1, convert<float64>(t_2)), convert<float64>(t_3)), t_4))
# CHECK-NEXT:   t_5 = subgroup_add(convert<int32>(b))
# CHECK-NEXT:   t_6 = subgroup_min(u)
# CHECK-NEXT:   t_7 = subgroup_max(load(elem(x, 0:int32)))
# CHECK-NEXT:   store(elem(x, 1:int32), add(convert<float64>(add(t_5, convert<int32>(t_6))), t_7))
# CHECK-NEXT:   t_8 = subgroup_scan_add(u)
# CHECK-NEXT:   t_9 = subgroup_scan_min(load(elem(x, 1:int32)))
# CHECK-NEXT:   t_10 = subgroup_scan_max(1:int32)
# CHECK-NEXT:   store(elem(x, 2:int32), add(add(convert<float64>(t_8), t_9), convert<float64>(t_10)))
# CHECK-NEXT:   barrier<local>()
# CHECK-NEXT:   barrier<global>()
# CHECK-NEXT:   fence<seq_cst, device>()
# CHECK-NEXT:   fence<acquire, group>()
# CHECK-NEXT:   c = atomic_add<relaxed, device>(elem(n, 0:int32), 1:int64)
# CHECK-NEXT:   t_11 = call step(x)
# CHECK-NEXT:   c = atomic_sub<relaxed, device>(elem(n, t_11), 1:int64)
# CHECK-NEXT:   t_12 = call step(x)
# CHECK-NEXT:   atomic_add<acq_rel, system>(elem(x, 0:int32), convert<float64>(t_12))
# CHECK-NEXT:   t_13 = atomic_sub<relaxed, device>(elem(n, 0:int32), convert<int64>(u))
# CHECK-NEXT:   t_14 = atomic_min<relaxed, device>(elem(n, 0:int32), 1:int64)
# CHECK-NEXT:   t_15 = atomic_max<relaxed, device>(elem(n, 0:int32), 2:int64)
# CHECK-NEXT:   c = add(add(t_13, t_14), t_15)
# CHECK-NEXT:   t_16 = atomic_and<relaxed, device>(elem(n, 0:int32), 3:int64)
# CHECK-NEXT:   t_17 = atomic_or<relaxed, device>(elem(n, 0:int32), 4:int64)
# CHECK-NEXT:   t_18 = atomic_xor<relaxed, device>(elem(n, 0:int32), 5:int64)
# CHECK-NEXT:   c = add(add(t_16, t_17), t_18)
# CHECK-NEXT:   t_19 = atomic_xchg<relaxed, device>(elem(n, 0:int32), 6:int64)
# CHECK-NEXT:   t_20 = atomic_cas<relaxed, device>(elem(n, 0:int32), 7:int64, 8:int64)
# CHECK-NEXT:   t_21 = atomic_load<relaxed, device>(elem(n, 0:int32))
# CHECK-NEXT:   c = add(add(t_19, t_20), t_21)
# CHECK-NEXT:   atomic_store<relaxed, device>(elem(n, 0:int32), 9:int64)
# CHECK-NEXT:   store(item(addr(tile), local_id<0>()), convert<float64>(c))
# CHECK-NEXT:   shuffle(load(elem(x, 0:int32)), 1:int32)
# CHECK-NEXT:   atomic_add<relaxed, device>(item(addr(tile), 0:int32), load(item(addr(a), 0:int32)))
# CHECK-NEXT: }
