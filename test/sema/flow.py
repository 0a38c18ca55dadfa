# Locals that some path leaves unassigned are warned of, once; those that every path assigns are not.
# RUN: cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --types 'x=float64[]' --as function --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=G %s

def f(i, x, n):
    if x[i] > 0:
        a = 1
    x[i] = a
    x[i] = a
    if n > 1:
        b = 1
    else:
        b = 2
    x[i] = b
    for j in range(n):
        c = j
    x[i] = c + j
    for k in range(3):
        d = k
    x[i] = d + k
    while True:
        e = 1
        if n > 3:
            break
    x[i] = e
    for l in range(n):
        if l > 0:
            x[i] = g
        g = l
    if n > 5:
        return
    else:
        h = 1
    x[i] = h
    m = declare('int')
    o = address(m)
    p = x[i] if n > 2 else m
    while n > 100:
        q = 1
        break
    else:
        q = 2
    x[i] = q

def g(x):
    for i in range(len(x)):
        if x[i] > 0:
            return 1.0

# CHECK: flow.py:9:12: warning: 'a' is not assigned on every path to here; it is 0 then
# CHECK: flow.py:18:12: warning: 'c' is not assigned on every path to here; it is 0 then
# CHECK: flow.py:18:16: warning: 'j' is not assigned on every path to here; it is 0 then
# CHECK: flow.py:29:20: warning: 'g' is not assigned on every path to here; it is 0 then
# CHECK: f(i: int64, x: float64[], n: int32) -> void
# CHECK-NEXT: a: int32
# CHECK-NEXT: b: int32
# CHECK-NEXT: j: int32
# CHECK-NEXT: c: int32
# CHECK-NEXT: k: int32
# CHECK-NEXT: d: int32
# CHECK-NEXT: e: int32
# CHECK-NEXT: l: int32
# CHECK-NEXT: g: int32
# CHECK-NEXT: h: int32
# CHECK-NEXT: m: int32
# CHECK-NEXT: o: int32 private*
# CHECK-NEXT: p: float64
# CHECK-NEXT: q: int32
# G: flow.py:46:5: warning: 'g' may end without a return; it gives 0 then
# G: g(x: float64[]) -> float64
# G-NEXT: i: int64
