# 'break' in a loop over all indices would leave one of the loops that it stands for: it is refused
# wherever it stands, but in loops of its own.
# RUN: not cplc %s:f --types 'x=float64[,] n=int32' --as function --emit types 2>&1 | FileCheck %s
import numpy as np


def f(x, n):
    for i, j in np.ndindex(2, 3):
        break
# CHECK: bad-nested-breaks.py:[[#@LINE-2]]:17: error: 'break' would leave one of the loops that this stands for alone
    for i, j in np.ndindex(x.shape):
        if x[i, j] > 0:
            break
# CHECK: bad-nested-breaks.py:[[#@LINE-3]]:17: error: 'break' would leave
    for i, j in np.ndindex((n, 3)):
        if x[i, j] > 0:
            x[i, j] = 1
        else:
            break
# CHECK: bad-nested-breaks.py:[[#@LINE-5]]:17: error: 'break' would leave
    for (i, j), v in np.ndenumerate(x):
        if v > 0:
            x[i, j] = 1
        elif v < 0:
            break
        else:
            x[i, j] = 2
# CHECK: bad-nested-breaks.py:[[#@LINE-7]]:22: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        if x[i, j] > 0:
            x[i, j] = 1
        elif x[i, j] < 0:
            x[i, j] = 2
        else:
            break
# CHECK: bad-nested-breaks.py:[[#@LINE-7]]:17: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        for k in range(3):
            x[i, j] += k
        else:
            break
# CHECK: bad-nested-breaks.py:[[#@LINE-5]]:17: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        while x[i, j] > 0:
            x[i, j] -= 1
        else:
            if n > 0:
                break
# CHECK: bad-nested-breaks.py:[[#@LINE-6]]:17: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        match n:
            case 1:
                x[i, j] = 1
            case 2:
                break
            case _:
                x[i, j] = 2
# CHECK: bad-nested-breaks.py:[[#@LINE-8]]:17: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        match n:
            case 1:
                x[i, j] = 1
            case _:
                break
# CHECK: bad-nested-breaks.py:[[#@LINE-6]]:17: error: 'break' would leave
    for i, j in np.ndindex(n, n):
        with nogil:
            break
# CHECK: bad-nested-breaks.py:[[#@LINE-3]]:17: error: 'break' would leave
# CHECK-NOT: error
    for i, j in np.ndindex(n, n):
        for k in range(3):
            if k > n:
                break
        while n > 0:
            if x[i, j] > 1:
                x[i, j] = 1
            else:
                break
        for k in range(n):
            for l in range(k):
                x[i, j] += l
            else:
                break
        if n > 3:
            continue
        else:
            for k in range(n):
                break
            else:
                x[i, j] = 0
    else:
        x[0, 0] = 1
    for k in range(n):
        for i, j in np.ndindex(n, n):
            x[i, j] = 1
        else:
            break
