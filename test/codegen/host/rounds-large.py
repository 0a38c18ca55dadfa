# Rounds of many operations are not for LLVM's vectoriser, which may take for ever over them.
# RUN: cplc %s:short --as call --emit llvm -O0 --types 'x=float64[] n=int64' | FileCheck %s
# RUN: cplc %s:long --as call --emit llvm -O0 --types 'x=float64[] n=int64' \
# RUN:   | FileCheck %s --check-prefix=LONG

# CHECK-NOT: vectorize.enable
# LONG: br i1 {{.*}}, label %for, label %for.end, !llvm.loop ![[LOOP:[0-9]+]]
# LONG: ![[LOOP]] = distinct !{![[LOOP]], ![[NO:[0-9]+]]}
# LONG: ![[NO]] = !{!"llvm.loop.vectorize.enable", i1 false}


def short(x, n):
    s = 0.0
    for k in range(n):
        s += x[k] / n
    return s


def terms(v):
    return v*(v - 1)*(v - 2)*(v - 3)*(v - 4)*(v - 5)*(v - 6)*(v - 7)*(v - 8)*(v - 9)*(v - 10)


def long(x, n):
    s = 0.0
    for k in range(n):
        s += terms(x[k])*terms(x[k] + 11)*terms(x[k] + 22)*terms(x[k] + 33)
    return s
