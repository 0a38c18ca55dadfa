# What the compiler says of a function that is interpreted appears once.
# RUN: cplc run %s 'x=float64[3]' 'k=int64[3]' --target interp 2>&1 | FileCheck %s

def f(i, x, k):
    x[i] = k[i]/2
    k[i] = x[i]

# CHECK: said-once.py:5:16: note: '/' on two integers drops the fraction
# CHECK: said-once.py:6:12: warning: an element of 'k' is int64
# CHECK-NOT: {{note|warning}}:
