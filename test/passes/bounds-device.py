# With checks too, a reduction is dealt out to all work-items of a device: its checks stay in the rounds. Other loops are there twice.
# RUN: cplc %s:total --as function --types 'n=int64 x=float64[]' --target opencl \
# RUN:   --option bounds_check=1 --passes=bounds,guards,grid --emit ir | FileCheck %s
# RUN: cplc %s:scale --as function --types 'n=int64 x=float64[]' --target opencl \
# RUN:   --option bounds_check=1 --passes=bounds,guards,grid --emit ir \
# RUN:   | FileCheck %s --check-prefix=TWICE
# RUN: cplc %s:total --as function --types 'n=int64 x=float64[]' --option bounds_check=1 --emit ir \
# RUN:   --passes=bounds \
# RUN:   | FileCheck %s --check-prefix=HOST


def total(n, x):
    s = 0.0
    for i in prange(n):
        s += x[i]
    return s


def scale(n, x):
    for i in prange(n):
        x[i] *= 2


# CHECK: entry kernel func total_parts(
# CHECK: fault<0, "x">
# CHECK: entry kernel func total({{.*}} after total_parts {
# CHECK-NOT: fault<
# TWICE: if and(
# TWICE: while
# TWICE: } else {
# TWICE: while
# TWICE: fault<0, "x">
# HOST: if and(
# HOST-NEXT: parallel for
# HOST: } else {
# HOST-NEXT: parallel for
