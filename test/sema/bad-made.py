# Private arrays: their sizes are known, they are given to one name, lists have rows of one length.
# RUN: not cplc %s:sizes --types 'x=float64[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=SIZES %s
# RUN: not cplc %s:large --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=LARGE %s
# RUN: not cplc %s:forms --types 'x=float64[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=FORMS %s
# RUN: not cplc %s:places --types 'x=float64[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=PLACES %s
# RUN: not cplc %s:returned --as function --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=RETURNED %s
# RUN: not cplc %s:empty --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=EMPTY %s
import numpy as np

def sizes(i, x, n):
    a = np.zeros(n)
    b = [0.0]*len(x)
    c = np.zeros((2, 0))
    d = np.zeros(-1)
    e = np.zeros(2.5)
    f = np.zeros(1 << 30)
    g = [0.0]*3
    g = [0.0]*4
    h = np.zeros(3)
    h = np.zeros(3, np.float32)
    l = [1.0, 2.0]
    x[i] = l[2] + l
# SIZES: bad-made.py:[[@LINE-12]]:18: error: the sizes of a private array are integers that are known when the function is compiled
# SIZES: hint: bind it: n=const:4 for cplc, CPL_BIND_INTEGER
# SIZES: bad-made.py:[[@LINE-13]]:15: error: the sizes of a private array are integers that are known
# SIZES: hint: what grows with the arguments is an argument itself, an array
# SIZES: bad-made.py:[[@LINE-14]]:22: error: a private array has at least one element
# SIZES: bad-made.py:[[@LINE-14]]:18: error: a private array has at least one element
# SIZES: bad-made.py:[[@LINE-14]]:18: error: the sizes of a private array are integers
# SIZES: bad-made.py:[[@LINE-14]]:18: error: the array is too large
# SIZES: bad-made.py:[[@LINE-13]]:9: error: 'g' is an array of other sizes elsewhere
# SIZES: bad-made.py:[[@LINE-12]]:5: error: 'h' is declared float32[3] here and float64[3] before
# SIZES: bad-made.py:[[@LINE-11]]:14: error: the index 2 is out of the range of 2 elements

def large(i, x):
    a = np.zeros((1 << 40, 1 << 41))
    x[i] = a[0, 0]
# LARGE: bad-made.py:[[@LINE-2]]:19: error: the array is too large
# LARGE-NOT: error

def forms(i, x, n):
    a = np.zeros(3, 'text')
    b = np.zeros()
    c = np.full(3)
    d = np.array(x)
    e = np.zeros(3, order='C')
    f = [[1, 2], [3]]
    g = [[1, 2], 3]
    h = [[0.0]*2]*3
    l = [x, 1.0]
    m = [k for k in range(3)]
# FORMS: bad-made.py:[[@LINE-1]]:9: error: comprehensions are not supported
# FORMS: bad-made.py:[[@LINE-11]]:21: error: this is no type of array elements
# FORMS: hint: dtype=np.float32, dtype='int64', dtype=complex, a vector or a struct
# FORMS: bad-made.py:[[@LINE-12]]:9: error: 'zeros' takes the shape and the type of the elements
# FORMS: hint: np.zeros((2, 3), dtype=np.float32)
# FORMS: bad-made.py:[[@LINE-13]]:9: error: 'full' takes the shape, a value and the type of the elements
# FORMS: bad-made.py:[[@LINE-13]]:18: error: 'array' makes an array of a list that stands in it
# FORMS: bad-made.py:[[@LINE-13]]:9: error: 'zeros' takes the shape
# FORMS: bad-made.py:[[@LINE-13]]:18: error: the rows of an array are all of one length
# FORMS: bad-made.py:[[@LINE-13]]:18: error: the rows of an array are all of one length
# FORMS: bad-made.py:[[@LINE-13]]:9: error: the rows of this list are one and the same in Python
# FORMS: hint: np.zeros((2, 3)) makes rows of their own
# FORMS: bad-made.py:[[@LINE-14]]:10: error: an element of an array must be a number, found float64[]

def places(i, x, n):
    a = b = np.zeros(3)
    x[i] = np.zeros(3)[0]
    x = [1.0]
    n = np.zeros(2)
    x[i] = [1.0][0]
    c, d = [1.0, 2.0]
    e = 1 + np.ones(2)
# PLACES: bad-made.py:[[@LINE-7]]:13: error: a private array is given to one name alone
# PLACES: hint: t = np.zeros(3)
# PLACES: bad-made.py:[[@LINE-8]]:12: error: 'zeros' stands alone on the right of an assignment to a name
# PLACES: bad-made.py:[[@LINE-8]]:5: error: 'x' is a parameter; its type comes from the call
# PLACES: bad-made.py:[[@LINE-8]]:5: error: 'n' is a parameter; its type comes from the call
# PLACES: bad-made.py:[[@LINE-8]]:12: error: a list stands alone on the right of an assignment to a name
# PLACES: bad-made.py:[[@LINE-8]]:12: error: a private array is given to one name alone
# PLACES: bad-made.py:[[@LINE-8]]:13: error: 'ones' stands alone on the right of an assignment to a name

def returned(x):
    t = [1.0, 2.0]
    return t
# RETURNED: bad-made.py:[[@LINE-1]]:12: error: a matrix cannot be returned

def empty(i, x):
    t = []
# EMPTY: bad-made.py:[[@LINE-1]]:9: error: empty lists are not supported
# EMPTY: hint: a private array has a fixed size: t = [0.0]*3
