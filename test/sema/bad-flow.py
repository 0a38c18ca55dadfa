# Reads before any assignment are errors, in loops too.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s

def f(i, x, n):
    x[i] = a
    a = 1
    for j in range(n):
        s += x[j]
    b = b + 1
    while c < n:
        c += 1
    del_ = d if n else 1
    d = 2
    e[0] = 1
    e = x

# CHECK: bad-flow.py:5:12: error: 'a' is read before it is assigned
# CHECK: bad-flow.py:8:9: error: 's' is read before it is assigned
# CHECK: bad-flow.py:9:9: error: 'b' is read before it is assigned
# CHECK: bad-flow.py:10:11: error: 'c' is read before it is assigned
# CHECK: bad-flow.py:12:12: error: 'd' is read before it is assigned
# CHECK: bad-flow.py:14:5: error: 'e' is read before it is assigned
# CHECK-NOT: error:
