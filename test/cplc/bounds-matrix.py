# An index of a matrix is told with its dimension, whether it is private or shared by a group.
# RUN: not cplc run %s:shared --as kernel --global 4 x=float32[4] n=7 2>&1 \
# RUN:   | FileCheck %s --check-prefix=LAST
# RUN: not cplc run %s:shared --as kernel --global 5 x=float32[4] n=6 2>&1 \
# RUN:   | FileCheck %s --check-prefix=FIRST
# RUN: not cplc run %s:own x=float64[4] n=4 k=1 2>&1 | FileCheck %s --check-prefix=OWN
# RUN: not cplc run %s:own x=float64[4] n=3 k=7 2>&1 | FileCheck %s --check-prefix=ONE
# RUN: not cplc run %s:own x=float64[4] n=4 k=1 --target interp 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OWN
# RUN: %if pocl %{ %pocl not cplc run %s:shared --target opencl --as kernel --global 4 \
# RUN:   x=float32[4] n=7 2>&1 | FileCheck %s --check-prefix=LAST %}
# LAST: 22:5: error: {{.*}} index 7 is out of bounds of 's', which has 7 elements along dimension 1
# LAST: s[LID_0, n] = 1
# FIRST: 22:5: error: {{.*}} index 4 is out of bounds of 's', which has 4 elements along dimension 0
# OWN: 31:5: error: {{.*}} index 4 is out of bounds of 'm', which has 4 elements along dimension 0
# ONE: 30:5: error: {{.*}} index 7 is out of bounds of 'v', which has 5 elements{{$}}
from compyle.low_level import LID_0, declare, local_barrier


def shared(x, n):
    s = declare('LOCAL_MEM matrix((4, 7), "float")')
    s[LID_0, n] = 1
    local_barrier()
    x[0] = s[0, 0]


def own(i, x, n, k):
    m = declare('matrix((4, 7), "double")')
    v = declare('matrix(5, "double")')
    v[k] = 1
    m[n][k] = v[k]
    x[i] = m[0][1]
