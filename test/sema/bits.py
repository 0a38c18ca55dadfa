# Shifts and bits: the join of both sides; & | ^ of two bools is a bool.
# RUN: cplc %s:f --types 'k=int32[] l=int64[] u=uint32[] b=bool[]' --emit types | FileCheck %s

def f(i, k, l, u, b):
    a = k[i] << 2
    c = 1 << l[i]
    d = u[i] >> k[i]
    e = u[i] & u[i]
    g = b[i] | b[i]
    h = b[i] ^ 1
    j = ~u[i]
    m = 1 << 40

# CHECK: f(i: int64, k: int32[], l: int64[], u: uint32[], b: bool[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: c: int64
# CHECK-NEXT: d: int64
# CHECK-NEXT: e: uint32
# CHECK-NEXT: g: bool
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: uint32
# CHECK-NEXT: m: int64
