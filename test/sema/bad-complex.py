# Complex numbers where they cannot stand, and isinstance.
# RUN: not cplc %s:f --types 'z=complex128[] x=float64[]' --emit types 2>&1 | FileCheck %s
import cmath
import math
import numpy as np


def ask(v):
    v = v*2
    return isinstance(v, complex)


def wrong(v):
    if isinstance(v, 3):
        return 1
    return isinstance(v)


def f(i, z, x):
    x[i] = z[i]
    x[i] += z[i]
    a = z[i] < z[i]
    b = z[i] // 2
    c = z[i] % 2
    d = ~z[i]
    e = float(z[i])
    g = int(z[i])
    h = complex()
    j = complex(z[i], 1)
    k = complex(1, 2, 3)
    m = complex(imag=1)
    n = math.floor(z[i])
    o = np.arctan2(z[i], 1)
    p = cmath.gamma(z[i])
    q = z[i].re
    r = z[i] if z else 0
    s = z and 1
    t = x[z[i]]
    for u in range(z[i]):
        pass
    v = ask(x[i])
    w = wrong(x[i])
    y = min(z[i], 1)
    z[i] = z

# CHECK: bad-complex.py:10:23: error: 'isinstance' takes a parameter that is not assigned
# CHECK: hint: pass the value to a function that asks for the type
# CHECK: bad-complex.py:14:22: error: this is not a type
# CHECK: hint: types are int, float, complex, bool, float32, ..., structs
# CHECK: bad-complex.py:16:12: error: 'isinstance' takes 2 arguments, found 1
# CHECK: bad-complex.py:20:12: error: an element of 'x' is float64 and cannot take complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:21:5: error: an element of 'x' is float64 and cannot take complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:22:9: error: '<' does not work on complex128 and complex128
# CHECK: hint: complex numbers have + - * / ** == and !=; compare abs(z) or z.real
# CHECK: bad-complex.py:23:9: error: '//' does not work on complex128 and int32
# CHECK: hint: complex numbers have + - * / ** == and !=; compare abs(z) or z.real
# CHECK: bad-complex.py:24:9: error: '%' does not work on complex128 and int32
# CHECK: hint: complex numbers have + - * / ** == and !=; compare abs(z) or z.real
# CHECK: bad-complex.py:25:9: error: '~' does not work on complex128
# CHECK: bad-complex.py:26:9: error: complex128 cannot be converted to float64
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:27:9: error: complex128 cannot be converted to int64
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:28:9: error: 'complex' takes one or two numbers, found 0 arguments
# CHECK: hint: complex(real, imag)
# CHECK: bad-complex.py:29:17: error: a part of a complex number must be a number, found complex128
# CHECK: bad-complex.py:30:9: error: 'complex' takes one or two numbers, found 3 arguments
# CHECK: hint: complex(real, imag)
# CHECK: bad-complex.py:31:9: error: 'complex' takes one or two numbers, found 1 argument
# CHECK: hint: complex(real, imag)
# CHECK: bad-complex.py:32:20: error: an argument of 'floor' must be a number, found complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:33:20: error: an argument of 'atan2' must be a number, found complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:34:15: error: 'cmath.gamma' is not known in kernels
# CHECK: bad-complex.py:35:14: error: complex128 has no field 're'
# CHECK: bad-complex.py:36:17: error: a condition must be a number, found complex128[]
# CHECK: hint: did you mean 'z[i]'?
# CHECK: bad-complex.py:37:9: error: an operand of 'and' must be a number, found complex128[]
# CHECK: hint: did you mean 'z[i]'?
# CHECK: bad-complex.py:38:11: error: an index must be an integer, found complex128
# CHECK: bad-complex.py:39:20: error: a bound of the loop must be a number, found complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:43:13: error: an argument of 'min' must be a number, found complex128
# CHECK: hint: take .real, .imag or abs(...) of it
# CHECK: bad-complex.py:44:12: error: an element of 'z' is complex128 and cannot take complex128[]
# CHECK-NOT: error:
