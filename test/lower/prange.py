# Parallel loops: schedules, reductions, and what belongs to a round, temporaries included.
# RUN: cplc --emit ir %s:parallel_sum --types 'n=int32 x=float64[]' --as function | FileCheck %s
from compyle.low_level import nogil, parallel, prange


def half(x):
    x[0] += 1
    return x[0]/2


def parallel_sum(n, x):
    s = 0.0
    low = 100.0
    with nogil, parallel():
        for i in prange(1, n, 2, schedule='dynamic', chunksize=8, num_threads=2):
            t = x[i]*2
            s += t + half(x)
            low = min(low, t)
    x[0] = s + low


# CHECK: parallel for i in (1:int32, n, 2:int32) schedule(dynamic, 8) threads(2) reduce(add s, min low) private(t, [[T:t_[0-9]+]]) {
# CHECK: [[T]] = call half(x)
# CHECK: s = add(s, add(t, [[T]]))
# CHECK-NEXT: low = min(low, t)
