# Arrays have no truth and no order.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k):
    a = not x
    b = x and k[i]
    c = x < 1
    d = not k
    if x:
        pass
    while x:
        pass
    assert x

# CHECK: bad-logic.py:5:13: error: the operand must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-logic.py:6:9: error: an operand of 'and' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-logic.py:7:9: error: float64[] and int32 cannot be compared
# CHECK: bad-logic.py:9:8: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-logic.py:11:11: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-logic.py:13:12: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK-NOT: error:
