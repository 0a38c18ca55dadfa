# Calls that do not match the function, and what kernels cannot call.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s

@annotate(p='doublep', n='int')
def element(p, n):
    return p[n]

def nothing(a):
    a = 1

def both(a):
    if a:
        return 1
    return

def generator(a):
    yield a

def f(i, x, k):
    a = element(x)
    b = element(x, 1, 2)
    c = element(x, m=1)
    d = element(x, 1, n=1)
    e = element(k, 1)
    g = element(x, x)
    h = nothing(1)
    j = both(1)
    l = generator(1)
    m = k(1)
    n = x[0](1)
    o = missing(1)
    i = elemnt(x, 1)

# CHECK: bad-helpers.py:17:5: error: generators are not supported: 'yield'
# CHECK: hint: return one value, or store values in an array
# CHECK: bad-helpers.py:14:5: error: 'both' returns nothing here and a value elsewhere
# CHECK: bad-helpers.py:13:9: note: a value is returned here
# CHECK: bad-helpers.py:20:9: error: 'element' takes 2 arguments, found 1
# CHECK: bad-helpers.py:5:1: note: 'element' is defined here
# CHECK: bad-helpers.py:21:9: error: 'element' takes 2 arguments, found 3
# CHECK: bad-helpers.py:5:1: note: 'element' is defined here
# CHECK: bad-helpers.py:22:20: error: 'element' has no parameter 'm'
# CHECK: bad-helpers.py:5:1: note: 'element' is defined here
# CHECK: bad-helpers.py:23:23: error: 'n' is given twice
# CHECK: bad-helpers.py:5:1: note: 'element' is defined here
# CHECK: bad-helpers.py:24:17: error: parameter 'p' of 'element' is float64*, found int32[]
# CHECK: bad-helpers.py:5:13: note: the parameter is here
# CHECK: bad-helpers.py:25:20: error: parameter 'n' of 'element' is int32, found float64[]
# CHECK: bad-helpers.py:5:16: note: the parameter is here
# CHECK: bad-helpers.py:26:9: error: this call gives no value
# CHECK: bad-helpers.py:29:9: error: 'k' is a variable here, not a function
# CHECK: bad-helpers.py:30:9: error: only functions can be called, by their names
# CHECK: bad-helpers.py:31:9: error: undefined function 'missing'
# CHECK: bad-helpers.py:32:9: error: undefined function 'elemnt'
# CHECK: hint: did you mean 'element'?
# CHECK-NOT: error:
