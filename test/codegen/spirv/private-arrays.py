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
# RUN: cplc %s:many --types 'x=int32[] k=int32[]' --as elementwise --target opencl --emit asm \
# RUN:   | FileCheck %s --check-prefix=MANY
# RUN: cplc %s:few --types 'x=int32[] k=int32[]' --as elementwise --target opencl --emit asm \
# RUN:   | FileCheck %s --check-prefix=FEW
# Arrays of arrays are cleared as a whole, few elements one by one and many in a loop.
# MANY: [[ALL:%[0-9]+]] = OpConstant %{{[0-9]+}} 12{{$}}
# MANY: OpULessThan %{{[0-9]+}} %{{[0-9]+}} [[ALL]]
# FEW-DAG: [[INT:%[0-9]+]] = OpTypeInt 32 0
# FEW: [[ZERO:%[0-9]+]] = OpConstantNull [[INT]]
# FEW-COUNT-6: OpStore %{{[0-9]+}} [[ZERO]] Aligned 4
from compyle.api import declare


def pick(i, x, k):
    a = declare('matrix(4, "int")')
    a[0] = 7
    a[k[i]] = x[i]
    x[i] = a[(k[i] + 1) & 3]


def many(i, x, k):
    a = declare('matrix((3, 4), "int")')
    a[k[i], 1] = x[i]
    x[i] = a[k[i] & 1, k[i] & 3]


def few(i, x, k):
    a = declare('matrix((2, 3), "int")')
    a[k[i], 1] = x[i]
    x[i] = a[k[i] & 1, k[i] & 1]
