# The forms that reduce: s on either side of what commutes, several operations of a kind, s first in
# minima, and minima of bools.
# RUN: cplc --emit ir %s:f --as function --types 'x=float64[] k=int32[] n=int32' | FileCheck %s

def f(x, k, n):
    total = 0.0
    product = 1.0
    quotient = 1.0
    least = 1e9
    most = -1e9
    every = True
    some = False
    bits = -1
    for i in prange(n):
        total = total + x[i] - 2
        total -= 1
        product = x[i]*product
        quotient = quotient/x[i]
        quotient /= 2
        least = min(x[i], least)
        most = max(x[i], 2*x[i], most, 7)
        every = min(every, x[i] > 0)
        some = max(k[i] > 0, some)
        bits = k[i] & bits & 15
    return total + product + quotient + least + most + every + some + bits

# CHECK: reduce(add total, mul product, mul quotient, min least, max most, and every, or some, and bits)
# CHECK-NEXT: total = sub(add(total, load(elem(x, i))), 2.0:float64)
# CHECK-NEXT: total = sub(total, 1.0:float64)
# CHECK-NEXT: product = mul(load(elem(x, i)), product)
# CHECK-NEXT: quotient = div(quotient, load(elem(x, i)))
# CHECK-NEXT: quotient = div(quotient, 2.0:float64)
# CHECK-NEXT: least = min(least, load(elem(x, i)))
# CHECK-NEXT: most = max(max(most, max(load(elem(x, i)), mul(2.0:float64, load(elem(x, i))))), 7.0:float64)
# CHECK-NEXT: every =
# CHECK-NEXT: some =
# CHECK-NEXT: bits = and(and(load(elem(k, i)), bits), 15:int32)
