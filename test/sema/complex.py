# Types of complex expressions: literals are weak, the wider part counts, integers do not.
# RUN: cplc %s:f --types 'z=complex64[] w=complex128[] x=float32[] y=float64[] n=int64' \
# RUN:   --emit types | FileCheck %s
# RUN: cplc %s:f --types 'z=complex64[] w=complex128[] x=float32[] y=float64[] n=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=IR
# RUN: cplc %s:carried --as function --types 'n=int64 z=complex64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=CARRIED
import numpy as np


def f(i, z, w, x, y, n):
    a = 2j*z[i] + 1
    b = z[i]*y[i]
    c = n + 1j*x[i]
    d = 1j
    e = z[i] if n else w[i]
    s = 0
    for k in range(n):
        s += z[k]
    g = np.complex64(w[i])
    h: complex = x[i]
    j = complex(x[i], n)
    m = abs(z[i])
    w[i] = s + z[i].real


# IR-NOT: struct complex
# CHECK: f(i: int64, z: complex64[], w: complex128[], x: float32[], y: float64[], n: int64) -> void
# CHECK-NEXT: a: complex64
# CHECK-NEXT: b: complex128
# CHECK-NEXT: c: complex64
# CHECK-NEXT: d: complex128
# CHECK-NEXT: e: complex128
# CHECK-NEXT: s: complex64
# CHECK-NEXT: k: int64
# CHECK-NEXT: g: complex64
# CHECK-NEXT: h: complex128
# CHECK-NEXT: j: complex64
# CHECK-NEXT: m: float32


# What a loop starts with is as weak as the literal still while its rounds are looked at.
# CARRIED: carried(n: int64, z: complex64[]) -> void
# CARRIED-NEXT: a: complex64
# CARRIED-NEXT: i: int64
# CARRIED-NEXT: b: complex64
def carried(n, z):
    a = 1.0
    for i in range(n):
        b = z[i]*a
        a = b
    z[0] = a
