# Serial functions: the loop over the index and those over prange are plain ones, in what an entry calls as well; a serial helper's too.
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --emit ir | FileCheck %s
# RUN: cplc %s:g --types 'x=float64[] y=float64[]' --emit ir | FileCheck %s --check-prefix=TWO
# RUN: cplc %s:g --types 'x=float64[] y=float64[]' --target opencl --emit ir --passes= \
# RUN:   | FileCheck %s --check-prefix=FLAT
# RUN: cplc %s:total --as function --types 'n=int64 x=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=TOTAL
# RUN: cplc %s:calls --as function --types 'n=int64 x=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=CALLS
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --target opencl --passes=fold,exits,inline,grid \
# RUN:   --emit ir | FileCheck %s --check-prefix=DEVICE
from compyle.api import annotate, serial


@annotate
@serial
def f(i, x, y):
    y[i] = x[i] + y[i - 1]


@serial
def g(i, j, x, y):
    y[i, j] = x[i, j] + y[i, j - 1]


def least(n, x):
    s = 1e9
    for i in prange(n):
        s = min(x[i], s)
    return s


@serial
def total(n, x):
    s = 0.0
    for i in prange(n, schedule='dynamic', num_threads=2):
        t = x[i]
        s += t
    return s + least(n, x)


def calls(n, x):
    s = 0.0
    for i in prange(n):
        s += x[i]
    return s + total(n, x)


# CHECK: entry elementwise func f(
# CHECK: {{^}}  for i in (0:int64, n, 1:int64) {
# TWO: {{^}}  for i in (0:int64, x_shape0, 1:int64) {
# TWO-NEXT: for j in (0:int64, x_shape1, 1:int64) {
# FLAT: {{^}}  for at in (0:int64, n, 1:int64) {
# TOTAL: func least(
# TOTAL: {{^}}  for i in (0:int64, n, 1:int64) {
# TOTAL-NEXT: s = min(s, load(elem(x, i)))
# TOTAL: func total(
# TOTAL: {{^}}  for i in (0:int64, n, 1:int64) {
# CALLS: func least(
# CALLS: parallel for i
# CALLS: func total(
# CALLS: {{^}}  for i in (0:int64, n, 1:int64) {
# CALLS: func calls(
# CALLS: parallel for i
# DEVICE: if eq(add(mul(group_id<0>(), convert<int64>(local_size<0>())), convert<int64>(local_id<0>())), 0:int64) {
# DEVICE-NEXT: for i in (0:int64, n, 1:int64) {
