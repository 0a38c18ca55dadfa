# Literals are weak: they take the other operand's type, and their own default where nothing decides.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[] l=int64[] u=uint32[]' --emit types \
# RUN:   | FileCheck %s

def f(i, x, d, k, l, u):
    a = 2.0*x[i]
    b = 2.0*d[i]
    c = 0.0
    c += x[i]
    e = 0
    e = e + x[i]
    g = k[i] + 1
    h = l[i] + 1
    j = k[i] + 3000000000
    m = u[i] + 3000000000
    n = u[i] - 1
    o = u[i] + -1
    p = 1
    q = 3000000000
    r = -2147483648
    s = -2147483649
    t = 18446744073709551615
    v = 1.5
    w = 2.0*k[i]
    y = 0.5*k[i]*x[i]
    z = -1.0 if x[i] < 0 else 1.0
    aa = z*x[i]
    ab = (1.0 if x[i] > 0 else 0.0)*x[i]
    ac = 2**40
    ad = 1e3 + 1
    ae = c

# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[], l: int64[], u: uint32[]) -> void
# CHECK-NEXT: a: float32
# CHECK-NEXT: b: float64
# CHECK-NEXT: c: float32
# CHECK-NEXT: e: float32
# CHECK-NEXT: g: int32
# CHECK-NEXT: h: int64
# CHECK-NEXT: j: int64
# CHECK-NEXT: m: uint32
# CHECK-NEXT: n: uint32
# CHECK-NEXT: o: int64
# CHECK-NEXT: p: int32
# CHECK-NEXT: q: int64
# CHECK-NEXT: r: int32
# CHECK-NEXT: s: int64
# CHECK-NEXT: t: uint64
# CHECK-NEXT: v: float64
# CHECK-NEXT: w: float64
# CHECK-NEXT: y: float32
# CHECK-NEXT: z: float64
# CHECK-NEXT: aa: float64
# CHECK-NEXT: ab: float32
# CHECK-NEXT: ac: int64
# CHECK-NEXT: ad: float64
# CHECK-NEXT: ae: float32

# Two literals are of what both fit in, whichever is first.
# RUN: cplc %s:both --types 'x=int64[] c=int32' --emit types | FileCheck %s --check-prefix=BOTH
def both(i, x, c):
    far = 1 if c else 3000000000
    rest = 3000000000 if c else 1
    below = -1 if c else 3000000000
    top = 1 if c else 10000000000000000000
    for k in range(1, 10000000000):
        x[i] += far + rest + below + k

# BOTH: far: int64
# BOTH: rest: int64
# BOTH: below: int64
# BOTH: top: uint64
# BOTH: k: int64
