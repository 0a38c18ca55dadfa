# On devices a parallel loop that one work-item is left with is noted, once a function; one that all run is not, nor what is asked to run in order.
# RUN: cplc %s:several --as function --types 'n=int64 x=float64[]' --target opencl --emit opencl-c \
# RUN:   -o /dev/null 2>&1 | FileCheck %s
# RUN: cplc %s:writes --as function --types 'n=int64 x=float64[]' --target opencl --emit opencl-c \
# RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRITES
# RUN: cplc %s:total --as function --types 'n=int64 x=float64[]' --target opencl --emit opencl-c \
# RUN:   -o /dev/null 2>&1 | count 0
# RUN: cplc %s:several --as function --types 'n=int64 x=float64[]' --target opencl \
# RUN:   --option in_order=1 --emit opencl-c -o /dev/null 2>&1 | count 0
# RUN: cplc %s:several --as function --types 'n=int64 x=float64[]' --emit llvm -o /dev/null 2>&1 \
# RUN:   | count 0
# RUN: cplc %s:serial_one --as function --types 'n=int64 x=float64[]' --target opencl \
# RUN:   --emit opencl-c -o /dev/null 2>&1 | count 0
from compyle.api import serial


def several(n, x):
    s = 0.0
    for i in prange(n):
        s += x[i]
    for i in prange(n):
        x[i] -= s
    t = 0.0
    for i in prange(n):
        t += x[i]
    return t


def writes(n, x):
    x[0] = 1
    for i in prange(1, n):
        x[i] = 2


def total(n, x):
    s = 0.0
    for i in prange(n):
        s += x[i]
    return s


@serial
def serial_one(n, x):
    x[0] = 1
    for i in prange(1, n):
        x[i] = x[i - 1]


# CHECK: grid-alone.py:21:5: note: one work-item runs this loop alone
# CHECK: hint: all run one at the end of a function that returns nothing, or one that reduces and stands first
# CHECK-NOT: note:
# WRITES: grid-alone.py:31:5: note: one work-item runs this loop alone
