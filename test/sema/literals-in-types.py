# What literals become beside variables of every type, in bounds, defaults and results.
# RUN: cplc %s:f --types 'x=float64[] h=float16[] u=uint32 v=uint64 s=int16 b=bool k=int64[] \
# RUN:   y=float32[] c=int32' --emit types | FileCheck %s
# RUN: cplc %s:pointers --as function --types 'x=float64[] n=int32' --emit types \
# RUN:   | FileCheck %s --check-prefix=POINTERS

@struct
class Pair:
    a: 'double'
    m: 'matrix(3)'

def half(v, scale=0.5, times=2):
    return v*scale*times

def both(a, b):
    return a + b

def first(p):
    return p.m[0] + p.a

def f(i, x, h, u, v, s, b, k, y, c):
    h[0] = 1.5
    h[1] = h[0] + 1
    a = u - 1
    d = u + -1
    e = u + 4294967296
    g = u + 18446744073709551615
    j = v + -1
    l = v + 1
    m = s + 1
    n = s + 70000
    o = u + 4294967295
    p = c + 3000000000
    q = b + 1
    r = 1 if c else 2.5
    b2 = declare('bool')
    b2 = 1
    k[0] = 1.0 if c else 2.0
    k[1] = (1 if c else 2)**2
    t = x[0]**b
    w = half(y[0])
    z = half(1.5, 1, times=3)
    aa = both(1.5, y[0])
    ab = both(1.5, h[0])
    ac = both(y[0], x[0])
    ad = both(1.5, c)
    ae = (1 if c else 2) or c
    af = 1 < c < 3.5
    ag = -(1.5 if c else 2)
    ah = +(c if c else 2)
    ai = abs(-5)
    aj = pow(2, 3)
    ak = pow(c, 2)
    al = ldexp(1.5, 3)
    am = ldexp(y[0], 3)
    an = round(2)
    ao = min(1, c, 2)
    ap = ~u
    aq = len(x)
    ar = declare('matrix(5)')
    at = len(ar)
    au = isnan(1.5)
    av = both(b, b)
    aw = 1 if b else b
    ax = u*0.5*i
    ay = True and 1
    ba = 0.5 if c else y[0]

def pointers(x, n):
    p = declare('Pair')
    q = address(p.m[1])
    r = address(x[n])
    t = address(p.a)
    u = address(x[2])
    v = cast(x, 'int*')
    w = cast(x, 'gintp')
    m = declare('matrix((2, 3), "float")')
    y = m[1]
    z = address(m[1][1])
    p.a = first(p)
    aa = x if n else u
    ab = x if n else r
    ac = p.m
    ad = address(n)
    ad[0] += 1
    x = address(x[1])
    return u[0]

# CHECK: half(v: float32, scale: float64, times: int32) -> float64
# CHECK-NEXT: half.1(v: float64, scale: int32, times: int32) -> float64
# CHECK-NEXT: both(a: float32, b: float32) -> float32
# CHECK-NEXT: both.1(a: float32, b: float64) -> float64
# CHECK-NEXT: both.2(a: float64, b: int32) -> float64
# CHECK-NEXT: both.3(a: bool, b: bool) -> int32
# CHECK-NEXT: f(i: int64, x: float64[], h: float16[], u: uint32, v: uint64, s: int16, b: bool, k: int64[], y: float32[], c: int32) -> void
# CHECK-NEXT:   a: uint32
# CHECK-NEXT:   d: int64
# CHECK-NEXT:   e: int64
# CHECK-NEXT:   g: uint64
# CHECK-NEXT:   j: uint64
# CHECK-NEXT:   l: uint64
# CHECK-NEXT:   m: int32
# CHECK-NEXT:   n: int32
# CHECK-NEXT:   o: uint32
# CHECK-NEXT:   p: int64
# CHECK-NEXT:   q: int32
# CHECK-NEXT:   r: float64
# CHECK-NEXT:   b2: bool
# CHECK-NEXT:   t: float64
# CHECK-NEXT:   w: float64
# CHECK-NEXT:   z: float64
# CHECK-NEXT:   aa: float32
# CHECK-NEXT:   ab: float32
# CHECK-NEXT:   ac: float64
# CHECK-NEXT:   ad: float64
# CHECK-NEXT:   ae: int32
# CHECK-NEXT:   af: bool
# CHECK-NEXT:   ag: float64
# CHECK-NEXT:   ah: int32
# CHECK-NEXT:   ai: int32
# CHECK-NEXT:   aj: int32
# CHECK-NEXT:   ak: int32
# CHECK-NEXT:   al: float64
# CHECK-NEXT:   am: float32
# CHECK-NEXT:   an: float64
# CHECK-NEXT:   ao: int32
# CHECK-NEXT:   ap: uint32
# CHECK-NEXT:   aq: int64
# CHECK-NEXT:   ar: float64[5]
# CHECK-NEXT:   at: int32
# CHECK-NEXT:   au: bool
# CHECK-NEXT:   av: int32
# CHECK-NEXT:   aw: int32
# CHECK-NEXT:   ax: float64
# CHECK-NEXT:   ay: int32
# CHECK-NEXT:   ba: float32

# POINTERS: first(p: Pair) -> float64
# POINTERS-NEXT: pointers(x: float64[], n: int32) -> float64
# POINTERS-NEXT:   p: Pair
# POINTERS-NEXT:   q: float64 private*
# POINTERS-NEXT:   r: float64[]
# POINTERS-NEXT:   t: float64 private*
# POINTERS-NEXT:   u: float64[]
# POINTERS-NEXT:   v: int32[]
# POINTERS-NEXT:   w: int32[]
# POINTERS-NEXT:   m: float32[2][3]
# POINTERS-NEXT:   y: float32 private*
# POINTERS-NEXT:   z: float32 private*
# POINTERS-NEXT:   aa: float64[]
# POINTERS-NEXT:   ab: float64[]
# POINTERS-NEXT:   ac: float64 private*
# POINTERS-NEXT:   ad: int32 private*
