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


# Every way to give the variable another value: each of these is refused where it is an index.
# RUN: not cplc %s:g --types 'x=float64[], n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WAYS
def g(i, x, n):
    a = math.floor(x[i])
    a: float = x[i]*0.5
    x[a] = 1
    b = math.floor(x[i])
    b = c = x[i]
    x[b] = 2
    d = math.floor(x[i])
    if n > 2:
        d: float = 0.5
    x[d] = 3
    e = math.floor(x[i])
    while n < 0:
        e -= x[i]
    x[e] = 4
    f = math.floor(x[i])
    f, n = x[i], 3
    x[f] = 5
    h: float = math.floor(x[i])
    h **= 0.5
    x[h] = 6
    k = math.floor(x[i]) if n else x[i]
    x[k] = 7


# WAYS-NOT: {{error|warning}}
# WAYS: bad-whole.py:[[#AT:]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+3]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+7]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+11]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+14]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+17]]:7: error: an index must be an integer, found float64
# WAYS: bad-whole.py:[[#AT+19]]:7: error: an index must be an integer, found float64
# WAYS-NOT: {{error|warning}}
# CHECK-NOT: {{error|warning}}
# CHECK: bad-whole.py:9:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:11:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:14:20: error: a bound of the loop must be an integer, found float64
# CHECK: bad-whole.py:17:12: error: '&' needs integers, found float64 and int32
# CHECK: bad-whole.py:21:7: error: an index must be an integer, found float64
# CHECK: bad-whole.py:23:12: warning: an element of 'y' is int32: the fraction of a float64 is dropped
# CHECK: bad-whole.py:24:7: error: an index must be an integer, found float64
# CHECK-NOT: {{error|warning}}
