# Parts of complex literals and of complex constants are literals; what has none, methods of a
# module's numbers, and too many indices in a sum are errors.
# RUN: cplc %s:f --as function --types x=float32 --emit ir | FileCheck %s
# RUN: cplc run %s:g --as function x=3.0 | FileCheck %s --check-prefix=RESULT
# RUN: not cplc %s:wrong --as function --types x=float64 --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WRONG
# RUN: not cplc %s:product --as function --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=PRODUCT
# RUN: cplc %s:shifts --as function --types n=int64 --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=SHIFTS
# RUN: cplc %s:later --as function --types 'out=int64[] n=int32' --emit types \
# RUN:   | FileCheck %s --check-prefix=LATER
# RUN: cplc %s:narrow --as function --types n=int32 --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NARROW
import math
import numpy as np

C = -0.75 + 0.5j


def f(x):
    # CHECK: add(mul(x, -0.75:float32), 0.5:float32)
    return x*C.real + (1 + 0.5j).imag


def g(x):
    # RESULT: result = (-4.5-1.5j)
    z = 1.5j
    return C.conjugate()*x*2.0 + z.imag*1j


def wrong(x):
    p = [0.5, 1.5]
    q = np.zeros((2, 2))
    # WRONG-DAG: :[[#@LINE+1]]:16: error: a complex number has no field 'foo'
    a = 1j + C.foo
    # WRONG-DAG: :[[#@LINE+1]]:12: error: complex128 has no method 'foo'
    b = 1j.foo()
    # WRONG-DAG: :[[#@LINE+2]]:9: error: complex128 cannot be indexed
    # WRONG-DAG: hint: its parts are fields: .real
    c = 2j[0]
    # WRONG-DAG: :[[#@LINE+1]]:9: error: float64 has no method 'bit_length'
    d = np.pi.bit_length()
    # WRONG-DAG: :[[#@LINE+1]]:9: error: float64 has no method 'foo'
    e = math.inf.foo(x)
    # WRONG-DAG: :[[#@LINE+1]]:13: error: 2 indices are too many for this matrix
    g = sum(p[0, 0])
    # WRONG-DAG: :[[#@LINE+1]]:16: error: 3 indices are too many for this matrix
    return any(q[0, 0, 0])


def product(x):
    q = np.zeros((2, 2))
    # PRODUCT: :[[#@LINE+1]]:11: error: this cannot stand here
    y = q[:, :].dot(x).size
    return y


def shifts(n):
    # SHIFTS: :[[#@LINE+1]]:16: warning: a shift by 64: a count is taken modulo 64, or 32, where Python shifts on
    a = n + (1 << 64)
    # SHIFTS: :[[#@LINE+1]]:12: warning: a shift by -1: a count is taken modulo 64, or 32, where Python raises
    a += n >> -1
    # SHIFTS-NOT: warning
    return a + (1 << 63) + (n >> 3)


def narrow(n):
    # NARROW: :[[#@LINE+1]]:11: warning: a shift by 32: a count is taken modulo 64, or 32, where Python shifts on
    a = n >> 32
    # NARROW: hint: the value is int32; cast it to int64 for more bits
    # NARROW-NOT: warning
    return a + (n << 31) + (cast(n, "long") << 33) + (n << cast(40, "long"))


def later(out, n):
    # What is shifted has no type yet where it is met first.
    # LATER: v: int32
    for i in range(n):
        if i > 0:
            out[0] = v << 3
        v = i
