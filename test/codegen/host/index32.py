# Code for small arrays converts and divides the index in 32 bits; code that must be right for all does so in 64.
# REQUIRES: avx2
# RUN: cplc %s:place --types 'y=float64[] width=int32 dx=float64' --facts small --emit llvm \
# RUN:   | FileCheck %s
# RUN: cplc %s:place --types 'y=float64[] width=int32 dx=float64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=WIDE
# RUN: cplc %s:place --types 'y=float64[] width=int32 dx=float64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=WIDE
# RUN: cplc %s:ramp --types 'y=float32[] dx=float32' --facts small --emit asm \
# RUN:   | FileCheck %s --check-prefix=RAMP
# RUN: cplc %s:copy --types 'y=float32[] x=float32[]' --facts small --emit asm -o %t.small
# RUN: cplc %s:copy --types 'y=float32[] x=float32[]' --emit asm -o %t.any
# RUN: cmp %t.small %t.any
# CHECK-LABEL: @place.par(
# CHECK: fdiv <{{[0-9]+}} x double>
# CHECK-NOT: sdiv i64
# CHECK: ret void
# WIDE-LABEL: @place.par(
# WIDE-NOT: fdiv
# WIDE: {{[su]}}rem i64
# WIDE: ret void
def place(i, y, width, dx):
    y[i] = (i % width)*dx


# RAMP: vcvtdq2ps %ymm
def ramp(i, y, dx):
    y[i] = i*dx


def copy(i, y, x):
    y[i] = x[i + 1]
