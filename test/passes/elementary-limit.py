# What the library brings does not count to max_ops, which is for what users write.
# RUN: cplc run %s:f --option reproducible=1 --option max_ops=25 'x=float64[4]' 'y=float64[4]'
# RUN: not cplc run %s:f --option reproducible=1 --option max_ops=20 'x=float64[4]' \
# RUN:     'y=float64[4]' 2>&1 | FileCheck %s
#
# CHECK: elementary-limit.py:[[@LINE+2]]:1: error: function 'f' and what it calls have more than 20 ops
# CHECK-NOT: error
def f(i, x, y):
    y[i] = sin(x[i])
