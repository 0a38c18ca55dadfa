# Unknown modules and decorators get a note; names of the file and locals win over builtins.
# RUN: cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import os
from somewhere import thing, sin
from math import *
import numpy as np
from compyle.api import annotate
from numba import prange, njit
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

# CHECK: imports.py:3:8: note: module 'os' is not known; kernels cannot use its names
# CHECK: imports.py:4:23: note: module 'somewhere' is not known; kernels cannot use its names
# CHECK: imports.py:21:1: note: the decorator 'profile' is ignored
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
