# Short vectors that do not go together, lanes that are not there.
# RUN: not cplc %s:f --types 'v=float4[] w=float2[] k=int4[] x=float32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s


def f(i, v, w, k, x):
    a = v[i] + w[i]
    b = v[i] < v[i]
    c = v[i].q
    d = v[i][4]
    e = v[i][-1]
    g = v[i] & 1
    h = ~v[i]
    j = float4(1, 2, 3)
    m = float4(w[i], 1)
    n = float4(x=1)
    o = isnan(v[i])
    x[i] = v[i]
    v[i] = w[i]
    k[i] = v[i]
    v[i] = 1.0
    p = float5(1)
    q = v[i] + x
    if v[i]:
        pass
    r = atomic_add(v[i], 1)
    s = v[i] @ v[i]


# CHECK: bad-vectors.py:7:9: error: float2 has 2 lanes, and its other operand 4
# CHECK: bad-vectors.py:8:9: error: '<' does not work on float4 and float4
# CHECK: hint: compare lanes: v.x < w.x, v[0] < w[0]
# CHECK: bad-vectors.py:9:14: error: float4 has no field 'q'
# CHECK: bad-vectors.py:10:14: error: the index 4 is out of the range of 4 elements
# CHECK: bad-vectors.py:11:14: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last one is 3
# CHECK: bad-vectors.py:12:9: error: '&' does not work on float4 and int32
# CHECK: bad-vectors.py:13:9: error: ~ needs integers, found float4
# CHECK: bad-vectors.py:14:9: error: 'float4' takes 4 numbers, or one for all lanes, found 3
# CHECK: hint: float4(0) has zeros in all lanes; vectors count as many numbers
# CHECK: bad-vectors.py:15:9: error: 'float4' takes 4 numbers, or one for all lanes, found 3
# CHECK: hint: float4(0) has zeros in all lanes; vectors count as many numbers
# CHECK: bad-vectors.py:16:9: error: 'float4' takes 4 numbers, or one for all lanes, found 0
# CHECK: hint: float4(0) has zeros in all lanes; vectors count as many numbers
# CHECK: bad-vectors.py:17:9: error: 'isnan' takes numbers, not vectors
# CHECK: bad-vectors.py:18:12: error: an element of 'x' is float32 and cannot take float4
# CHECK: bad-vectors.py:19:12: error: an element of 'v' is float4 and cannot take float2
# CHECK: bad-vectors.py:20:12: warning: an element of 'k' is int32: the fraction of a float32 is dropped
# CHECK: bad-vectors.py:21:12: error: an element of 'v' is float4 and cannot take float64
# CHECK: hint: float4(x) has x in all lanes
# CHECK: bad-vectors.py:22:9: error: undefined function 'float5'
# CHECK: bad-vectors.py:23:9: error: float32[] does not go with a vector
# CHECK: bad-vectors.py:24:8: error: a condition must be a number, found float4
# CHECK: bad-vectors.py:26:20: error: 'atomic_add' needs an integer or float of 32 or 64 bits, found float4
# CHECK: bad-vectors.py:27:9: error: '@' does not work on float4 and float4
# CHECK-NOT: error:
