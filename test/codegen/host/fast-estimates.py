"""With fast_math quotients by roots of float32 come from the CPU's estimate and a step of
Newton's, where they take most of the time.
REQUIRES: avx2
DEFINE: %{single} = cplc --types "x=float32[] y=float32[]" --emit asm
DEFINE: %{estimate} = --option fast_math=1 | FileCheck %s --check-prefix=ESTIMATE
DEFINE: %{exact} = | FileCheck %s --check-prefix=EXACT
RUN: %{single} %s:norm --option cpu_level=3 %{estimate}
RUN: %{single} %s:norm --option cpu_level=4 %{estimate}
RUN: cplc %s:gravity --types "x=float32[] y=float32[] n=int64" --option cpu_level=3 --emit asm \
RUN:   %{estimate}
Not by default, of float64, where other work hides them, or where no root is.
RUN: %{single} %s:norm --option cpu_level=3 %{exact}
RUN: %{single} %s:norm --option cpu_level=3 --option reassoc=1 %{exact}
RUN: cplc %s:norm --types "x=float64[] y=float64[]" --option cpu_level=3 \
RUN:   --option fast_math=1 --emit asm %{exact}
RUN: %{single} %s:hidden --option cpu_level=3 --option fast_math=1 %{exact}
RUN: %{single} %s:newton --option cpu_level=3 --option fast_math=1 %{exact}
As exact as that says, with lanes and what is left of them.
RUN: %python %s %t.npy
RUN: cplc run %s:norm x=%t.npy y=float32[10007] --option fast_math=1 --out y=%t.fast.npy
RUN: %python %s %t.npy %t.fast.npy
ESTIMATE: {{vrsqrt(14)?ps}}
ESTIMATE-NOT: vdivps {{.*}}%ymm
EXACT-NOT: {{vrsqrt|vrcp}}
EXACT: vdivp
EXACT-NOT: {{vrsqrt|vrcp}}
"""


def norm(i, x, y):
    y[i] = x[i]/sqrt(x[i]*x[i] + 1.0)


def gravity(i, x, y, n):
    s = 0.0
    for j in range(n):
        d = x[j] - x[i]
        r2 = d*d + 0.01
        s += d/(r2*sqrt(r2))
    y[i] = s


def hidden(i, x, y):
    t = x[i]
    p = t
    for k in range(60):
        p = p*t + 0.25
    y[i] = p/sqrt(t + 1.0)


def newton(i, x, y):
    r = x[i]
    for k in range(20):
        r = 0.5*(r + x[i]/r)
    y[i] = r


if __name__ == "__main__":
    import sys

    import numpy as np

    x = np.random.default_rng(1).normal(0, 3, 10007).astype(np.float32)
    if len(sys.argv) == 2:
        np.save(sys.argv[1], x)
    else:
        exact = x.astype(np.float64)/np.sqrt(x.astype(np.float64)**2 + 1)
        error = np.abs(np.load(sys.argv[2]) - exact)/np.spacing(np.abs(exact.astype(np.float32)))
        assert 0.51 < error.max() < 5, error.max()
