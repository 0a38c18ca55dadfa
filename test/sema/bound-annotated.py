# A bound integer has the type that its parameter is annotated; without one it is a literal.
# RUN: cplc %s:wide --emit ir --types 'N=const:100000 x=int32[] y=int64[]' \
# RUN:   | FileCheck %s --check-prefix=WIDE
# RUN: cplc %s:weak --emit ir --types 'N=const:100000 x=int32[] y=int64[]' \
# RUN:   | FileCheck %s --check-prefix=WEAK
# RUN: cplc %s:passed --emit types --types 'N=const:-3 M=const:3 x=int32[]' \
# RUN:   | FileCheck %s --check-prefix=PASSED
import numpy as np

def wide(i, N: 'int64', x, y):
    m = declare('matrix(N)')
    y[i] = x[i]*N + N*N
    if N > 3 and N*2 == 200000:
        y[i] = N - 1

# WIDE: store(elem(y, i), add(mul(convert<int64>(load(elem(x, i))), 100000:int64), mul(100000:int64, 100000:int64)))
# WIDE-NEXT: store(elem(y, i), sub(100000:int64, 1:int64))

def weak(i, N, x, y):
    y[i] = x[i]*N + N*N

# WEAK: add(convert<int64>(mul(load(elem(x, i)), 100000:int32)), 10000000000:int64)

def passed(i, N: 'int8', M: 'uint16', x):
    a = N
    b = M
    x[i] = sized(M) + given(M)
    for k in static_range(M):
        b = k

def sized(n):
    t = np.zeros(n)
    c = n
    return c

def given(n: 'int64'):
    t = np.zeros(n)
    return n

# PASSED: sized() -> uint16
# PASSED-NEXT: n = 3
# PASSED: c: uint16
# PASSED: given() -> int64
# PASSED: a: int8
