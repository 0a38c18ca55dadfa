# A parallel loop cannot be left.
# RUN: not cplc --emit ir %s:leave --types 'n=int32 x=float64[]' --as function 2>&1 | FileCheck %s


def leave(n, x):
    for i in prange(n):
        if x[i] > 1:
            break
    for i in prange(n):
        if x[i] > 1:
            return


# CHECK: bad-prange.py:8:{{[0-9]+}}: error:
# CHECK: bad-prange.py:11:{{[0-9]+}}: error:
