# Multiplication and addition fuse only where the options say so; division and roots are rounded correctly but under fast_math.
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --emit ptx | FileCheck %s --check-prefix=FUSED
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --emit ptx --option precise=1 \
# RUN:   | FileCheck %s --check-prefix=PRECISE
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --emit ptx --option fast_math=1 \
# RUN:   | FileCheck %s --check-prefix=FAST
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --emit ptx --option fast_math=1 \
# RUN:   | FileCheck %s --check-prefix=WIDE
#
# FUSED: fma.rn.f32
# FUSED: sqrt.rn.f32
# FUSED: div.rn.f32
# PRECISE-NOT: fma
# PRECISE: mul.rn.f32
# PRECISE: add.rn.f32
# PRECISE: sqrt.rn.f32
# PRECISE: div.rn.f32
# FAST: sqrt.approx.f32
# FAST: div.full.f32
# WIDE: sqrt.rn.f64
# WIDE: div.rn.f64
from math import sqrt


def f(i, x, y):
    t = x[i]*y[i] + x[i]
    y[i] = sqrt(t)/(t + 3.0)
