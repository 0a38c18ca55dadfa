# With fast_math exp and pow, and log and sin of float64, are arithmetic in place, two vectors side by side; every other function and mode, a CPU without
# fused multiply-add, and rounds that wait for one another call libmvec or libm.
# REQUIRES: avx2
# RUN: cplc %s:f --types 'x=float64[] y=float64[] a=float64' --option fast_math=1 \
# RUN:   --option cpu_level=3 --emit llvm | FileCheck %s --check-prefix=FAST
# RUN: cplc %s:f --types 'x=float64[] y=float64[] a=float64' --option cpu_level=3 --emit llvm \
# RUN:   | FileCheck %s --check-prefix=CALL
# RUN: cplc %s:f --types 'x=float32[] y=float32[] a=float32' --option fast_math=1 \
# RUN:   --option cpu_level=3 --emit llvm | FileCheck %s --check-prefix=SINGLE
# RUN: cplc %s:f --types 'x=float64[] y=float64[] a=float64' --option fast_math=1 \
# RUN:   --option cpu_level=2 --emit llvm | FileCheck %s --check-prefix=PLAIN
# RUN: cplc %s:f --types 'x=float64[] y=float64[] a=float64' --option precise=1 \
# RUN:   --option cpu_level=3 --emit llvm | FileCheck %s --check-prefix=LIBM
# RUN: cplc %s:chain --as function --types 'n=int64 x=float64' --option fast_math=1 \
# RUN:   --option cpu_level=3 --emit llvm | FileCheck %s --check-prefix=CHAIN
# RUN: cplc %s:lanes --types 'x=float64[] y=float64[]' --option fast_math=1 --option cpu_level=3 \
# RUN:   --option simd=2 --emit llvm | FileCheck %s --check-prefix=LANES

# Two of each, for the two vectors; sin with a branch (elementary-sine.py).
# FAST-NOT: @{{(_ZGV[a-zA-Z0-9]*_)?}}{{exp|log|pow}}
# FAST: vector.body:
# FAST-COUNT-2: call <4 x double> @cpl.fast.sin.far.4(
# FAST-COUNT-2: call <4 x double> @llvm.fma.v4f64(<4 x double> {{.*}}, <4 x double> splat (double 0x3FF71547652B82FE), <4 x double> splat (double 0x4338000000000000))
# FAST-NOT: @{{(_ZGV[a-zA-Z0-9]*_)?}}{{exp|log|pow}}
# FAST: middle.block:
# CALL-DAG: call {{.*}}@_ZGVdN4vv_pow
# CALL-DAG: call {{.*}}@_ZGVdN4v_log
# CALL-DAG: call {{.*}}@_ZGVdN4v_exp
# SINGLE-NOT: @{{(_ZGV[a-zA-Z0-9]*_)?}}{{exp|pow}}
# SINGLE: vector.body:
# SINGLE-DAG: call {{.*}}@_ZGVdN8v_logf
# SINGLE-DAG: call {{.*}}@_ZGVdN8v_sinf
# SINGLE-DAG: call <8 x float> @llvm.fma.v8f32({{.*}}splat (float 0x3FF7154760000000)
# SINGLE-NOT: @{{(_ZGV[a-zA-Z0-9]*_)?}}{{exp|pow}}
# SINGLE: middle.block:
# PLAIN-NOT: @llvm.fma
# PLAIN: call {{.*}}@_ZGVbN2v
# LIBM-DAG: call double @pow(
# LIBM-DAG: call double @log(
# LIBM-DAG: call double @exp(
def f(i, x, y, a):
    y[i] = x[i]**a*log(x[i] + 1.0) + exp(sin(x[i]))


# LANES-NOT: call {{.*}}exp
# LANES: {{^}}lanes:
# LANES: call <8 x double> @llvm.fma.v8f64({{.*}}splat (double 0x3FF71547652B82FE)
def lanes(i, x, y):
    s = 0.5*x[i]
    while s < x[i]:
        s += exp(-s)
    y[i] = s


# CHAIN-LABEL: define double @chain(
# CHAIN-NOT: @llvm.fma
# CHAIN: call {{.*}}double @exp(
def chain(n, x):
    for i in range(n):
        x = exp(-x)
    return x
