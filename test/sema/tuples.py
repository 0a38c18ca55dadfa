# Types of tuples: item by item; literals in them are as weak as anywhere.
# RUN: cplc %s:f --types 'x=float32[] k=int32[]' --emit types | FileCheck %s

def pick(v):
    if v > 2:
        return 0.0, 1
    return v, 2

def swap(p):
    return p[1], p[0]

def declared(n: int) -> tuple[float, int]:
    return n, n

def also(n: int) -> (float, int):
    return 1, 2

def f(i, x, k):
    a, b = pick(x[i])
    p = swap((a, k[i]))
    q = (1.0, 2) if i else (x[i], k[i])
    c, d = declared(3)
    e = also(4)[1]
    t = a, (b, True)
    u = t[1][1]

# CHECK: pick(v: float32) -> (float32, int32)
# CHECK: swap(p: (float32, int32)) -> (int32, float32)
# CHECK: declared(n: int64) -> (float64, int64)
# CHECK: also(n: int64) -> (float64, int64)
# CHECK: f(i: int64, x: float32[], k: int32[]) -> void
# CHECK-NEXT: a: float32
# CHECK-NEXT: b: int32
# CHECK-NEXT: p: (int32, float32)
# CHECK-NEXT: q: (float32, int32)
# CHECK-NEXT: c: float64
# CHECK-NEXT: d: int64
# CHECK-NEXT: e: int64
# CHECK-NEXT: t: (float32, (int32, bool))
# CHECK-NEXT: u: bool
