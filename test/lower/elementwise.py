# An elementwise entry is a parallel loop over [0, n) around a call of the function itself; the index may be declared narrower.
# RUN: cplc --emit ir %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' | FileCheck %s
# RUN: cplc --emit ir %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' \
# RUN:   --option schedule=1 --option chunk=64 --option num_threads=3 \
# RUN:   | FileCheck %s --check-prefix=DYNAMIC
# RUN: cplc --emit ir %s:narrow --types 'n=float64[]' | FileCheck %s --check-prefix=NARROW
# RUN: cplc --emit ir %s:value --types 'x=int32[]' | FileCheck %s --check-prefix=VALUE
from compyle.api import annotate


def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b


@annotate(k='int')
def narrow(k, n):
    n[k] = k


def value(i, x):
    x[i] += 1
    return x[i]


# CHECK: cir 1
# CHECK: func axpb.body(i: int64, x: float64 global*, y: float64 global*, a: float64, b: float64) {
# CHECK-NEXT: store(elem(y, i), add(mul(a, load(elem(x, i))), b))
# CHECK-NEXT: }
# CHECK: entry elementwise func axpb(n: int64, x: float64 global*, y: float64 global*, a: float64, b: float64) {
# CHECK-NEXT: var i: int64
# CHECK-NEXT: parallel for i in (0:int64, n, 1:int64) schedule(static, 0) {
# CHECK-NEXT: call axpb.body(i, x, y, a, b)
# CHECK-NEXT: }
# CHECK-NEXT: }
# DYNAMIC: parallel for i in (0:int64, n, 1:int64) schedule(dynamic, 64) threads(3) {

# NARROW: func narrow.body(k: int32, n: float64 global*) {
# NARROW: entry elementwise func narrow(count: int64, n: float64 global*) {
# NARROW: call narrow.body(convert<int32>(k), n)

# The result is dropped.
# VALUE: func value.body(i: int64, x: int32 global*) -> int32 {
# VALUE: return load(elem(x, i))
# VALUE: {{^ *}}call value.body(i, x)
