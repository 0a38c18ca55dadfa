# Arrays of several dimensions where they cannot stand, and indices and shapes that are wrong.
# RUN: not cplc %s:f --types \
# RUN:   'x=float64[] y=float64[] s=float64[:] v=float64[] g=float64[,] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s

def flat(a, i):
    return a[i]

def square(a):
    return a[1, 2]

def shape_of(a):
    return a.shape[1]

def f(i, x, y, s, v, g, n):
    x[i, 0] = 1
    x[i] = 1
    y[0] = x
    y[1] = x[i]
    p = x
    y[2] = x[-1, 0] + x[0, -1]
    y[3] = x[0, 1.5]
    y[4] = x[0][1]
    y[5] = g[0, 1, 2]
    y[6] = flat(x, i)
    y[7] = square(address(v[3]))
    y[8] = shape_of(address(v[3]))
    y[9] = v.shape[n]
    y[10] = v.shape[0, 1]
    y[11] = v.shape[-1]
    y[12] = v.shape[8]
    y[13] = g.shape[2]
    y[14] = n.shape[0]
    y[15] = len(g[0, 0])
    y[16] = x + 1
    x[0, 0, 0, 0, 0, 0, 0, 0, 0] = 1
    y[17] = cast(x, 'int*')[0]
    x[i] += 1
    x
    g.shape[0] = 1
    g.shape[1] += 1
    atomic_add(g.shape[0], 1)
    y[18] = address(v.shape[0])[0]
    x.shape = 1
    h, w, d = g.shape
    a = h, w = g.shape
    g, w = g.shape
    b = g.shape

# CHECK: bad-shape.py:7:12: error: 'a' has 2 dimensions: 1 index is missing here
# CHECK: hint: an element is a[i, j]; a row a[i, :], all elements a[:, :], which stand in assignments to elements and in sums
# CHECK: bad-shape.py:17:5: error: 'x' has 2 dimensions: 1 index is missing here
# CHECK: hint: an element is x[i, j]; a row x[i, :], all elements x[:, :], which stand in assignments to elements and in sums
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:18:12: error: 'x' has 2 dimensions and stands here without its indices
# CHECK: hint: x[i, j]; as a whole it goes to functions of the file, len() and x.shape[0]
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:19:12: error: 'x' has 2 dimensions: 1 index is missing here
# CHECK: hint: an element is x[i, j]; a row x[i, :], all elements x[:, :], which stand in assignments to elements and in sums
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:20:9: error: 'x' has 2 dimensions and stands here without its indices
# CHECK: hint: x[i, j]; as a whole it goes to functions of the file, len() and x.shape[0]
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:21:14: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last one is x.shape[0] - 1
# CHECK: bad-shape.py:21:28: error: the index -1 is negative
# CHECK: hint: indices count from 0 and do not wrap; the last one is x.shape[1] - 1
# CHECK: bad-shape.py:22:17: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-shape.py:24:14: error: float64[,] takes 2 indices, found 3
# CHECK: bad-shape.py:26:19: error: 'a' has 2 dimensions, and this is float64[]
# CHECK: bad-shape.py:9:12: note: the parameter is here
# CHECK: bad-shape.py:27:21: error: 'a' has 2 dimensions, and this is float64[]
# CHECK: bad-shape.py:12:14: note: the parameter is here
# CHECK: bad-shape.py:28:20: error: a shape's index is a number from 0 to 7 that is known
# CHECK: hint: x.shape[0]
# CHECK: bad-shape.py:29:21: error: a shape's index is a number from 0 to 7 that is known
# CHECK: hint: x.shape[0]
# CHECK: bad-shape.py:30:21: error: a shape's index is a number from 0 to 7 that is known
# CHECK: hint: x.shape[0]
# CHECK: bad-shape.py:31:21: error: a shape's index is a number from 0 to 7 that is known
# CHECK: hint: x.shape[0]
# CHECK: bad-shape.py:32:21: error: 'g' has 2 dimensions
# CHECK: bad-shape.py:33:15: error: int32 has no field 'shape'
# CHECK: bad-shape.py:34:17: error: 'g' has 2 dimensions, and this is a number
# CHECK: bad-shape.py:35:13: error: 'x' has 2 dimensions and stands here without its indices
# CHECK: hint: x[i, j]; as a whole it goes to functions of the file, len() and x.shape[0]
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:36:7: error: float64[,] takes 2 indices, found 9
# CHECK: bad-shape.py:37:18: error: 'x' has 2 dimensions and stands here without its indices
# CHECK: hint: x[i, j]; as a whole it goes to functions of the file, len() and x.shape[0]
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:38:5: error: 'x' has 2 dimensions: 1 index is missing here
# CHECK: hint: an element is x[i, j]; a row x[i, :], all elements x[:, :], which stand in assignments to elements and in sums
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:39:5: error: 'x' has 2 dimensions and stands here without its indices
# CHECK: hint: x[i, j]; as a whole it goes to functions of the file, len() and x.shape[0]
# CHECK: bad-shape.py:16:5: note: it has as many because of this
# CHECK: bad-shape.py:40:5: error: a shape cannot be assigned
# CHECK: bad-shape.py:41:5: error: a shape cannot be assigned
# CHECK: bad-shape.py:42:16: error: 'atomic_add' takes an element, field or variable: atomic_add(x[i])
# CHECK: bad-shape.py:43:21: error: 'address' takes an element, field or variable: address(x[i])
# CHECK: bad-shape.py:44:5: error: a shape stands with an index, or is taken apart
# CHECK: hint: x.shape[0]; h, w = x.shape where there are two dimensions
# CHECK: bad-shape.py:45:15: error: 'g' has 2 dimensions, and 3 names stand on the left
# CHECK: bad-shape.py:46:16: error: a shape stands with an index, or is taken apart
# CHECK: hint: g.shape[0]; h, w = g.shape where there are two dimensions
# CHECK: bad-shape.py:47:12: error: 'g' is float64[,] and cannot take int64
# CHECK: bad-shape.py:48:9: error: a shape stands with an index, or is taken apart
# CHECK: hint: g.shape[0]; h, w = g.shape where there are two dimensions

# More than eight. (The numbers of lines above are those in the messages.)
# RUN: not cplc %s:nine --types 'x=float64[] i=int32' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NINE
def nine(x, i):
    x[i, i, i, i, i, i, i, i, i] = 1

# NINE: error: float64[] takes one index, found 9
