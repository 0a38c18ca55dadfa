# Unknown decorators get a note, and unknown modules where a name in use is one of the language; Numba's are known; names of the file and locals win over builtins.
# RUN: cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import os
from somewhere import thing, sin
from math import *
import numpy as np
from compyle.api import annotate
from numba import prange, jit, njit, vectorize, guvectorize, float64 as real
import numba as nb, time
my_sqrt = sqrt
my_angle = np.arctan2

def abs(v):
    return 1

def same(v):
    return 1

def same(v):
    return 2.5

@profile
@njit
def f(i, x):
    max = 3
    a = abs(x[i])
    b = same(1)
    c = my_sqrt(x[i])
    d = sin(x[i]) + max
    e = M_PI
    g = my_angle(a, c)
    for k in prange(3):
        x[k] = nb.float32(x[k])
    for k in nb.prange(3):
        x[k] = 2

# CHECK: imports.py:4:30: note: module 'somewhere' is not known; 'sin' is taken for that of kernels
# CHECK: imports.py:22:1: note: the decorator 'profile' is ignored
# CHECK-NOT: note:
# CHECK: abs(v: float64) -> int32
# CHECK: same(v: int32) -> float64
# CHECK: f(i: int64, x: float64[]) -> void
# CHECK-NEXT: max: int32
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: float64
# CHECK-NEXT: c: float64
# CHECK-NEXT: d: float64
# CHECK-NEXT: e: float64
# CHECK-NEXT: g: float64
