# Wrong counts of types, indices that are no integers, parameters without a type, unknown functions.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=G %s
# RUN: not cplc %s:none --emit types 2>&1 | FileCheck --check-prefix=NONE %s
# RUN: not cplc %s:ff --emit types 2>&1 | FileCheck --check-prefix=FF %s

def f(i, x, y, z: 'double'):
    x[i] = y[i]

@annotate(i='double')
def g(i, x):
    x[i] = 1

def none():
    pass

# CHECK: bad-elementwise.py:7:13: error: no type for parameter 'y' of 'f'
# CHECK: hint: give it with the call's types or annotate it: @annotate(y='double')
# CHECK-NOT: error:
# G: bad-elementwise.py:11:7: error: 'i' is the index of an elementwise function and must be an integer, found float64
# G-NOT: error:
# NONE: bad-elementwise.py:14:1: error: 'none' has no parameter for the index
# NONE: hint: the first parameter of an elementwise function is the index: def none(i, ...)
# NONE-NOT: error:
# FF: cplc: error: '{{.*}}bad-elementwise.py' has no function 'ff'; it has f, g, none
# FF-NOT: error:
