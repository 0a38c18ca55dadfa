# Structs that cannot be: fields named twice, of no type, of arrays and pointers, and names that types have already.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s

@struct
class Twice:
    a: 'int'
    a: 'double'

@struct
class Empty:
    pass

@struct
class Pointers:
    a: 'double*'

@struct
class Arrays:
    a: 'float64[]'

@struct
class Nothing:
    a: 'void'

@struct
class NoneField:
    a: None

@struct
class double:
    a: 'int'

@struct
class Later:
    a: 'matrix(3, "Behind")'

@struct
class Behind:
    a: 'int'

@struct
class Broken:
    a: [1]

@struct
class Fine:
    a: 'Behind'
    b: 'matrix((2, 3), "Behind")'
    c: np.float32

import numpy as np

def f(i, x):
    a = declare('Twice')
    b = declare('Empty')
    c = declare('Pointers')
    d = declare('Arrays')
    e = declare('Nothing')
    g = declare('double')
    h = declare('Later')
    j = declare('Broken')
    k = declare('Fine')
    l = declare('NoneField')
    k.b[1][2].a = 1
    k.a.a = k.c

# CHECK: bad-struct-fields.py:54:17: error: 'Twice' is not a type
# CHECK: bad-struct-fields.py:7:5: note: two fields are called 'a'
# CHECK: bad-struct-fields.py:55:17: error: 'Empty' is not a type
# CHECK: bad-struct-fields.py:10:7: note: a struct has at least one field
# CHECK: bad-struct-fields.py:56:17: error: 'Pointers' is not a type
# CHECK: bad-struct-fields.py:15:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-struct-fields.py:57:17: error: 'Arrays' is not a type
# CHECK: bad-struct-fields.py:19:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-struct-fields.py:58:17: error: 'Nothing' is not a type
# CHECK: bad-struct-fields.py:23:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-struct-fields.py:61:17: error: 'Broken' is not a type
# CHECK: bad-struct-fields.py:43:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-struct-fields.py:63:17: error: 'NoneField' is not a type
# CHECK: bad-struct-fields.py:27:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-struct-fields.py:65:13: warning: field 'a' is int32: the fraction of a float32 is dropped
# CHECK-NOT: error:
