# What the rounds of a parallel loop own, its variable included, has no value behind the loop,
# whatever it was before; a new assignment gives it one.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --as function --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:again --types 'x=float64[] n=int32' --as function --emit types \
# RUN:   | FileCheck %s --check-prefix=AGAIN

def f(x, n):
    a = b = c = 1
    for a in prange(n):
        x[a] = 0
    x[0] = a
    with parallel():
        for b in prange(n):
            x[b] = 0
    if n > 2:
        x[1] = b
    for c in prange(0, n, 2):
        x[c] = 0
    for j in range(n):
        x[j] = c
    for d in prange(n):
        x[d] = 0
    while d < n:
        x[1] = 1
    e = 2
    g = 3
    for i in prange(n):
        e = x[i]
        g = e
        for k in range(n):
            x[i] = g
    return e + g + k

# CHECK: bad-behind-prange.py:11:12: error: 'a' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:16:16: error: 'b' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:20:16: error: 'c' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:23:11: error: 'd' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:32:12: error: 'e' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:32:16: error: 'g' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-behind-prange.py:32:20: error: 'k' belongs to the rounds of a parallel loop and has no value behind it
# CHECK-NOT: error:

def again(x, n):
    for i in prange(n):
        t = x[i]
        x[i] = 2*t
    i = 3
    t = x[i]
    for i in range(n):
        x[i] = t
    return i + t

# AGAIN: again(x: float64[], n: int32) -> float64
