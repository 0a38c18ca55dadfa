# An array that is made anew and one that names it are found wherever they stand, and in whatever
# order: in both arms of an if and a loop, in cases, in loops in these.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --as function --emit types 2>&1 | FileCheck %s


def f(x, n):
    a = [1.0, 2.0]
    a1 = a
    if n > 0:
        a = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'a' is made anew here, and 'a1' names what it was before
    b = [1.0, 2.0]
    b1 = b
    if n > 0:
        x[0] = 1
    else:
        b = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'b' is made anew here, and 'b1' names what it was before
    c = [1.0, 2.0]
    c1 = c
    if n > 0:
        x[0] = 1
    elif n > 1:
        c = [3.0, 4.0]
    else:
        x[0] = 2
# CHECK: bad-remade-places.py:[[#@LINE-3]]:13: error: 'c' is made anew here, and 'c1' names what it was before
    d = [1.0, 2.0]
    d1 = d
    for k in range(n):
        d = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'd' is made anew here, and 'd1' names what it was before
    e = [1.0, 2.0]
    e1 = e
    for k in range(n):
        if x[k] > 0:
            break
    else:
        e = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'e' is made anew here, and 'e1' names what it was before
    g = [1.0, 2.0]
    g1 = g
    while x[0] > 0:
        g = [3.0, 4.0]
        break
# CHECK: bad-remade-places.py:[[#@LINE-2]]:13: error: 'g' is made anew here, and 'g1' names what it was before
    h = [1.0, 2.0]
    h1 = h
    while x[0] > 0:
        x[0] -= 1
    else:
        h = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'h' is made anew here, and 'h1' names what it was before
    match n:
        case 1:
            m = [1.0, 2.0]
        case _:
            m = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:17: error: 'm' is made anew here, and 'm1' names what it was before
    m1 = m
    if n > 0:
        for k in range(n):
            p = [1.0, 2.0]
            if x[k] > 0:
                p1 = p
    else:
        p = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'p' is made anew here, and 'p1' names what it was before
    q = [1.0, 2.0]
    if n > 0:
        x[0] = 1
    else:
        q1 = q
    q = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:9: error: 'q' is made anew here, and 'q1' names what it was before
    for k in range(n):
        r = [1.0, 2.0]
    else:
        r = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 'r' is made anew here, and 'r1' names what it was before
        r1 = r
    with nogil:
        s = [1.0, 2.0]
        s1 = s
    with nogil:
        s = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:13: error: 's' is made anew here, and 's1' names what it was before
    v = [1.0, 2.0]
    v1 = v
    v = [3.0, 4.0]
# CHECK: bad-remade-places.py:[[#@LINE-1]]:9: error: 'v' is made anew here, and 'v1' names what it was before
    v = [5.0, 6.0]
# CHECK-NOT: error
    if n > 0:
        t = [1.0, 2.0]
    else:
        t = [3.0, 4.0]
    u = [1.0, 2.0]
    if n > 0:
        x[0] = 1
    else:
        u1 = u
    x[1] = a1[0] + b1[0] + c1[0] + d1[0] + e1[0] + g1[0] + h1[0] + m1[0] + p1[0] + q1[0]
    x[2] = r1[0] + s1[0] + t[0] + u1[0] + v1[0]
