# Slices are loops: parallel in the function's body, in order inside of blocks and in kernels.
# RUN: cplc %s:body --as function --types 'a=float64[] b=float64[]' --emit ir | FileCheck %s
# RUN: cplc %s:body --as kernel --types 'a=float64[] b=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=KERNEL
# RUN: cplc %s:body --as kernel --types 'a=float32[] b=float32[]' --target cuda --emit ptx \
# RUN:   | FileCheck %s --check-prefix=PTX
# RUN: cplc %s:block --as function --types 'a=float64[] n=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=BLOCK
# RUN: cplc %s:along --as function --types 'a=float64[] m=float64[,] n=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=ALONG
# RUN: cplc %s:along_block --as function --types 'a=float64[] m=float64[,] n=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=ALONG-BLOCK
# RUN: cplc %s:body --emit ast | FileCheck %s --check-prefix=AST


def body(a, b):
    a[::2] = b[1::2] + sum(b[:])
# CHECK: parallel for {{.*}} reduce(add
# CHECK: assert<"slices of one statement are as long as each other">
# CHECK: parallel for
# CHECK: store(elem(a
# KERNEL-NOT: parallel
# KERNEL: store(elem(a
# PTX: st.global.{{f|b}}32
# AST: slice @[[#@LINE-8]]:7


def block(a, n):
    for k in range(n):
        a[k:] = k
# BLOCK-NOT: parallel
# BLOCK: for _at


# So are those that sums along an axis stand in, which are loops in each round.
def along(a, m, n):
    a[:] = m.sum(axis=1) + n
    a[:] += m.max(axis=0)
# ALONG: parallel for
# ALONG: for
# ALONG: parallel for
# ALONG: for
# ALONG-NOT: parallel


def along_block(a, m, n):
    if n > 3:
        a[:] = m.sum(axis=1) + n
    for k in range(n):
        a[:] += m.max(axis=0)
# ALONG-BLOCK-NOT: parallel
