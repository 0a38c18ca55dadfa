# A loop with arithmetic of floats asks for no vectors of its rounds where the driver would change
# the order of sums, unless reassoc lets it; loops of integers ask for nothing, nor do other drivers.
# RUN: cplc %s:f --types 'x=double[] k=int[] r=double[] n=int' --target opencl:c1.2,-ordered_sums \
# RUN:   --emit opencl-c | FileCheck %s
# RUN: cplc %s:f --types 'x=double[] k=int[] r=double[] n=int' --target opencl:c1.2,-ordered_sums \
# RUN:   --option reassoc=1 --emit opencl-c | FileCheck %s --check-prefix=PLAIN
# RUN: cplc %s:f --types 'x=double[] k=int[] r=double[] n=int' --target opencl:c1.2 \
# RUN:   --emit opencl-c | FileCheck %s --check-prefix=PLAIN
# CHECK: {{^}}#pragma clang loop vectorize(disable)
# CHECK-NEXT: while (next < count)
# CHECK: {{^}}#pragma clang loop vectorize(disable)
# CHECK-NEXT: for (int j
# CHECK: int t = 0
# CHECK-NOT: #pragma
# CHECK: for (int j
# CHECK: {{^}}#pragma clang loop vectorize(disable)
# CHECK-NEXT: for (uint {{.*}}cpl_rounds_int
# CHECK: {{^}}#pragma clang loop vectorize(disable)
# CHECK-NEXT: while (s > 1
# PLAIN-NOT: #pragma clang


def f(i, x, k, r, n):
    s = 0.0
    for j in range(n):
        s += x[j]
    t = 0
    for j in range(n):
        t += k[j]
    for j in range(0, n, 2):
        s *= x[j]
    while s > 1:
        s = s*0.5
    r[i] = s + t
