# threadid() stands in rounds of a parallel loop, however it is imported; its element is a round's own.
# RUN: not cplc %s:f --as function --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:k --as kernel --types 'x=float64[]' --emit types 2>&1 | \
# RUN:   FileCheck --check-prefix KERNEL %s
from cython.parallel import prange, threadid


def helper(x):
    return x[threadid()]


def f(x):
    for i in prange(len(x)):
        x[threadid()] += 1
        x[i] = helper(x)
        x[threadid(1)] = 2
        x[threadid] = 2
    x[0] = threadid()


def k(x):
    x[0] = threadid()


# CHECK-NOT: warning:
# CHECK: bad-threadid.py:9:14: error: 'threadid' stands in the rounds of a parallel loop
# CHECK: hint: for i in prange(n): ...; a function that it calls takes threadid() as an argument
# CHECK: bad-threadid.py:16:11: error: 'threadid' takes 0 arguments, found 1
# CHECK: bad-threadid.py:17:11: error: 'threadid' is a function and stands without a call
# CHECK: bad-threadid.py:18:12: error: 'threadid' stands in the rounds of a parallel loop
# KERNEL: error: 'threadid' stands in the rounds of a parallel loop
# KERNEL: hint: a work-item of a kernel is get_global_id(0)
