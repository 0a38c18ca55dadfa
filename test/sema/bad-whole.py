# A float is an index where all that it is given are integers; else the first float that is none is refused.
# RUN: not cplc %s:f --types 'x=float64[], y=int32[], n=int32' --emit types 2>&1 | FileCheck %s
import math


def f(i, x, y, n):
    j = math.floor(x[i])
    j += 0.5
    x[j] = 1
    t = x[i]
    x[t] = 2
    k = math.floor(x[i])
    k /= 2
    for m in range(k):
        x[m] = 3
    a, b = math.floor(x[i]), x[i]
    x[a] = b & 1
    c = math.floor(x[i])
    d = c
    c = d + x[i]
    x[d] = 4
    y[i] = math.floor(x[i]) - n
    y[i] = math.floor(x[i])/2
    x[math.sqrt(x[i])] = 5


# CHECK-NOT: {{error|warning}}
# CHECK: bad-whole.py:9:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:11:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:14:20: error: a bound of the loop must be an integer, found float64
# CHECK: bad-whole.py:17:12: error: '&' needs integers, found float64 and int32
# CHECK: bad-whole.py:21:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:23:12: warning: an element of 'y' is int32: the fraction of a float64 is dropped
# CHECK: bad-whole.py:24:7: error: an index must be an integer, found float64
# CHECK-NOT: {{error|warning}}
