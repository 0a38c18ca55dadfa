# Types of complex expressions: literals are weak, the wider part counts, integers do not.
# RUN: cplc %s:f --types 'z=complex64[] w=complex128[] x=float32[] y=float64[] n=int64' --emit types | FileCheck %s
# RUN: cplc %s:f --types 'z=complex64[] w=complex128[] x=float32[] y=float64[] n=int64' --emit ir | FileCheck %s --check-prefix=IR
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
