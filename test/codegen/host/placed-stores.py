# A store whose place moves on by the condition that guards it is made in every round, where need be to a place nobody
# reads, so that no branch is guessed (target/place_mend.c); what is read for it comes from such a place. Not where
# the place stays, moves on in every round or by another condition, where the condition is about the place alone,
# where a round would divide besides, where more than two ways meet behind it, or where opt_level is 1.
# RUN: cplc %s:kept --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=KEPT
# RUN: cplc %s:other --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=OTHER
# RUN: cplc %s:distinct --as function --types 'x=int32[] y=int32[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=DISTINCT
# RUN: cplc %s:fixed --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:steady --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:computed --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:apart --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:room --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:reads --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=READS
# RUN: cplc %s:divides --as function --types 'x=int32[] y=int32[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:crowded --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:either --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: cplc %s:kept --as function --types 'x=float64[] y=float64[] n=int64' --emit llvm -O1 \
# RUN:   | FileCheck %s --check-prefix=BRANCH
# RUN: %if x86_64 %{ cplc %s:kept --as function --types 'x=float64[] y=float64[] n=int64' \
# RUN:   --emit asm --option cpu_level=3 | FileCheck %s --check-prefix=ASM %}


# KEPT: [[NOWHERE:%.*]] = alloca double
# KEPT: [[C:%.*]] = fcmp contract ogt
# KEPT: [[AT:%.*]] = getelementptr inbounds double, ptr %y, i64 [[K:%k.*]]
# KEPT-NEXT: [[TO:%.*]] = select i1 [[C]], ptr [[AT]], ptr [[NOWHERE]], !unpredictable
# KEPT-NEXT: store double %{{.*}}, ptr [[TO]]
# KEPT: select i1 [[C]], i64 %{{.*}}, i64 [[K]], !unpredictable
# ASM-LABEL: kept:
# ASM: .LBB0_2:
# ASM-NOT: jbe
# ASM: cmov
# ASM: vmovsd %xmm{{.*}}, (%r
def kept(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[k] = x[i]
            k += 1
    return k


# OTHER: [[NOWHERE:%.*]] = alloca double
# OTHER: select i1 %{{.*}}, ptr [[NOWHERE]], ptr %
def other(x, y, n):
    k = declare('long')
    large = declare('long')
    for i in range(n):
        large += 1 if x[i] > 0.5 else 0
        if not x[i] > 0.5:
            y[k] = x[i]
            k += 1
    return k + 1000*large


# DISTINCT: [[NOWHERE:%.*]] = alloca i32
# DISTINCT: select i1 %{{.*}}, ptr %{{.*}}, ptr [[NOWHERE]]
def distinct(x, y, n):
    k = declare('long')
    for i in range(1, n):
        before = k
        k += 1 if x[i] != x[i - 1] else 0
        if k != before:
            y[before] = x[i]
    return k


# BRANCH-LABEL: define
# BRANCH: br i1 %{{.*}}, label %then
# BRANCH-NOT: !unpredictable
def fixed(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[7] = x[i]
            k += 1
    return k


def steady(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[k] = x[i]
        k += 3
    return k


def computed(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[k ^ i] = x[i]
        k += 3
    return k


def room(x, y, n):
    k = declare('long')
    for i in range(n):
        if k < 1000:
            y[k] = x[i]
        k += 1 if x[i] > 0.5 else 0
    return k


def apart(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[k] = x[i]
        if x[i] < 0.25:
            k += 1
    return k


# READS: [[PUT:%.*]] = alloca double
# READS: [[GET:%.*]] = alloca double
# READS: [[FROM:%.*]] = select i1 %{{.*}}, ptr %{{.*}}, ptr [[GET]], !unpredictable
# READS-NEXT: [[V:%.*]] = load double, ptr [[FROM]]
# READS: [[TO:%.*]] = select i1 %{{.*}}, ptr %{{.*}}, ptr [[PUT]], !unpredictable
# READS-NEXT: store double [[V]], ptr [[TO]]
def reads(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            y[k] = y[n + i]
            k += 1
    return k


def divides(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 5:
            y[k] = x[i] // x[n]
            k += 1
    return k


def crowded(x, y, n):
    k = declare('long')
    s = declare('long')
    for i in range(n):
        if x[i] > 0.5:
            s += i*i
            if x[i] > 0.75:
                y[k] = x[i]
                k += 1
        else:
            k += 1
    return k + 1000*s


def either(x, y, n):
    k = declare('long')
    for i in range(n):
        if x[i] > 0.75:
            y[k] = x[i]
            k += 1
        elif x[i] > 0.25:
            y[k] = -x[i]
            k += 2
    return k
