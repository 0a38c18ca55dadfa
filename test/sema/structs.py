# Structs: fields of numbers, matrices and structs; read and written through arrays, parameters and locals.
# RUN: cplc %s:f --types 'x=Outer[] y=float64[]' --emit types | FileCheck --check-prefix=A %s
# RUN: cplc %s:g --types 'p=Inner' --as function --emit types | FileCheck --check-prefix=B %s

@struct
class Inner:
    a: double
    b: int32

@struct
class Outer:
    first: Inner
    m: 'matrix(3, "float")'
    n: 'Inner'

def norm(p):
    p.b += 1
    return p.a

def f(i, x, y):
    s = x[i]
    t = s.first
    t.a = 2
    x[i].first.a = y[i]
    x[i].m[1] = 0.5
    u = x[i].m[2]
    v = norm(t) + norm(x[i].n)
    w = x[i].first.b

def g(p):
    return p.a

# A: norm(p: Inner) -> float64
# A: f(i: int64, x: Outer[], y: float64[]) -> void
# A-NEXT: s: Outer
# A-NEXT: t: Inner
# A-NEXT: u: float32
# A-NEXT: v: float64
# A-NEXT: w: int32
# B: g(p: Inner) -> float64
