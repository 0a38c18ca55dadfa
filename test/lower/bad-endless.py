# Functions whose calls never return are refused: each way through them calls themselves.
# RUN: not cplc %s:f --types 'k=int64[]' --emit ir 2>&1 | FileCheck %s
# RUN: cplc %s:good --types 'k=int64[]' --emit ir | FileCheck %s --check-prefix=GOOD

def fact(n: int) -> int:
    return n*fact(n - 1)

def even(n: int) -> bool:
    return not odd(n - 1)

def odd(n: int) -> bool:
    m = n - 1
    if m > 3:
        return even(m)
    else:
        return even(m) or m == 2

def late(n: int) -> int:
    if late(n - 1) > 3:
        return 1
    return 2

def show(n) -> None:
    print(n)
    show(n + 1)

def f(i, k):
    k[i] = fact(k[i])
    k[i] = even(k[i])
    k[i] = late(k[i])
    show(k[i])
    k[i] = calls(k[i])

def calls(n: int) -> int:
    return late(n)

# CHECK: bad-endless.py:6:14: error: 'fact' calls itself on every way through it: it never returns
# CHECK: hint: return where it is to end, in front of the call
# CHECK: bad-endless.py:16:16: error: 'odd' calls itself, by 'even', on every way through it: it never returns
# CHECK: bad-endless.py:19:8: error: 'late' calls itself on every way through it: it never returns
# CHECK: bad-endless.py:25:5: error: 'show' calls itself on every way through it: it never returns
# CHECK-NOT: error:

def ends(n: int) -> int:
    return 0 if n < 1 else ends(n - 1)

def decides(n: int) -> bool:
    return n == 0 or decides(n - 1)

def loops(n: int) -> int:
    for j in range(n):
        loops(j)
    return n

def stops(n: int) -> int:
    while n > 0:
        if n == 7:
            break
        return stops(n - 1)
    return n

def early(n: int) -> int:
    if n < 0:
        return 0
    return early(n - 1)

def good(i, k):
    k[i] = ends(k[i]) + decides(k[i]) + loops(k[i]) + stops(k[i]) + early(k[i])

# GOOD: func ends(
