# Functions are specialised by their argument types; keywords, defaults, literals beside float32, annotations.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[]' --emit types | FileCheck %s

def scale(v, by=2):
    return v*by

def mix(a, b):
    return a + b

@annotate(a='double', n='int', return_='double')
def typed(a, n):
    return a*n

def element(p, i):
    return p[i]

def first(m):
    return m[0]

def fill(p, v):
    p[0] = v

def f(i, x, d, k):
    a = scale(x[i])
    b = scale(k[i], 3)
    c = scale(by=0.5, v=d[i])
    e = mix(x[i], 2.0)
    g = mix(2.0, 1)
    h = mix(b=1, a=k[i])
    j = typed(k[i], 2)
    l = element(x, i)
    m = declare('matrix(3)')
    n = first(m)
    o = first(d)
    q = declare('matrix((2, 2), "int")')
    r = first(q[1])
    fill(d, 1)
    s = scale(x[i]) + scale(x[i])

# CHECK: scale(v: float32, by: int32) -> float32
# CHECK: scale.1(v: int32, by: int32) -> int32
# CHECK: scale.2(v: float64, by: float64) -> float64
# CHECK: mix(a: float32, b: float32) -> float32
# CHECK: mix.1(a: float64, b: int32) -> float64
# CHECK: mix.2(a: int32, b: int32) -> int32
# CHECK: typed(a: float64, n: int32) -> float64
# CHECK: element(p: float32[], i: int64) -> float32
# CHECK: first(m: float64 private*) -> float64
# CHECK: first.1(m: float64[]) -> float64
# CHECK: first.2(m: int32 private*) -> int32
# CHECK: fill(p: float64[], v: int32) -> void
# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[]) -> void
# CHECK-NEXT: a: float32
# CHECK-NEXT: b: int32
# CHECK-NEXT: c: float64
# CHECK-NEXT: e: float32
# CHECK-NEXT: g: float64
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: float64
# CHECK-NEXT: l: float32
# CHECK-NEXT: m: float64[3]
# CHECK-NEXT: n: float64
# CHECK-NEXT: o: float64
# CHECK-NEXT: q: int32[2][2]
# CHECK-NEXT: r: int32
# CHECK-NEXT: s: float32
