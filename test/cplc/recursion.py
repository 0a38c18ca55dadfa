# Functions that call themselves, on the host: as deep as the stack of a thread lets them, with an
# error where it ends, unoptimised and optimised, on the thread that launches and on others.
# RUN: cplc run %s:count --as function n=20000 | FileCheck %s --check-prefix=COUNT
# COUNT: result = 20000
# RUN: %python %S/Inputs/status.py 1 cplc run %s:count --as function n=1000000000 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:count --as function n=1000000000 -O0 2>&1 | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:count --as function n=1000000000 -O3 --option tiers=0 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:each x=int64[100000] n=1000000000 2>&1 | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:rounds --as function x=int64[64] n=1000000000 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:each x=int64[100000] n=1000000000 --option bounds_check=0 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DEEP
# RUN: not cplc run %s:rounds --as function x=int64[64] n=1000000000 --option bounds_check=0 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DEEP
# DEEP: recursion.py:[[#@LINE+14]]:1: error: 'count' calls itself without end, or too deeply for the stack of a thread
# RUN: not cplc run %s:wide --as function n=100000 2>&1 | FileCheck %s --check-prefix=WIDE
# WIDE: recursion.py:{{[0-9]+}}:1: error: 'wide' calls itself without end
# RUN: not cplc run %s:even --as function n=-1 2>&1 | FileCheck %s --check-prefix=EVEN
# EVEN: recursion.py:{{[0-9]+}}:1: error: '{{even|odd}}' calls itself without end
# RUN: not cplc run %s:count --target interp --as function n=1000000000 2>&1 \
# RUN:   | FileCheck %s --check-prefix=INTERP
# INTERP: error: interpreting 'count': call: calls nest too deeply
# Code for elsewhere does not look.
# RUN: cplc %s:count --as function --types n=int64 --emit llvm | FileCheck %s --check-prefix=OBJECT
# OBJECT-NOT: __cpl_
# RUN: cplc run %s:fib --as function n=20 | FileCheck %s --check-prefix=FIB
# RUN: cplc run %s:fib --as function n=20 --target interp | FileCheck %s --check-prefix=FIB
# FIB: result = 6765
def count(n: int) -> int:
    if n == 0:
        return 0
    return count(n - 1) + 1

def each(i, x, n):
    x[i] = count(n)

def rounds(x, n):
    for i in prange(len(x)):
        x[i] = count(n + i)

def wide(n: int) -> float:
    m = declare('matrix(10000)')
    m[n % 10000] = n
    return 0.0 if n == 0 else wide(n - 1) + m[n % 7]

def even(n: int) -> bool:
    return n == 0 or odd(n - 1)

def odd(n: int) -> bool:
    return n != 0 and even(n - 1)

def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
