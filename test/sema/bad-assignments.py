# What cannot be stored, returned, indexed, compared or stand alone.
# RUN: not cplc %s:f --as function \
# RUN:   --types 'x=float64[] s=float64[:] p=Pair* n=int32 b=bool k=int64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s
import numpy as np
import math

@struct
class Pair:
    a: 'int'
    m: 'matrix(3)'

@struct
class Other:
    a: 'int'

def mixed(a):
    if a > 1:
        return 1
    return declare('int')

def either(a, x):
    if a:
        return x
    return 1

def whole(a):
    m = declare('matrix(3)')
    return m

def annotated(a) -> 'int':
    if a:
        return
    return 1.5

def empty(a) -> 'int':
    pass

def ends(a):
    if a:
        return 1

def f(x, s, p, n, b, k):
    math.pi = 3
    np.e += 1
    math.pi += 1
    a, c = 1, 2, 3
    a, c = n
    a = 1, x
    d, x[0] = n, x
    e = x
    e = s
    g = p
    g = x
    h = declare('Pair')
    j = declare('Other')
    h = j
    h.a = 1.5
    h.m = 1
    h.m[0] = x
    h.m[3] = 1
    h.b = 1
    h.m.a = 1
    x.shape = 1
    n.x = 1
    x.size = 1
    m = s.sizes
    o = n[0]
    o = p[0].m[0][1]
    o = h.m[0, 1]
    o = address(x[0])[0, 1]
    o = h.m[0.5, 1]
    o = x[0.5]
    o = x[x]
    o = x[h]
    o = x[-1]
    o = x[b]
    q = declare('void*')
    o = q[0]
    r = x + 1.5
    r = 1.5 + x
    r = x*2
    r = x + x
    r = 2 - x
    r = s + 1
    r = -x
    r = h + 1
    r = not x
    r = ~1.5
    r = 1.5 << 2
    r = n & 1.5
    r = x < 1
    r = h == h
    r = n in b
    r = n not in n + 1
    r = n is 3
    r = x @ x
    r = n if x else 1
    r = x if n else 1
    r = x and n
    r = n or h
    r = 'text'
    r = None
    r = (1, x)
    r = 1 if n else 'text'
    n == 1
    n + 1
    n < 1 < 2
    n
    'a docstring'
    x[0] += x
    x += 1.5
    x -= 1
    s += 1
    h += 1
    undefined += 1
    n = either(1, x)
    whole(1)
    annotated(1)
    empty(1)
    ends(1)
    assert x
    assert n, n
    assert n, 'fine'
    if x:
        n = 1
    while s:
        n = 1
    t = address(1)
    t = address(n + 1)
    t = address(x)
    t = address(missing)
    t = address(math.pi)
    t = address(h)
    t = address(p)
    t = atomic_add(n + 1, 1)
    t = atomic_add(x, 1)
    t = atomic_add(k[0], x)
    t = atomic_add(missing[0], 1)
    t = cast(x, 'void')
    t = cast(x, 'float64[:]')
    t = cast(s, 'int*')
    t = cast(missing, 'int')
    t = cast(missing, 'nothing')

# CHECK: bad-assignments.py:25:12: error: 'either' returns int32 here and float64[] elsewhere
# CHECK: bad-assignments.py:29:12: error: a matrix cannot be returned
# CHECK: bad-assignments.py:33:9: error: 'annotated' is declared to return int32
# CHECK: bad-assignments.py:33:9: error: 'annotated' returns nothing here and a value elsewhere
# CHECK: bad-assignments.py:34:5: note: a value is returned here
# CHECK: bad-assignments.py:34:12: warning: the result is int32: the fraction of a float64 is dropped
# CHECK: bad-assignments.py:36:5: error: 'empty' is declared to return int32 but returns nothing
# CHECK: bad-assignments.py:39:5: warning: 'ends' may end without a return; it gives 0 then
# CHECK: bad-assignments.py:44:5: error: 'pi' is a constant
# CHECK: bad-assignments.py:45:5: error: 'e' is a constant
# CHECK: bad-assignments.py:46:5: error: 'pi' is a constant
# CHECK: bad-assignments.py:47:12: error: 2 names on the left, 3 values on the right
# CHECK: bad-assignments.py:48:12: error: 2 names on the left, one value on the right
# CHECK: bad-assignments.py:49:12: error: an item of a tuple is a number or a struct, found float64[]
# CHECK: bad-assignments.py:50:18: error: an element of 'x' is float64 and cannot take float64[]
# CHECK: bad-assignments.py:52:9: error: 'e' is float64[:] here and float64[] elsewhere
# CHECK: bad-assignments.py:51:5: note: 'e' is first assigned here
# CHECK: bad-assignments.py:54:9: error: 'g' is float64[] here and Pair[] elsewhere
# CHECK: bad-assignments.py:53:5: note: 'g' is first assigned here
# CHECK: bad-assignments.py:57:9: error: 'h' is Pair and cannot take Other
# CHECK: bad-assignments.py:58:11: warning: field 'a' is int32: the fraction of a float64 is dropped
# CHECK: bad-assignments.py:59:11: error: field 'm' is a matrix, which cannot be assigned as a whole
# CHECK: hint: assign its elements
# CHECK: bad-assignments.py:60:14: error: the element is float64 and cannot take float64[]
# CHECK: bad-assignments.py:61:9: error: the index 3 is out of the range of 3 elements
# CHECK: bad-assignments.py:62:7: error: Pair has no field 'b'
# CHECK: bad-assignments.py:63:9: error: float64[3] has no field 'a'
# CHECK: bad-assignments.py:64:5: error: a shape stands with an index, or is taken apart
# CHECK: hint: x.shape[0]; h, w = x.shape where there are two dimensions
# CHECK: bad-assignments.py:65:7: error: int32 has no field 'x'
# CHECK: bad-assignments.py:66:5: error: 'size' is a constant
# CHECK: bad-assignments.py:67:11: error: float64[:] has no field 'sizes'
# CHECK: bad-assignments.py:68:9: error: int32 cannot be indexed
# CHECK: bad-assignments.py:69:9: error: float64 cannot be indexed
# CHECK: bad-assignments.py:70:13: error: 2 indices are too many for this matrix
# CHECK: bad-assignments.py:71:23: error: float64[] takes one index, found 2
# CHECK: hint: parameters alone have more dimensions; of others count x[i*columns + j]
# CHECK: bad-assignments.py:72:13: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-assignments.py:72:13: error: 2 indices are too many for this matrix
# CHECK: bad-assignments.py:73:11: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-assignments.py:74:11: error: an index must be an integer, found float64[]
# CHECK: bad-assignments.py:75:11: error: an index must be an integer, found Pair
# CHECK: bad-assignments.py:76:11: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last element is x[len(x) - 1]
# CHECK: bad-assignments.py:77:11: error: an index must be an integer, found bool
# CHECK: hint: convert it with int(...)
# CHECK: bad-assignments.py:79:9: error: void* cannot be indexed
# CHECK: bad-assignments.py:80:9: error: '+' does not work on float64[] and float64
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:81:9: error: '+' does not work on float64 and float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:82:9: error: '*' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:83:9: error: '+' does not work on float64[] and float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:84:9: error: '-' does not work on int32 and float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:85:9: error: '+' does not work on float64[:] and int32
# CHECK: bad-assignments.py:86:10: error: the operand must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:87:9: error: '+' does not work on Pair and int32
# CHECK: bad-assignments.py:88:13: error: the operand must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:89:9: error: ~ needs an integer, found float64
# CHECK: bad-assignments.py:90:9: error: '<<' needs integers, found float64 and int32
# CHECK: bad-assignments.py:91:9: error: '&' needs integers, found int32 and float64
# CHECK: bad-assignments.py:92:9: error: float64[] and int32 cannot be compared
# CHECK: bad-assignments.py:93:9: error: '==' does not work on Pair and Pair
# CHECK: bad-assignments.py:97:9: error: '@' is not supported
# CHECK: bad-assignments.py:98:14: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:99:9: error: the two arms are float64[] and int32, which have no common type
# CHECK: bad-assignments.py:100:9: error: an operand of 'and' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:101:14: error: an operand of 'or' must be a number, found Pair
# CHECK: bad-assignments.py:102:9: error: a string stands only as the format of printf
# CHECK: bad-assignments.py:103:9: error: None is not a value in kernels
# CHECK: bad-assignments.py:104:13: error: an item of a tuple is a number or a struct, found float64[]
# CHECK: bad-assignments.py:105:21: error: a string stands only as the format of printf
# CHECK: bad-assignments.py:106:5: warning: this comparison has no effect; an assignment is written with one '='
# CHECK: bad-assignments.py:107:5: warning: this expression has no effect
# CHECK: bad-assignments.py:108:5: warning: this expression has no effect
# CHECK: bad-assignments.py:109:5: warning: this expression has no effect
# CHECK: bad-assignments.py:111:5: error: '+' does not work on float64 and float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:112:5: error: '+' does not work on float64[] and float64
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:114:5: error: '+' does not work on float64[:] and int32
# CHECK: bad-assignments.py:115:5: error: '+' does not work on Pair and int32
# CHECK: bad-assignments.py:116:5: error: 'undefined' is read before it is assigned
# CHECK: bad-assignments.py:122:12: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:123:15: error: the message of an assertion is a literal text
# CHECK: bad-assignments.py:125:8: error: a condition must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:127:11: error: a condition must be a number, found float64[:]
# CHECK: hint: did you mean 's[i]'?
# CHECK: bad-assignments.py:129:17: error: 'address' takes an element, field or variable: address(x[i])
# CHECK: bad-assignments.py:130:17: error: 'address' takes an element, field or variable: address(x[i])
# CHECK: bad-assignments.py:131:9: error: 'address' of a pointer is not supported
# CHECK: bad-assignments.py:132:17: error: undefined name 'missing'
# CHECK: bad-assignments.py:133:17: error: 'address' takes an element, field or variable: address(x[i])
# CHECK: bad-assignments.py:135:9: error: 'address' of a pointer is not supported
# CHECK: bad-assignments.py:136:20: error: 'atomic_add' takes an element, field or variable: atomic_add(x[i])
# CHECK: bad-assignments.py:137:20: error: 'atomic_add' needs an integer or float of 32 or 64 bits, found float64[]
# CHECK: hint: name an element: atomic_add(x[i])
# CHECK: bad-assignments.py:138:9: error: 't' is int64 here and Pair private* elsewhere
# CHECK: bad-assignments.py:129:5: note: 't' is first assigned here
# CHECK: bad-assignments.py:138:26: error: the operand of 'atomic_add' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-assignments.py:139:20: error: undefined name 'missing'
# CHECK: bad-assignments.py:140:17: error: 'void' is not a type that can be cast to
# CHECK: bad-assignments.py:141:17: error: 'float64[:]' is not a type that can be cast to
# CHECK: hint: did you mean 'float64'?
# CHECK: bad-assignments.py:142:9: error: float64[:] cannot be converted to int32*
# CHECK: bad-assignments.py:143:14: error: undefined name 'missing'
# CHECK: bad-assignments.py:144:14: error: undefined name 'missing'
# CHECK: bad-assignments.py:144:23: error: 'nothing' is not a type that can be cast to
# CHECK-NOT: error:
