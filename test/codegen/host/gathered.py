"""Loops over neighbours: where sums may be reordered and the CPU gathers by itself, LLVM takes the
rounds of the inner loop side by side; in order, those of the outer one are.
REQUIRES: x86_64
DEFINE: %{sums} = cplc %s:sums --emit llvm --option cpu_level=4 \
DEFINE:   --types "x=float64[] start=int32[] index=int32[] out=float64[]"
RUN: %{sums} --option fast_math=1 | FileCheck %s --check-prefix=INNER
RUN: %{sums} | FileCheck %s --check-prefix=OUTER
INNER: @llvm.masked.gather.v{{[0-9]+}}f64.{{.*}}splat (i1 true)
INNER: @llvm.vector.reduce.fadd
OUTER-NOT: vector.reduce
OUTER: @llvm.masked.gather.v16f64
OUTER: store <16 x double>
"""


def sums(i, x, start, index, out):
    s = 0.0
    for k in range(start[i], start[i + 1]):
        d = x[i] - x[index[k]]
        s += d*d*d*(2.0*d*d - 1.0)
    out[i] = s
