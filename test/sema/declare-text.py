# Texts of declare, with blanks and spaces of memory; one declared twice alike.
# RUN: cplc %s:f --types 'x=float64[]' --emit types | FileCheck %s

@struct
class Pair:
    a: 'float'
    m: 'matrix((2, 2), "int")'

def f(i, x):
    a = declare("  matrix( ( 2 ,\t3 , ) , 'int' ) ")
    b = declare('GLOBAL_MEM doublep')
    c = declare(' Pair')
    d = declare('GLOBAL_MEM matrix(3)')
    e = declare('double')
    e = declare('float64')
    g = declare('matrix(2, "Pair")')
    h, j = declare('int', 2)
    k = l = declare('long')
    m: Pair
    n: 'int*' = c.m[0]
    b = x
    a[1][2] = c.m[1][0] + g[0].m[1][1]
    c.a = x[0]
    n[0] = h + j + k + l

# CHECK: f(i: int64, x: float64[]) -> void
# CHECK-NEXT:   a: int32[2][3]
# CHECK-NEXT:   b: float64*
# CHECK-NEXT:   c: Pair
# CHECK-NEXT:   d: float64[3]
# CHECK-NEXT:   e: float64
# CHECK-NEXT:   g: Pair[2]
# CHECK-NEXT:   h: int32
# CHECK-NEXT:   j: int32
# CHECK-NEXT:   k: int64
# CHECK-NEXT:   l: int64
# CHECK-NEXT:   m: Pair
# CHECK-NEXT:   n: int32*
