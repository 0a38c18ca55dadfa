# Constants of the module are literals: numbers folded when the kernel is compiled, in Python's arithmetic.
# RUN: cplc %s:f --types 'x=float32[] k=int32[]' --emit types | FileCheck %s
# RUN: cplc %s:f --types 'x=float32[] k=int32[]' --emit ir | FileCheck --check-prefix=IR %s
from math import pi
import numpy as np
N = 3
H = 2.5
YES = True
NEG = -1
TWO_PI = 2*pi
BIG = 1 << 40
HALF = 1/2
FLOOR = -7//2
E = np.e
MASK = N | 8
NAMES = ["never", "used"]
EDGE = M_PI_2

def f(i, x, k):
    a = N
    b = H*x[i]
    c = YES
    d = k[i] + NEG
    e = BIG
    g = TWO_PI*x[i]
    x[i] = HALF
    k[i] = FLOOR
    h = MASK + k[i]
    j = EDGE
    l = inf
    x[i] = np.pi + E

# IR: store(elem(x, i), 0.5:float32)
# IR: store(elem(k, i), -4:int32)
# CHECK: f(i: int64, x: float32[], k: int32[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: float32
# CHECK-NEXT: c: bool
# CHECK-NEXT: d: int32
# CHECK-NEXT: e: int64
# CHECK-NEXT: g: float32
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: float64
# CHECK-NEXT: l: float64
