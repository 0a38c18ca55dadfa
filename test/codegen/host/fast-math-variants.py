# With fast_math every math function still has its vector variant, those apart that are computed in place: finite-math flags on a call make LLVM
# prefer an intrinsic that it can only take apart.
# REQUIRES: avx2
# RUN: cplc %s --types 'x=float32[] y=float32[] a=float32' --option fast_math=1 --emit llvm \
# RUN:   | FileCheck %s
# CHECK-DAG: call {{.*}}@_ZGV{{[de]}}N{{8|16}}v_cosf
# CHECK-DAG: call {{.*}}@_ZGV{{[de]}}N{{8|16}}v_sinf
def f(i, x, y, a):
    y[i] = a*cos(x[i] + 1.0) + sin(x[i])
