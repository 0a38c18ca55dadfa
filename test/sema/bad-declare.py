# What declare does not take.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s
T = 'int'

def f(i, x, n):
    a = declare('doubel')
    b = declare(T)
    c = declare('matrix(n)')
    d = declare('matrix(0)')
    e = declare('matrix((2, 3)')
    g = declare('matrix(3, "compound")')
    h, j = declare('int')
    k, l = declare('int', 3)
    m = 1 + declare('int')
    n = declare('int')
    o = declare('int')
    o = declare('double')
    p = declare('void')
    q = declare('matrix(3, int)')
    r = declare('matrix(100000000)')
    s: 'nothing' = 1
    x[0] = declare('int')

# CHECK: bad-declare.py:6:17: error: 'doubel' is not a type
# CHECK: hint: did you mean 'double'?
# CHECK: bad-declare.py:7:9: error: declare takes the type as a literal text: declare('double') or declare('int', 2)
# CHECK: bad-declare.py:8:17: error: 'n', a size of the matrix, is no integer that is known when this is compiled
# CHECK: bad-declare.py:9:17: error: a matrix has at least one element
# CHECK: bad-declare.py:10:17: error: expected ')' at the end of the matrix
# CHECK: bad-declare.py:11:17: error: 'compound' is not a type of matrix elements
# CHECK: bad-declare.py:12:12: error: declare of 2 names needs the count: declare('...', 2)
# CHECK: bad-declare.py:13:27: error: declare gives as many values as there are names on the left: 2
# CHECK: bad-declare.py:14:13: error: 'declare' stands alone on the right of an assignment
# CHECK: hint: x = declare('double')
# CHECK: bad-declare.py:15:5: error: 'n' is a parameter; its type comes from the call
# CHECK: bad-declare.py:17:5: error: 'o' is declared float64 here and int32 before
# CHECK: bad-declare.py:16:5: note: declared here
# CHECK: bad-declare.py:18:17: error: a local variable cannot be void
# CHECK: bad-declare.py:19:17: error: the element type of a matrix stands in quotes: matrix((2, 3), "int")
# CHECK: bad-declare.py:20:17: error: the matrix is too large
# CHECK: bad-declare.py:21:8: error: 'nothing' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-declare.py:22:5: error: only a name can be declared
# CHECK-NOT: error:
