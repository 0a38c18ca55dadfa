# Integers below 32 bits and bool are computed as int32, float16 as float32; loads and stores keep them.
# RUN: cplc %s:f --types 's=int8[] t=uint8[] v=int16[] b=bool[] h=float16[] k=int32[] x=float32[]' \
# RUN:   --emit types | FileCheck %s

def f(i, s, t, v, b, h, k, x):
    a = s[i] + s[i]
    c = t[i]*t[i]
    d = -t[i]
    e = ~b[i]
    g = b[i] + b[i]
    j = b[i] & b[i]
    l = h[i]*h[i]
    m = h[i]
    n = t[i] << 1
    o = +v[i]
    p = t[i] if b[i] else t[i]
    q = t[i] if b[i] else s[i]
    r = abs(s[i])
    u = min(t[i], t[i])
    w = abs(b[i])
    y = sqrt(h[i])
    t[i] = a

# CHECK: f(i: int64, s: int8[], t: uint8[], v: int16[], b: bool[], h: float16[], k: int32[], x: float32[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: c: int32
# CHECK-NEXT: d: int32
# CHECK-NEXT: e: bool
# CHECK-NEXT: g: int32
# CHECK-NEXT: j: bool
# CHECK-NEXT: l: float32
# CHECK-NEXT: m: float32
# CHECK-NEXT: n: int32
# CHECK-NEXT: o: int32
# CHECK-NEXT: p: uint8
# CHECK-NEXT: q: int32
# CHECK-NEXT: r: int8
# CHECK-NEXT: u: uint8
# CHECK-NEXT: w: int32
# CHECK-NEXT: y: float32
