# sin and cos of float64 with fast_math: LLVM vectorises a loop with their branch, for numbers that are too large, in it, and calls no library for others;
# so do lanes. float32, every other mode, a CPU without fused multiply-add, and rounds that wait for one another call libmvec or libm.
# REQUIRES: avx2
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=FAST
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=4 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=WIDE
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --option debug_info=1 --emit llvm | FileCheck %s --check-prefix=FAST
# RUN: cplc %s:f -O0 --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=ONE
# RUN: cplc %s:f --types 'x=float32[] y=float32[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=SINGLE
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option cpu_level=3 --emit llvm \
# RUN:   | FileCheck %s --check-prefix=CALL
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=2 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=PLAIN
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --option precise=1 --option cpu_level=3 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=LIBM
# RUN: cplc %s:lanes --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --option simd=2 --emit llvm | FileCheck %s --check-prefix=LANES
# RUN: cplc %s:chain --as function --types 'n=int64 x=float64' --option fast_math=1 \
# RUN:   --option cpu_level=3 --emit llvm | FileCheck %s --check-prefix=CHAIN

# Two vectors of each in a round, of 512 bits one. Only the libm of what is too large is left, in functions of their own.
# FAST-NOT: @_ZGV
# FAST: vector.body:
# FAST-COUNT-2: call <4 x double> @cpl.fast.sin.far.4(
# FAST-COUNT-2: call <4 x double> @cpl.fast.cos.far.4(
# FAST: middle.block:
# FAST: call double @cpl.fast.{{sin|cos}}.1(
# FAST-NOT: @_ZGV
# FAST: define internal <4 x double> @cpl.fast.sin.far.4(
# FAST-COUNT-4: call double @sin(
# FAST-NOT: @_ZGV
# WIDE: vector.body:
# WIDE-COUNT-1: call <8 x double> @cpl.fast.sin.far.8(
# WIDE-NOT: call <8 x double> @cpl.fast.sin.far.8(
# WIDE: middle.block:
# ONE: call double @cpl.fast.sin.1(double
# SINGLE-NOT: cpl.fast
# SINGLE: vector.body:
# SINGLE: call {{.*}}@_ZGVdN8v_sinf(
# SINGLE-NOT: cpl.fast
# CALL-NOT: cpl.fast
# CALL: vector.body:
# CALL: call {{.*}}@_ZGVdN4v_sin(
# CALL-NOT: cpl.fast
# PLAIN-NOT: cpl.fast
# PLAIN: call {{.*}}@_ZGVbN2v_sin(
# LIBM-NOT: cpl.fast
# LIBM: call double @sin(
def f(i, x, y):
    y[i] = 2.0*sin(x[i]) + cos(x[i])


# LANES: {{^}}lanes:
# LANES: call <8 x double> @llvm.fma.v8f64({{.*}}splat (double 0x3FD45F306DC9C883)
# LANES: call <8 x double> @cpl.fast.sin.far.8(
def lanes(i, x, y):
    s = 0.5*x[i]
    while s < x[i]:
        s += sin(s) + 1.5
    y[i] = s


# CHAIN-NOT: cpl.fast
# CHAIN: call {{.*}}double @sin(
# CHAIN-NOT: cpl.fast
def chain(n, x):
    for i in range(n):
        x = sin(x)
    return x
