"""Loops that seldom change what they carry look at some rounds together, in vectors, before they make them.
REQUIRES: x86_64
DEFINE: %{as} = cplc --as function --emit llvm --option cpu_level=3
RUN: %{as} %s:least --types "x=float64[] n=int64 at=int64[]" | FileCheck %s --check-prefix=LEAST
RUN: cplc --as function --emit asm --option cpu_level=4 %s:least --types "x=float64[] n=int64 at=int64[]" \
RUN:   | FileCheck %s --check-prefix=MASKS
RUN: %{as} %s:least --types "x=int32[] n=int64 at=int64[]" | FileCheck %s --check-prefix=INTEGERS
RUN: %{as} %s:by_place --types "x=float64[] n=int64" | FileCheck %s --check-prefix=PLACE
RUN: %{as} %s:counted --types "x=float32[] n=int64 at=int64[]" | FileCheck %s --check-prefix=COUNTED
RUN: %{as} %s:three --types "x=float64[] n=int64 at=int64[]" | FileCheck %s --check-prefix=THREE
Of several streams what comes is fetched, in front of each look.
RUN: %{as} %s:four --types "x=float64[] n=int64 at=int64[]" | FileCheck %s --check-prefix=FOUR
Not where each round changes something, the loop writes or reads where its values lead, divides by them, is cut short,
is known to LLVM, or below -O2.
DEFINE: %{no} = FileCheck %s --check-prefix=NONE
RUN: %{as} %s:drifts --types "x=float64[] n=int64 at=int64[]" | %{no}
RUN: %{as} %s:writes --types "x=float64[] n=int64 at=int64[]" | %{no}
RUN: %{as} %s:between --types "x=float64[] n=int64" | %{no}
RUN: %{as} %s:divided --types "x=int64[] n=int64 at=int64[]" | %{no}
RUN: %{as} %s:cut --types "x=float64[] n=int64 at=int64[]" | %{no}
RUN: %{as} %s:greatest --types "x=int64[] n=int64" | %{no}
RUN: %{as} %s:greatest --types "x=float64[] n=int64" --option fast_math=1 | %{no}
RUN: %{as} %s:with_flag --types "x=int32[] n=int64 at=int64[]" | %{no}
RUN: %{as} %s:with_number --types "x=int32[] n=int64 at=int64[]" | %{no}
RUN: %{as} -O1 %s:least --types "x=float64[] n=int64 at=int64[]" | %{no}

LEAST: {{^}}for:
LEAST: fcmp {{.*}} double
LEAST: br i1 {{.*}}label %for
LEAST: {{^}}seldom:
LEAST-NOT: prefetch
LEAST-COUNT-4: fcmp {{.*}}<4 x double>
LEAST-NOT: fcmp
LEAST: br i1 {{.*}}label %seldom, label %enter

MASKS-COUNT-4: vcmp{{.*}}%zmm{{[0-9]+}}, %k
MASKS: kortest
MASKS-NOT: zmm
MASKS: ucomisd

INTEGERS: {{^}}seldom:
INTEGERS-COUNT-4: icmp {{.*}}<8 x i32>

PLACE: {{^}}seldom:
PLACE: load double
PLACE-COUNT-4: fcmp {{.*}}<4 x double>

COUNTED: {{^}}seldom:
COUNTED-COUNT-4: fcmp {{.*}}<8 x float>

THREE: {{^}}seldom:
THREE: fcmp {{.*}}<4 x double>

FOUR: {{^}}seldom:
FOUR-COUNT-4: call void @llvm.prefetch.p0
FOUR-NOT: llvm.prefetch
FOUR: br i1
NONE-NOT: {{^}}seldom:
"""


def least(x, n, at):
    value = x[0]
    index = 0
    for j in range(n):
        if x[j] < value:
            value = x[j]
            index = j
    at[0] = index
    return value


def by_place(x, n):
    index = 0
    for j in range(n):
        if x[j] < x[index]:
            index = j
    return index


def counted(x, n, at):
    value = x[0]
    records = 0
    for j in range(n):
        if x[j] > value:
            value = x[j]
            records += 1
    at[0] = records


def three(x, n, at):
    a = b = c = INFINITY
    for j in range(n):
        c = min(c, max(b, x[j]))
        b = min(b, max(a, x[j]))
        a = min(a, x[j])
    at[0] = int(a + b + c)


def four(x, n, at):
    a = b = c = d = x[0]
    k = 0
    for j in range(n):
        k = k if a <= x[j] else j
        a = a if a <= x[j] else x[j]
        b = b if b <= x[j + n] else x[j + n]
        c = c if c <= x[j + 2*n] else x[j + 2*n]
        d = d if d <= x[j + 3*n] else x[j + 3*n]
    at[0] = k
    return a + b + c + d


def drifts(x, n, at):
    value = x[0]
    index = 0
    for j in range(n):
        index = j if x[j] < value else index
        value = 0.5*(value + x[j])
    at[0] = index


def writes(x, n, at):
    value = x[0]
    index = 0
    for j in range(n):
        if x[j] < value:
            value = x[j]
            index = j
        at[j] = index


def between(x, n):
    index = 0
    for j in range(n):
        if x[j] < x[(index + j)//2]:
            index = j
    return index


def divided(x, n, at):
    best = x[0]
    index = 0
    for j in range(n):
        if x[j] % best == 1:
            best = x[j]
            index = j
    at[0] = index


def cut(x, n, at):
    value = x[0]
    index = 0
    for j in range(n):
        if x[j] < value:
            value = x[j]
            index = j
        if value < 0:
            break
    at[0] = index


def greatest(x, n):
    value = x[0]
    for j in range(n):
        value = max(value, x[j])
    return value


def with_flag(x, n, at):
    low = x[0]
    some = False
    for j in range(n):
        low = min(low, x[j])
        some = True if x[j] == 7 else some
    at[0] = low + some


def with_number(x, n, at):
    low = x[0]
    many = 0
    for j in range(n):
        low = min(low, x[j])
        many += 1 if x[j] > 7 else 0
    at[0] = low + many
