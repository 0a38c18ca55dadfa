# An unknown number of short rounds is done four at a time; known numbers are LLVM's to judge, and loops around others stay as they are.
# RUN: cplc %s:unknown --types 'x=float64[] y=float64[] n=int32' --target cuda --emit ptx \
# RUN:   | FileCheck %s --check-prefix=FOUR
# RUN: cplc %s:unknown --types 'x=float64[] y=float64[] n=int32' --target cuda --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=HINT
# RUN: cplc %s:unknown --types 'x=float64[] y=float64[] n=int32' --target host --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:known --types 'x=float64[] y=float64[]' --target cuda --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:around --types 'x=float64[] y=float64[] n=int32' --target cuda --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=ONE


def unknown(i, x, y, n):
    s = 0.0
    for j in range(n):
        s += y[i]/x[j]
    y[i] = s


def known(i, x, y):
    s = 0.0
    for j in range(1000):
        s += y[i]/x[j]
    y[i] = s


def around(i, x, y, n):
    s = 0.0
    for j in range(n):
        for k in range(j):
            s += y[j]/x[k]
    y[i] = s


# FOUR-COUNT-4: div.rn.f64
# HINT: !{!"llvm.loop.unroll.count", i32 4}
# NONE-NOT: llvm.loop.unroll
# ONE-COUNT-1: !llvm.loop
# ONE-NOT: br {{.*}}!llvm.loop
