# The last definition of a name is the one that counts, as in Python.
# RUN: cplc --emit ast %s:f | FileCheck %s
def f(x): return 1
def f(x): return 2
# CHECK: func f @[[#@LINE-1]]:1
# CHECK: int 2
# CHECK-NOT: func
