# Numba's shuffles and votes are those of the sub-group, whose mask is not looked at.
# RUN: cplc %s:f --as kernel --target cuda --emit ptx --types 'x=float32[] out=int32[]' \
# RUN:   | FileCheck %s
# RUN: not cplc %s:f --as function --types 'x=float32[] out=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=PLAIN %s
# RUN: not cplc %s:few --as kernel --types 'x=float32[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=FEW %s
from numba import cuda

ALL = 0xffffffff


@cuda.jit
def f(x, out):
    i = cuda.grid(1)
    v = x[i]
    v += cuda.shfl_sync(ALL, v, 3)
# PLAIN: shuffles.py:[[#@LINE-1]]:10: error: 'shfl_sync' of these arguments: 'shuffle' has a meaning in kernels alone
    v += cuda.shfl_up_sync(ALL, v, 1)
    v += cuda.shfl_down_sync(ALL, v, 2)
    v += cuda.shfl_xor_sync(ALL, v, 4)
    x[i] = v
    out[i] = cuda.ballot_sync(ALL, v > 0) + cuda.any_sync(ALL, v > 1) + cuda.all_sync(ALL, v > 2)


def few(x):
    x[0] = cuda.shfl_sync(x[0])
# FEW: shuffles.py:[[#@LINE-1]]:12: error: 'shfl_sync' takes 3 arguments, found 1


# CHECK: shfl.sync.idx
# CHECK: shfl.sync.up
# CHECK: shfl.sync.down
# CHECK: shfl.sync.bfly
# CHECK-COUNT-3: vote.sync.ballot
