# What the parser refused stays silent afterwards: each line gets the one error of its own.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s
BROKEN = {1, 2}

@annotate(b={1: 2})
def helper(a: {1}, b, c={2}) -> {3}:
    return {4}

def called(a, b=1):
    return a

def f(i, x, n):
    a = declare({1})
    b = declare('matrix(4)')
    x[0] = {1}
    x[1] = BROKEN
    x[2] = helper({5}, 1)
    x[3] = called({7: 8})
    x[6] = helper(1, 2)
    x[4] = cast(n, {6})
    x[i] += {7}
    {8}(x)
    {9}
    a, c = {10}
    a, c = 11, {12}
    a: {13} = 1
    assert n, {14}
    printf({15}, n)
    printf('%d', {16})
    atomic_add(x[0], 1, order={17})
    for j, k in range(3):
        x[j] = 1
    for j in {18}:
        x[j] = 1
    for j in range({19}):
        x[j] = 1
    for j in prange(n, schedule={20}, chunksize={21}):
        x[j] = 1
    for (j, k) in prange(n):
        x[j] = 1
        for (l, m) in range(n):
            x[j] = 2
    for j in prange(n):
        x[j] = 1
    else:
        {22}
    with {23}:
        x[0] = 1
    if {24}:
        x[0] = 1
    while n < {25}:
        x[0] = 1
    break
    continue
    x[0] = {26} if n else 2
    x[0] = n and {27}
    x[0] = -{28}
    x[0] = x[{29}]
    x[0] = {30} < 2
    return {31}

# CHECK: bad-syntax.py:13:17: error: sets are not supported
# CHECK: bad-syntax.py:15:12: error: sets are not supported
# CHECK: bad-syntax.py:17:19: error: sets are not supported
# CHECK: bad-syntax.py:18:19: error: dictionaries are not supported
# CHECK: bad-syntax.py:20:20: error: sets are not supported
# CHECK: bad-syntax.py:21:13: error: sets are not supported
# CHECK: bad-syntax.py:22:5: error: sets are not supported
# CHECK: bad-syntax.py:23:5: error: sets are not supported
# CHECK: bad-syntax.py:24:12: error: sets are not supported
# CHECK: bad-syntax.py:25:16: error: sets are not supported
# CHECK: bad-syntax.py:26:8: error: sets are not supported
# CHECK: bad-syntax.py:27:15: error: sets are not supported
# CHECK: bad-syntax.py:28:12: error: sets are not supported
# CHECK: bad-syntax.py:29:18: error: sets are not supported
# CHECK: bad-syntax.py:30:31: error: sets are not supported
# CHECK: bad-syntax.py:31:9: error: the variable of a 'for' must be one name
# CHECK: bad-syntax.py:33:14: error: sets are not supported
# CHECK: bad-syntax.py:35:20: error: sets are not supported
# CHECK: bad-syntax.py:37:33: error: sets are not supported
# CHECK: bad-syntax.py:39:10: error: the variable of a 'for' must be one name
# CHECK: bad-syntax.py:41:14: error: the variable of a 'for' must be one name
# CHECK: bad-syntax.py:46:9: error: sets are not supported
# CHECK: bad-syntax.py:47:10: error: sets are not supported
# CHECK: bad-syntax.py:49:8: error: sets are not supported
# CHECK: bad-syntax.py:51:15: error: sets are not supported
# CHECK: bad-syntax.py:53:5: error: 'break' outside a loop
# CHECK: bad-syntax.py:54:5: error: 'continue' outside a loop
# CHECK: bad-syntax.py:55:12: error: sets are not supported
# CHECK: bad-syntax.py:56:18: error: sets are not supported
# CHECK: bad-syntax.py:57:13: error: sets are not supported
# CHECK: bad-syntax.py:58:14: error: sets are not supported
# CHECK: bad-syntax.py:59:12: error: sets are not supported
# CHECK: bad-syntax.py:60:12: error: sets are not supported
# CHECK: bad-syntax.py:3:10: error: sets are not supported
# CHECK: bad-syntax.py:5:13: error: dictionaries are not supported
# CHECK: bad-syntax.py:6:15: error: sets are not supported
# CHECK: bad-syntax.py:7:12: error: sets are not supported
# CHECK: bad-syntax.py:46:9: error: a parallel loop has no 'else'
# CHECK: bad-syntax.py:60:5: warning: the value that 'f' returns is dropped: it runs for each index
# CHECK-NOT: error:
