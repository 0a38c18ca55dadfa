# What loops run over and constants of several numbers hold; what neither can is refused with its place.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --types 'x=float32[]' --emit types 2>&1 | FileCheck --check-prefix=GOOD %s
W = (0.5, 1.5)
MIXED = (2, len)
ROWS = [[1, 2], [3]]
PAIR = (1, PAIR[1])
def f(i, x, n):
    for q in 5:
        x[i] = q
    for q in 2*x[i]:
        x[i] = q
    for q in n:
        x[i] = q
    x[i] = MIXED[n]
    x[i] = W[2]
    n = W
    x[i] = ROWS[n][0]
    x[i] = W[0.5]
    x[i] = PAIR[1]

def g(i, x):
    a = W[0]*x[i]
    b = W[i]
    for v in x:
        c = v

# CHECK: bad-sequences.py:9:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-sequences.py:11:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-sequences.py:13:14: error: a for loop runs over range(...), prange(...), an array or a list, found int32
# CHECK: bad-sequences.py:15:12: error: 'MIXED' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: bad-sequences.py:16:14: error: the index 2 is out of the range of 2 elements
# CHECK: bad-sequences.py:17:9: error: 'n' is int32 and cannot take
# CHECK: bad-sequences.py:18:12: error: the rows of an array are all of one length
# CHECK: bad-sequences.py:19:14: error: an index must be an integer, found float64
# CHECK: bad-sequences.py:20:12: error: 'PAIR' cannot be used in a kernel: its value is not known

# GOOD: a: float32
# GOOD-NEXT: b: float32
# GOOD: v: float32
# GOOD-NEXT: c: float32
