# Elements of a private array at an index that varies are volatile for a driver that mixes up such
# arrays, and for no other; elements at a constant index never are.
# RUN: cplc %s:pick --types 'x=int32[] k=int32[]' --as elementwise --target opencl,-private_arrays \
# RUN:   --emit asm \
# RUN:   | FileCheck %s
# RUN: cplc %s:pick --types 'x=int32[] k=int32[]' --as elementwise --target opencl --emit asm \
# RUN:   | FileCheck %s --check-prefix=PLAIN --implicit-check-not=Volatile
# CHECK-NOT: Volatile
# CHECK: OpVariable %[[#]] Function
# CHECK: OpStore %[[#]] %[[#]] Volatile|Aligned 4
# CHECK-NOT: Volatile
# CHECK: OpLoad %[[#]] %[[#]] Volatile|Aligned 4
# CHECK-NOT: Volatile
# PLAIN: OpVariable %[[#]] Function
from compyle.api import declare


def pick(i, x, k):
    a = declare('matrix(4, "int")')
    a[0] = 7
    a[k[i]] = x[i]
    x[i] = a[(k[i] + 1) & 3]
