# Atomics on what is no place, on narrow or wrong types, with wrong arguments.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[] s=int8[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k, s):
    a = atomic_inc(1)
    b = atomic_inc(k)
    c = atomic_inc(s[0])
    d = atomic_or(x[0], 1)
    e = atomic_add(k[0])
    g = atomic_add(k[0] + 1, 2)
    h = atomic_store(k[0], 1)
    j = atomic_add(k[0], k)

# CHECK: bad-atomics.py:5:20: error: 'atomic_inc' takes an element, field or variable: atomic_inc(x[i])
# CHECK: bad-atomics.py:6:20: error: 'atomic_inc' needs an integer or float of 32 or 64 bits, found int32[]
# CHECK: hint: name an element: atomic_inc(x[i])
# CHECK: bad-atomics.py:7:20: error: 'atomic_inc' needs an integer or float of 32 or 64 bits, found int8
# CHECK: bad-atomics.py:8:19: error: 'atomic_or' needs an integer, found float64
# CHECK: bad-atomics.py:9:9: error: 'atomic_add' takes 2 arguments, found 1
# CHECK: bad-atomics.py:10:20: error: 'atomic_add' takes an element, field or variable: atomic_add(x[i])
# CHECK: bad-atomics.py:11:9: error: this call gives no value
# CHECK: bad-atomics.py:12:26: error: the operand of 'atomic_add' must be a number, found int32[]
# CHECK: hint: did you mean 'k[i]'?
# CHECK-NOT: error:
