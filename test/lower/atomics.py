# Atomics are relaxed, seen by the device, and stand alone or as a whole right side.
# RUN: cplc --emit ir %s:count --types 'x=int64[] h=int32[] s=float64[]' | FileCheck %s


def count(i, x, h, s):
    atomic_inc(h[x[i]])
    k = atomic_dec(h[0])
    x[i] = k + atomic_add(h[1], 2.5)
    atomic_max(s[0], i)
    h[2] = atomic_cas(h[3], k, 1)
    j = 1
    x[i] = j + atomic_inc(j) + j


# CHECK: atomic_add<relaxed, device>(elem(h, load(elem(x, i))), 1:int32)
# CHECK-NEXT: k = atomic_sub<relaxed, device>(elem(h, 0:int32), 1:int32)
# CHECK-NEXT: [[T:t[_0-9]*]] = atomic_add<relaxed, device>(elem(h, 1:int32), 2:int32)
# CHECK-NEXT: store(elem(x, i), convert<int64>(add(k, [[T]])))
# CHECK-NEXT: atomic_max<relaxed, device>(elem(s, 0:int32), convert<float64>(i))
# CHECK-NEXT: [[T:t[_0-9]*]] = atomic_cas<relaxed, device>(elem(h, 3:int32), k, 1:int32)
# CHECK-NEXT: store(elem(h, 2:int32), [[T]])
# CHECK-NEXT: j = 1:int32
# CHECK-NEXT: [[J:t[_0-9]*]] = j
# CHECK-NEXT: [[T:t[_0-9]*]] = atomic_add<relaxed, device>(addr(j), 1:int32)
# CHECK-NEXT: store(elem(x, i), convert<int64>(add(add([[J]], [[T]]), j)))
