# min, max: the join of two or more arguments; abs keeps the type.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[] l=int64[]' --emit types | FileCheck %s

def f(i, x, d, k, l):
    a = min(k[i], l[i])
    b = max(x[i], 0)
    c = max(x[i], 0.5, d[i])
    e = abs(k[i])
    g = abs(x[i])
    h = abs(-1)
    j = min(1, 2)*x[i]
    m = max(k[i], 1.5)

# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[], l: int64[]) -> void
# CHECK-NEXT: a: int64
# CHECK-NEXT: b: float32
# CHECK-NEXT: c: float64
# CHECK-NEXT: e: int32
# CHECK-NEXT: g: float32
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: float32
# CHECK-NEXT: m: float64
