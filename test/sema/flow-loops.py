# Loops over ranges of literals that run: what their bodies assign is assigned behind them. address() assigns, in loops too.
# RUN: cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s

def f(i, x, n):
    for j in range(1, 3):
        a = j
    for j in range(3, 0, -1):
        b = j
    for j in range(0, 3, 2):
        c = j
    while 1.5:
        d = 1
        if x[0] > 0:
            break
    for k in range(n):
        e: float = 1
        p = address(g)
        g = e
        h, l = k, k + 1
        m: int
        m = h + l
        if x[k] > 0:
            continue
        x[k] = g + m
    x[0] = a + b + c + d
    for j in range(3, 3):
        never = j
    x[1] = never
    for j in range(0, 3, -1):
        backwards = j
    x[2] = backwards
    for j in range(0, 3, 0):
        still = j
    x[3] = still
    for j in range(3, 1):
        down = j
    x[4] = down
    for j in range(1, 3, -1):
        up = j
    x[5] = up
    for j in range(n, 3):
        unknown = j
    x[6] = unknown
    while 0:
        nothing = 1
    x[7] = nothing
    return
    x[8] = nowhere_assigned
    nowhere_assigned = 1

# CHECK-NOT: warning:
# CHECK: flow-loops.py:28:12: warning: 'never' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:31:12: warning: 'backwards' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:34:12: warning: 'still' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:37:12: warning: 'down' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:40:12: warning: 'up' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:43:12: warning: 'unknown' is not assigned on every path to here; it is 0 then
# CHECK: flow-loops.py:46:12: warning: 'nothing' is not assigned on every path to here; it is 0 then
# CHECK-NOT: {{error|warning}}:
# CHECK: f(i: int64, x: float64[], n: int32) -> void
