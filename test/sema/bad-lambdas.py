# Functions inside of functions: each has one name, and goes to functions of the file alone.
# RUN: not cplc %s:f --types 'x=float64[] a=float64' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --types "x=float64[] a=float64" --emit types | FileCheck --check-prefix=GOOD %s
from math import sin

third = lambda v: v/3

def apply(g, v):
    return g(v)

def both(g, v, h=3):
    return g(v, h)

def f(i, x, a):
    def twice(v):
        return v*a
    def twice(v):
        return v
    h = lambda v: v
    if a > 2:
        h = lambda v: v + 1
    x = lambda v: v
    def other(v, w=[a]):
        b = 3
        return v + b + hidden()
    hidden = lambda: b
    b = 2
    def late():
        return unset
    x[i] = twice(1) + h(2)
    d = sin(lambda v: v)
    e = sin(lambda v: v*a)
    k = apply(lambda v, w: v, x[i])
    l = apply(lambda: 1 + a, x[i])
    m = apply(lambda v: missing, x[i])
    n = other(1) + late()
    fine = lambda v, w=2: v*w + a
    o = fine() + fine(1, 2, 3) + fine(w=2) + fine(1, z=3) + fine(1, a=a)
    unset = 1
    q = fine
    class P:
        y = 1
    def some(*v):
        return a
    u = some(1)
    x[i] = third


def g(i, x, a):
    def near(v, w=2):
        return v*a + w
    x[i] = apply(lambda v: v*v, x[i]) + apply(third, x[i]) + apply(near, x[i])

# CHECK: bad-lambdas.py:41:5: error: classes inside functions are not supported
# CHECK: hint: define it at the top level of the file
# CHECK: bad-lambdas.py:9:12: error: 'lambda' takes 2 arguments, found 1
# CHECK: bad-lambdas.py:33:15: note: 'lambda' is defined here
# CHECK: bad-lambdas.py:9:12: error: 'lambda' takes 0 arguments, found 1
# CHECK: bad-lambdas.py:34:15: note: 'lambda' is defined here
# CHECK: bad-lambdas.py:15:5: error: 'twice' is a function here, and is assigned more than once
# CHECK: hint: which function is called is known when this is compiled: give each its own name
# CHECK: bad-lambdas.py:17:5: error: 'twice' is a function here, and is assigned more than once
# CHECK: hint: which function is called is known when this is compiled: give each its own name
# CHECK: bad-lambdas.py:19:9: error: 'h' is a function here, and is assigned more than once
# CHECK: hint: which function is called is known when this is compiled: give each its own name
# CHECK: bad-lambdas.py:21:13: error: 'h' is a function here, and is assigned more than once
# CHECK: hint: which function is called is known when this is compiled: give each its own name
# CHECK: bad-lambdas.py:22:9: error: 'x' is a function here, and is assigned more than once
# CHECK: hint: which function is called is known when this is compiled: give each its own name
# CHECK: bad-lambdas.py:23:5: error: 'b' is a variable of this function, and another one where a function that it calls uses it
# CHECK: hint: give one another name
# CHECK: bad-lambdas.py:31:13: error: a function is no value: it is called, is an argument of a function of the file, or is given one name of its own
# CHECK: hint: square = lambda v: v*v; apply(square, x[i]) + square(2)
# CHECK: bad-lambdas.py:32:13: error: a function is no value: it is called, is an argument of a function of the file, or is given one name of its own
# CHECK: hint: square = lambda v: v*v; apply(square, x[i]) + square(2)
# CHECK: bad-lambdas.py:35:25: error: undefined name 'missing'
# CHECK: bad-lambdas.py:36:20: error: 'unset' is read before it is assigned
# CHECK: bad-lambdas.py:38:9: error: 'fine' takes 1 to 2 arguments, found 0
# CHECK: bad-lambdas.py:37:12: note: 'fine' is defined here
# CHECK: bad-lambdas.py:38:18: error: 'fine' takes 1 to 2 arguments, found 3
# CHECK: bad-lambdas.py:37:12: note: 'fine' is defined here
# CHECK: bad-lambdas.py:38:34: error: 'fine' is called without its argument 'v'
# CHECK: bad-lambdas.py:37:12: note: 'fine' is defined here
# CHECK: bad-lambdas.py:38:54: error: 'fine' has no parameter 'z'
# CHECK: hint: its parameters are v, w
# CHECK: bad-lambdas.py:37:12: note: 'fine' is defined here
# CHECK: bad-lambdas.py:38:61: error: 'a' is given twice
# CHECK: bad-lambdas.py:37:12: note: 'fine' is defined here
# CHECK: bad-lambdas.py:40:9: error: a function is no value: it is called, is an argument of a function of the file, or is given one name of its own
# CHECK: hint: square = lambda v: v*v; apply(square, x[i]) + square(2)
# CHECK: bad-lambdas.py:43:5: error: a function that takes any number of arguments uses 'a', a variable of the function around it
# CHECK: hint: pass it on as an argument
# CHECK: bad-lambdas.py:46:12: error: 'third' is a function and stands without a call
# CHECK: hint: call it: third(...)

# GOOD: lambda(v: float64) -> float64
# GOOD: apply(v: float64) -> float64
# GOOD-NEXT: g = function 'lambda'
# GOOD: third(v: float64) -> float64
# GOOD: apply.1(v: float64) -> float64
# GOOD-NEXT: g = function 'third'
# GOOD: near(v: float64, w: int32, a: float64) -> float64
# GOOD: apply.2(v: float64, .g.a: float64) -> float64
# GOOD-NEXT: g = function 'near'
# GOOD: g(i: int64, x: float64[], a: float64) -> void
