# Python expressions that kernels do not have.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    x = lambda a=1, b: a
# CHECK: :[[#@LINE-1]]:21: error: a parameter without a default value stands behind one with
    x = lambda a: int: a
# CHECK: :[[#@LINE-1]]:22: error: expected
    x = [a for a in b]
# CHECK: :[[#@LINE-1]]:9: error: comprehensions are not supported
# CHECK: hint: write a loop
    x = {a for a in b}
# CHECK: :[[#@LINE-1]]:9: error: comprehensions are not supported
# CHECK: hint: write a loop
    x = {a: b for a in b}
# CHECK: :[[#@LINE-1]]:9: error: comprehensions are not supported
# CHECK: hint: write a loop
    x = (a for a in b)
# CHECK: :[[#@LINE-1]]:12: error: generator expressions are not supported
# CHECK: hint: write a loop
    x = sum(a for a in b)
# CHECK: :[[#@LINE-1]]:15: error: generator expressions are not supported
# CHECK: hint: write a loop
    x = sum(a, (a for a in b))
# CHECK: :[[#@LINE-1]]:19: error: generator expressions are not supported
# CHECK: hint: write a loop
    x = []
# CHECK: :[[#@LINE-1]]:9: error: empty lists are not supported
# CHECK: hint: a private array has a fixed size: t = [0.0]*3
    x = {}
# CHECK: :[[#@LINE-1]]:9: error: dictionaries are not supported
    x = {1: 2}
# CHECK: :[[#@LINE-1]]:9: error: dictionaries are not supported
    x = {1, 2}
# CHECK: :[[#@LINE-1]]:9: error: sets are not supported
    x = ()
# CHECK: :[[#@LINE-1]]:9: error: empty tuples are not supported
    x = (yield)
# CHECK: :[[#@LINE-1]]:10: error: generators are not supported: 'yield'
# CHECK: hint: return one value, or store values in an array
    x = yield a
# CHECK: :[[#@LINE-1]]:9: error: generators are not supported: 'yield'
# CHECK: hint: return one value, or store values in an array
    x = await a
# CHECK: :[[#@LINE-1]]:9: error: 'async' and 'await' are not supported
    x = ...
# CHECK: :[[#@LINE-1]]:9: error: '...' is not supported in an expression
# CHECK: hint: an empty body is: pass
    x = a[1:2:3:4, 2]
# CHECK: :[[#@LINE-1]]:16: error: expected ']'
    x = a[]
# CHECK: :[[#@LINE-1]]:11: error: expected an index
    x = f(*)
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found ')'
    x = f(*a=1)
# CHECK: :[[#@LINE-1]]:13: error: expected ',' or ')', found '='
    x = f(a=1, *a)
# CHECK: :[[#@LINE-1]]:17: error: an argument without a name stands behind one with a name
    x = f(**a)
# CHECK: :[[#@LINE-1]]:11: error: arguments behind '**' are not supported
# CHECK: hint: pass each argument by itself
    x = f(a=1, 2)
# CHECK: :[[#@LINE-1]]:16: error: an argument without a name stands behind one with a name
# CHECK: :[[#@LINE-2]]:9: note: in this call
    x = *a, b
# CHECK: :[[#@LINE-1]]:9: error: starred expressions are not supported
    x = a in b
    x = a not b
# CHECK: :[[#@LINE-1]]:11: error: expected an operator or the end of the line, found 'not'
    x = (a := 3)
    x = a := 3
# CHECK: :[[#@LINE-1]]:11: error: assignment expressions (':=') are not supported
# CHECK: hint: write (v := e), in brackets, or v = e alone
    x = (a[0] := 3)
# CHECK: :[[#@LINE-1]]:15: error: assignment expressions (':=') are not supported
# CHECK: hint: ':=' gives a value to a name
    x = a if b := a else 1
# CHECK: :[[#@LINE-1]]:16: error: assignment expressions (':=') are not supported
