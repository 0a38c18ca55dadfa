# Bounds in place of conditions on a counter: parts of `and`, what `not (a or b)` comes to, around inner loops what they do not ask for.
# RUN: cplc %s:stencil --types 'x=float64[] y=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=STENCIL
# RUN: cplc %s:early --types 'x=float64[] y=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=EARLY
# RUN: cplc %s:plane --types 'x=float64[,] y=float64[,]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=PLANE
# RUN: cplc %s:loads --types 'x=float64[] y=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=LOADS
# RUN: cplc %s:other --types 'x=float64[] y=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=OTHER
# RUN: cplc %s:total --as function --types 'x=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=TOTAL
# RUN: cplc %s:asked --as function --types 'x=float64[]' --emit llvm --print-after=trim 2>&1 \
# RUN:   >/dev/null | FileCheck %s --check-prefix=ASKED
# RUN: cplc %s:stencil --types 'x=float64[] y=float64[]' --facts small,large --option cpu_level=3 \
# RUN:   --emit asm | FileCheck %s --check-prefix=ROWS


# STENCIL: parallel for i in (max(0:int64, {{.*}}), min(n, sub(x_len, 1:int64)), 1:int64)
# STENCIL-NEXT: store(
# ROWS-LABEL: stencil.par:
# ROWS-NOT: vmaskmov
# ROWS: vmovntpd %ymm
def stencil(i, x, y):
    if i > 0 and i < len(x) - 1:
        y[i] = x[i - 1] + x[i + 1]


# EARLY: parallel for i in (max(0:int64, {{.*}}), min(n, sub(x_len, 1:int64)), 1:int64)
# EARLY-NEXT: store(
def early(i, x, y):
    if i == 0 or i >= len(x) - 1:
        return
    y[i] = x[i - 1] + x[i + 1]


# PLANE: parallel for i in (max(0:int64, {{.*}}), min(x_shape0, sub(x_shape0, 1:int64)), 1:int64)
# PLANE-NEXT: for j in (max(0:int64, {{.*}}), min(x_shape1, sub(x_shape1, 1:int64)), 1:int64)
# PLANE-NEXT: store(
def plane(i, j, x, y):
    if i > 0 and j > 0 and i < x.shape[0] - 1 and j < x.shape[1] - 1:
        y[i, j] = x[i - 1, j] + x[i, j + 1]


# What stands behind a load stays, and so does the load.
# LOADS: parallel for i in (0:int64, min(n, 9:int64), 1:int64)
# LOADS-NEXT: if cond(gt(load(elem(x, i)), 0.0:float64), gt(i, 3:int64), false)
def loads(i, x, y):
    if i < 9 and x[i] > 0 and i > 3:
        y[i] = 1


# With an else, and with more in the body, all rounds do something.
# OTHER: parallel for i in (0:int64, n, 1:int64)
# OTHER-NEXT: if gt(i, 3:int64)
def other(i, x, y):
    if i > 3:
        y[i] = 1
    else:
        y[i] = x[i]


# The rounds of a reduction are dealt out by their number.
# TOTAL: parallel for i in (0:int64, {{.*}}len, 1:int64)
# TOTAL-NEXT: if gt(i, 3:int64)
def total(x):
    s = 0.0
    for i in prange(len(x)):
        if i > 3:
            s += x[i]
    return s


# ASKED: for j in (0:int64, {{.*}}, 1:int64)
# ASKED-NEXT: if lt(j, 9:int64)
def asked(x):
    j = 0
    for j in range(len(x)):
        if j < 9:
            x[j] = 1
    return j
