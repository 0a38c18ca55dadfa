# Blocks of parallel reductions in lanes: four vectors of sums, products and minima, masked ones, and what is left after them. With
# precise floats keep their order; with simd=0 lanes are LLVM's, which has sums and integers alone.
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=3 \
# RUN:   --emit asm | FileCheck %s --check-prefix=DOT3
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=4 \
# RUN:   --emit asm | FileCheck %s --check-prefix=DOT4
# RUN: cplc %s:dot --as function --types 'n=int64 x=float32[] y=float32[]' --option cpu_level=3 \
# RUN:   --emit asm | FileCheck %s --check-prefix=DOT32
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=3 \
# RUN:   --option precise=1 --emit asm \
# RUN:   | FileCheck %s --check-prefix=ORDER
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=3 \
# RUN:   --option simd=0 --emit asm \
# RUN:   | FileCheck %s --check-prefix=DOT3
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=3 \
# RUN:   --option in_order=1 --emit asm \
# RUN:   | FileCheck %s --check-prefix=ORDER
# RUN: cplc %s:least --as function --types 'n=int64 x=float64[]' --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=LEAST3
# RUN: cplc %s:least --as function --types 'n=int64 x=float64[]' --option cpu_level=4 --emit asm \
# RUN:   | FileCheck %s --check-prefix=LEAST4
# RUN: cplc %s:where --as function --types 'n=int64 x=float64[] low=float64' --option cpu_level=4 \
# RUN:   --emit asm | FileCheck %s --check-prefix=WHERE
# RUN: cplc %s:bits --as function --types 'n=int64 x=int32[]' --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=BITS
# RUN: cplc %s:dot --as function --types 'n=int64 x=float64[] y=float64[]' --option cpu_level=3 \
# RUN:   --emit llvm | FileCheck %s --check-prefix=IR
# RUN: cplc %s:square --as function --types 'x=float64[,]' --option cpu_level=3 --emit asm \
# RUN:   | FileCheck %s --check-prefix=SQUARE
# RUN: cplc %s:square --as function --types 'x=float64[,]' --option cpu_level=3 --option precise=1 \
# RUN:   --emit asm \
# RUN:   | FileCheck %s --check-prefix=ONE


def dot(n, x, y):
    s = 0.0
    for i in prange(n):
        s += x[i]*y[i]
    return s


def least(n, x):
    s = 1e9
    for i in prange(n):
        s = min(x[i], s)
    return s


def where(n, x, low):
    k = n
    for i in prange(n):
        if x[i] == low:
            k = min(k, i)
    return k


def bits(n, x):
    k = 0
    for i in prange(n):
        k |= x[i]
    return k


def square(x):
    h, w = x.shape
    s = 0.0
    for i in prange(h):
        for j in range(w):
            s += x[i, j]*x[i, j]
    return s


# DOT3-LABEL: dot.par:
# DOT3-COUNT-4: vfmadd231pd {{.*}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}
# DOT3-NEXT: addq $16,
# DOT3: vfmadd231sd
# DOT4-LABEL: dot.par:
# DOT4-COUNT-4: vfmadd231pd {{.*}}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}}
# DOT4-NEXT: addq $32,
# DOT32-LABEL: dot.par:
# DOT32-COUNT-4: vfmadd231ps {{.*}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}
# DOT32-NEXT: addq $32,
# ORDER-NOT: {{(fmadd|mul|add)}}{{[0-9]*}}pd
# LEAST3-LABEL: least.par:
# LEAST3-COUNT-4: vminpd {{.*}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}
# LEAST4-LABEL: least.par:
# LEAST4-COUNT-4: vminpd {{.*}}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}}
# WHERE-LABEL: where.par:
# WHERE-COUNT-4: vpminsq {{.*}}, %zmm{{[0-9]+}} {%k
# BITS-LABEL: bits.par:
# BITS-COUNT-4: vpor {{.*}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}
# A loop of the round takes part.
# SQUARE-LABEL: square.par:
# SQUARE-COUNT-4: vfmadd231pd {{.*}}, %ymm{{[0-9]+}}, %ymm{{[0-9]+}}
# ONE-NOT: {{(fmadd[0-9]*|add)pd}}
# Lanes start with what changes nothing, and are joined in halves.
# IR-LABEL: @dot.par(
# IR: phi <16 x double> [ splat (double -0.000000e+00),
# IR: fadd contract <8 x double>
# IR: fadd contract <4 x double>
# IR: fadd contract <2 x double>
