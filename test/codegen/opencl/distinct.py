# Arrays known to share no memory are restrict; what work-items write for each other to read is not.
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --emit opencl-c \
# RUN:   --facts apart | FileCheck %s
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --emit opencl-c \
# RUN:   | FileCheck %s --check-prefix=OVERLAP
# RUN: cplc %s:passed --as kernel --types 'x=int32[] y=int32[] t=int32[]' --emit opencl-c \
# RUN:   --facts apart | FileCheck %s --check-prefix=PASSED
#
# CHECK: kernel void axpb(long n, const global double *restrict x, global double *restrict y, double a, double b)
# OVERLAP: kernel void axpb(long n, const global double *x, global double *y, double a, double b)
# PASSED: kernel void passed(const global int *restrict x, global int *y, local int *t)
from compyle.api import annotate
from compyle.low_level import GID_0, LDIM_0, LID_0, local_barrier


def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b


@annotate(t='lintp')
def passed(x, y, t):
    i = GID_0*LDIM_0 + LID_0
    t[LID_0] = x[i]
    local_barrier()
    y[i] = t[LDIM_0 - 1 - LID_0]
