# Ten independent mistakes give ten errors; what follows from one is silent.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s

def helper(a):
    return a + missing_in_helper

def f(i, x, n):
    a = undefined_name
    b = a + 1
    c = sin(b)
    x[i] = c + undefined_too
    x[-1] = 0
    d = x << 1
    x["s"] = 1
    helper(1, 2)
    helper(a)
    for j in x[0] + 1:
        b += j
    y[i] = 1
    printf("%d")
    g = g + 1

# CHECK: bad-many.py:5:16: error: undefined name 'missing_in_helper'
# CHECK: bad-many.py:8:9: error: undefined name 'undefined_name'
# CHECK: bad-many.py:11:16: error: undefined name 'undefined_too'
# CHECK: bad-many.py:12:7: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last element is x[len(x) - 1]
# CHECK: bad-many.py:13:9: error: '<<' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-many.py:14:7: error: float64[] has no field 's'
# CHECK: bad-many.py:15:5: error: 'helper' takes 1 argument, found 2
# CHECK: bad-many.py:4:1: note: 'helper' is defined here
# CHECK: bad-many.py:17:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-many.py:19:5: error: undefined name 'y'
# CHECK: bad-many.py:20:5: error: the format has 1 directive, but 0 arguments are given
# CHECK: bad-many.py:21:9: error: 'g' is read before it is assigned
# CHECK-NOT: error:
