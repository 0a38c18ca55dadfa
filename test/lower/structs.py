# Structs: variables are values, parameters pointers; fields are found through addresses.
# RUN: cplc --emit ir %s:use --types 'x=float64[]' | FileCheck %s
from compyle.api import declare, struct


@struct
class Pair:
    a: 'int'
    b: 'double'


def total(p):
    return p.a + p.b


def use(i, x):
    p = declare('Pair')
    q = declare('Pair')
    p.a = 3
    p.b += x[i]
    q = p
    x[i] = total(p) + q.b


# CHECK: struct Pair { a: int32, b: float64 }
# CHECK: func total(p: Pair*) -> float64 {
# CHECK-NEXT: return add(convert<float64>(load(field<a>(p))), load(field<b>(p)))
# CHECK: store(field<a>(addr(p)), 3:int32)
# CHECK-NEXT: store(field<b>(addr(p)), add(load(field<b>(addr(p))), load(elem(x, i))))
# CHECK-NEXT: q = p
# CHECK-NEXT: [[T:t[_0-9]*]] = call total(ptrcast<Pair*>(addr(p)))
# CHECK-NEXT: store(elem(x, i), add([[T]], load(field<b>(addr(q)))))
