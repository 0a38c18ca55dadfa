# Elements of the module's tuples and lists are not assigned; an array is returned everywhere or nowhere.
# RUN: not cplc %s:f --as function --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix END
# RUN: cplc run %s:own --as function n=1 | FileCheck %s --check-prefix OWN
# RUN: not cplc %s:parts --as function --emit types 2>&1 | FileCheck %s --check-prefix PARTS
# RUN: not cplc %s:least --as function --emit types 2>&1 | FileCheck %s --check-prefix LEAST
import cmath

import numpy as np

W = (0.25, 0.5, 1.0)
K = [[1, 2], [3, 4]]


def f(n):
    W[0] = 2.0
# CHECK: bad-kept.py:[[#@LINE-1]]:5: error: 'W' is a constant, whose elements are not assigned
# CHECK-NEXT: W[0] = 2.0
# CHECK-NEXT: ^~~~
# CHECK-NEXT: hint: pass an array, or fill one of the function's own: w = np.array(...)
    W[0] += 2.0
# CHECK-NEXT: bad-kept.py:[[#@LINE-1]]:5: error: 'W' is a constant
    W[n - 1] = 2.0
# CHECK: bad-kept.py:[[#@LINE-1]]:5: error: 'W' is a constant
    W[:] = 2.0
# CHECK: bad-kept.py:[[#@LINE-1]]:5: error: 'W' is a constant
    n, K[0][1] = 2, 3
# CHECK: bad-kept.py:[[#@LINE-1]]:8: error: 'K' is a constant
# CHECK-NOT: error
    return W[n] + K[n][0]


def g(i, x):
    if i > 5:
        return x
# END: bad-kept.py:[[#@LINE-1]]:9: error: 'g' returns an array here and may end without one
# END-NEXT: return x
# END-NEXT: ^~~~~~~~
# END-NEXT: hint: return one at the end too, or nothing here: return
    x[i] = 1.0


def own(n):
    W = np.array([0.25, 0.5])
    W[0] = 2.0
    W[n] += 1.0
    return W[0] + W[n]
# OWN: result = 3.5


def parts():
    return ~2j
# PARTS: bad-kept.py:[[#@LINE-1]]:12: error: '~' does not work on complex128


def least():
    return cmath.min(1.0).real
# LEAST: bad-kept.py:[[#@LINE-1]]:{{[0-9]+}}: error: 'cmath.min' is not known in kernels
