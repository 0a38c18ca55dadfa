# The type of an array that is made is given once, by its place or by its name, and nothing stands
# behind it: of each function that makes one.
# RUN: not cplc %s:f --types 'x=float64[]' --as function --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --types 'x=float64[]' --as function --emit types \
# RUN:   | FileCheck %s --check-prefix TYPES
import numpy as np
from numba import cuda


def f(x):
    a = np.zeros(4, np.float32, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'zeros' takes the shape and the type of the elements
# CHECK: hint: np.zeros((2, 3), dtype=np.float32)
    b = np.ones(4, np.float32, dtype=np.float32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'ones' takes the shape and the type of the elements
    c = np.empty(4, np.float32, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'empty' takes the shape and the type of the elements
    d = np.full(4, 0.5, np.float32, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'full' takes the shape, a value and the type of the elements
    e = np.array([1.0, 2.0], np.float32, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'array' takes a list and the type of the elements
    g = np.zeros(4, np.float32, 4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'zeros' takes
    h = np.ones(4, np.float32, 4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'ones' takes
    k = np.empty(4, np.float32, 4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'empty' takes
    l = np.full(4, 0.5, np.float32, 4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'full' takes
    m = np.array([1.0, 2.0], np.float32, 4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'array' takes
    n = np.full(4, dtype=np.float32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'full' takes
    o = np.array(dtype=np.float32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'array' takes
    p = np.zeros(4, dtype=np.float32, order='C')
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'zeros' takes
    q = np.full(4, 0.5, np.float32, order='C')
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'full' takes
    r = cuda.local.array(4, np.float32, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'cuda.local.array' takes the shape and the type of the elements
    s = cuda.local.array(4, shape=4, dtype=np.int32)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'cuda.local.array' takes
    t = cuda.local.array(4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'cuda.local.array' takes
    u = cuda.local.array(4, shape=4)
# CHECK: bad-made-types.py:[[#@LINE-1]]:9: error: 'cuda.local.array' takes
# CHECK-NOT: error


def g(x):
    a = np.zeros(4, np.float32)
    b = np.ones(4, dtype=np.float32)
    c = np.empty(4, np.float32)
    d = np.full(4, 0.5, np.float32)
    e = np.full(4, 0.5, dtype=np.float32)
    f = np.array([1.0, 2.0], np.float32)
    g = np.array([1.0, 2.0], dtype=np.float32)
    h = np.zeros(4)
    k = np.full(4, 2)
    l = np.array([1, 2])
    m = cuda.local.array(4, np.float32)
    n = cuda.local.array(4, dtype=np.float32)
    o = cuda.local.array(shape=4, dtype=np.float32)
    p = cuda.local.array(dtype=np.float32, shape=4)
# TYPES: a: float32[4]
# TYPES-NEXT: b: float32[4]
# TYPES-NEXT: c: float32[4]
# TYPES-NEXT: d: float32[4]
# TYPES-NEXT: e: float32[4]
# TYPES-NEXT: f: float32[2]
# TYPES-NEXT: g: float32[2]
# TYPES-NEXT: h: float64[4]
# TYPES-NEXT: k: int64[4]
# TYPES-NEXT: l: int64[2]
# TYPES-NEXT: m: float32[4]
# TYPES-NEXT: n: float32[4]
# TYPES-NEXT: o: float32[4]
# TYPES-NEXT: p: float32[4]
