# Wrong indices, pointer arithmetic and addresses.
# RUN: not cplc %s:f --types 'x=float64[] b=bool[] k=int32[] n=int64' --emit types 2>&1 \
# RUN:   | FileCheck %s

def f(i, x, b, k, n):
    x[-1] = 0
    x[1.5] = 0
    x[b[i]] = 0
    x[x[i]] = 0
    x[0] = n[0]
    x[0] = x*2
    x[0] = x + k
    x[0] = len(n)
    a = address(1)
    c = address(x)
    m = declare('matrix((2, 3))')
    m[2][0] = 1
    m[1, 3] = 1
    m[0, 0, 0] = 1
    address(x[0])[1, 2] = 3
    m = 1
    x[i] = m[0]
    m[1] = 2

# CHECK: bad-pointers.py:6:7: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last element is x[len(x) - 1]
# CHECK: bad-pointers.py:7:7: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-pointers.py:8:7: error: an index must be an integer, found bool
# CHECK: hint: convert it with int(...)
# CHECK: bad-pointers.py:9:7: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-pointers.py:10:12: error: int64 cannot be indexed
# CHECK: bad-pointers.py:11:12: error: '*' does not work on float64[] and int32
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-pointers.py:12:12: error: '+' does not work on float64[] and int32[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-pointers.py:13:16: error: 'len' takes an array, found int64
# CHECK: bad-pointers.py:14:17: error: 'address' takes an element, field or variable: address(x[i])
# CHECK: bad-pointers.py:15:9: error: 'address' of a pointer is not supported
# CHECK: bad-pointers.py:17:7: error: the index 2 is out of the range of 2 elements
# CHECK: bad-pointers.py:18:10: error: the index 3 is out of the range of 3 elements
# CHECK: bad-pointers.py:19:7: error: 3 indices are too many for this matrix
# CHECK: bad-pointers.py:20:19: error: float64[] takes one index, found 2
# CHECK: hint: parameters alone have more dimensions; of others count x[i*columns + j]
# CHECK: bad-pointers.py:21:9: error: 'm' is a matrix, which cannot be assigned as a whole
# CHECK: hint: assign its elements
# CHECK: bad-pointers.py:22:12: error: an element of 'x' is float64 and cannot take float64[3]
# CHECK-NOT: error:
