# Rows and arrays of other lengths are found at the statement, indices of rows that are arguments in the function that uses them: of which array, along what.
# RUN: rm -rf %t && mkdir -p %t && %python -c \
# RUN:   "import numpy as np; np.save('%t/m.npy', np.zeros((3, 2))); np.save('%t/x.npy', \
# RUN:   np.zeros(3))"
# RUN: not cplc run %s:stored m=%t/m.npy x=%t/x.npy i=0 --as function 2>&1 \
# RUN:   | FileCheck %s --check-prefix=STORED
# RUN: not cplc run %s:named m=%t/m.npy x=%t/x.npy i=1 --as function 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NAMED
# RUN: not cplc run %s:passed m=%t/m.npy x=%t/x.npy i=3 --as function 2>&1 \
# RUN:   | FileCheck %s --check-prefix=ROW
# RUN: not cplc run %s:passed m=%t/m.npy x=%t/x.npy i=2 --as function 2>&1 \
# RUN:   | FileCheck %s --check-prefix=COLUMN
# RUN: cplc run %s:passed m=%t/m.npy x=%t/x.npy i=1 --as function


def stored(m, x, i):
    m[i] = x
# STORED: row-lengths.py:[[#@LINE-1]]:12: error: in 'stored': assertion failed
    m[i, 1] = 0


def named(m, x, i):
    c = m[:, i]
    c[:] = x
    r = m[i]
    r[:] = x
# NAMED: row-lengths.py:[[#@LINE-1]]:12: error: in 'named': assertion failed


def last(r, k):
    return r[k]
# ROW: row-lengths.py:[[#@LINE-1]]:12: error: in 'last': index 3 is out of bounds of 'm', which has 3 elements along dimension 0
# COLUMN: row-lengths.py:[[#@LINE-2]]:12: error: in 'last': index 2 is out of bounds of 'm', which has 2 elements along dimension 1


def passed(m, x, i):
    x[0] = last(m[i], 0)
    x[1] = last(m[:, i], 2)
