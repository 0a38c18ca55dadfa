# What a loop stores of a value that it carries on goes past the caches element by element, where
# launches say that results are large: as integers, as Intel's CPUs have no such stores of floats,
# with a fence behind. Not of arrays that are read, where a round leaves gaps, of what LLVM has
# vectors for or other rounds do not decide on, of narrow elements, at opt_level 1.
# RUN: cplc %s:sums --types 'x=float64[] y=float64[] m=int64' --facts large \
# RUN:   --option cpu_level=1 --emit asm \
# RUN:   | FileCheck %s --check-prefix=SUMS
# RUN: cplc %s:sums --types 'x=float64[] y=float64[] m=int64' --facts large \
# RUN:   --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=SUMS
# RUN: cplc %s:sums --types 'x=float64[] y=float64[] m=int64' --facts large \
# RUN:   --option cpu_level=4 --emit asm \
# RUN:   | FileCheck %s --check-prefix=SUMS
# RUN: cplc %s:sums --types 'x=float32[] y=float32[] m=int64' --facts large --emit llvm \
# RUN:   | FileCheck %s --check-prefix=HALVES
# RUN: cplc %s:sums --types 'x=int32[] y=int32[] m=int64' --facts large --emit llvm \
# RUN:   | FileCheck %s --check-prefix=INTEGERS
# RUN: cplc %s:pairs --types 'x=float64[] y=float64[] m=int64' --facts large --emit llvm \
# RUN:   | FileCheck %s --check-prefix=PAIRS
# RUN: cplc %s:sums --types 'x=float64[] y=float64[] m=int64' --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:sums --types 'x=float64[] y=float64[] m=int64' --facts large -O1 --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:sums --types 'x=int16[] y=int16[] m=int64' --facts large --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:own --types 'x=float64[] y=float64[] m=int64' --facts large --option simd=0 \
# RUN:   --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:gaps --types 'x=float64[] y=float64[] m=int64' --facts large --option simd=0 \
# RUN:   --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:odd --types 'x=float64[] y=float64[] m=int64' --facts large --option simd=0 \
# RUN:   --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:back --types 'x=float64[] y=float64[] m=int64' --facts large --option simd=0 \
# RUN:   --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:steps --types 'x=float64[] y=float64[] m=int64' --facts large \
# RUN:   --option simd=0 --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:beside --types 'x=float64[] y=float64[] m=int64' --facts large \
# RUN:   --option simd=0 --option cpu_level=1 --emit llvm \
# RUN:   | FileCheck %s --check-prefix=NONE


# SUMS-LABEL: sums.par:
# SUMS: addsd
# SUMS-NEXT: movq %xmm0, %[[BITS:r[a-z0-9]+]]
# SUMS: movntiq %[[BITS]], (
# SUMS-NOT: movsd %xmm0, (
# SUMS: sfence
# HALVES: [[BITS:%.*]] = bitcast float %{{.*}} to i32
# HALVES-NEXT: [[V:%.*]] = call i32 asm "", "=r,0"(i32 [[BITS]])
# HALVES-NEXT: store i32 [[V]], ptr %{{.*}}, align 4, {{.*}}!nontemporal
# HALVES: call void @llvm.x86.sse.sfence()
# HALVES-NEXT: ret void
# INTEGERS: [[V:%.*]] = add i32
# INTEGERS: store i32 [[V]], ptr %{{.*}}, align 4, {{.*}}!nontemporal
# INTEGERS: call void @llvm.x86.sse.sfence()
# NONE-NOT: !nontemporal
# NONE-NOT: sfence
# NONE: define
# NONE: store
# NONE-NOT: !nontemporal
# NONE-NOT: sfence
def sums(i, x, y, m):
    s = x[0]
    for j in range(m):
        s += x[i*m + j]
        y[i*m + j] = s


# PAIRS: store i64 %{{.*}}, !nontemporal
# PAIRS: store i64 %{{.*}}, !nontemporal
# PAIRS-NOT: !nontemporal
# PAIRS: call void @llvm.x86.sse.sfence()
def pairs(i, x, y, m):
    s = declare('double')
    for j in range(0, m, 2):
        s += x[i*m + j]
        y[i*m + j] = s
        s *= x[i*m + j + 1]
        y[i*m + j + 1] = s


def own(i, x, y, m):
    s = declare('double')
    for j in range(m):
        s += y[i*m + j]
        y[i*m + j] = s


def gaps(i, x, y, m):
    s = declare('double')
    for j in range(m):
        s += x[j]
        y[2*j] = s


def odd(i, x, y, m):
    s = declare('double')
    for j in range(0, m, 3):
        s += x[j]
        y[j] = s
        s *= x[j + 1]
        y[j + 1] = s


def back(i, x, y, m):
    s = declare('double')
    for j in range(m, 0, -1):
        s += x[j]
        y[j] = s


def steps(i, x, y, m):
    for j in range(m):
        y[i*m + j] = x[j]*2


def beside(i, x, y, m):
    s = declare('double')
    for j in range(m):
        s = s*x[j] + 1
        y[i*m + j] = x[m - j]
    x[0] = s
