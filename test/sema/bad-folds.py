# What takes elements together takes one array of one dimension by its name, or an expression of slices.
# RUN: not cplc %s:f --as function \
# RUN:   --types 'x=float64[] y=float64[] g=float64[:,:] z=complex128[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s
import numpy as np


def f(x, y, g, z, n):
    s = g[0, 0]
    s += max(n)
# CHECK: bad-folds.py:[[#@LINE-1]]:14: error: 'max' takes an array, found int32
# CHECK-NEXT: s += max(n)
# CHECK-NEXT: ^
# CHECK-NEXT: hint: x, x[1:] or an expression of slices, x[:]*y[:], where x and y are arrays
    s += np.min(g)
# CHECK-NEXT: bad-folds.py:[[#@LINE-1]]:17: error: 'min' takes an array of one dimension, and 'g' has 2
    s += np.mean([s, 1.0])
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: 'mean' takes arrays by their names, and expressions of slices
    s += np.min(x, axis=0)
# CHECK: bad-folds.py:[[#@LINE-1]]:20: error: 'min' takes no keyword arguments, found 'axis'
# CHECK: hint: min(a, b) of numbers, np.min(x) of an array, np.min(x[1:])
    s += x.prod(0)
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: float64[] has no method 'prod'
# CHECK: hint: along an axis what it gives is stored: r[:] = x.prod(axis=0); of all elements it is x.prod()
    s += z.max()
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: an argument of 'max' must be a number, found complex128
    s += prod(x)
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: 'prod' takes arrays by their names, and expressions of slices
    s += np.dot(g[:, :], g[:, :])
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: 'dot' takes arrays by their names, and expressions of slices
# CHECK-NEXT: s += np.dot
# CHECK-NEXT: ^
# CHECK-NEXT: hint: use np.dot(x, y) of arrays of one dimension
# CHECK-NOT: error
    m = declare('matrix((2, 3))')
    s += np.sum(m)
    s += np.sum(m*2)
# CHECK: bad-folds.py:[[#@LINE-1]]:17: error: 'sum' takes an array of one dimension, and 'm' is a matrix
# CHECK-NEXT: s += np.sum(m*2)
# CHECK-NEXT: ^
# CHECK-NEXT: hint: all its elements are m[:, :], those of a row m[i, :]
    s += m[:, :].min() + np.sum(m[1, :])
    c = declare('matrix((2, 3, 4))')
    s += np.max(c + 1)
# CHECK-NEXT: bad-folds.py:[[#@LINE-1]]:17: error: 'max' takes an array of one dimension, and 'c' is a matrix
# CHECK: hint: all its elements are c[:, :, :], those of a row c[i, :, :]
# CHECK-NOT: error
    s += x.std(ddof=1)
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: float64[] has no method 'std'
    s += np.var(x, 1)
# CHECK: bad-folds.py:[[#@LINE-1]]:10: error: 'var' takes arrays by their names, and expressions of slices
# CHECK: hint: use np.var(x) of an array, np.var(x[1:]) of slices
    s += np.linalg.norm(x, 1)
# CHECK: bad-folds.py:[[#@LINE-1]]:13: error: 'np.linalg' is not known in kernels
# CHECK: hint: use np.linalg.norm(x) for a norm, loops for more
    s += np.diff(x)
# CHECK: bad-folds.py:[[#@LINE-1]]:18: error: this slice is not supported here
    s += max(*n)
# CHECK: bad-folds.py:[[#@LINE-1]]:14: error: '*' in a call passes on a star parameter alone
    return s
