# Entries with several indices: nested loops on the host, one loop over all elements on devices.
# RUN: cplc %s:f --types 'x=float64[] a=float64' --emit ir --option schedule=1 --option chunk=2 \
# RUN:   | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[] a=float64' --emit ir --target opencl:c1.2 \
# RUN:   | FileCheck %s --check-prefix=DEVICE
# RUN: cplc %s:g --types 'x=int32[:] y=float64[]' --emit ir --target cuda \
# RUN:   | FileCheck %s --check-prefix=THREE

def f(i, j, a, x):
    x[i, j] = a

def g(i, j, k, x, y):
    x[i, j, k] = y[i]

# CHECK: func f.body(i: int64, j: int64, a: float64, x: float64 global*, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1)) {
# CHECK: entry elementwise func f(n: int64, a: float64, x: float64 global*, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1)) {
# CHECK: parallel for i in (0:int64, x_shape0, 1:int64) schedule(dynamic, 2) private(j) {
# CHECK-NEXT: for j in (0:int64, x_shape1, 1:int64) {
# CHECK-NEXT: call f.body(i, j, a, x, x_shape0, x_shape1)

# DEVICE: parallel for at in (0:int64, n, 1:int64) schedule(static, 0) private(j, i) {
# DEVICE-NEXT: j = rem(at, x_shape1)
# DEVICE-NEXT: i = div(at, x_shape1)
# DEVICE-NEXT: call f.body(i, j, a, x, x_shape0, x_shape1)

# THREE: parallel for at in (0:int64, n, 1:int64) schedule(static, 0) private(k, j, i) {
# THREE-NEXT: k = rem(at, x_shape2)
# THREE-NEXT: j = rem(div(at, x_shape2), x_shape1)
# THREE-NEXT: i = div(div(at, x_shape2), x_shape1)
# THREE-NEXT: call g.body(i, j, k, x, y, x_shape0, x_shape1, x_shape2, x_stride0, x_stride1, x_stride2)
