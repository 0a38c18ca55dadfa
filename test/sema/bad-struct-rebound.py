# A struct that a function is given goes by reference: its fields are assigned, and not the name,
# which Python would make another struct's. Complex numbers and vectors go by value, and their names
# are as good as any.
# RUN: not cplc %s:f --as function --emit types 2>&1 | FileCheck %s
# RUN: cplc run %s:g --as function | FileCheck %s --check-prefix VALUE

@struct
class Pair:
    a: 'double'
    b: 'double'


def fresh(p):
    p = Pair(7.0, 8.0)
# CHECK: bad-struct-rebound.py:[[#@LINE-1]]:5: error: 'p' is the caller's struct, which Python would leave as it is here
# CHECK-NEXT: p = Pair(7.0, 8.0)
# CHECK-NEXT: ^
# CHECK-NEXT: hint: take a new name, or assign its fields to change the caller's: p.a = ...
    return p.a


def other(p, q):
    if p.a < q.a:
        p = q
# CHECK: bad-struct-rebound.py:[[#@LINE-1]]:9: error: 'p' is the caller's struct
    return p.a


def filled(p):
    new = Pair(7.0, 8.0)
    p.a = new.a
    new = p
    new.b = 3.0
    return new.a


def turned(z, v):
    z = z*1j
    v = v + 1.0
    return z.real + v.x
# CHECK-NOT: error


def f():
    p = Pair(1.0, 2.0)
    q = Pair(3.0, 4.0)
    return fresh(p) + other(p, q)


def g():
    p = Pair(1.0, 2.0)
    z = 2.0 + 3.0j
    v = float2(1.0, 2.0)
    t = filled(p) + 10.0*turned(z, v)
    return t + 100.0*(p.a + p.b + z.real + v.x)
# VALUE: result = 1197
