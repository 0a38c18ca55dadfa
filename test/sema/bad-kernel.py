# What kernels alone have is refused elsewhere, in helpers too, and kernels have rules of their own.
# RUN: not cplc %s:host --as function --types 'x=float64[] l=local float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=HOST
# RUN: not cplc %s:each --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=EACH
# RUN: not cplc %s:kernel --as kernel --types 'x=float64[] n=int32 s=float64[:]' --emit types 2>&1 \
# RUN:   | FileCheck %s
# RUN: not cplc %s:kernel --as kernel --types 'x=local float64[:] n=int32 s=float64[]' \
# RUN:   --emit types 2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not cplc %s:kernel --as kernel --types 'x=local float64 n=int32 s=float64[]' --emit types \
# RUN:   2>&1 | FileCheck %s --check-prefix=TYPE
# RUN: not cplc %s:declared --as kernel --types 'x=float32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DECLARED
# RUN: not cplc %s:pair --as function --types 'x=float32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=PAIR
from compyle.low_level import *


def helper(x):
    x[0] = LID_0
    y = declare('LOCAL_MEM matrix(3)')
    y[0] = 1


def host(x, l):
    helper(x)
    shuffle(x[0], 1)


# HOST: bad-kernel.py:19:12: error: 'LID_0' has a meaning in kernels alone, and this is compiled as none
# HOST-NEXT: x[0] = LID_0
# HOST: hint: compile it as a kernel: --as kernel, CPL_FORM_KERNEL
# HOST: bad-kernel.py:20:9: error: local memory exists in kernels alone, and this is compiled as none
# HOST: bad-kernel.py:24:13: error: parameter 'l' of 'host' is local memory, which kernels alone have
# HOST: bad-kernel.py:26:5: error: 'shuffle' has a meaning in kernels alone, and this is compiled as none
# HOST-NOT: error:


def each(i, x):
    a = declare('matrix(4)')
    vload(a, x, i)
    x[i] = lane_id()


# EACH: :40:5: error: 'vload' has a meaning in kernels alone, and this is compiled as none
# EACH: :41:12: error: 'lane_id' has a meaning in kernels alone, and this is compiled as none
# EACH-NOT: error:


def kernel(x, n, s):
    helper(x)
    a = declare('LOCAL_MEM double')
    b = declare('matrix(5)')
    c = declare('matrix(4, "int")')
    e = declare('matrix(4)')
    d = LID_0()
    vload(b, x, 0)
    vload(c, x, 0)
    vload(e, s, 0)
    vload(c, x, 0.5)
    shuffle(x[0], 0.5)
    shuffle(x, 1)
    ballot()
    atomic_add(x[0], 1, order='acqrel')
    atomic_add(x[0], 1, scope=1)
    atomic_add(x[0], 1, kind='x')
    atomic_add(x[0], order='relaxed')
    atomic_load(x[0], order='release')
    atomic_store(x[0], 1, order='acquire')
    fence(order='relaxed')
    for i in prange(n):
        x[i] = 1
    if LID_0 < 3:
        local_barrier()
    while x[0] > lane_id():
        global_barrier()
    return 1


# CHECK: :20:9: error: local memory is declared in the kernel itself; pass it to the function
# CHECK: :51:9: error: LOCAL_MEM declares a matrix: declare('LOCAL_MEM matrix(64)')
# CHECK: :55:9: error: 'LID_0' is a number and stands without a call
# CHECK: :56:11: error: 'vload' needs a matrix of 2, 3, 4, 8 or 16 numbers, found float64[5]
# CHECK: hint: m = declare('matrix(4)')
# CHECK: :57:14: error: 'vload' needs a contiguous array of int32, found float64[]
# CHECK: :58:14: error: 'vload' needs a contiguous array of float64, found float64[:]
# CHECK-NOT: needs a contiguous
# CHECK: :59:17: error: the index must be an integer, found float64
# CHECK: :60:19: error: the lane must be an integer, found float64
# CHECK: :61:13: error: the value of 'shuffle' must be a number, found float64[]
# CHECK: :62:5: error: 'ballot' takes 1 argument, found 0
# CHECK: :63:31: error: the order of an atomic is one of 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'
# CHECK: hint: did you mean 'acq_rel'?
# CHECK: :64:31: error: the scope of an atomic is one of 'group', 'device', 'system'
# CHECK: :65:25: error: 'atomic_add' has no keyword 'kind'
# CHECK: hint: order='acq_rel' and scope='group' can stand here
# CHECK: :66:5: error: 'atomic_add' takes 2 arguments, found 1
# CHECK: :67:29: error: 'atomic_load' cannot be release
# CHECK: :68:33: error: 'atomic_store' cannot be acquire
# CHECK: :69:17: error: 'fence' cannot be relaxed
# CHECK: :70:14: error: 'prange' does not stand in a kernel, whose work-items run in parallel
# CHECK: hint: use range, and LID_0 + GID_0*LDIM_0 for the index
# CHECK: :73:9: warning: this 'local_barrier' depends on the work-item; all work-items of a group must reach it
# CHECK: :75:9: warning: this 'global_barrier' depends on the work-item
# CHECK: :76:5: error: 'kernel' is a kernel and cannot return a value
# CHECK-NOT: error:
# TYPE: 'local float64{{.*}}' is not a type


@annotate(x='floatp', return_='float')
def declared(x):
    return x[0]
# DECLARED: :[[@LINE-1]]:5: error: 'declared' is a kernel and cannot return a value
# DECLARED: hint: store it in an array


def pair(x) -> tuple[float, int]:
    return x[0], 1
# PAIR: :[[@LINE-1]]:5: error: 'pair' is called by programs and cannot return a tuple to them
# PAIR: hint: store the values in an array that is passed: out[0], out[1] = ...
