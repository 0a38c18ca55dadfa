"""What several scalars are chosen by is compared into a mask at once, not through the flags.
REQUIRES: x86_64
DEFINE: %{least} = cplc %s:least --as function --types "x=float64[] n=int64 at=float64[]" --emit asm
RUN: %{least} --option cpu_level=4 | FileCheck %s
RUN: cplc %s:four --as function --types "x=float64[] n=int64 at=float64[]" --emit asm \
RUN:   --option cpu_level=4 | FileCheck %s --check-prefix=FOUR
Without masks blends take the comparison as it is; whole numbers are chosen by the flags.
RUN: %{least} --option cpu_level=3 | FileCheck %s --check-prefix=BLENDS
RUN: cplc %s:counted --as function --types "x=float64[] n=int64 at=int64[]" --emit asm \
RUN:   --option cpu_level=4 | FileCheck %s --check-prefix=FLAGS
CHECK-NOT: ucomisd
CHECK: vcmp{{[nl]}}{{.*}}%[[K:k[0-9]]]
CHECK-COUNT-2: vmovsd {{.*}} {%[[K]]}
CHECK-NOT: ucomisd
FOUR-NOT: ucomisd
FOUR: vcmp{{[nl]}}{{.*}}%k
FOUR-COUNT-4: vmovsd {{.*}} {%k
FOUR-NOT: ucomisd
BLENDS: vcmp{{[nl]}}
BLENDS-NOT: %k
FLAGS: ucomisd
FLAGS: cmov
"""


def least(x, n, at):
    value = x[0]
    index = 0.0
    for i in range(1, n):
        keeps = value <= x[i]
        value = value if keeps else x[i]
        index = index if keeps else 1.0*i
        at[i] = index
    return value


def four(x, n, at):
    value = x[0]
    a = 0.0
    b = 1.0
    c = 2.0
    for i in range(1, n):
        keeps = value <= x[i]
        value = value if keeps else x[i]
        a = a if keeps else b
        b = b if keeps else c + x[i]
        c = c if keeps else a
        at[i] = value
    return a + b + c


def counted(x, n, at):
    value = x[0]
    index = 0
    for i in range(1, n):
        keeps = value <= x[i]
        value = value if keeps else x[i]
        index = index if keeps else i
        at[i] = index
    return index
