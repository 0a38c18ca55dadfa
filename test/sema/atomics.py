# Atomics take an element or variable and give the value before, of its type.
# RUN: cplc %s:f --types 'x=float32[] k=int32[] u=uint64[]' --emit types | FileCheck %s

def f(i, x, k, u):
    a = atomic_inc(k[0])
    b = atomic_dec(u[0])
    c = atomic_add(x[i], 2)
    d = atomic_sub(k[0], k[1])
    e = atomic_min(x[0], x[i])
    g = atomic_max(u[0], 1)
    h = atomic_and(k[0], 1)
    j = atomic_or(k[0], 1)
    l = atomic_xor(k[0], 1)
    m = atomic_xchg(x[0], 1.5)
    n = atomic_exchange(k[0], 1)
    o = atomic_cas(k[0], 1, 2)
    p = atomic_cmpxchg(k[0], 1, 2)
    q = atomic_load(u[0])
    atomic_store(k[0], 1)
    r = 0
    s = atomic_inc(r)

# CHECK: f(i: int64, x: float32[], k: int32[], u: uint64[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: uint64
# CHECK-NEXT: c: float32
# CHECK-NEXT: d: int32
# CHECK-NEXT: e: float32
# CHECK-NEXT: g: uint64
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: int32
# CHECK-NEXT: l: int32
# CHECK-NEXT: m: float32
# CHECK-NEXT: n: int32
# CHECK-NEXT: o: int32
# CHECK-NEXT: p: int32
# CHECK-NEXT: q: uint64
# CHECK-NEXT: r: int32
# CHECK-NEXT: s: int32
