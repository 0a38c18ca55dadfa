# declare gives a local its type, anywhere in the function, and wins over what is assigned.
# RUN: cplc %s:f --types 'x=float64[]' --emit types | FileCheck %s
from compyle.api import declare, struct

@struct
class Pair:
    a: double
    b: 'int'

def f(i, x):
    a = declare('int')
    a = 1
    b, c = declare('unsigned int', 2)
    d = declare('matrix(3)')
    e = declare('matrix((2, 3))')
    g = declare('matrix((2, 2), "int")')
    h = declare('GLOBAL_MEM matrix(4)')
    j = declare('double*')
    j = x
    k = declare('doublep')
    k = address(x[i])
    l = declare('Pair')
    l.a = x[i]
    if x[i] > 0:
        m = declare('float')
        m = x[i]
    n = declare("matrix((2, 2, 2), 'float')")
    o: 'long' = 3
    p: float = 1
    q = declare('matrix((3,))')
    e[1, 2] = e[0][1]

# CHECK: f(i: int64, x: float64[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: uint32
# CHECK-NEXT: c: uint32
# CHECK-NEXT: d: float64[3]
# CHECK-NEXT: e: float64[2][3]
# CHECK-NEXT: g: int32[2][2]
# CHECK-NEXT: h: float64[4]
# CHECK-NEXT: j: float64*
# CHECK-NEXT: k: float64*
# CHECK-NEXT: l: Pair
# CHECK-NEXT: m: float32
# CHECK-NEXT: n: float32[2][2][2]
# CHECK-NEXT: o: int64
# CHECK-NEXT: p: float64
# CHECK-NEXT: q: float64[3]
