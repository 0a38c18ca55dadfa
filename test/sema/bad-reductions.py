# What looks like a reduction and is none: the variable carries from round to round.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --as function --emit types 2>&1 | FileCheck %s

def f(x, n):
    a = 1000
    b = 0.0
    c = 0.0
    d = 0.0
    e = 1e9
    g = 1e9
    h = 0
    k = declare('bool')
    m = True
    for i in prange(n):
        a = a / 2
        b = b + b
        c = c + (x[i] - c)
        d = x[i] / d
        e = fmin(e, x[i])
        if x[i] < g:
            g = x[i]
        h = h << 1
        k += x[i] > 0
        m = m and x[i] > 0
    return a + b

# CHECK: bad-reductions.py:15:13: error: 'a' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-reductions.py:16:13: error: 'b' carries
# CHECK: bad-reductions.py:17:13: error: 'c' carries
# CHECK: bad-reductions.py:18:20: error: 'd' carries
# CHECK: bad-reductions.py:19:18: error: 'e' carries
# CHECK: bad-reductions.py:20:19: error: 'g' carries
# CHECK: bad-reductions.py:22:13: error: 'h' carries
# CHECK: bad-reductions.py:23:9: error: 'k' carries
# CHECK: bad-reductions.py:24:13: error: 'm' carries
