# What looks like the name of a type and is none, in annotations and results.
# RUN: not cplc %s:f --as function --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --as function --types 'a=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=RESULT
import numpy as np
import math

class Plain:
    a = 1

@struct
class Parz:
    a: int

def helper(a):
    return a

@annotate(a=helper, b=helper(1), c='matrixp', d='voidp', e='bfloat16p', matrix='g')
def f(a, b, c, d, e, f, g, h: 1 + 2, i: np.random.x, j: np.sin, k: math.double, l: nowhere.double, m: Plain, n: 'Plainn',
      o: Pars, p: 'x', q: 'void', r: 'float64[3]', s: helper(1).x, t: np.float46,
      u: 'a_name_of_more_than_thirty_two_letters_p', v: 'double' = 1, w: 'doublep' = 0, x: Parz = 1.5):
    pass

@annotate(return_='float64[:]')
@annotate(retrn_='int')
def g(a) -> 'float64[3]':
    return a

# CHECK: bad-type-names.py:18:13: error: 'helper' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-type-names.py:18:23: error: only names of types can be used here
# CHECK: hint: write the type's name: 'double', 'doublep', 'float64[]'
# CHECK: bad-type-names.py:18:36: error: 'matrixp' is not a type
# CHECK: hint: did you mean 'matrix'?
# CHECK: bad-type-names.py:18:49: error: 'voidp' is not a type
# CHECK: hint: did you mean 'void'?
# CHECK: bad-type-names.py:18:60: error: 'bfloat16p' is not a type
# CHECK: hint: did you mean 'float16'?
# CHECK: bad-type-names.py:18:73: error: 'matrix' is neither a parameter of 'f' nor a type
# CHECK: hint: write annotate(x='double') or annotate(double='x, y')
# CHECK: bad-type-names.py:19:22: error: no type for parameter 'f' of 'f'
# CHECK: hint: give it with the call's types or annotate it: @annotate(f='double')
# CHECK: bad-type-names.py:19:25: error: no type for parameter 'g' of 'f'
# CHECK: hint: give it with the call's types or annotate it: @annotate(g='double')
# CHECK: bad-type-names.py:19:31: error: this is not a type
# CHECK: bad-type-names.py:19:41: error: 'np.random.x' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-type-names.py:19:57: error: 'np.sin' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-type-names.py:19:68: error: 'math.double' is not a type
# CHECK: hint: did you mean 'double'?
# CHECK: bad-type-names.py:19:84: error: 'nowhere.double' is not a type
# CHECK: hint: did you mean 'double'?
# CHECK: bad-type-names.py:19:103: error: 'Plain' is not a type
# CHECK: bad-type-names.py:8:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK: bad-type-names.py:19:113: error: 'Plainn' is not a type
# CHECK: hint: did you mean 'Plain'?
# CHECK: bad-type-names.py:20:10: error: 'Pars' is not a type
# CHECK: hint: did you mean 'Parz'?
# CHECK: bad-type-names.py:20:19: error: 'x' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-type-names.py:20:27: error: a parameter cannot be void
# CHECK: bad-type-names.py:20:38: error: a parameter cannot be float64[3]
# CHECK: bad-type-names.py:20:55: error: this is not a type
# CHECK: bad-type-names.py:20:71: error: 'np.float46' is not a type
# CHECK: hint: did you mean 'float16'?
# CHECK: bad-type-names.py:21:10: error: 'a_name_of_more_than_thirty_two_letters_p' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-type-names.py:21:86: error: the default of 'w' is a number, but its type is float64*
# CHECK: bad-type-names.py:21:99: error: the default of 'x' is a number, but its type is Parz
# CHECK-NOT: error:

# RESULT: bad-type-names.py:24:19: error: a function cannot return float64[:]
# RESULT: bad-type-names.py:25:11: error: 'retrn_' is no parameter of 'g'
# RESULT: hint: did you mean 'return_'?
# RESULT: bad-type-names.py:26:13: error: a function cannot return float64[3]
# RESULT-NOT: error:

# RUN: not cplc %s:imaginary --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=IMAGINARY
def imaginary(i, x, c: float = -2j, d: complex = 1, e: complex = 1 - 2j):
    x[i] = c

# IMAGINARY: bad-type-names.py:[[#@LINE-3]]:32: error: the default of 'c' is a complex number, but its type is float64
# IMAGINARY-NOT: error:
