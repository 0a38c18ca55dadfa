# Digits of round that are none, other names for them.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s

import numpy as np

def f(i, x):
    x[0] = round(x[i], x[i])
    x[1] = round(x[i], 1, 2)
    x[2] = round(x[i], digits=2)
    x[3] = round(number=x[i], ndigits=2)
    x[4] = round(x, 2)
    x[5] = round()
    x[6] = np.square(x)


# CHECK: bad-round.py:7:24: error: the digits of 'round' must be an integer, found float64
# CHECK: hint: round(x, 2)
# CHECK: bad-round.py:8:12: error: 'round' takes 1 argument, found 3
# CHECK: bad-round.py:9:24: error: 'round' has a number without a name and ndigits, found 'digits'
# CHECK: hint: round(x, 2)
# CHECK: bad-round.py:10:18: error: 'round' has a number without a name and ndigits, found 'number'
# CHECK: hint: round(x, 2)
# CHECK: bad-round.py:11:18: error: an argument of 'round' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-round.py:12:12: error: 'round' takes 1 argument, found 0
# CHECK: bad-round.py:13:22: error: an argument of 'square' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK-NOT: error:
