# Sums and products that a loop carries are fused operations, of the same bits, for a driver that
# would change their order, unless reassoc lets it; other arithmetic stays, and other drivers' sums.
# RUN: cplc %s:f --types 'x=float64[] r=float64[] n=int' --target opencl,-ordered_sums --emit asm \
# RUN:   --option contract=0 | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[] r=float64[] n=int' --target opencl,-ordered_sums --emit asm \
# RUN:   | FileCheck %s --check-prefix=FUSED
# RUN: cplc %s:f --types 'x=float64[] r=float64[] n=int' --target opencl,-ordered_sums --emit asm \
# RUN:   --option reassoc=1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=" fma "
# RUN: cplc %s:f --types 'x=float64[] r=float64[] n=int' --target opencl --emit asm \
# RUN:   | FileCheck %s --check-prefix=PLAIN --implicit-check-not=" fma "
# CHECK: [[ZERO:%[0-9]+]] = OpConstant [[DOUBLE:%[0-9]+]] -0
# CHECK: [[ONE:%[0-9]+]] = OpConstant [[DOUBLE]] 1
# CHECK: [[P:%[0-9]+]] = OpPhi [[DOUBLE]]
# CHECK: [[S:%[0-9]+]] = OpPhi [[DOUBLE]]
# CHECK: [[D:%[0-9]+]] = OpPhi [[DOUBLE]]
# CHECK: [[SQUARE:%[0-9]+]] = OpFMul
# CHECK-NEXT: OpExtInst [[DOUBLE]] {{.*}} fma [[S]] [[ONE]] [[SQUARE]]
# CHECK-NEXT: [[MORE:%[0-9]+]] = OpFAdd
# CHECK-NEXT: OpExtInst [[DOUBLE]] {{.*}} fma [[P]] [[MORE]] [[ZERO]]
# CHECK-NEXT: [[LESS:%[0-9]+]] = OpFNegate
# CHECK-NEXT: OpExtInst [[DOUBLE]] {{.*}} fma [[D]] [[ONE]] [[LESS]]
# FUSED: OpExtInst {{.*}} fma [[V:%[0-9]+]] [[V]] %
# PLAIN: OpPhi
# PLAIN: OpFMul
# PLAIN: OpFAdd
# PLAIN: OpFSub


def f(i, x, r, n):
    s = 0.0
    p = 1.0
    d = 0.0
    for k in range(n):
        s += x[k]*x[k]
        p *= x[k] + 1.0
        d -= x[k]
    r[i] = s + p + d
