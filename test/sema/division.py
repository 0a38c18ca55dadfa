# '/' on two integers stays an integer and is noted once in a function; with a float it is a float.
# RUN: cplc %s:f --types 'x=float32[] k=int32[] l=int64[]' --emit types 2>&1 | FileCheck %s

H = 1/2

def f(i, x, k, l):
    a = k[i]/2
    b = k[i]/l[i]
    c = k[i]/2.0
    d = x[i]/k[i]
    e = k[i]//2
    g = x[i]//2
    h = k[i] % 3
    j = x[i] % 3
    m = 7/2
    n = H

# CHECK: division.py:7:13: note: '/' on two integers drops the fraction in functions: 1/2 is 0, but 0.5 at the top of a file
# CHECK-NOT: note:
# CHECK: f(i: int64, x: float32[], k: int32[], l: int64[]) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: int64
# CHECK-NEXT: c: float64
# CHECK-NEXT: d: float32
# CHECK-NEXT: e: int32
# CHECK-NEXT: g: float32
# CHECK-NEXT: h: int32
# CHECK-NEXT: j: float32
# CHECK-NEXT: m: int32
# CHECK-NEXT: n: float64
