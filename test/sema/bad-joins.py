# Values without a common type cannot be assigned to one name.
# RUN: not cplc %s:f --types 'x=float64[] y=float32[] k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, y, k):
    p = x
    p = 3
    q = x
    q = y
    a, b = 1, 2, 3
    c, d = x[i] + 1
    r = x if k[i] else 1.0

# CHECK: bad-joins.py:6:9: error: 'p' is int32 here and float64[] elsewhere
# CHECK: bad-joins.py:5:5: note: 'p' is first assigned here
# CHECK: bad-joins.py:8:9: error: 'q' is float32[] here and float64[] elsewhere
# CHECK: bad-joins.py:7:5: note: 'q' is first assigned here
# CHECK: bad-joins.py:9:12: error: 2 names on the left, 3 values on the right
# CHECK: bad-joins.py:10:12: error: 2 names on the left, one value on the right
# CHECK: bad-joins.py:11:9: error: the two arms are float64[] and float64, which have no common type
# CHECK-NOT: error:
