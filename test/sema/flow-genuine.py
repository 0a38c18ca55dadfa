# What a branch alone reads, and what a later statement of a loop assigns with an annotation, makes no assignment a late one.
# RUN: cplc %s:branch --as function --types 'n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=BRANCH --implicit-check-not=error:
# RUN: cplc %s:later --as function --types 'n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=LATER --implicit-check-not=error:
# RUN: not cplc %s:never --as function --types 'n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NEVER

def branch(n):
    while n > 0:
        if n > 5 and s > 1.0:
            n -= 1
        m = t if n > 7 else 0
        if n > 2 > u:
            n -= 1
        s = 2.0
        t = u = m
        n -= 1
# BRANCH: flow-genuine.py:[[#@LINE-8]]:22: warning: 's' is not assigned on every path to here; it is 0 then
# BRANCH: flow-genuine.py:[[#@LINE-7]]:13: warning: 't' is not assigned on every path to here; it is 0 then
# BRANCH: flow-genuine.py:[[#@LINE-7]]:20: warning: 'u' is not assigned on every path to here; it is 0 then

def later(n):
    r = 0.0
    for k in range(n):
        if k > 0:
            r += t
        t: float = 2.0*k
    return r
# LATER: flow-genuine.py:[[#@LINE-3]]:18: warning: 't' is not assigned on every path to here; it is 0 then

def never(n):
    r = 0.0
    for k in range(n):
        r += t
        t: float = 2.0*k
    return r
# NEVER: flow-genuine.py:[[#@LINE-3]]:14: error: 't' is read before it is assigned
