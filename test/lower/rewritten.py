# What becomes of loops over rows, of slices with both ends given, of sums over rows and of functions inside of functions.
# RUN: cplc %s:pairs --as function --types 'x=float64[] m=float64[,]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=PAIRS
# RUN: cplc %s:ends --as function --types 'x=float64[] y=float64[] a=int64 b=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=ENDS
# RUN: cplc %s:dots --types 'x=float64[] y=float64[] m=float64[,]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=DOTS
# RUN: cplc %s:stored --types 'x=float64[,] y=float64[,]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=STORED
# RUN: cplc %s:inner --types 'x=float64[] a=float64 b=float64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=INNER
# RUN: cplc %s:passed --types 'x=float64[] a=float64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=PASSED
import numpy as np


# PAIRS: for _at0 in (0:int64, m_shape0, 1:int64) {
# PAIRS-NEXT: a = load(elem(m, add(mul(_at0, m_shape1), 0:int64)))
# PAIRS-NEXT: b = load(elem(m, add(mul(_at0, m_shape1), 1:int64)))
# PAIRS-NEXT: s = add(s, mul(a, b))
# PAIRS-NEXT: }
def pairs(x, m):
    s = 0.0
    for a, b in m:
        s += a*b
    x[0] = s


# ENDS: _bound2 = a
# ENDS: _bound4 = b
# ENDS: _count1 = floordiv(add(sub(_bound4, _bound2), 1:int64), 2:int64)
# ENDS: parallel for _at0 in (0:int64, _count1, 1:int64)
# ENDS-NEXT: store(elem(x, add(_bound2, mul(_at0, 2:int64))), load(elem(y, add(convert<int64>(_bound7), _at0))))
def ends(x, y, a, b):
    x[a:b:2] = y[:]


# DOTS: assert<"slices of one statement are as long as each other">
# DOTS: mul(load(elem(y, {{.*}})), load(elem(m, add(mul(i, m_shape1), {{.*}}))))
def dots(i, x, y, m):
    x[i] = np.dot(y, m[i])


# What a slice is in has elements for sure, which are stored in any order.
# STORED: parallel for _at0 in (0:int64, _count1, 1:int64)
# STORED-NEXT: store(elem(y, {{.*}}), neg(load(elem(x, {{.*}}))))
def stored(i, x, y):
    d = -x[i, :]
    y[i] = d


# INNER: func part(y: float64, a: float64, b: float64) -> float64 {
# INNER: call part(load(elem(x, i)), a, b)
def inner(i, x, a, b):
    def part(y):
        return y*a + b
    x[i] = part(x[i])


# PASSED: func apply(x: float64, _g_a: float64) -> float64 {
# PASSED: call part(x, _g_a)
# PASSED: func twice(x: float64, _h_a: float64) -> float64 {
# PASSED: call apply(mul(2.0:float64, x), _h_a)
# PASSED: call twice(load(elem(x, i)), a)
def apply(g, x):
    return g(x)


def twice(h, x):
    return apply(h, 2.0*x)


def passed(i, x, a):
    def part(y):
        return y*a
    x[i] = twice(part, x[i])
