# A for loop runs over range, whose bounds are integers.
# RUN: not cplc %s:f --types 'x=float64[] n=int64' --emit types 2>&1 | FileCheck %s

def f(i, x, n):
    for a in range(1.5):
        pass
    for b in x:  # an array's elements
        pass
    for c in range():
        pass
    for d in range(1, 2, 3, 4):
        pass
    for x[0] in range(3):
        pass
    for e in range(n, step=2):
        pass
    for g in range(x):
        pass
    h = range(3)
    with open('f'):
        pass
    for k, l in ((1, 2), (3, 4, 5)):
        pass

# CHECK: bad-loops.py:13:9: error: the variable of a 'for' must be one name
# CHECK: bad-loops.py:5:20: error: a bound of the loop must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-loops.py:9:14: error: 'range' takes 1 to 3 arguments, found 0
# CHECK: bad-loops.py:11:14: error: 'range' takes 1 to 3 arguments, found 4
# CHECK: bad-loops.py:15:23: error: 'range' takes no keyword arguments, found 'step'
# CHECK: bad-loops.py:17:20: error: a bound of the loop must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-loops.py:19:9: error: 'range' stands only in 'for v in range(...)'
# CHECK: bad-loops.py:20:10: error: 'with' is supported for nogil and parallel() only
# CHECK: bad-loops.py:22:19: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: hint: for a, b in ((1, 2), (3, 4)): ..., rows of as many numbers as there are names
# CHECK-NOT: error:
