# Arms that run only sometimes: conditional expressions where they are pure, if statements where they need statements.
# RUN: cplc --emit ir %s:pure --types 'x=float64[] y=float64[]' | FileCheck %s
# RUN: cplc --emit ir %s:calls --types 'x=int32[] r=int32[]' --as function \
# RUN:   | FileCheck %s --check-prefix=CALLS


def pure(i, x, y):
    if i > 0 and x[i] < 1.0 or not x[i]:
        y[i] = x[i] if i % 2 else -x[i]
    k = i or 3
    y[i] += k


def next_value(x):
    x[0] += 1
    return x[0]


def calls(x, r):
    r[0] = next_value(x) if x[1] else 7
    while next_value(x) < 10:
        r[1] += 1
    if x[0] == 5 and next_value(x) > 3:
        r[2] = 1


# CHECK: if cond(cond(gt(i, 0:int64), lt(load(elem(x, i)), 1.0:float64), false), true, not(ne(load(elem(x, i)), 0.0:float64))) {
# CHECK-NEXT: store(elem(y, i), cond(ne(floormod(i, 2:int64), 0:int64), load(elem(x, i)), neg(load(elem(x, i)))))
# CHECK: k = cond(ne(i, 0:int64), i, 3:int64)

# CALLS: entry func calls
# CALLS: if ne(load(elem(x, 1:int32)), 0:int32) {
# CALLS-NEXT: [[T:t[_0-9]*]] = call next_value(x)
# CALLS-NEXT: [[V:t[_0-9]*]] = [[T]]
# CALLS-NEXT: } else {
# CALLS-NEXT: [[V]] = 7:int32
# CALLS-NEXT: }
# CALLS-NEXT: store(elem(r, 0:int32), [[V]])
# CALLS-NEXT: while true {
# CALLS-NEXT: [[T:t[_0-9]*]] = call next_value(x)
# CALLS-NEXT: if not(lt([[T]], 10:int32)) {
# CALLS-NEXT: break
# CALLS-NEXT: }
# CALLS-NEXT: store(elem(r, 1:int32)
# CALLS-NEXT: }
# CALLS-NEXT: if eq(load(elem(x, 0:int32)), 5:int32) {
# CALLS-NEXT: [[T:t[_0-9]*]] = call next_value(x)
# CALLS-NEXT: [[V:t[_0-9]*]] = gt([[T]], 3:int32)
# CALLS-NEXT: } else {
# CALLS-NEXT: [[V]] = false
# CALLS-NEXT: }
# CALLS-NEXT: if [[V]] {
