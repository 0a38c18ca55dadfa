# A reduction by an operator that is bound: a sum, product, minimum or the like, in either order.
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=func:plus x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=SUM
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=op:"  a + b" x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=SUM
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=op:a*b x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=PRODUCT
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=func:max x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=MOST
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=op:min(a,b) x=int32[]' \
# RUN:   | FileCheck %s --check-prefix=LEAST
# RUN: cplc %s:fold --as function --emit ir --types 'n=int32 op=op:a^b x=int64[]' \
# RUN:   | FileCheck %s --check-prefix=BITS
# RUN: cplc %s:other --as function --emit ir --types 'n=int32 op=op:a*b x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=PRODUCT
# RUN: cplc %s:caller --as function --emit ir --types 'n=int32 x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=SUM
# RUN: cplc %s:serial --as function --emit ir --types 'n=int32 op=func:plus x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=SERIAL
def plus(a, b):
    return a + b

def fold(n, op, x):
    s = x[0]
    for i in prange(1, n):
        s = op(s, x[i])
    return s

def other(n, op, x):
    s = 1.0
    for i in prange(n):
        if x[i] > 0:
            s = op(x[i], s)
    return s

def caller(n, x):
    return fold(n, plus, x)

def serial(n, op, x):
    s = x[0]
    for i in range(1, n):
        s = op(s, x[i])
    return s

# SUM: parallel for{{.*}} reduce(add s)
# PRODUCT: parallel for{{.*}} reduce(mul s)
# MOST: parallel for{{.*}} reduce(max s)
# LEAST: parallel for{{.*}} reduce(min s)
# BITS: parallel for{{.*}} reduce(xor s)
# SERIAL: for i
# SERIAL: call plus(s, load(elem(x, i)))
