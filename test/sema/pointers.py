# Pointers: address, locals that hold one, len.
# RUN: cplc %s:f --types 'x=float64[] k=int32[] s=float32[:]' --emit types | FileCheck %s

def f(i, x, k, s):
    a = address(x[i])
    b = address(x[2])
    c = address(k[i + 1])
    d = b[0]
    e = 1.5
    g = address(e)
    h = declare('matrix(3)')
    j = address(h[1])
    l = h
    m = x
    m = address(e)
    n = len(x)
    o = len(h)
    p = s[i]
    q = address(s[i])
    r = len(s)

# CHECK: f(i: int64, x: float64[], k: int32[], s: float32[:]) -> void
# CHECK-NEXT: a: float64[]
# CHECK-NEXT: b: float64[]
# CHECK-NEXT: c: int32[]
# CHECK-NEXT: d: float64
# CHECK-NEXT: e: float64
# CHECK-NEXT: g: float64 private*
# CHECK-NEXT: h: float64[3]
# CHECK-NEXT: j: float64 private*
# CHECK-NEXT: l: float64 private*
# CHECK-NEXT: m: float64*
# CHECK-NEXT: n: int64
# CHECK-NEXT: o: int32
# CHECK-NEXT: p: float32
# CHECK-NEXT: q: float32[]
# CHECK-NEXT: r: int64
