"""With fast_math quotients and roots of float32 come from the CPU's estimate and a step of
Newton's, where they take most of the time; in vectors as wide as there are.
REQUIRES: avx2
DEFINE: %{single} = cplc --types "x=float32[] y=float32[]" --emit asm
DEFINE: %{estimate} = --option fast_math=1 | FileCheck %s --check-prefixes
DEFINE: %{exact} = | FileCheck %s --check-prefix=EXACT
RUN: %{single} %s:norm --option cpu_level=3 %{estimate}=ESTIMATE
RUN: %{single} %s:norm --option cpu_level=4 %{estimate}=ESTIMATE,WIDE
RUN: %{single} %s:quotient --option cpu_level=4 %{estimate}=ESTIMATE,WIDE
RUN: cplc %s:vortex --types "x=float32[] y=float32[] n=int64" --option cpu_level=4 --emit asm \
RUN:   %{estimate}=ESTIMATE,WIDE
RUN: cplc %s:gravity --types "x=float32[] y=float32[] n=int64" --option cpu_level=3 --emit asm \
RUN:   %{estimate}=ESTIMATE
Quotients alone stay divisions in code for any CPU with AVX2: AMD's divide as fast.
RUN: %{single} %s:quotient --option cpu_level=3 --option fast_math=1 %{exact}
RUN: %{single} %s:quotient --option fast_math=1 \
RUN:   | FileCheck %s --check-prefix=%if amd %{EXACT%} %else %{ESTIMATE%}
Not by default, of float64, where other work hides them, or where one quotient waits for another.
RUN: %{single} %s:norm --option cpu_level=3 %{exact}
RUN: %{single} %s:norm --option cpu_level=3 --option reassoc=1 %{exact}
RUN: cplc %s:norm --types "x=float64[] y=float64[]" --option cpu_level=3 \
RUN:   --option fast_math=1 --emit asm %{exact}
RUN: %{single} %s:hidden --option cpu_level=3 --option fast_math=1 %{exact}
RUN: %{single} %s:covered --option cpu_level=4 --option fast_math=1 %{exact}
In wide vectors a little more may be beside a quotient than in narrow ones, which it hides behind.
RUN: %{single} %s:between --option cpu_level=3 --option fast_math=1 %{exact}
RUN: %{single} %s:between --option cpu_level=4 %{estimate}=ESTIMATE,WIDE
RUN: %{single} %s:newton --option cpu_level=3 --option fast_math=1 %{exact}
RUN: %{single} %s:newton --option cpu_level=4 --option fast_math=1 %{exact}
RUN: %{single} %s:by_turns --option cpu_level=4 --option fast_math=1 %{exact}
RUN: %{single} %s:mixed --option cpu_level=4 --option fast_math=1 %{exact}
As exact as that says, with lanes and what is left of them.
RUN: %python %s %t.npy
RUN: cplc run %s:norm x=%t.npy y=float32[10007] --option fast_math=1 --out y=%t.fast.npy
RUN: %python %s %t.npy %t.fast.npy norm
RUN: cplc run %s:quotient x=%t.npy y=float32[10007] --option fast_math=1 --out y=%t.fast.npy
RUN: %python %s %t.npy %t.fast.npy quotient
ESTIMATE: {{(vrsqrt|vrcp)(14)?ps}}
WIDE-SAME: %zmm
ESTIMATE-NOT: vdivps {{.*}}%ymm
EXACT-NOT: {{vrsqrt|vrcp}}
EXACT: vdivp
EXACT-NOT: {{vrsqrt|vrcp}}
"""


def norm(i, x, y):
    y[i] = x[i]/sqrt(x[i]*x[i] + 1.0)


def quotient(i, x, y):
    y[i] = x[i]/(x[i]*x[i] + 1.0)


def vortex(i, x, y, n):
    u = 0.0
    v = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        s = x[j]/(dx*dx + dy*dy + 0.1)
        u -= dy*s
        v += dx*s
    y[i] = u + v


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


def covered(i, x, y):
    t = x[i]
    p = t
    for k in range(60):
        p = p*t + 0.25
    y[i] = p/(t + 1.0)


def between(i, x, y):
    t = x[i]
    p = t
    for k in range(7):
        p = p*t + 0.25
    y[i] = p/(t + 1.0)


def mixed(i, x, y):
    a = float64(x[i])
    y[i] = x[i]/(x[i] + 1.0) + a/(a + 1.0) + a/(a + 2.0)


def by_turns(i, x, y):
    a = x[i]
    b = x[i]
    for k in range(20):
        a = b + 1.0
        b = x[i]/a
    y[i] = b


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
        wide = x.astype(np.float64)
        exact = wide/(np.sqrt(wide**2 + 1) if sys.argv[3] == "norm" else wide**2 + 1)
        error = np.abs(np.load(sys.argv[2]) - exact)/np.spacing(np.abs(exact.astype(np.float32)))
        assert 0.51 < error.max() < 5, error.max()
