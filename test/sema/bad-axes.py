# Sums along an axis are stored in slices, of other arrays, by axes that are numbers; None stands beside slices there.
# RUN: not cplc %s:f --as function --types 'm=float64[] r=float64[] w=float64[] n=int64' \
# RUN:   --emit types 2>&1 | FileCheck %s
import numpy as np


def f(m, r, w, n):
    r[:] = np.sum(m[:, :], axis=1)
# CHECK-NOT: bad-axes.py:[[#@LINE-1]]
    r[:] = np.sum(m[:, :], axis=n)
# CHECK: bad-axes.py:[[#@LINE-1]]:7: error: this slice is not supported here
# CHECK: bad-axes.py:[[#@LINE-2]]:12: error: 'sum' takes arrays by their names, and expressions of slices
    r[:] = np.sum(m[:, :], axis=2)
# CHECK: bad-axes.py:[[#@LINE-1]]:7: error: this slice is not supported here
    r[:] = np.sum(m[:, :], axis=1, keepdims=True)
# CHECK: bad-axes.py:[[#@LINE-1]]:7: error: this slice is not supported here
    s = np.sum(m, axis=0)
# CHECK: bad-axes.py:[[#@LINE-1]]:9: error: 'sum' takes arrays by their names
    m[:, 0] = np.sum(m, axis=1)
# CHECK: bad-axes.py:[[#@LINE-1]]:7: error: 'm' is read here at other places than it is written at
# CHECK: hint: keep what is read in another array, b[:] = a, or loop over the elements
    w[:] = r[:, None]
# CHECK-NOT: bad-axes.py:[[#@LINE-1]]
    w[:, None] = r[:]
# CHECK: bad-axes.py:[[#@LINE-1]]:7: error: this slice is not supported here
    q = r[:, None]
# CHECK: bad-axes.py:[[#@LINE-1]]:11: error: this slice is not supported here
