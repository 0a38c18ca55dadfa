# Rounds of many operations with branches are not for LLVM's vectoriser, which may take for ever.
# RUN: cplc %s:short --as call --emit llvm -O0 --types 'x=float64[] n=int64' | FileCheck %s
# RUN: cplc %s:straight --as call --emit llvm -O0 --types 'x=float64[] n=int64' | FileCheck %s
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


def more(v):
    return terms(v)*terms(v + 11)*terms(v + 22)*terms(v + 33)*terms(v + 44)*terms(v + 55)


def most(v):
    return more(v)*more(v + 66)*more(v + 132)*more(v + 198)*more(v + 264)*more(v + 330)


def straight(x, n):
    s = 0.0
    for k in range(n):
        s += most(x[k])*most(x[k] + 396)
    return s


def long(x, n):
    s = 0.0
    for k in range(n):
        if x[k] > 0:
            s += most(x[k])*most(x[k] + 396)
    return s
