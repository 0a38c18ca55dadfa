@struct
class Inner:
    a: float32
    b: int32

@struct
class Outer:
    p: Inner
    q: float64
    m: 'matrix(3)'
    n: 'matrix(2, "Inner")'

def sums(i, x, y):
    y[i] = x[i].p.a + x[i].q + x[i].m[1] + x[i].n[1].b
    x[i].n[0].a = y[i]


def packed(i, x, y):
    y[i] = x[i].k + x[i].p.a + x[i].p.b + x[i].z
