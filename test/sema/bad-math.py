# Wrong numbers of arguments, arrays where numbers belong, unknown members, names of modules without import.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import math

def f(i, x):
    a = sin(x[i], 2)
    b = sin()
    c = sin(x)
    d = math.sinn(x[i])
    e = np.sin(x[i])
    g = atan2(x[i])
    h = ldexp(x[i], 0.5)
    j = sin(a=x[i])
    k = factorial(3)
    l = math.arctan2(1.0, 2.0)
    m = sin
    n = math

# CHECK: bad-math.py:6:9: error: 'sin' takes 1 argument, found 2
# CHECK: bad-math.py:7:9: error: 'sin' takes 1 argument, found 0
# CHECK: bad-math.py:8:13: error: an argument of 'sin' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-math.py:9:14: error: 'math.sinn' is not known in kernels
# CHECK: hint: did you mean 'sin'?
# CHECK: bad-math.py:10:9: error: undefined name 'np'
# CHECK: hint: add 'import numpy as np' to the file
# CHECK: bad-math.py:11:9: error: 'atan2' takes 2 arguments, found 1
# CHECK: bad-math.py:12:21: error: the exponent of 'ldexp' must be an integer, found float64
# CHECK: bad-math.py:13:13: error: 'sin' takes no keyword arguments, found 'a'
# CHECK: bad-math.py:14:9: error: 'factorial' is not available in kernels
# CHECK: hint: use tgamma(n + 1)
# CHECK: bad-math.py:15:14: error: 'math.arctan2' is not known in kernels
# CHECK: hint: did you mean 'atan2'?
# CHECK: bad-math.py:16:9: error: 'sin' is a function and stands without a call
# CHECK: bad-math.py:17:9: error: 'math' is a module, not a value
# CHECK-NOT: error:
