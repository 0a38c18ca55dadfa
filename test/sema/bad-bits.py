# Shifts and bits need integers.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k):
    k[i] = k[i] << 2.0
    k[i] = x[i] & 1
    k[i] = ~x[i]
    k[i] ^= 0.5
    k[i] = k[i] @ k[i]

# CHECK: bad-bits.py:5:12: error: '<<' needs integers, found int32 and float64
# CHECK: bad-bits.py:6:12: error: '&' needs integers, found float64 and int32
# CHECK: bad-bits.py:7:12: error: ~ needs an integer, found float64
# CHECK: bad-bits.py:8:5: error: '^' needs integers, found int32 and float64
# CHECK: bad-bits.py:9:12: error: '@' is not supported
# CHECK-NOT: error:
