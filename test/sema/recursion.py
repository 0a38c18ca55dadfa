# Recursion works where the result is declared, also between functions.
# RUN: cplc %s:f --types 'k=int64[] x=float64[]' --emit types | FileCheck %s

@annotate(n='int', return_='int')
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def even(n: 'long') -> bool:
    return True if n == 0 else odd(n - 1)

def odd(n: 'long') -> bool:
    return False if n == 0 else even(n - 1)

def visit(n) -> None:
    if n > 0:
        visit(n - 1)

def f(i, k, x):
    k[i] = fib(k[i])
    a = even(k[i])
    visit(k[i])

# CHECK: fib(n: int32) -> int32
# CHECK: odd(n: int64) -> bool
# CHECK: even(n: int64) -> bool
# CHECK: visit(n: int64) -> void
# CHECK: f(i: int64, k: int64[], x: float64[]) -> void
# CHECK-NEXT: a: bool
