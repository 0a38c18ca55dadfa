# Arrays and pointers where numbers stand: in operators, comparisons, conditions, conversions.
# RUN: not cplc %s:f --types 'x=float64[] out=float64[] n=int32 s=float32[:] m=float64[:,:]' \
# RUN:   --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:steps --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=STEPS

def f(i, x, out, n, s, m):
    out = x + 1
    out = 1 + x
    x += n
    x -= 2
    out[i] = 2 - x
    out[i] = s*2.0
    out[i] = x + 0.5
    out[i] = -x
    if x > 0:
        out[i] = 1
    if 0 < n < x:
        out[i] = 2
    if x:
        out[i] = 3
    while n and x:
        n -= 1
    out[i] = 1 if not x else 2
    out[i] = sqrt(x)
    out[i] = max(x, 1)
    out[i] = m[i, 0]
    out[i] = m + 1
    out[i] = float(x)
    out[i] = x
    out = x[i] + 1

def steps(i, x):
    p = address(x[i])
    p = p + 1
    p += 1
    m = declare('matrix(3)')
    x[i] = (m + 1)[0]
    x[i] = address(x[1]) + 1

# CHECK: bad-arrays-as-numbers.py:7:11: error: '+' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'? A pointer to an element is address(x[k])
# CHECK: bad-arrays-as-numbers.py:8:11: error: '+' does not work on int32 and float64[]
# CHECK: hint: did you mean 'x[i]'? A pointer to an element is address(x[k])
# CHECK: bad-arrays-as-numbers.py:9:5: error: '+' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'? A pointer to an element is address(x[k])
# CHECK: bad-arrays-as-numbers.py:10:5: error: '-' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'? A pointer to an element is address(x[k])
# CHECK: bad-arrays-as-numbers.py:11:14: error: '-' does not work on int32 and float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:12:14: error: '*' does not work on float32[:] and float64
# CHECK: hint: did you mean 's[i]'?
# CHECK: bad-arrays-as-numbers.py:13:14: error: '+' does not work on float64[] and float64
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:14:15: error: the operand must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:15:8: error: float64[] and int32 cannot be compared
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:17:8: error: int32 and float64[] cannot be compared
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:19:8: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:21:17: error: an operand of 'and' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:23:23: error: the operand must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:24:19: error: an argument of 'sqrt' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:25:18: error: an argument of 'max' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:27:14: error: 'm' has 2 dimensions and stands here without its indices
# CHECK: hint: m[i, j]; as a whole it goes to functions of the file, len() and m.shape[0]
# CHECK: bad-arrays-as-numbers.py:28:14: error: float64[] cannot be converted to float64
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:29:14: error: an element of 'out' is float64 and cannot take float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-arrays-as-numbers.py:30:11: error: 'out' is float64[] and cannot take float64
# CHECK: hint: did you mean 'out[i]'?
# CHECK-NOT: error:

# STEPS: bad-arrays-as-numbers.py:34:9: error: '+' does not work on float64[] and int32
# STEPS: hint: did you mean 'p[i]'? A pointer to an element is address(p[k])
# STEPS: bad-arrays-as-numbers.py:35:5: error: '+' does not work on float64[] and int32
# STEPS: hint: did you mean 'p[i]'? A pointer to an element is address(p[k])
# STEPS: bad-arrays-as-numbers.py:37:13: error: '+' does not work on float64[3] and int32
# STEPS: hint: did you mean 'm[i]'? Of all elements: m[:] = m + 1
# STEPS: bad-arrays-as-numbers.py:38:12: error: '+' does not work on float64[] and int32
# STEPS-NOT: error:
