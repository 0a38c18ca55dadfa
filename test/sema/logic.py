# Comparisons and not give bool; and, or give the join of their operands; a ternary that of its arms.
# RUN: cplc %s:f --types 'x=float32[] k=int32[] l=int64[] b=bool[]' --emit types | FileCheck %s

def f(i, x, k, l, b):
    a = x[i] < 1
    c = 0 < x[i] < 10
    d = not k[i]
    e = k[i] and l[i]
    g = x[i] or 1
    h = b[i] and x[i] > 0
    j = k[i] if b[i] else x[i]
    m = 1 if b[i] else 2
    n = 1 if b[i] else 2.5
    o = k[i] is 1
    p = k[i] is not 1
    q = k[i] != l[i] == 2
    r = x if b[i] else x

# CHECK: f(i: int64, x: float32[], k: int32[], l: int64[], b: bool[]) -> void
# CHECK-NEXT: a: bool
# CHECK-NEXT: c: bool
# CHECK-NEXT: d: bool
# CHECK-NEXT: e: int64
# CHECK-NEXT: g: float32
# CHECK-NEXT: h: bool
# CHECK-NEXT: j: float32
# CHECK-NEXT: m: int32
# CHECK-NEXT: n: float64
# CHECK-NEXT: o: bool
# CHECK-NEXT: p: bool
# CHECK-NEXT: q: bool
# CHECK-NEXT: r: float32[]
