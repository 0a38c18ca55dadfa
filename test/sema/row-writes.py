# Rows that are written as a whole are loops over slices, with their lengths asserted; elements that are vectors are no rows.
# RUN: cplc %s:rows --as function --types 'm=float64[] x=float64[] n=int32' --emit ir | FileCheck %s
# RUN: cplc %s:elements --as function --types 'v=float4[] n=float32' --emit ir \
# RUN:   | FileCheck %s --check-prefix=VECTORS
# RUN: cplc %s:elements --as function --types 'v=float32[] n=float32' --emit ir \
# RUN:   | FileCheck %s --check-prefix=NUMBERS


def rows(m, x, n):
    row = m[n]
    row[:] = m[0]
    m[1] = x
    return row[0]
# CHECK: assert<"slices of one statement are as long as each other">(eq(_count4, _count1))
# CHECK-NEXT: for _at0
# CHECK-NEXT: store(elem(m, add(mul(convert<int64>(row), m_shape1)
# CHECK: assert<"slices of one statement are as long as each other">(eq(x_len
# CHECK-NEXT: parallel for
# CHECK-NEXT: store(elem(m, add(mul(1:int64, m_shape1)


def elements(v, n):
    v[0] = v[1]
    v[2][1] = n
# VECTORS: store(elem(v, 0:int32), load(elem(v, 1:int32)))
# NUMBERS: parallel for
# NUMBERS-NEXT: store(elem(v, add(mul(0:int64, v_shape1)
