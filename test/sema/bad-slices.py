# Slices stand in assignments and sums, of arrays with names, and read no places of what they write that no order of rounds reads in time.
# RUN: not cplc %s:f --as function --types 'a=float64[] b=float64[] n=int64' --emit types 2>&1 \
# RUN:   | FileCheck %s


def f(a, b, n):
    x = b[1:]
# CHECK: bad-slices.py:[[#@LINE-1]]:11: error: this slice is not supported here
# CHECK: hint: a[1:] = 2*b[:-1], a[i, :] = b and sum(b[::2]), of arrays that have a name
    a[9:-1] = a[:-10] + a[10:]
# CHECK: bad-slices.py:[[#@LINE-1]]:7: error: 'a' is read here at other places than it is written at
# CHECK: hint: keep what is read in another array, b[:] = a, or loop over the elements
    a[n:] = a[::3]
# CHECK: bad-slices.py:[[#@LINE-1]]:7: error: 'a' is read here at other places than it is written at
    a[::n] = a[1::n]
# CHECK: bad-slices.py:[[#@LINE-1]]:7: error: 'a' is read here at other places than it is written at
    a[::0.5*n] = 1
# CHECK: bad-slices.py:[[#@LINE-1]]:5: error: a bound of the loop must be an integer, found float64
    a[:] = b[::0]
# CHECK: bad-slices.py:[[#@LINE-1]]:7: error: this slice is not supported here
    a[1:] = a[0] if n > 0 else b
# CHECK: bad-slices.py:[[#@LINE-1]]:7: error: 'a' is read here at other places than it is written at
    n[:] = 1
# CHECK: bad-slices.py:[[#@LINE-1]]:5: error: a slice takes an array, found int64
# CHECK-NOT: cannot be indexed
    a[0.5:] = 0
# CHECK: bad-slices.py:[[#@LINE-1]]:
    return len(a[1:])
# CHECK: bad-slices.py:[[#@LINE-1]]:18: error: this slice is not supported here
