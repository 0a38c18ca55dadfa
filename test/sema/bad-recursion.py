# Recursion without a declared result is refused by name, directly and through another function.
# RUN: not cplc %s:f --types 'k=int32[]' --emit types 2>&1 | FileCheck %s

def fact(n):
    if n < 2:
        return 1
    return n*fact(n - 1)

def ping(n):
    return pong(n - 1)

def pong(n):
    return ping(n - 1)

def f(i, k):
    k[i] = fact(k[i])
    k[i] = ping(k[i])
    k[i] = down(k[i])
    fill(k[i], k)

def down(n):
    return down(n - 1) if n > 0 else n

def fill(n, k):
    if n == 0:
        return
    k[n] = 1
    fill(n - 1, k)

# CHECK: bad-recursion.py:7:14: error: 'fact' calls itself and does not declare what it returns
# CHECK: hint: add return_='int32' to @annotate, or -> int32 behind the parameters
# CHECK: bad-recursion.py:4:1: note: 'fact' is defined here
# CHECK: bad-recursion.py:13:12: error: 'ping' calls itself and does not declare what it returns
# CHECK: hint: add return_='float64' to @annotate, or -> float64 behind the parameters
# CHECK: bad-recursion.py:9:1: note: 'ping' is defined here
# CHECK: bad-recursion.py:22:12: error: 'down' calls itself and does not declare what it returns
# CHECK: hint: add return_='int32' to @annotate, or -> int32 behind the parameters
# CHECK: bad-recursion.py:28:5: error: 'fill' calls itself and does not declare what it returns
# CHECK: hint: it returns nothing: add -> None behind the parameters
# CHECK-NOT: error:
