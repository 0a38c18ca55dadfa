# What cannot be bound, and what bound names cannot be.
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=op:a+c x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=NAME
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=op:a+ x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=TEXT --implicit-check-not=error:
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=func:plas x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=FUNC --implicit-check-not=error:
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=const:3 x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=CALL
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=op:a op=func:plus x=float64[] r=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=VALUE
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=op:"lambda x, x: x" x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=LAMBDA
# RUN: not cplc %s:changed --emit types --types 'N=const:3 T=type:int x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=CHANGED
# RUN: not cplc %s:loops --emit types --types 'n=int32 x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=LOOPS
# RUN: not cplc %s:typed --emit types --types 'n=op:a m=const:3 x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=TYPED
# RUN: not cplc %s:narrow --emit types --types 'N=const:256 M=const:-1 x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=NARROW --implicit-check-not=error:
# RUN: cplc %s:narrow --emit types --types 'N=const:255 M=const:0 x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=WIDE
# RUN: not cplc %s:arguments --emit types --types 'x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=ARGUMENTS --implicit-check-not=error:
# RUN: not cplc %s:values --emit types --types 'x=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=VALUES
# RUN: not cplc %s:huge --emit types --types 'N=const:1000000 x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=HUGE
# RUN: not cplc %s:risen --emit types --types 'x=float32[] y=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=RISEN
# RUN: not cplc %s:sizes --emit types --types 'N=const:0 M=const:99999999 x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: not cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=op:"lambda x: x" x=float64[] r=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=FEW --implicit-check-not=hint:
# RUN: not cplc %s:once --emit types --types 'op=op:-a x=float64[]' \
# RUN:   2>&1 | FileCheck %s --check-prefix=ONCE
def plus(a, b):
    return a + b

def fold(n, op, x, r):
    s = x[0]
    for i in range(1, n):
        s = op(s, x[i])
    r[0] = s

# NAME: <expression>:1:3: error: undefined name 'c'
# TEXT: <expression>:1:3: error: expected an expression
# FUNC: bad-bound.py:[[@LINE-8]]:13: error: 'plas', which 'op' is to stand for, is no function
# FUNC: hint: did you mean 'plus'?
# CALL: bad-bound.py:[[@LINE-7]]:13: error: only functions can be called
# VALUE: bad-bound.py:[[@LINE-9]]:23: error: 'n' is a function and stands without a call
# LAMBDA: <expression>:1:11: error: two parameters are called 'x'
# FEW: error: 'op' takes 1 argument, found 2
# FEW: <expression>:1:1: note: 'op' is defined here

def once(i, op, x):
    x[i] = op(x[i])

# ONCE: bad-bound.py:[[@LINE-2]]:12: error: 'op' takes 2 arguments, found 1
# ONCE: hint: an expression alone is of a and b; others are lambdas
# ONCE: <expression>:1:1: note: 'op' is defined here

def changed(i, N, T, x):
    N = 4
    N += 1
    T = 3
    for N in range(3):
        x[i] = N
    a, N = 1, 2
    for k in static_range(2):
        k = 1
    T: int = 1

# CHANGED: bad-bound.py:[[@LINE-10]]:5: error: 'N' is known when the function is compiled
# CHANGED: bad-bound.py:[[@LINE-10]]:5: error: 'N' is known
# CHANGED: bad-bound.py:[[@LINE-10]]:5: error: 'T' is known
# CHANGED: bad-bound.py:[[@LINE-10]]:9: error: 'N' is known
# CHANGED: bad-bound.py:[[@LINE-9]]:8: error: 'N' is known
# CHANGED: bad-bound.py:[[@LINE-8]]:9: error: 'k' is known
# CHANGED: bad-bound.py:[[@LINE-8]]:5: error: 'T' is known

def loops(i, n, x):
    for k in static_range(n):
        x[i] = k
    for k in static_range(1, 5, 0):
        x[i] = k
    for k in static_range():
        x[i] = k
    for k in static_range(1.5):
        x[i] = k
    for k in static_range(4):
        while x[i] > 0:
            break
        if x[i] > 2:
            break
    x[i] = static_range(3)

# LOOPS: bad-bound.py:[[@LINE-15]]:27: error: static_range needs an integer that is known
# LOOPS: hint: bind it: n=const:4 for cplc, CPL_BIND_INTEGER
# LOOPS: bad-bound.py:[[@LINE-15]]:33: error: the step of static_range is zero
# LOOPS: bad-bound.py:[[@LINE-14]]:14: error: 'static_range' takes 1 to 3 integers
# LOOPS: bad-bound.py:[[@LINE-13]]:27: error: static_range needs an integer
# LOOPS: bad-bound.py:[[@LINE-8]]:13: error: 'break' leaves a loop over static_range
# LOOPS: bad-bound.py:[[@LINE-8]]:12: error: 'static_range' stands only in

@annotate(n='double', m='double')
def typed(i, n, m, x):
    x[i] = n + m

# TYPED: bad-bound.py:[[@LINE-3]]:14: error: parameter 'n' of 'typed' is annotated float64
# TYPED: bad-bound.py:[[@LINE-4]]:17: error: parameter 'm' of 'typed' is annotated float64

@annotate(N='uint8', M='uint64')
def narrow(i, N, M, x):
    x[i] = N + M

# NARROW: bad-bound.py:[[@LINE-3]]:15: error: 256, which 'N' is to stand for, does not fit uint8
# NARROW: bad-bound.py:[[@LINE-4]]:18: error: -1, which 'M' is to stand for, does not fit uint64
# WIDE: N = 255
# WIDE: M = 0

@annotate(n='int8', t='double')
def rounds(n, t):
    for k in static_range(n):
        t += k
    return t

def arguments(i, x):
    x[i] = rounds(128, 1) + rounds(t=1, n=-129) + rounds(-128, 1) + rounds(2, plus)

# ARGUMENTS: bad-bound.py:[[@LINE-2]]:19: error: 128, which a parameter is to stand for, does not fit int8
# ARGUMENTS: bad-bound.py:[[@LINE-9]]:12: note: the parameter is here
# ARGUMENTS: bad-bound.py:[[@LINE-4]]:43: error: -129, which
# ARGUMENTS: bad-bound.py:[[@LINE-5]]:79: error: parameter 't' of 'rounds'

def values(i, x):
    f = plus
    x[i] = plus(plus, float32)
    x[i] = sqrt(plus)

# VALUES: bad-bound.py:46:12: error: 'a' is a function and stands without a call
# VALUES: bad-bound.py:46:16: error: 'b' is a type, not a value
# VALUES: bad-bound.py:[[@LINE-6]]:9: error: 'plus' is a function and stands without a call
# VALUES: bad-bound.py:[[@LINE-5]]:17: error: 'plus' is a function and stands without a call

def huge(i, N, x):
    for a in static_range(N):
        for b in static_range(N):
            x[i] += a*b

# HUGE: error: the rounds of static_range make the function larger than {{[0-9]+}} operations

def sizes(i, N, M, x):
    a = declare('matrix(N)')
    b = declare('matrix(M)')
    c = declare('matrix(q)')

# SIZES: bad-bound.py:[[@LINE-4]]:17: error: a matrix has at least one element
# SIZES: bad-bound.py:[[@LINE-4]]:17: error: the matrix is too large
# SIZES: bad-bound.py:[[@LINE-4]]:17: error: 'q', a size of the matrix, is no integer that is known

def assigned(a, n):
    m = declare('matrix(n)')
    n = 3
    return a

# An instance for float32 comes and goes before the one for float64.
def risen(i, x, y):
    s = x[i]
    for k in range(3):
        s = assigned(s, 2)
        s = s + y[i]
    y[i] = s

# RISEN: bad-bound.py:[[@LINE-11]]:5: error: 'n' is known when the function is compiled
