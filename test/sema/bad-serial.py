# Serial functions: none is a kernel, their loops over prange have its options alone, and those of what they call stay parallel ones.
# RUN: not cplc %s:f --as kernel --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --as function --types 'n=int32 x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=LOOP
from compyle.api import serial

@serial
def f(x):
    x[LID_0] = 1

# CHECK: bad-serial.py:7:1: error: 'f' is serial, and the work-items of a kernel run in parallel

def carries(n, x):
    s = 0.0
    for i in prange(n):
        s = x[i] - s
    return s

@serial
def g(n, x):
    for i in prange(n, color=3):
        x[i] = carries(n, x)

# LOOP: bad-serial.py:16:20: error: 's' carries a value from one round of a parallel loop to the next
# LOOP: bad-serial.py:21:24: error: prange has no option 'color'
