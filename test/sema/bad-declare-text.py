# The grammar of declare's texts: what stands where something else belongs.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s

class Plain:
    a = 1

@struct
class Empty:
    pass

def f(i, x):
    a = declare('matrix(99999999999999999999)')
    b = declare('matrix((1, 1, 1, 1, 1, 1, 1, 1, 1))')
    c = declare('matrix((5000, 5000))')
    d = declare('matrix((2 3))')
    e = declare('matrix(2, "int" 3)')
    g = declare('matrix(2) 3')
    h = declare('matrix(2, "float64[]")')
    j = declare('matrix(2, "void")')
    k = declare('matrix(2, "int)')
    l = declare('matrix')
    m = declare('float64[:]')
    n = declare('Plain')
    o = declare('matrix(2, "Plain")')
    p = declare('LOCAL_MEM int')
    q = declare('int', 1.5)
    r = declare('int', 1, 2)
    s = declare('int', n=1)
    t = declare()
    u, x[0] = declare('int', 2)
    v: 'float64[:]' = x
    w: Plain = 1
    y = declare('matrix(-1)')
    z = declare('matrix((2, ))')
    z = 1
    aa = declare('Empty')
    bb = declare('matrix(:)')
    cc: int = declare('int')
    dd: 'void' = 1
    ee = ff = declare('int')
    gg = declare('GLOBAL_MEM doublep')
    gg = declare('doublep')
    gg = declare('Plain')

# CHECK: bad-declare-text.py:12:17: error: the matrix is too large
# CHECK: bad-declare-text.py:13:17: error: a matrix has at most 8 dimensions
# CHECK: bad-declare-text.py:14:17: error: the matrix is too large
# CHECK: bad-declare-text.py:15:17: error: expected ')' behind the sizes of the matrix
# CHECK: bad-declare-text.py:16:17: error: expected ')' at the end of the matrix
# CHECK: bad-declare-text.py:17:17: error: expected ')' at the end of the matrix
# CHECK: bad-declare-text.py:18:17: error: 'float64[]' is not a type of matrix elements
# CHECK: bad-declare-text.py:19:17: error: 'void' is not a type of matrix elements
# CHECK: bad-declare-text.py:20:17: error: the element type of a matrix stands in quotes: matrix((2, 3), "int")
# CHECK: bad-declare-text.py:21:17: error: 'matrix' is not a type
# CHECK: bad-declare-text.py:22:17: error: a local variable cannot be float64[:]
# CHECK: bad-declare-text.py:23:17: error: 'Plain' is not a type
# CHECK: bad-declare-text.py:4:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK: bad-declare-text.py:24:17: error: 'Plain' is not a type of matrix elements
# CHECK: bad-declare-text.py:25:9: error: LOCAL_MEM declares a matrix: declare('LOCAL_MEM matrix(64)')
# CHECK: bad-declare-text.py:26:24: error: declare gives as many values as there are names on the left: 1
# CHECK: bad-declare-text.py:27:9: error: declare takes the type as a literal text: declare('double') or declare('int', 2)
# CHECK: bad-declare-text.py:28:9: error: declare takes the type as a literal text: declare('double') or declare('int', 2)
# CHECK: bad-declare-text.py:29:9: error: declare takes the type as a literal text: declare('double') or declare('int', 2)
# CHECK: bad-declare-text.py:30:8: error: only a name can be declared
# CHECK: bad-declare-text.py:31:8: error: a local variable cannot be float64[:]
# CHECK: bad-declare-text.py:32:8: error: 'Plain' is not a type
# CHECK: bad-declare-text.py:4:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK: bad-declare-text.py:33:17: error: the sizes of a matrix are positive integer literals: matrix(3), matrix((2, 3))
# CHECK: bad-declare-text.py:35:9: error: 'z' is a matrix, which cannot be assigned as a whole
# CHECK: hint: assign its elements
# CHECK: bad-declare-text.py:36:18: error: 'Empty' is not a type
# CHECK: bad-declare-text.py:8:7: note: a struct has at least one field
# CHECK: bad-declare-text.py:37:18: error: the sizes of a matrix are positive integer literals: matrix(3), matrix((2, 3))
# CHECK: bad-declare-text.py:38:15: error: 'cc' has its type from the annotation
# CHECK: bad-declare-text.py:39:9: error: a local variable cannot be void
# CHECK: bad-declare-text.py:43:18: error: 'Plain' is not a type
# CHECK: bad-declare-text.py:4:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK-NOT: error:
