# Hidden parameters: lengths where len() or bounds_check needs them, strides, the fault record; calls pass them on.
# RUN: cplc --emit ir %s:outer --types 'x=float64[] y=float32[]' | FileCheck %s
# RUN: cplc --emit ir %s:outer --types 'x=float64[:] y=float32[]' --option bounds_check=1 \
# RUN:   | FileCheck %s --check-prefix=CHECKED
# RUN: cplc --emit ir %s:first --types 'x=float64[:]' --as function \
# RUN:   | FileCheck %s --check-prefix=FIRST
from compyle.api import declare
from compyle.low_level import address


def first(x):
    return x[0]


def length(x):
    return len(x)


def nothing(v):
    return v


def outer(i, x, y):
    m = declare('matrix((2, 3))')
    p = address(y[3])
    s = 1.0
    y[i] = first(x) + length(address(x[2])) + length(m) + length(address(m[1][1])) + len(p) + length(address(s)) + nothing(s)


# CHECK: func first(x: float64 global*) -> float64 {
# CHECK: func length(x: float64 global*, x_len: int64 length(x)) -> int64 {
# CHECK-NEXT: return x_len
# CHECK: func length.1(x: float64[3] private*, x_len: int64 length(x)) -> int64 {
# CHECK: func length.2(x: float64 private*, x_len: int64 length(x)) -> int64 {
# CHECK: func nothing(v: float64) -> float64 {
# CHECK: func outer.body(i: int64, x: float64 global*, y: float32 global*, x_len: int64 length(x), y_len: int64 length(y)) {
# CHECK: var p: float32 global* extent p_len
# CHECK: p_len = sub(y_len, 3:int64)
# CHECK: = call first(x)
# CHECK: = call length(elem(x, 2:int32), sub(x_len, 2:int64))
# CHECK: = call length.1(item(addr(m), 0:int32), 2:int64)
# CHECK: = call length.2(elem(item(item(addr(m), 1:int32), 1:int32), 0:int64), 2:int64)
# CHECK: = call length.2(addr(s), 1:int64)
# CHECK: = call nothing(s)
# CHECK: entry elementwise func outer(n: int64, x: float64 global*, y: float32 global*, x_len: int64 length(x), y_len: int64 length(y)) {
# CHECK: call outer.body(i, x, y, x_len, y_len)

# CHECKED: func first(x: float64 global*, x_len: int64 length(x), x_stride: int64 stride(x), cpl_fault_record: uint8 global* fault) -> float64 {
# CHECKED-NEXT: return load(strided(x, 0:int64, x_stride))
# CHECKED: func nothing(v: float64, cpl_fault_record: uint8 global* fault) -> float64 {
# CHECKED: func outer.body(i: int64, x: float64 global*, y: float32 global*, x_len: int64 length(x), x_stride: int64 stride(x), y_len: int64 length(y), cpl_fault_record: uint8 global* fault) {
# CHECKED: = call first(x, x_len, x_stride, cpl_fault_record)
# CHECKED: = call nothing(s, cpl_fault_record)
# CHECKED: call outer.body(i, x, y, x_len, x_stride, y_len, cpl_fault_record)

# FIRST: entry func first(x: float64 global*, x_stride: int64 stride(x)) -> float64 {
