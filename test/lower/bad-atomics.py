# Atomics work on 32 and 64 bits, bitwise ones on integers.
# RUN: not cplc --emit ir %s:narrow --types 'c=int8[] h=uint16[] x=float64[]' 2>&1 | FileCheck %s


def narrow(i, c, h, x):
    atomic_inc(c[0])
    atomic_add(h[0], 1)
    atomic_or(x[0], 1)


# CHECK: bad-atomics.py:6:{{[0-9]+}}: error:
# CHECK: bad-atomics.py:7:{{[0-9]+}}: error:
# CHECK: bad-atomics.py:8:{{[0-9]+}}: error:
