# Loops over random numbers are vectors from end to end: products of 32 bits, and conversions and logarithms that call nothing.
# REQUIRES: avx2
# RUN: cplc %s:uniforms --types 'x=float64[] seed=uint64' --option cpu_level=4 --emit asm \
# RUN:   | FileCheck %s --check-prefix=WIDE
# RUN: cplc %s:uniforms --types 'x=float64[] seed=uint64' --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NARROW
# RUN: cplc %s:normals --types 'x=float64[] seed=uint64' --option cpu_level=4 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NORMAL
# RUN: cplc %s:singles --types 'x=float32[] seed=uint64' --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=SINGLE
from cpl.random import exponential32, normal, normal32, uniform


def uniforms(i, x, seed):
    x[i] = uniform(seed, i)


def normals(i, x, seed):
    x[i] = normal(seed, i)


def singles(i, x, seed):
    x[i] = normal32(seed, i) + exponential32(seed, i, 1)

# WIDE: uniforms.par:
# WIDE-COUNT-18: vpmuludq {{.*}}%zmm
# WIDE-NOT: {{call|vscatter|vpextr|cvtsi2sd}}
# WIDE: vcvtuqq2pd
# WIDE: vmovupd %zmm{{[0-9]+}}, (
# NARROW: uniforms.par:
# NARROW-COUNT-18: vpmuludq {{.*}}%ymm
# NARROW-NOT: {{call|vpextr|cvtsi2sd}}
# NARROW: vmovupd %ymm{{[0-9]+}}, (
# NORMAL: normals.par:
# NORMAL-NOT: {{call|vscatter|vpextr|cvtsi2sd}}
# NORMAL: vsqrtpd %zmm
# NORMAL-NOT: {{call|vscatter|vpextr|cvtsi2sd}}
# NORMAL: vmovupd %zmm{{[0-9]+}}, (
# SINGLE: singles.par:
# SINGLE-NOT: {{call|vpextr|cvtsi2ss}}
# SINGLE: vmovups %ymm{{[0-9]+}}, (
