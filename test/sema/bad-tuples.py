# What tuples cannot do: returned to programs, with items that are arrays, changed, indexed by what is not known.
# RUN: not cplc %s:doubled --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DOUBLED
# RUN: not cplc %s:many --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=MANY
# RUN: not cplc %s:count --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=COUNT %s
# RUN: not cplc %s:use --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=USE %s
# RUN: not cplc %s:entry --types 'x=float64[]' --as function --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=ENTRY %s
# RUN: not cplc %s:lengths --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=LENGTHS %s
# RUN: not cplc %s:array --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=ARRAY %s
# RUN: not cplc %s:recursion --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=RECURSION %s

def two(v):
    return v, v*v

def count(i, x):
    a, b, c = two(x[i])
    a, b = x[i] + 1
# COUNT: bad-tuples.py:[[@LINE-2]]:15: error: 3 names on the left, a tuple of 2 on the right
# COUNT: bad-tuples.py:[[@LINE-2]]:12: error: 2 names on the left, one value on the right

def use(i, x):
    a = two(x[i])
    a[0] = 2
    x[i] = a[i]
    x[i] = a[5]
    x[i] = a
    x[i] = a + 1
    b = a == a
    x[i] = a.first
# USE: bad-tuples.py:[[@LINE-7]]:5: error: an item of a tuple cannot be assigned
# USE: bad-tuples.py:[[@LINE-7]]:14: error: an index of a tuple is an integer that is known when the function is compiled
# USE: hint: p[0]; in a loop, a matrix: m = declare('matrix(2)')
# USE: bad-tuples.py:[[@LINE-8]]:14: error: the index 5 is out of the range of a tuple of 2
# USE: bad-tuples.py:[[@LINE-8]]:12: error: an element of 'x' is float64 and cannot take (float64, float64)
# USE: bad-tuples.py:[[@LINE-8]]:12: error: '+' does not work on (float64, float64) and int32
# USE: hint: take the items of a tuple: t[0], or p, q = t
# USE: bad-tuples.py:[[@LINE-9]]:9: error: '==' does not work on (float64, float64) and (float64, float64)
# USE: bad-tuples.py:[[@LINE-9]]:14: error: (float64, float64) has no field 'first'

def entry(x):
    return x[0], x[1]
# ENTRY: bad-tuples.py:[[@LINE-1]]:5: error: 'entry' is called by programs and cannot return a tuple to them
# ENTRY: hint: store the values in an array that is passed: out[0], out[1] = ...

def three(v):
    if v > 0:
        return v, v
    return v, v, v

def lengths(i, x):
    a, b = three(x[i])
# LENGTHS: bad-tuples.py:[[@LINE-4]]:12: error: 'three' returns (float64, float64, float64) here and (float64, float64) elsewhere

def array(i, x):
    p = x, i
# ARRAY: bad-tuples.py:[[@LINE-1]]:9: error: an item of a tuple is a number or a struct, found float64[]

def half(n):
    if n == 0:
        return 0, 1
    a, b = half(n - 1)
    return b, a

def recursion(i, x):
    a, b = half(3)
# RECURSION: bad-tuples.py:[[@LINE-5]]:12: error: 'half' calls itself and does not declare what it returns

def many(i, x):
    t = (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    x[i] = t[0]
# MANY: bad-tuples.py:[[@LINE-3]]:10: error: a tuple of more than 64 items

def doubled(i, x):
    a = (x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i])
    b = a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a
    c = b, b, b, b
    d = c, x[i]
    x[i] = d[1]
# DOUBLED: bad-tuples.py:[[@LINE-2]]:9: error: a tuple of more than 1024 values, with those of the tuples in it
