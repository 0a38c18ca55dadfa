# min of one argument, of an array; abs of two.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s

def f(i, x):
    a = min(2.5)
    b = max(x, 1)
    c = abs(1, 2)

# CHECK: bad-minmax.py:5:9: error: 'min' takes at least 2 arguments, found 1
# CHECK: bad-minmax.py:6:13: error: an argument of 'max' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-minmax.py:7:9: error: 'abs' takes 1 argument, found 2
# CHECK-NOT: error:
