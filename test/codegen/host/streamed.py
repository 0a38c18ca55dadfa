# Stores past the caches: rows of what is written and not read, where launches say that it is large, aligned by a few
# rounds before them and with a fence behind. Not where lanes part, of narrow rows, of what is read, of strides, in
# small parts; of two arrays one. Nor where few threads of this CPU compute for long.
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts small,apart,large \
# RUN:   --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=LINE3
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts small,apart,large \
# RUN:   --option cpu_level=4 --emit asm \
# RUN:   | FileCheck %s --check-prefix=LINE4
# RUN: cplc %s:line --types 'x=float32[] y=float32[]' --facts large --option cpu_level=1 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=LINE1
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts small,apart --option cpu_level=3 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --option simd=0 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --option chunk=64 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --option schedule=2 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --option schedule=1 \
# RUN:   --option cpu_level=3 \
# RUN:   --emit asm | FileCheck %s --check-prefix=LINE3
# RUN: cplc %s:behind --types 'x=int32[] y=int32[]' --facts large --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=BEHIND
# RUN: cplc %s:both --types 'x=float64[] y=float64[]' --facts large --option cpu_level=3 \
# RUN:   --option simd=2 \
# RUN:   --emit llvm -O1 | FileCheck %s --check-prefix=BOTH
# RUN: cplc %s:own --types 'y=float64[]' --facts large --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:parts --types 'x=float64[] y=float64[]' --facts large --option cpu_level=3 \
# RUN:   --option simd=2 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:line --types 'x=float64[:] y=float64[:]' --facts large --option cpu_level=3 \
# RUN:   --option simd=2 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:told --types 'x=float64[] y=bool[]' --facts large --option cpu_level=3 \
# RUN:   --option simd=2 --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:long --types 'x=float64[] y=float64[]' --facts large --option num_threads=4 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:long --types 'x=float64[] y=float64[]' --facts large --option num_threads=5 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=LONG
# RUN: cplc %s:long --types 'x=float64[] y=float64[]' --facts large --option num_threads=4 \
# RUN:   --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=LONG
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --option num_threads=1 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=LONG
# RUN: cplc %s:line --types 'x=float64[] y=float64[]' --facts large --target opencl:c1.2 \
# RUN:   --emit opencl-c \
# RUN:   | FileCheck %s --check-prefix=DEVICE


# LINE3-LABEL: line.par:
# LINE3: negl
# LINE3: vmovsd %xmm{{.*}}, (%
# LINE3: vmovntpd %ymm
# LINE3: vmovntpd %ymm
# LINE3-NOT: vmovntpd
# LINE3: sfence
# LINE4-LABEL: line.par:
# LINE4: vmovntpd %zmm
# LINE4: sfence
# LINE1-LABEL: line.par:
# LINE1: movntps %xmm
# LINE1: sfence
# LONG: movntp
# LONG: sfence
# NONE-NOT: movnt
# NONE-NOT: sfence
# DEVICE-NOT: nontemporal
# DEVICE: kernel void line
def line(i, x, y):
    y[i] = 2*x[i] + 1


# The place of the first row is that of the store, not of the round.
# BEHIND: addq $12
# BEHIND: negl
# BEHIND: vmovntps %ymm
# BEHIND: sfence
def behind(i, x, y):
    y[i + 3] = x[i]


# BOTH: store <8 x double> %{{.*}}, align 64, !nontemporal
# BOTH-NOT: !nontemporal
# BOTH: call void @llvm.x86.sse.sfence()
def both(i, x, y):
    x[i] = i
    y[i] = 2*i


def own(i, y):
    y[i] = 2*y[i] + 1


def parts(i, x, y):
    if x[i] > 0:
        y[i] = x[i]


def told(i, x, y):
    y[i] = x[i] > 0


def long(i, x, y):
    y[i] = tanh(x[i])*sin(x[i])
