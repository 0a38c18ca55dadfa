# Types of private arrays: given, of their values, and for lists of what is stored in them.
# RUN: cplc %s:f --types 'x=float32[] k=int64[]' --emit types | FileCheck %s
# RUN: cplc %s:bound --as function --types 'x=float32[] n=const:4 T=type:int32' --emit types \
# RUN:   | FileCheck --check-prefix=BOUND %s
import numpy as np

M = 2

def size(n):
    t = np.zeros((n, 2*n))
    return t[0, 0]

def f(i, x, k):
    a = np.zeros(3)
    b = np.zeros((2, 3), np.float32)
    c = np.empty([M, M + 1], dtype='int16')
    d = np.full(3, x[i])
    e = np.array([1, 2, 3])
    g = np.array([1, 2.5])
    h = [0.0]*3
    h[1] += x[i]
    l = [0, 1]
    l[0] = k[i]
    m = [0, 1]
    m[0] = 0.5
    n = [[x[i], 1.0], [2.0, 3.0]]
    o = 2*[0.0]
    p = o[0]
    q = p*x[i]
    r = h[0]*x[i]
    s = size(3)
    for j in range(3):
        u = np.ones(2, int)
    v = np.array([0.5, 1.0]*3, dtype=np.float32)

# CHECK: size() -> float64
# CHECK-NEXT:   n = 3
# CHECK-NEXT:   t: float64[3][6]
# CHECK: a: float64[3]
# CHECK-NEXT: b: float32[2][3]
# CHECK-NEXT: c: int16[2][3]
# CHECK-NEXT: d: float32[3]
# CHECK-NEXT: e: int64[3]
# CHECK-NEXT: g: float64[2]
# CHECK-NEXT: h: float32[3]
# CHECK-NEXT: l: int64[2]
# CHECK-NEXT: m: float64[2]
# CHECK-NEXT: n: float32[2][2]
# CHECK-NEXT: o: float64[2]
# CHECK-NEXT: p: float64
# CHECK-NEXT: q: float64
# CHECK-NEXT: r: float32
# CHECK-NEXT: s: float64
# CHECK-NEXT: j: int32
# CHECK-NEXT: u: int64[2]
# CHECK-NEXT: v: float32[6]

def bound(x, n, T):
    t = np.zeros(n, T)
    u = [0.0]*n

# BOUND: t: int32[4]
# BOUND-NEXT: u: float64[4]
