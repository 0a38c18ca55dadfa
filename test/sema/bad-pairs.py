# Loops over enumerate and zip take arrays of one dimension by their names, and as many variables as there are values.
# RUN: not cplc %s:f --as function --types 'x=float64[] y=float64[] g=float64[:,:] n=int32' \
# RUN:   --emit types 2>&1 | FileCheck %s


def f(x, y, g, n):
    s = g[0, 0]
    for i, v in enumerate(n):
        s += v
# CHECK: bad-pairs.py:[[#@LINE-2]]:27: error: a for loop runs over range(...), prange(...), an array or a list, found int32
# CHECK-NOT: cannot be indexed
    for i, v in enumerate(g):
        s += v
# CHECK: bad-pairs.py:[[#@LINE-2]]:27: error: a for loop runs over arrays of one dimension, and 'g' has 2
# CHECK: hint: for i in range(g.shape[0]): ... g[i, j]
    for i, v in enumerate(x[1:]*2):
        s += v
# CHECK: bad-pairs.py:[[#@LINE-2]]:17: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: hint: for i, v in enumerate(x): ..., x the name of an array, or a list that stands there
    for i, v, w in enumerate(x):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:20: error: a for loop runs over
# CHECK: hint: for i, v in enumerate(x): ..., x the name of an array, or a list that stands there
    for i in enumerate(x):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:14: error: a for loop runs over
    for i, v in enumerate(x, 0.5):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:30: error: a bound of the loop must be an integer, found float64
    for a, b, c in zip(x, y):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:20: error: a for loop runs over
# CHECK: hint: for a, b in zip(x, y): ..., a name for each of the arrays, which have names themselves
    for a, b in zip(x, n):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:24: error: a for loop runs over range(...), prange(...), an array or a list, found int32
    for a, b in zip(x, 2*y):
        s += 1
# CHECK: bad-pairs.py:[[#@LINE-2]]:17: error: a for loop runs over
    return s
