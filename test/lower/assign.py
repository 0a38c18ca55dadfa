# Assignments: one value to several targets, tuples through temporaries, declarations that clear.
# RUN: cplc --emit ir %s:assign --types 'x=float64[] c=int8[] h=float16[]' | FileCheck %s
from compyle.api import declare


def assign(i, x, c, h):
    a = b = x[i]
    a, b = b, a + 1
    c[i] += 100
    h[i] *= 2
    x[i] = a**2 + b
    m = declare('matrix(3)')
    for k in range(2):
        v = declare('matrix(2, "int")')
        s = declare('long')
        v[0] += k
        s += v[0]
        m[k] += s
    x[i] += m[1]


# CHECK: func assign.body
# CHECK: [[T:t[_0-9]*]] = load(elem(x, i))
# CHECK-NEXT: a = [[T]]
# CHECK-NEXT: b = [[T]]
# CHECK-NEXT: [[A:t[_0-9]*]] = b
# CHECK-NEXT: [[B:t[_0-9]*]] = add(a, 1.0:float64)
# CHECK-NEXT: a = [[A]]
# CHECK-NEXT: b = [[B]]
# CHECK-NEXT: store(elem(c, i), convert<int8>(add(convert<int32>(load(elem(c, i))), 100:int32)))
# CHECK-NEXT: store(elem(h, i), convert<float16>(mul(convert<float32>(load(elem(h, i))), 2.0:float32)))
# CHECK-NEXT: store(elem(x, i), add(mul(a, a), b))
# Variables start at zero: only the declarations inside the loop do something.
# CHECK-NEXT: for k in
# CHECK-NEXT: clear(addr(v))
# CHECK-NEXT: s = 0:int64
# CHECK-NEXT: store(item(addr(v), 0:int32), add(load(item(addr(v), 0:int32)), k))
