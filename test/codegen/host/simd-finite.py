# The promise that no NaN occurs does not reach the lanes of a vectorised loop: masks would be frozen and packed at every use.
# REQUIRES: avx2
# RUN: cplc %s --types 'z=float64[] x=float64[] limit=float64' --option finite_math=1 --emit llvm \
# RUN:   | FileCheck %s
# CHECK: define internal {{.*}}@escape.par(
# CHECK-NOT: freeze
# CHECK: fcmp {{.*}}olt <{{[0-9]+}} x double>
# CHECK-NOT: freeze
# CHECK: ret void
def escape(i, z, x, limit):
    t = x[i]
    k = 0
    while t*t < limit and k < 50:
        t = t*t + 0.25
        k += 1
    z[i] = k
