# A local's type is the join of everything assigned to it, in whatever order and wherever.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[] l=int64[] u=uint32[] w=uint64[] \
# RUN:   b=bool[] s=int8[] t=uint8[] h=float16[]' --emit types | FileCheck %s

def f(i, x, d, k, l, u, w, b, s, t, h):
    a = x[i]
    a = d[i]
    c = k[i]
    for j in range(3):
        e = c
        c = l[i]
    g = l[i]
    g = x[i]
    m = u[i]
    m = k[i]
    n = w[i]
    n = k[i]
    o = u[i]
    o = w[i]
    p = b[i]
    q = b[i]
    q = 0
    r = s[i]
    v = s[i]
    v = t[i]
    y = h[i]
    z = t[i]
    z = w[i]
    aa = bb = k[i]
    cc, dd = x[i], l[i]
    ee = b[i]
    ee = h[i]

# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[], l: int64[], u: uint32[], w: uint64[], b: bool[], s: int8[], t: uint8[], h: float16[]) -> void
# CHECK-NEXT: a: float64
# CHECK-NEXT: c: int64
# CHECK-NEXT: j: int32
# CHECK-NEXT: e: int64
# CHECK-NEXT: g: float32
# CHECK-NEXT: m: int64
# CHECK-NEXT: n: uint64
# CHECK-NEXT: o: uint64
# CHECK-NEXT: p: bool
# CHECK-NEXT: q: int32
# CHECK-NEXT: r: int8
# CHECK-NEXT: v: int32
# CHECK-NEXT: y: float32
# CHECK-NEXT: z: uint64
# CHECK-NEXT: aa: int32
# CHECK-NEXT: bb: int32
# CHECK-NEXT: cc: float32
# CHECK-NEXT: dd: int64
# CHECK-NEXT: ee: float32
