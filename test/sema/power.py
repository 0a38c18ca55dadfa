# ** is an integer for an integer base and a literal exponent that is not negative, else a float.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[] l=int64[] s=int8[]' --emit types \
# RUN:   | FileCheck %s
N = 3

def f(i, x, d, k, l, s):
    a = k[i]**2
    b = l[i]**N
    c = s[i]**2
    e = k[i]**-1
    g = k[i]**k[i]
    h = 2**k[i]
    j = x[i]**2
    m = x[i]**0.5
    n = x[i]**k[i]
    o = d[i]**x[i]
    p = 2.0**k[i]
    q = pow(k[i], 2)
    r = pow(x[i], 2)
    t = pow(k[i], k[i])
    u = 2**10
    v = 2**-1

# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[], l: int64[], s: int8[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: int64
# CHECK-NEXT: c: int32
# CHECK-NEXT: e: float64
# CHECK-NEXT: g: float64
# CHECK-NEXT: h: float64
# CHECK-NEXT: j: float32
# CHECK-NEXT: m: float32
# CHECK-NEXT: n: float32
# CHECK-NEXT: o: float64
# CHECK-NEXT: p: float64
# CHECK-NEXT: q: int32
# CHECK-NEXT: r: float32
# CHECK-NEXT: t: float64
# CHECK-NEXT: u: int32
# CHECK-NEXT: v: float64
