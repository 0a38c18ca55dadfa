# cpl.random is a file of the library, found however it is imported; a name of its own in the file comes first.
# RUN: cplc %s:f --types 'x=float64[] y=float32[] seed=int32' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:whole --types 'x=int64[] seed=uint64' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WHOLE
# RUN: cplc %s:own --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=OWN
import cpl.random
import cpl.random as numbers
from cpl import random
from cpl.random import *
from cpl.random import normal as gauss


def exponential32(seed):
    return seed


def f(i, x, y, seed):
    a = uniform(seed, i)
    b = numbers.uniform32(seed, i, 1)
    c = gauss(seed, i, draw=2)
    d = random.exponential(seed, i, 3)
    e = bits32(seed, i)
    g = cpl.random.bits64(seed, i)
    h = exponential32(seed)


def whole(i, x, seed):
    w = declare('matrix(4, "uint32")')
    philox(w, seed, i)
    a = integers(seed, i, -3, 4)
    b = permutation(seed, i, len(x))
    x[i] = a + b + w[3]


def own(i, x):
    uniform = i
    x[i] = uniform

# CHECK-NOT: note:
# CHECK: exponential32(seed: int32) -> int32
# CHECK: {{^}}f(i: int64, x: float64[], y: float32[], seed: int32) -> void
# CHECK-NEXT: a: float64
# CHECK-NEXT: b: float32
# CHECK-NEXT: c: float64
# CHECK-NEXT: d: float64
# CHECK-NEXT: e: uint32
# CHECK-NEXT: g: uint64
# CHECK-NEXT: h: int32
# WHOLE: {{^}}philox(w: uint32 private*, seed: uint64, low: uint64, high: uint64) -> void
# WHOLE: {{^}}whole(
# WHOLE-NEXT: w: uint32[4]
# WHOLE-NEXT: a: int64
# WHOLE-NEXT: b: int64
# OWN: own(i: int64, x: float64[]) -> void
# OWN-NEXT: uniform: int64
