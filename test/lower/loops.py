# Loops: range with one to three arguments, else parts with and without break, a variable whose type cannot count.
# RUN: cplc --emit ir %s:loops --types 'n=int64 r=int32[]' --as function | FileCheck %s
from compyle.api import declare


def loops(n, r):
    for a in range(n):
        continue
    for b in range(3, n, -2):
        if b == 5:
            break
    else:
        r[0] = 1
    while n > 0:
        n -= 1
    else:
        r[1] = 1
    c = declare('char')
    for c in range(300):
        r[2] += c
    e = declare('short')
    for e in range(70000):
        r[4] += e
    g = declare('ushort')
    for g in range(n):
        r[5] += g
    d = declare('int')
    for d in range(n):
        r[3] += d
    h = 0.5
    for h in range(3):
        n += int(h)


# CHECK: for a in (0:int64, n, 1:int64) {
# CHECK-NEXT: continue
# CHECK-NEXT: }
# CHECK-NEXT: broke = false
# CHECK-NEXT: for b in (3:int64, n, -2:int64) {
# CHECK-NEXT: if eq(b, 5:int64) {
# CHECK-NEXT: broke = true
# CHECK-NEXT: break
# CHECK: if not(broke) {
# CHECK-NEXT: store(elem(r, 0:int32), 1:int32)
# CHECK-NEXT: }
# CHECK-NEXT: while gt(n, 0:int64) {
# CHECK-NEXT: n = sub(n, 1:int64)
# CHECK-NEXT: }
# CHECK-NEXT: store(elem(r, 1:int32), 1:int32)
# CHECK-NEXT: for round in (0:int32, 300:int32, 1:int32) {
# CHECK-NEXT: c = convert<int8>(round)
# CHECK: for round_1 in (0:int32, 70000:int32, 1:int32) {
# CHECK-NEXT: e = convert<int16>(round_1)
# CHECK: for round_2 in (0:int64, n, 1:int64) {
# CHECK-NEXT: g = convert<uint16>(round_2)
# CHECK: for d in (0:int32, convert<int32>(n), 1:int32) {
# CHECK: for round_3 in (0:int32, 3:int32, 1:int32) {
# CHECK-NEXT: h = convert<float64>(round_3)
