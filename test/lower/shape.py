# Arrays of several dimensions: their hidden parameters, the address of an element, shapes and lengths, what calls pass on.
# RUN: cplc %s:f --types 'x=float64[] y=float64[] n=int32' --emit ir | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[:] y=float64[] n=int32' --emit ir \
# RUN:   | FileCheck %s --check-prefix=STRIDED
# RUN: cplc %s:f --types 'x=float64[] y=float64[] n=int32' --emit ir --option bounds_check=1 \
# RUN:   | FileCheck %s --check-prefix=CHECKED
# RUN: cplc %s:private --as function --types 'x=int64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=PRIVATE
# RUN: cplc %s:flat --as function --types 'x=int32[] m=float64[2][]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=FLAT

def diagonal(a, r):
    return a[r, r] + a.shape[1]

def next(k):
    return atomic_add(k[0], 1)

import numpy as np


def f(i, x, y, n):
    atomic_add(y[0, n, int(x[i, 0])], diagonal(x, n))
    x[i][n] += diagonal(x, i) + len(x)
    y[i, 1, n] = y.shape[2]
    p = address(x[i, n])
    p[1] = 0

# Arrays that count as flat, one of which must have one dimension; the order of the indices' effects.
def flat(x, m):
    x[x.shape[0] - 1] = len(x)
    m[next(x)][1] = m[next(x), 1]
    return atomic_add(x[x[2]], next(x))

# A shape taken apart.
# RUN: cplc %s:apart --as function --types 'x=float64[:] y=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=APART
def apart(x, y):
    h, w = x.shape
    n, = y.shape
    y[0], y[1] = x.shape
    return h*w*n

# APART: h = x_shape0
# APART-NEXT: w = x_shape1
# APART-NEXT: n = y_shape0
# APART-NEXT: store(elem(y, 0:int32), convert<float64>(x_shape0))
# APART-NEXT: store(elem(y, 1:int32), convert<float64>(x_shape1))

# CHECK: func diagonal(a: float64 global*, r: int32, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1)) -> float64 {
# CHECK-NEXT: return add(load(elem(a, add(mul(convert<int64>(r), a_shape1), convert<int64>(r)))), convert<float64>(a_shape1))
# CHECK-NEXT: }
# CHECK: func diagonal.1(a: float64 global*, r: int64, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1)) -> float64 {
# CHECK-NEXT: return add(load(elem(a, add(mul(r, a_shape1), r))), convert<float64>(a_shape1))
# CHECK-NEXT: }
# CHECK: func f.body(i: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2)) {
# CHECK-NEXT: var p: float64 global* extent p_len
# CHECK-NEXT: var p_len: int64
# CHECK-NEXT: var t: float64
# CHECK-NEXT: var t_1: int64
# CHECK-NEXT: var t_2: int64
# CHECK-NEXT: var t_3: float64
# CHECK-NEXT: var t_4: float64
# CHECK-NEXT: var t_5: float64 global*
# CHECK-NEXT: t_1 = add(mul(add(mul(0:int64, y_shape1), convert<int64>(n)), y_shape2), convert<int64>(load(elem(x, add(mul(i, x_shape1), 0:int64)))))
# CHECK-NEXT: t = call diagonal(x, n, x_shape0, x_shape1)
# CHECK-NEXT: atomic_add<relaxed, device>(elem(y, t_1), t)
# CHECK-NEXT: t_2 = add(mul(i, x_shape1), convert<int64>(n))
# CHECK-NEXT: t_4 = load(elem(x, t_2))
# CHECK-NEXT: t_3 = call diagonal.1(x, i, x_shape0, x_shape1)
# CHECK-NEXT: store(elem(x, t_2), add(t_4, add(t_3, convert<float64>(x_shape0))))
# CHECK-NEXT: store(elem(y, add(mul(add(mul(i, y_shape1), 1:int64), y_shape2), convert<int64>(n))), convert<float64>(y_shape2))
# CHECK-NEXT: t_5 = elem(x, add(mul(i, x_shape1), convert<int64>(n)))
# CHECK-NEXT: p_len = sub(mul(x_shape0, x_shape1), add(mul(i, x_shape1), convert<int64>(n)))
# CHECK-NEXT: p = t_5
# CHECK-NEXT: store(elem(p, 1:int32), 0.0:float64)
# CHECK-NEXT: }
# CHECK: entry elementwise func f(count: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2)) {
# CHECK-NEXT: var i: int64
# CHECK-NEXT: parallel for i in (0:int64, count, 1:int64) schedule(static, 0) {
# CHECK-NEXT: call f.body(i, x, y, n, x_shape0, x_shape1, y_shape0, y_shape1, y_shape2)
# CHECK-NEXT: }
# CHECK-NEXT: }

# STRIDED: func diagonal(a: float64 global*, r: int32, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1), a_stride0: int64 stride(a), a_stride1: int64 stride(a, 1)) -> float64 {
# STRIDED-NEXT: return add(load(strided(strided(a, convert<int64>(r), a_stride0), convert<int64>(r), a_stride1)), convert<float64>(a_shape1))
# STRIDED-NEXT: }
# STRIDED: func diagonal.1(a: float64 global*, r: int64, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1), a_stride0: int64 stride(a), a_stride1: int64 stride(a, 1)) -> float64 {
# STRIDED-NEXT: return add(load(strided(strided(a, r, a_stride0), r, a_stride1)), convert<float64>(a_shape1))
# STRIDED-NEXT: }
# STRIDED: func f.body(i: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), x_stride0: int64 stride(x), x_stride1: int64 stride(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2)) {
# STRIDED-NEXT: var p: float64 global* extent p_len
# STRIDED-NEXT: var p_len: int64
# STRIDED-NEXT: var t: float64
# STRIDED-NEXT: var t_1: int64
# STRIDED-NEXT: var t_2: int64
# STRIDED-NEXT: var t_3: float64
# STRIDED-NEXT: var t_4: float64
# STRIDED-NEXT: var t_5: float64 global*
# STRIDED-NEXT: t_1 = add(mul(add(mul(0:int64, y_shape1), convert<int64>(n)), y_shape2), convert<int64>(load(strided(strided(x, i, x_stride0), 0:int64, x_stride1))))
# STRIDED-NEXT: t = call diagonal(x, n, x_shape0, x_shape1, x_stride0, x_stride1)
# STRIDED-NEXT: atomic_add<relaxed, device>(elem(y, t_1), t)
# STRIDED-NEXT: t_2 = convert<int64>(n)
# STRIDED-NEXT: t_4 = load(strided(strided(x, i, x_stride0), t_2, x_stride1))
# STRIDED-NEXT: t_3 = call diagonal.1(x, i, x_shape0, x_shape1, x_stride0, x_stride1)
# STRIDED-NEXT: store(strided(strided(x, i, x_stride0), t_2, x_stride1), add(t_4, add(t_3, convert<float64>(x_shape0))))
# STRIDED-NEXT: store(elem(y, add(mul(add(mul(i, y_shape1), 1:int64), y_shape2), convert<int64>(n))), convert<float64>(y_shape2))
# STRIDED-NEXT: t_5 = strided(strided(x, i, x_stride0), convert<int64>(n), x_stride1)
# STRIDED-NEXT: p_len = 1:int64
# STRIDED-NEXT: p = t_5
# STRIDED-NEXT: store(elem(p, 1:int32), 0.0:float64)
# STRIDED-NEXT: }
# STRIDED: entry elementwise func f(count: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), x_stride0: int64 stride(x), x_stride1: int64 stride(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2)) {
# STRIDED-NEXT: var i: int64
# STRIDED-NEXT: parallel for i in (0:int64, count, 1:int64) schedule(static, 0) {
# STRIDED-NEXT: call f.body(i, x, y, n, x_shape0, x_shape1, x_stride0, x_stride1, y_shape0, y_shape1, y_shape2)
# STRIDED-NEXT: }
# STRIDED-NEXT: }

# CHECKED: func diagonal(a: float64 global*, r: int32, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1), cpl_fault_record: uint8 global* fault) -> float64 {
# CHECKED-NEXT: return add(load(elem(a, add(mul(within<0>(convert<int64>(r), a_shape0), a_shape1), within<1>(convert<int64>(r), a_shape1)))), convert<float64>(a_shape1))
# CHECKED-NEXT: }
# CHECKED: func diagonal.1(a: float64 global*, r: int64, a_shape0: int64 shape(a), a_shape1: int64 shape(a, 1), cpl_fault_record: uint8 global* fault) -> float64 {
# CHECKED-NEXT: return add(load(elem(a, add(mul(within<0>(r, a_shape0), a_shape1), within<1>(r, a_shape1)))), convert<float64>(a_shape1))
# CHECKED-NEXT: }
# CHECKED: func f.body(i: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2), cpl_fault_record: uint8 global* fault) {
# CHECKED-NEXT: var p: float64 global* extent p_len
# CHECKED-NEXT: var p_len: int64
# CHECKED-NEXT: var t: float64
# CHECKED-NEXT: var t_1: int64
# CHECKED-NEXT: var t_2: int64
# CHECKED-NEXT: var t_3: int64
# CHECKED-NEXT: var t_4: float64
# CHECKED-NEXT: var t_5: float64
# CHECKED-NEXT: var t_6: float64 global*
# CHECKED-NEXT: t_1 = convert<int64>(n)
# CHECKED-NEXT: t_2 = convert<int64>(load(elem(x, add(mul(within<0>(i, x_shape0), x_shape1), within<1>(0:int64, x_shape1)))))
# CHECKED-NEXT: t = call diagonal(x, n, x_shape0, x_shape1, cpl_fault_record)
# CHECKED-NEXT: atomic_add<relaxed, device>(elem(y, add(mul(add(mul(within<0>(0:int64, y_shape0), y_shape1), within<1>(t_1, y_shape1)), y_shape2), within<2>(t_2, y_shape2))), t)
# CHECKED-NEXT: t_3 = convert<int64>(n)
# CHECKED-NEXT: t_5 = load(elem(x, add(mul(within<0>(i, x_shape0), x_shape1), within<1>(t_3, x_shape1))))
# CHECKED-NEXT: t_4 = call diagonal.1(x, i, x_shape0, x_shape1, cpl_fault_record)
# CHECKED-NEXT: store(elem(x, add(mul(within<0>(i, x_shape0), x_shape1), within<1>(t_3, x_shape1))), add(t_5, add(t_4, convert<float64>(x_shape0))))
# CHECKED-NEXT: store(elem(y, add(mul(add(mul(within<0>(i, y_shape0), y_shape1), within<1>(1:int64, y_shape1)), y_shape2), within<2>(convert<int64>(n), y_shape2))), convert<float64>(y_shape2))
# CHECKED-NEXT: t_6 = elem(x, add(mul(within<0>(i, x_shape0), x_shape1), within<1>(convert<int64>(n), x_shape1)))
# CHECKED-NEXT: p_len = sub(mul(x_shape0, x_shape1), add(mul(within<0>(i, x_shape0), x_shape1), within<1>(convert<int64>(n), x_shape1)))
# CHECKED-NEXT: p = t_6
# CHECKED-NEXT: store(elem(p, 1:int32), 0.0:float64)
# CHECKED-NEXT: }
# CHECKED: entry elementwise func f(count: int64, x: float64 global*, y: float64 global*, n: int32, x_shape0: int64 shape(x), x_shape1: int64 shape(x, 1), y_shape0: int64 shape(y), y_shape1: int64 shape(y, 1), y_shape2: int64 shape(y, 2), cpl_fault_record: uint8 global* fault) {
# CHECKED-NEXT: var i: int64
# CHECKED-NEXT: parallel for i in (0:int64, count, 1:int64) schedule(static, 0) {
# CHECKED-NEXT: call f.body(i, x, y, n, x_shape0, x_shape1, y_shape0, y_shape1, y_shape2, cpl_fault_record)
# CHECKED-NEXT: }
# CHECKED-NEXT: }

# FLAT: func next(k: int32 global*) -> int32 {
# FLAT-NEXT: var t: int32
# FLAT-NEXT: t = atomic_add<relaxed, device>(elem(k, 0:int32), 1:int32)
# FLAT-NEXT: return t
# FLAT-NEXT: }
# FLAT: entry func flat(x: int32 global* extent x_shape0, m: float64[2] global*, x_shape0: int64 shape(x), m_len: int64 length(m)) -> int32 {
# FLAT-NEXT: var t: int32
# FLAT-NEXT: var t_1: int32
# FLAT-NEXT: var t_2: float64
# FLAT-NEXT: var t_3: int32
# FLAT-NEXT: var t_4: int32
# FLAT-NEXT: var t_5: int32
# FLAT-NEXT: store(elem(x, sub(x_shape0, 1:int64)), convert<int32>(x_shape0))
# FLAT-NEXT: t = call next(x)
# FLAT-NEXT: t_2 = load(item(elem(m, t), 1:int32))
# FLAT-NEXT: t_1 = call next(x)
# FLAT-NEXT: store(item(elem(m, t_1), 1:int32), t_2)
# FLAT-NEXT: t_4 = load(elem(x, 2:int32))
# FLAT-NEXT: t_3 = call next(x)
# FLAT-NEXT: t_5 = atomic_add<relaxed, device>(elem(x, t_4), t_3)
# FLAT-NEXT: return t_5
# FLAT-NEXT: }


# PRIVATE: store(elem(x, 0:int32), 3:int64)
# PRIVATE: store(elem(x, 1:int32), 4:int64)
# PRIVATE: store(elem(x, 2:int32), 5:int64)
def private(x):
    t = np.zeros((3, 4, 5))
    x[0] = t.shape[0]
    x[1] = t.shape[1]
    x[2] = t.shape[2]
