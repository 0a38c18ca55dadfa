# A loop's variable has the join of range's arguments, at least int32, and of what else is assigned to it.
# RUN: cplc %s:f --types 'x=float64[] s=int8 n=int64 u=uint32' --emit types | FileCheck %s

def f(i, x, s, n, u):
    for a in range(10):
        pass
    for b in range(n):
        pass
    for c in range(0, s):
        pass
    for d in range(u):
        pass
    for e in range(u, 0, -1):
        pass
    for g in range(3000000000):
        pass
    h = 0.5
    for h in range(3):
        x[i] += h
    while True:
        k = 1
        break
    else:
        k = 2.5
    for l in range(2):
        continue
    else:
        m = n

# CHECK: f(i: int64, x: float64[], s: int8, n: int64, u: uint32) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: int64
# CHECK-NEXT: c: int32
# CHECK-NEXT: d: uint32
# CHECK-NEXT: e: int64
# CHECK-NEXT: g: int64
# CHECK-NEXT: h: float64
# CHECK-NEXT: k: float64
# CHECK-NEXT: l: int32
# CHECK-NEXT: m: int64
