# Chained comparisons evaluate each operand once, the later ones only if the earlier hold; operands are converted to their join.
# RUN: cplc --emit ir %s:chain --types 'x=int32[] y=float64[]' | FileCheck %s


def chain(i, x, y):
    if 0 <= i < 10:
        y[i] = 1
    y[i] = -1 < x[i] <= y[i] != 7
    y[i] = x[i] is not 3


# CHECK: if cond(le(0:int64, i), lt(i, 10:int64), false) {
# CHECK: [[X:t[_0-9]*]] = load(elem(x, i))
# CHECK-NEXT: if lt(-1:int32, [[X]]) {
# CHECK-NEXT: [[Y:t[_0-9]*]] = load(elem(y, i))
# CHECK-NEXT: [[R:t[_0-9]*]] = cond(le(convert<float64>([[X]]), [[Y]]), ne([[Y]], 7.0:float64), false)
# CHECK-NEXT: } else {
# CHECK-NEXT: [[R]] = false
# CHECK-NEXT: }
# CHECK-NEXT: store(elem(y, i), convert<float64>([[R]]))
# CHECK-NEXT: store(elem(y, i), convert<float64>(ne(load(elem(x, i)), 3:int32)))
