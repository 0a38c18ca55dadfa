# Slices of several dimensions: what is read must not change on the way, and arrays have as many dimensions as the slices say.
# RUN: not cplc %s:f --as function --types 'out=float64[] x=float64[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s
import numpy as np


def f(out, x, n):
    out[1:, 1:] = out[2:, 1:] + out[:-2, 1:]
# CHECK: bad-rows.py:[[#@LINE-1]]:9: error: 'out' is read here at other places than it is written at, which would change on the way
# CHECK-NEXT: out[1:, 1:] = out[2:, 1:] + out[:-2, 1:]
# CHECK-NEXT: ^
# CHECK-NEXT: hint: keep what is read in another array, b[:] = a, or loop over the elements
    out[n, :-1] = out[n, 1:] + out[n, ::-1]
# CHECK-NEXT: bad-rows.py:[[#@LINE-1]]:12: error: 'out' is read here
    out[n, :-1] = out[n, 1:]
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    out[n, :-1] = out[n - 1, 1:]
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    out[:] = 0.0
    out[0] = x
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    x[:] = out
# CHECK: bad-rows.py:[[#@LINE-1]]:12: error: a slice takes an array of one dimension, and 'out' has 2
# CHECK: hint: an element is out[i, j]; a row out[i, :]
    x[1:] = x
# CHECK: bad-rows.py:[[#@LINE-1]]:13: error:
    n[:] = x
# CHECK: bad-rows.py:[[#@LINE-1]]:5: error: a slice takes an array, found int32
    out[x[:], 0] = 1
# CHECK: bad-rows.py:[[#@LINE-1]]:11: error: this slice is not supported here
    p = n*2.0
    p = x[n]
    q = p[0]
# CHECK: bad-rows.py:[[#@LINE-1]]:9: error: float64 cannot be indexed
    row = out[n]
    past = out[n - 1]
    row[1:-1] = past[:-2] + row[2:]
# CHECK: bad-rows.py:[[#@LINE-1]]:9: error: 'row' is read here at other places than it is written at
    row[1:] = past[:-1]
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    row[:] = past*2
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    column = out[:, n]
    row[:] = column
# CHECK: bad-rows.py:[[#@LINE-1]]:9: error: 'row' is read here at other places than it is written at
    out[1:, n] = column[1:]*2
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    out[1:, n] = column[:-1]
# CHECK-NOT: bad-rows.py:[[#@LINE-1]]
    out[1:, n] = column[n:n + 3] - column[:-1]
# CHECK: bad-rows.py:[[#@LINE-1]]:9: error: 'out' is read here at other places than it is written at
    out[n] = column
# CHECK: bad-rows.py:[[#@LINE-1]]:5: error: 'out' is read here at other places than it is written at
    x[0] = row[0] + row
# CHECK: bad-rows.py:[[#@LINE-1]]:21: error: 'out' has 2 dimensions: 1 index is missing here
# CHECK-NEXT: x[0] = row[0] + row
# CHECK: hint: an element is out[i, j]
    return np.sum(n*2)
# CHECK: bad-rows.py:[[#@LINE-1]]:19: error: 'sum' takes an array, found int32


# Rows of several arrays have no name in common.
# RUN: not cplc %s:several --types 'x=float64[:,:] y=float64[:,:] out=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=SEVERAL %s
def several(i, x, y, out):
    p = x[i]
    if out[i] > 0:
        p = y[i]
    out[i] = p[0]
# SEVERAL: bad-rows.py:[[#@LINE-4]]:9: error: 'x' has 2 dimensions: 1 index is missing here
# SEVERAL: bad-rows.py:[[#@LINE-3]]:13: error: 'y' has 2 dimensions: 1 index is missing here
