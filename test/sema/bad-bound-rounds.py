# Jumps, sizes and operators that static_range and prange do not take.
# RUN: not cplc %s:jumps --emit types --types 'x=float64[]' 2>&1 | FileCheck %s --check-prefix=JUMPS
# RUN: not cplc %s:sizes --emit types --types 'x=float64[]' 2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: not cplc %s:fold --as function --emit types --types 'n=int32 op=func:minus x=float64[]' \
# RUN:   2>&1 \
# RUN:   | FileCheck %s --check-prefix=MINUS
# RUN: not cplc %s:fold --as function --emit types --types 'n=int32 op=func:typed x=float64[]' \
# RUN:   2>&1 \
# RUN:   | FileCheck %s --check-prefix=MINUS
# RUN: not cplc %s:fold --as function --emit types --types 'n=int32 op=func:dropped x=float64[]' \
# RUN:   2>&1 \
# RUN:   | FileCheck %s --check-prefix=MINUS
# RUN: not cplc %s:fold --as function --emit types --types 'n=int32 op=op:"a + 2*b" x=float64[]' \
# RUN:   2>&1 \
# RUN:   | FileCheck %s --check-prefix=MINUS
# RUN: not cplc %s:both --as function --emit types --types 'n=int32 op=op:a*b x=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=BOTH
def jumps(i, x):
    for k in static_range(3):
        if x[i] > k:
            if k == 2:
                continue
            x[i] = k
    for k in static_range(3):
        for j in range(2):
            x[i] += j
        else:
            if x[i] > 1:
                break

# JUMPS: bad-bound-rounds.py:[[@LINE-9]]:17: error: 'continue' leaves a loop over static_range
# JUMPS: bad-bound-rounds.py:[[@LINE-3]]:17: error: 'break' leaves a loop over static_range

def sizes(i, x):
    for k in static_range(1, 3):
        m = declare('matrix(k)')
        m[0] = x[i]
    x[i] = m[0]
    m[0] = 1
    for k in static_range(2):
        m = declare('matrix(k)')

# SIZES: bad-bound-rounds.py:[[@LINE-5]]:12: error: 'm' has another size in each round
# SIZES: bad-bound-rounds.py:[[@LINE-5]]:5: error: 'm' has another size in each round
# SIZES: bad-bound-rounds.py:[[@LINE-4]]:21: error: a matrix has at least one element

def minus(a, b):
    return a - b

def typed(a: 'float', b: 'float'):
    return a + b

def dropped(a, b):
    a + b

def fold(n, op, x):
    s = x[0]
    for i in prange(1, n):
        s = op(s, x[i])
    return s

# MINUS: bad-bound-rounds.py:[[@LINE-3]]:16: error: 's' carries a value from one round
# MINUS: hint: what the rounds may combine: s += e

def both(n, op, x):
    s = x[0]
    for i in prange(1, n):
        s = op(s, x[i])
        s += 1
    return s

# BOTH: bad-bound-rounds.py:[[@LINE-4]]:9: error: 's'
