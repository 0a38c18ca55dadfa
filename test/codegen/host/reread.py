# LLVM is told that rounds do not meet but where one reads what it stored itself in elements that lie
# apart: it would move such reads in front of the stores.
# RUN: cplc %s:strided --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:named --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:alias --as function --types 'n=int64 a=uint8[] b=int64[]' --emit llvm \
# RUN:   --option simd=0 | FileCheck %s --check-prefix=NO
# RUN: cplc %s:field --types 's=pair[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:below --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:moved --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:above --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# RUN: cplc %s:next --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# RUN: cplc %s:updated --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# RUN: cplc %s:other --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# RUN: cplc %s:fields --types 's=pair[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# RUN: cplc %s:rows --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:steps --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:nested --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:under --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:behind --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 \
# RUN:   | FileCheck %s --check-prefix=NO
# RUN: cplc %s:others_rows --types 'a=uint8[] b=int64[]' --emit llvm --option simd=0 | FileCheck %s
# NO-NOT: llvm.loop.parallel_accesses
# CHECK: llvm.loop.parallel_accesses


@struct
class pair:
    x: "int64"
    y: "int64"


def strided(i, a, b):
    a[2*i] = 0
    b[i] = 0
    a[2*i + 1] = a[2*i]


def named(i, a, b):
    k = 2*i
    a[k] = 0
    b[i] = 0
    a[k + 1] = a[k]


def alias(n, a, b):
    p = a
    for i in prange(n):
        p[2*i] = 0
        b[i] = 0
        a[2*i + 1] = a[2*i]


def field(i, s, b):
    s[i].x = 0
    b[i] = s[i].x
    s[i].y = 1


# The same element, and another one, of indices that something is taken from.
def below(i, a, b):
    a[2*i - 1] = 0
    b[i] = 0
    a[2*i] = a[-1 + 2*i]


# Indices that differ by a constant as they are written, of a variable that has changed in between.
def moved(i, a, b):
    k = 2*i
    a[k] = 0
    k += 1
    b[i] = 0
    a[k] = a[k - 1]


def above(i, a, b):
    a[2*i - 1] = 0
    b[i] = 0
    a[2*i] = a[2*i + 1]


def next(i, a, b):
    a[i + 1] = 1
    b[i] = a[i + 1]


def updated(i, a, b):
    a[2*i] = a[2*i] + 1
    a[2*i + 1] = a[2*i + 1] + b[i]


def other(i, a, b):
    a[2*i] = 0
    a[2*i + 1] = b[2*i]


def fields(i, s, b):
    s[i].x = s[i].x + 1
    s[i].y = s[i].y + b[i]


# What a round of a loop in the round has stored, its next one reads: in loops of each kind, in their
# conditions, in others around them, and behind them.
def rows(i, a, b):
    for k in range(1, 4):
        b[i] = a[4*i + k - 1]
        a[4*i + k] = 0


def steps(i, a, b):
    k = 0
    while k < 3:
        b[i] = a[4*i + k]
        k += 1
        a[4*i + k] = 0


def nested(i, a, b):
    for j in range(2):
        b[i] = a[4*i + j]
        for k in range(2):
            a[4*i + k] = j


def under(i, a, b):
    for k in range(3):
        if b[i] > k:
            b[i] = a[4*i + k]
        else:
            a[4*i + k + 1] = 0


def behind(i, a, b):
    for k in range(3):
        a[4*i + k] = 0
    b[i] = a[4*i + 2]


def others_rows(i, a, b):
    for k in range(3):
        a[4*i + k] = b[4*i + k]
