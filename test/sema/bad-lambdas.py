# Lambdas are arguments of functions of the file, or stand under a name of it; they see no variables around them.
# RUN: not cplc %s:f --types 'x=float64[] a=float64' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=GOOD %s
from math import sin

third = lambda v: v/3

def apply(g, v):
    return g(v)

def nested(g, v):
    return apply(lambda w: g(w), v)

def f(i, x, a):
    b = apply(lambda v: v*a, x[i])
    h = lambda v: v
    c = (lambda v: v)(x[i])
    d = sin(lambda v: v)
    e = nested(sin, x[i])
    k = apply(lambda v, w: v, x[i])
    l = apply(lambda: 1, x[i])
    m = apply(lambda v: missing, x[i])
    x[i] = third
# CHECK: bad-lambdas.py:[[@LINE-15]]:12: error: 'lambda' takes 2 arguments, found 1
# CHECK: bad-lambdas.py:[[@LINE-5]]:15: note: 'lambda' is defined here
# CHECK: bad-lambdas.py:[[@LINE-17]]:12: error: 'lambda' takes 0 arguments, found 1
# CHECK: bad-lambdas.py:[[@LINE-15]]:28: error: 'g' is a variable of 'nested'
# CHECK: bad-lambdas.py:[[@LINE-13]]:27: error: 'a' is a variable of 'f': a lambda knows its own parameters and what the file defines
# CHECK: hint: pass it on: apply(lambda v, a: ..., v, a)
# CHECK: bad-lambdas.py:[[@LINE-14]]:9: error: a lambda stands as an argument of a function of the file, or under a name at the top level of the file
# CHECK: hint: apply(lambda v: v*v, x[i])
# CHECK: bad-lambdas.py:[[@LINE-15]]:10: error: only functions can be called, by their names
# CHECK: bad-lambdas.py:[[@LINE-15]]:13: error: a lambda stands as an argument
# CHECK: bad-lambdas.py:[[@LINE-12]]:25: error: undefined name 'missing'
# CHECK: bad-lambdas.py:[[@LINE-12]]:12: error: 'third' is a function and stands without a call

def g(i, x):
    x[i] = apply(lambda v: v*v, x[i]) + apply(third, x[i])

# GOOD: lambda(v: float64) -> float64
# GOOD: apply(v: float64) -> float64
# GOOD-NEXT: g = function 'lambda'
# GOOD: third(v: float64) -> float64
# GOOD: apply.1(v: float64) -> float64
# GOOD-NEXT: g = function 'third'
