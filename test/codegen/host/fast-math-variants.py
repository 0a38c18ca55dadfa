# With fast_math every math function still has its vector variant, those apart that are computed in place: finite-math flags on a call make LLVM
# prefer an intrinsic that it can only take apart.
# REQUIRES: avx2
# RUN: cplc %s --types 'x=float64[] y=float64[] a=float64' --option fast_math=1 --emit llvm | FileCheck %s
# CHECK-DAG: call {{.*}}@_ZGV{{[de]}}N{{[48]}}v_cos
# CHECK-DAG: call {{.*}}@_ZGV{{[de]}}N{{[48]}}v_sin
def f(i, x, y, a):
    y[i] = a*cos(x[i] + 1.0) + sin(x[i])
