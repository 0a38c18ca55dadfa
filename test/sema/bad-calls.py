# Calls with too few, too many, doubled and misplaced arguments, and of what is no function.
# RUN: not cplc %s:f --types 'x=float64[] s=float64[:] p=Pair* v=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s
import math
import numpy as np
from os import *
LIMIT = 3

@struct
class Pair:
    a: 'int'
    b: 'int'

class Plain:
    def method(self):
        pass

def two(a, b, c=1):
    return a + b

@annotate(q='doublep', n='int', p='Pair*')
def typed(q, n, p):
    return q[0]

def broken(a: [1]):
    return a

async def later(a):
    return a

@annotate(return_='nothing')
def unknown(n):
    return unknown(n - 1)

@annotate(return_='void')
def nothing(a):
    return a

def f(i, x, s, p, v):
    a = two(1, c=2)
    a = two(b=1, a=x[0], d=3)
    a = two()
    a = LIMIT(1)
    a = math.pi(1)
    a = np.pi
    a = math(1)
    a = pi(1)
    a = Pair(1)
    a = Plain()
    a = int(1, 2)
    a = int(x=1)
    a = float32()
    a = np.int32(x)
    a = max()
    a = min(1)
    a = log(1, 2, 3)
    a = sqrt(x=2)
    a = round(1.5, 2)
    a = x.mode()
    a = np.ndimage.norm(x)
    a = math.nothing(1)
    a = np.aranged(3)
    a = nowhere.g(1)
    a = two(x, 1)(2)
    a = typed(1, 1, p)
    a = typed(x, 1.5, x)
    a = typed(s, 1, p)
    a = typed(x, 1, v)
    a = later(1)
    a = unknown(1)
    nothing(1)
    a = nothing(1)
    a = two(v.x, 1)
    a = two(nothing(1), 1)
    a = LID_0(1)
    a = range(3)
    a = prange(3)
    a = parallel()
    a = nogil
    a = len(3)
    a = len(v, 1)
    a = print(v)
    a = thing(v)
    a = np.nopi
    a = np.rount(1.5)
    a = math.zzzzzzzzz
    a = ldexp(1.5, 2.5)
    a = ldexp(x, 1)
    a = isnan(x)
    a = sqrt(p)
    a = abs(x)
    a = fence(1)
    a = min(v, x)

# CHECK: bad-calls.py:28:11: error: 'later' is a coroutine, which kernels do not support
# CHECK: bad-calls.py:31:19: error: 'nothing' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-calls.py:37:12: error: 'nothing' is declared to return nothing
# CHECK: bad-calls.py:40:9: error: 'two' is called without its argument 'b'
# CHECK: bad-calls.py:18:1: note: 'two' is defined here
# CHECK: bad-calls.py:41:26: error: 'two' has no parameter 'd'
# CHECK: bad-calls.py:18:1: note: 'two' is defined here
# CHECK: bad-calls.py:42:9: error: 'two' takes 2 to 3 arguments, found 0
# CHECK: bad-calls.py:18:1: note: 'two' is defined here
# CHECK: bad-calls.py:43:9: error: 'LIMIT' is a constant, not a function
# CHECK: bad-calls.py:44:9: error: 'pi' is a number, not a function
# CHECK: bad-calls.py:46:9: error: 'math' is a module, not a function
# CHECK: bad-calls.py:47:9: error: 'pi' is a number, not a function
# CHECK: bad-calls.py:48:9: error: 'Pair' takes 2 fields or none, found 1
# CHECK: hint: give all fields that are no matrices, or assign them later
# CHECK: bad-calls.py:49:9: error: 'Plain' cannot be called in a kernel
# CHECK: bad-calls.py:14:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK: bad-calls.py:50:9: error: 'int' takes 1 argument, found 2
# CHECK: bad-calls.py:51:13: error: 'int' takes no keyword arguments, found 'x'
# CHECK: bad-calls.py:52:9: error: 'float32' takes 1 argument, found 0
# CHECK: bad-calls.py:53:9: error: float64[] cannot be converted to int32
# CHECK: bad-calls.py:54:9: error: 'max' takes at least 2 arguments, found 0
# CHECK: bad-calls.py:55:9: error: 'min' takes at least 2 arguments, found 1
# CHECK: bad-calls.py:56:9: error: 'log' takes 1 to 2 arguments, found 3
# CHECK: bad-calls.py:57:14: error: 'sqrt' takes no keyword arguments, found 'x'
# CHECK: bad-calls.py:59:9: error: float64[] has no method 'mode'
# CHECK: bad-calls.py:60:12: error: 'np.ndimage' is not known in kernels
# CHECK: bad-calls.py:61:14: error: 'math.nothing' is not known in kernels
# CHECK: bad-calls.py:62:12: error: 'np.aranged' is not known in kernels
# CHECK: bad-calls.py:63:9: error: undefined name 'nowhere'
# CHECK: bad-calls.py:64:9: error: only functions can be called, by their names
# CHECK: bad-calls.py:65:15: error: parameter 'q' of 'typed' is float64*, found int32
# CHECK: bad-calls.py:22:11: note: the parameter is here
# CHECK: bad-calls.py:66:18: warning: parameter 'n' of 'typed' is int32: the fraction of a float64 is dropped
# CHECK: bad-calls.py:66:23: error: parameter 'p' of 'typed' is Pair*, found float64[]
# CHECK: bad-calls.py:22:17: note: the parameter is here
# CHECK: bad-calls.py:68:21: error: parameter 'p' of 'typed' is Pair*, found int32
# CHECK: bad-calls.py:22:17: note: the parameter is here
# CHECK: bad-calls.py:72:9: error: this call gives no value
# CHECK: bad-calls.py:73:15: error: int32 has no field 'x'
# CHECK: bad-calls.py:74:13: error: this call gives no value
# CHECK: bad-calls.py:75:9: error: 'LID_0' is a number and stands without a call
# CHECK: bad-calls.py:76:9: error: 'range' stands only in 'for v in range(...)'
# CHECK: bad-calls.py:77:9: error: 'prange' stands only in 'for v in prange(...)'
# CHECK: bad-calls.py:78:9: error: 'parallel' stands only in 'with nogil, parallel():'
# CHECK: bad-calls.py:79:9: error: 'nogil' is a function and stands without a call
# CHECK: bad-calls.py:80:13: error: 'len' takes an array, found int32
# CHECK: bad-calls.py:81:9: error: 'len' takes 1 argument, found 2
# CHECK: bad-calls.py:82:9: error: this call gives no value
# CHECK: bad-calls.py:83:9: error: undefined function 'thing'
# CHECK: bad-calls.py:84:12: error: 'np.nopi' is not known in kernels
# CHECK: bad-calls.py:85:12: error: 'np.rount' is not known in kernels
# CHECK: hint: did you mean 'round'?
# CHECK: bad-calls.py:86:14: error: 'math.zzzzzzzzz' is not known in kernels
# CHECK: bad-calls.py:87:20: error: the exponent of 'ldexp' must be an integer, found float64
# CHECK: bad-calls.py:88:15: error: an argument of 'ldexp' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-calls.py:89:15: error: an argument of 'isnan' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-calls.py:90:14: error: an argument of 'sqrt' must be a number, found Pair[]
# CHECK: hint: did you mean 'p[i]'?
# CHECK: bad-calls.py:91:13: error: an argument of 'abs' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-calls.py:92:9: error: 'fence' takes 0 arguments, found 1
# CHECK: bad-calls.py:93:16: error: an argument of 'min' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK-NOT: error:
