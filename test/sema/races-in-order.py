# Updates that would be warned of are not where an option makes rounds run in order.
# RUN: cplc %s --types 'x=float64[] s=float64[]' --emit types 2>&1 | FileCheck %s
# RUN: cplc %s --types 'x=float64[] s=float64[]' --option in_order=1 --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=ORDER

def total(i, x, s):
    s[0] += x[i]

# CHECK: races-in-order.py:7:5: warning: rounds that run at once may update the same element of 's', and lose what others did
# ORDER-NOT: warning:
# ORDER: total(i: int64, x: float64[], s: float64[]) -> void
