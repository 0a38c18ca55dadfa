# Calls: a symbol for each specialisation, keyword and default arguments in their places, recursion, a value at every end.
# RUN: cplc --emit ir %s:use --types 'x=float64[] k=int32[]' | FileCheck %s
from compyle.api import annotate


def mix(a, b=2, c=3):
    return a*100 + b*10 + c


@annotate(n='int', return_='int')
def factorial(n):
    if n < 2:
        return 1
    return n*factorial(n - 1)


def sign(v):
    if v < 0:
        return -1
    elif v > 0:
        return 1


def use(i, x, k):
    x[i] = mix(x[i]) + mix(k[i], c=k[0])
    k[i] = factorial(k[i])
    k[i] += sign(x[i])


# CHECK: func mix(a: float64, b: int32, c: int32) -> float64 {
# CHECK: func mix.1(a: int32, b: int32, c: int32) -> int32 {
# CHECK: func factorial(n: int32) -> int32 {
# CHECK: [[T:t[_0-9]*]] = call factorial(sub(n, 1:int32))
# CHECK: func sign(v: float64) -> int32 {
# CHECK: return 0:int32
# CHECK: [[A:t[_0-9]*]] = call mix(load(elem(x, i)), 2:int32, 3:int32)
# CHECK-NEXT: [[B:t[_0-9]*]] = call mix.1(load(elem(k, i)), 2:int32, load(elem(k, 0:int32)))
# CHECK-NEXT: store(elem(x, i), add([[A]], convert<float64>([[B]])))
# CHECK-NEXT: [[T:t[_0-9]*]] = call factorial(load(elem(k, i)))
# CHECK-NEXT: store(elem(k, i), [[T]])
