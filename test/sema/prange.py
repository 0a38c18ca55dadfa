# Parallel loops on the host: reductions, private locals, options.
# RUN: cplc %s:total --types 'x=float32[] n=int32' --as function --emit types | FileCheck %s
# RUN: cplc %s:options --types 'x=float64[]' --as function --emit ir \
# RUN:   | FileCheck --check-prefix=IR %s
# RUN: cplc %s:parts --types 'x=float32[]' --as function --emit ir \
# RUN:   | FileCheck --check-prefix=PARTS %s
from compyle.low_level import prange, parallel, nogil

def total(x, n):
    s = 0.0
    p = 1.0
    low = x[0]
    high = x[0]
    with nogil, parallel():
        for i in prange(n):
            t = 2.0*x[i]
            s += t
            p *= 1.5
            low = min(low, t)
            high = max(t, high)
            for j in range(3):
                s -= 1
    return s*p + low + high

def options(x):
    c = 0
    for i in prange(0, len(x), 2, schedule='dynamic', chunksize=4, num_threads=3):
        c += 1
        x[i] = 0
    return c

def parts(x):
    z = 0j
    v = float2(1)
    for i in prange(len(x)):
        z += x[i]*1j
        v *= x[i]
    return z.imag + v.x

# PARTS: parallel for i in {{.*}} reduce(add z_real, add z_imag, mul v_x, mul v_y) private(z_1, v_1
# IR: parallel for i in ({{.*}}) schedule(dynamic, 4) threads(3) reduce(add c)
# CHECK: total(x: float32[], n: int32) -> float64
# CHECK-NEXT: s: float32
# CHECK-NEXT: p: float64
# CHECK-NEXT: low: float32
# CHECK-NEXT: high: float32
# CHECK-NEXT: i: int32
# CHECK-NEXT: t: float32
# CHECK-NEXT: j: int32
