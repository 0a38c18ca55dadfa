# Methods that are not there, called wrongly or decorated; operators without a method; wrong fields.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
from compyle.api import struct


@struct
class Point:
    x: 'double'
    n: int

    def norm(self, p=2):
        return self.x*p

    def __add__(self, other):
        return Point(self.x + other, self.n)

    @staticmethod
    def origin():
        return Point()

    def broken(self):
        return self.y


@struct
class Made:
    x: 'double'

    def __init__(self, x):
        return x


def f(i, x):
    p = Point(1.0, 2)
    a = p.nrom()
    a = p.norm(1, 2)
    a = p.norm(q=1)
    a = p.origin()
    a = p.broken()
    a = x[i].norm()
    q = p - 1
    q = 1 + p
    q = p + p
    q = -p
    p -= 1.0
    b = p < p
    b = p < p < p
    b = p is p
    a = abs(p)
    if p:
        a = p.norm
    p = Point(1.0)
    p = Point(1.0, 2, 3)
    p = Point(1.0, m=2)
    p = Point(1.0, x=1 + 1)
    p = Point(p, 2)
    p = Point(1.0, 2.5)
    m = Made(1.0)
    m = Made()

# CHECK: bad-methods.py:15:22: error: '+' does not work on float64 and Point
# CHECK: hint: 'Point' may have a method __radd__(self, other)
# CHECK: bad-methods.py:22:21: error: Point has no field 'y'
# CHECK: bad-methods.py:35:11: error: Point has no method 'nrom'
# CHECK: hint: did you mean 'norm'?
# CHECK: bad-methods.py:36:9: error: 'norm' takes 0 to 1 arguments, found 2
# CHECK: bad-methods.py:11:5: note: 'norm' is defined here
# CHECK: bad-methods.py:37:16: error: 'norm' has no parameter 'q'
# CHECK: bad-methods.py:11:5: note: 'norm' is defined here
# CHECK: bad-methods.py:38:11: error: 'origin' is a staticmethod, and methods take their struct first
# CHECK: bad-methods.py:18:5: note: 'origin' is defined here
# CHECK: bad-methods.py:40:9: error: float64 has no method 'norm'
# CHECK: hint: structs alone have methods; write a loop, or a function of 'x'
# CHECK: bad-methods.py:41:9: error: '-' does not work on Point and int32
# CHECK: hint: 'Point' may have a method __sub__(self, other)
# CHECK: bad-methods.py:42:9: error: '+' does not work on int32 and Point
# CHECK: hint: 'Point' may have a method __radd__(self, other)
# CHECK: bad-methods.py:44:9: error: '-' does not work on Point
# CHECK: hint: 'Point' may have a method __neg__(self)
# CHECK: bad-methods.py:45:5: error: '-' does not work on Point and float64
# CHECK: hint: 'Point' may have a method __sub__(self, other)
# CHECK: bad-methods.py:46:9: error: '<' does not work on Point and Point
# CHECK: hint: 'Point' may have a method __lt__(self, other)
# CHECK: bad-methods.py:47:9: error: structs are compared two by two
# CHECK: hint: write a < b and b < c
# CHECK: bad-methods.py:48:9: error: 'is' does not work on Point and Point
# CHECK: bad-methods.py:49:13: error: an argument of 'abs' must be a number, found Point
# CHECK: bad-methods.py:50:8: error: a condition must be a number, found Point
# CHECK: bad-methods.py:51:15: error: Point has no field 'norm'
# CHECK: hint: 'norm' is a method: .norm()
# CHECK: bad-methods.py:52:9: error: 'Point' takes 2 fields or none, found 1
# CHECK: hint: give all fields that are no matrices, or assign them later
# CHECK: bad-methods.py:53:9: error: 'Point' takes 2 fields or none, found 3
# CHECK: hint: give all fields that are no matrices, or assign them later
# CHECK: bad-methods.py:54:20: error: Point has no field 'm'
# CHECK: bad-methods.py:55:22: error: field 'x' of 'Point' is given twice
# CHECK: bad-methods.py:56:15: error: field 'x' of 'Point' is float64 and cannot take Point
# CHECK: bad-methods.py:57:20: warning: field 'n' of 'Point' is int64: the fraction of a float64 is dropped
# CHECK: bad-methods.py:58:9: error: __init__ of 'Made' returns a value
# CHECK: bad-methods.py:29:5: note: it is defined here
# CHECK: bad-methods.py:59:9: error: '__init__' takes 1 argument, found 0
# CHECK: bad-methods.py:29:5: note: '__init__' is defined here
# CHECK-NOT: error:
