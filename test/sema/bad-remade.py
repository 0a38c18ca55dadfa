# A private array that is made anew would change under its other names; without them it may be, and
# so may one that is made in one place.
# RUN: not cplc %s:f --types 'out=float64[]' --as function --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:rows --types 'out=float64[]' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix ROWS
# RUN: cplc run %s:alone --as function 'n=2' | FileCheck %s --check-prefix ALONE
# RUN: not cplc %s:parts --types 'z=complex128[]' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix PARTS
# RUN: not cplc %s:field --types 'z=complex128[]' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix FIELD
# RUN: not cplc %s:followed --types 'z=float64[] m=float64[,]' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix MOVED
import numpy as np


def f(out):
    cur = np.ones(4)
    for t in range(3):
        old = cur
        cur = np.zeros(4)
# CHECK: bad-remade.py:[[#@LINE-1]]:15: error: 'cur' is made anew here, and 'old' names what it was before
# CHECK-NEXT: cur = np.zeros(4)
# CHECK-NEXT: ^~~~~~~~~~~
# CHECK-NEXT: hint: fill it anew, cur[:] = ..., and copy what is to stay: b[:] = cur[:]
# CHECK-NEXT: bad-remade.py:[[#@LINE-6]]:9: note: 'old' is given it here
        for i in range(1, 4):
            cur[i] = old[i]*2
    out[0] = cur[1]


def rows(out):
    m = np.zeros((2, 3))
    r = m[0]
    m = np.ones((2, 3))
# ROWS: bad-remade.py:[[#@LINE-1]]:9: error: 'm' is made anew here, and 'r' names what it was before
    out[0] = r[0]


def alone(n):
    s = 0.0
    for k in range(n):
        p = np.zeros(3)
        q = p
        q[k] += k + 1.0
        s = s*10 + p[0] + p[1]
    z = [1.0, 2.0]
    s += z[1]
    z = [3.0, 4.0]
    return s*10 + z[0]
# ALONE: result = 143


def parts(z):
    w = z[1] - z
# PARTS: bad-remade.py:[[#@LINE-1]]:9: error: '-' does not work on complex128 and complex128[]


def field(z):
    v = z.real
# FIELD: bad-remade.py:[[#@LINE-1]]:11: error: complex128[] has no field 'real'
# FIELD: hint: of an element: z[i].real
    w = z.conjugate()
# FIELD: bad-remade.py:[[#@LINE-1]]:{{[0-9]+}}: error: complex128[] has no method 'conjugate'


# What a loop runs over stays what it was, which its name would not.
def followed(z, m):
    r = m[0]
    for v in r:
# MOVED: bad-remade.py:[[#@LINE-1]]:14: error: 'r' is assigned in the loop over it
# MOVED-NEXT: for v in r:
# MOVED-NEXT: ^
# MOVED-NEXT: hint: take another name for the one or the other
        z[0] += v
        r = m[1]
    for i, v in enumerate(r[1:]):
# MOVED-NEXT: bad-remade.py:[[#@LINE-1]]:27: error: 'r' is assigned in the loop over it
        r = m[i]
# MOVED-NOT: error
    for v in r:
        r[0] = v
        q = m[1]
        z[1] = q[0]
