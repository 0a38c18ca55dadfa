# The number of a thread is no part of what a kernel means; with the reason, however it is imported.
# RUN: not cplc %s:f --as function --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
from cython.parallel import prange, threadid
import cython.parallel as cp

def f(x):
    for i in prange(len(x)):
        x[i] = threadid()
        x[i] = cp.threadid()

# CHECK-NOT: note:
# CHECK: bad-threadid.py:8:16: error: 'threadid' is not available in kernels
# CHECK: hint: use the loop's variable, or what the rounds combine: s += e; which thread runs a round is not fixed
# CHECK: bad-threadid.py:9:19: error: 'cp.threadid' is not known in kernels
