# Names at the top of the file that are what they seem not to be: aliases in circles, star imports, modules not imported.
# RUN: not cplc %s:f --types 'x=float64[] p=Pair*' --emit types 2>&1 | FileCheck %s
import math
from math import sqrt as root, nothing_of_math
from numpy import round as np_round
from compyle.api import *
from somewhere import *

A1 = A2
A2 = A3
A3 = A1
B0 = sin
B1 = B0
B2 = B1
B3 = B2
B4 = B3
B5 = B4
B6 = B5
B7 = B6
B8 = B7
B9 = B8
TYPE = float32
SELF = SELF
MODULE = math
FUNC = helper
NUMBER = pi
twice = sin
twice = cos

@struct
class Pair:
    first: 'int'
    second: 'int'

class Plain:
    pass

def helper(v):
    return v

def f(i, x, p):
    a = A1
    a = B7(x[i])
    a = B9(x[i])
    a = TYPE(x[i])
    a = TYPE
    a = SELF
    a = MODULE
    a = FUNC(1) + FUNC
    a = NUMBER
    a = twice(1)
    a = root(2) + nothing_of_math
    a = np_round(2.5)
    a = np.sin(1)
    a = np
    a = numpy
    a = numpy.pi
    a = math.sin
    a = math.Pair
    a = Pair
    a = Plain
    a = float
    a = sin
    a = LIDD_0
    a = complex256(1)
    a = bfloat16(1)
    a = void(1)
    a = p[0].fist
    a = p.secnd
    a = p[0].zzzzzzzz
    a = (p).x.y
    a = print
    a = arctan2(1, 2)
    a = xrange
    for i in xrange(3):
        pass

# CHECK: bad-names.py:42:9: error: 'A1' cannot be used in a kernel: it is defined in terms of itself
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-names.py:9:1: note: 'A1' is defined here
# CHECK: bad-names.py:44:9: error: 'B9' is a constant, not a function
# CHECK: bad-names.py:46:9: error: 'TYPE' is a type, not a value
# CHECK: bad-names.py:47:9: error: 'SELF' cannot be used in a kernel: it is defined in terms of itself
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-names.py:23:1: note: 'SELF' is defined here
# CHECK: bad-names.py:48:9: error: 'MODULE' cannot be used in a kernel: 'math' is not a number
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-names.py:24:1: note: 'MODULE' is defined here
# CHECK: bad-names.py:49:19: error: 'FUNC' is a function and stands without a call
# CHECK: bad-names.py:51:9: error: 'twice' is a constant, not a function
# CHECK: bad-names.py:52:19: error: 'nothing_of_math' comes from module 'math', of which kernels know nothing
# CHECK: bad-names.py:4:32: note: imported here
# CHECK: bad-names.py:54:9: error: undefined name 'np'
# CHECK: hint: add 'import numpy as np' to the file
# CHECK: bad-names.py:55:9: error: undefined name 'np'
# CHECK: hint: add 'import numpy as np' to the file
# CHECK: bad-names.py:56:9: error: undefined name 'numpy'
# CHECK: hint: add 'import numpy' to the file
# CHECK: bad-names.py:57:9: error: undefined name 'numpy'
# CHECK: hint: add 'import numpy' to the file
# CHECK: bad-names.py:58:9: error: 'sin' is a function and stands without a call
# CHECK: bad-names.py:59:14: error: 'math.Pair' is not known in kernels
# CHECK: bad-names.py:60:9: error: 'Pair' is a class, not a value
# CHECK: bad-names.py:61:9: error: 'Plain' is a class, not a value
# CHECK: bad-names.py:62:9: error: 'float' is a type, not a value
# CHECK: bad-names.py:63:9: error: 'sin' is a function and stands without a call
# CHECK: bad-names.py:64:9: error: undefined name 'LIDD_0'
# CHECK: hint: did you mean 'LID_0'?
# CHECK: bad-names.py:65:9: error: undefined function 'complex256'
# CHECK: bad-names.py:66:9: error: undefined function 'bfloat16'
# CHECK: bad-names.py:67:9: error: undefined function 'void'
# CHECK: bad-names.py:68:14: error: Pair has no field 'fist'
# CHECK: hint: did you mean 'first'?
# CHECK: bad-names.py:69:11: error: Pair has no field 'secnd'
# CHECK: hint: did you mean 'second'?
# CHECK: bad-names.py:70:14: error: Pair has no field 'zzzzzzzz'
# CHECK: bad-names.py:71:13: error: Pair has no field 'x'
# CHECK: bad-names.py:72:9: error: 'print' is a function and stands without a call
# CHECK: bad-names.py:73:9: error: undefined function 'arctan2'
# CHECK: hint: did you mean 'atan2'?
# CHECK: bad-names.py:74:9: error: undefined name 'xrange'
# CHECK: hint: did you mean 'range'?
# CHECK: bad-names.py:75:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK-NOT: error:
