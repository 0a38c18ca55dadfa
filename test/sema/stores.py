# Storing a float in an integer is warned of; other conversions are silent.
# RUN: cplc %s:f --types 'x=float64[] k=int32[] s=int8[] n=int32' --emit types 2>&1 | FileCheck %s

def f(i, x, k, s, n):
    k[i] = x[i]
    k[i] += 0.5
    n = 2.5
    s[i] = k[i]
    x[i] = k[i]
    a = declare('int')
    a = x[i]
    b: 'long' = 1.5
    k[i] = int(x[i])

# CHECK: stores.py:5:12: warning: an element of 'k' is int32: the fraction of a float64 is dropped
# CHECK: stores.py:6:5: warning: an element of 'k' is int32: the fraction of a float64 is dropped
# CHECK: stores.py:7:9: warning: 'n' is int32: the fraction of a float64 is dropped
# CHECK: stores.py:11:9: warning: 'a' is int32: the fraction of a float64 is dropped
# CHECK: stores.py:12:17: warning: 'b' is int64: the fraction of a float64 is dropped
# CHECK: f(i: int64, x: float64[], k: int32[], s: int8[], n: int32) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: int64
