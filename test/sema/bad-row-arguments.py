# Rows as arguments: what takes a number takes none, a parameter that is assigned is none, and indices are integers of plain arrays.
# RUN: not cplc %s:f --as function \
# RUN:   --types 'x=float64[] m=float64[] out=float64[] n=int32 v=float4[] g=float64[:,:]' \
# RUN:   --emit types 2>&1 | FileCheck %s
import numpy as np


def norm(r):
    s = 0.0
    for x in r:
# CHECK-DAG: bad-row-arguments.py:[[#@LINE-1]]:14: error: a for loop runs over {{.*}}, found float4
# CHECK-DAG: bad-row-arguments.py:[[#@LINE-2]]:14: error: a for loop runs over {{.*}}, found int32
        s += x*x
    return s


def scale(a, k):
    return a*k


def assigned(r):
    r = r*2
    return r[0]
# CHECK-DAG: bad-row-arguments.py:[[#@LINE-1]]:12: error: float64 cannot be indexed


def whole(r):
    return r + r[0]
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:12: error: 'r', a row here, stands without its index
# CHECK-NEXT: return r + r[0]
# CHECK-NEXT: ^
# CHECK-NEXT: hint: r[i]; as a whole it goes to functions of the file, len() and sums


def corner(q):
    return q[0, 0]
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:14: error: float64[:] takes one index, found 2


def f(x, m, out, n, v, g):
    out[0] = norm(m[1.5])
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:21: error: an index must be an integer, found float64
    out[0] = norm(m[-1])
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:21: error: the index -1 is negative
    out[0] = norm(m[n, 1:])
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:24: error: this slice is not supported here
    out[0] = scale(m[n, :], 2)
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:25: error: this slice is not supported here
# CHECK: hint: a[i, :] = b and sum(b[:, j]), of arrays that have a name; of a parameter m f(m[:, j]), where f takes an array, and c = m[:, j]; c[k]; or loop over the elements
    out[0] = scale(m[n], 2)
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:20: error: 'm' has 2 dimensions: 1 index is missing here
    out[0] = assigned(x[n])
    out[0] = whole(m[n])
    out[0] = norm(v[n])
    out[0] = norm(n)
    out[0] = norm(m[n], 1)
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:14: error: 'norm' takes 1 argument, found 2
    out[0] = norm(m[n], q=1)
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:25: error: 'norm' has no parameter 'q'
    c = m[:, n]
    out[0] = c
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:14: error: this slice is not supported here
    d = m[:, n]
    d = m[n]
# CHECK: bad-row-arguments.py:[[#@LINE-2]]:11: error: this slice is not supported here
# CHECK: bad-row-arguments.py:[[#@LINE-2]]:9: error: 'm' has 2 dimensions: 1 index is missing here
    out[0] = d[0]
    out[0] = corner(g[n])
    out[0] = norm(g[n, 0])
# CHECK: bad-row-arguments.py:[[#@LINE-1]]:19: error: 'norm' takes an array here, and this is a number: 'g' has 2 dimensions
# CHECK: bad-row-arguments.py:8:10: note: 'r' is used as an array
