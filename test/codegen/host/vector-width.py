"""With AVX-512 vectors have 512 bits, but where divisions and roots decide, 256.
REQUIRES: x86_64
DEFINE: %{double} = cplc --types "x=float64[] y=float64[]" --emit llvm
DEFINE: %{wide} = --option cpu_level=4 \
DEFINE:   | FileCheck %s --check-prefix=WIDE --implicit-check-not='width"="256'
DEFINE: %{narrow} = | FileCheck %s --check-prefix=NARROW
RUN: %{double} %s:newton --option cpu_level=4 %{narrow}
RUN: cplc %s:newton --types "x=float32[] y=float32[]" --option cpu_level=4 --emit asm \
RUN:   | FileCheck %s --check-prefix=YMM
RUN: cplc %s:vortex --types \
RUN:   "x=float32[] y=float32[] strength=float32[] u=float32[] n=int64 core=float32" \
RUN:   --option cpu_level=4 --emit llvm | FileCheck %s --check-prefix=NARROW
RUN: %{double} %s:roots --option cpu_level=4 %{narrow}
Quotients of what takes as long, functions, and what divides nothing have wide ones.
RUN: %{double} %s:rational %{wide}
RUN: cplc %s:rational --types "x=float64[] y=float64[]" --option cpu_level=4 --emit asm \
RUN:   | FileCheck %s --check-prefix=ZMM
RUN: %{double} %s:before %{wide}
RUN: %{double} %s:gauss %{wide}
RUN: %{double} %s:damped %{wide}
RUN: %{double} %s:scaled %{wide}
RUN: cplc %s:whole --types "x=int64[] y=int64[]" --option cpu_level=4 --emit llvm \
RUN:   | FileCheck %s --check-prefix=WIDE
Narrower ones are still those of a CPU with mask registers.
RUN: cplc %s:parted --types "x=float64[] y=float64[]" --option cpu_level=4 --emit asm \
RUN:   | FileCheck %s --check-prefix=MASKS
A CPU whose divider is as wide as the rest has wide ones always: vector-width-amd.test.
Without it nothing is to choose.
RUN: %{double} %s:newton --option cpu_level=3 %{narrow}
RUN: %{double} %s:rational --option cpu_level=3 %{narrow}
NARROW: "prefer-vector-width"="256"
WIDE: "prefer-vector-width"="512"
YMM-NOT: zmm
YMM: vdivps {{.*}}%ymm
YMM-NOT: zmm
ZMM: vdivpd {{.*}}%zmm
MASKS: vdivpd {{.*}}%ymm
MASKS: {%k
"""


def newton(i, x, y):
    r = x[i]
    for k in range(20):
        r = 0.5*(r + x[i]/r)
    y[i] = r


def vortex(i, x, y, strength, u, n, core):
    sum_u = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        sum_u += dy*(strength[j]/(dx*dx + dy*dy + core))
    u[i] = sum_u


def roots(i, x, y):
    y[i] = sqrt(x[i]*x[i] + 1.0)


def rational(i, x, y):
    p = 0.1
    q = 0.3
    for k in range(15):
        p = p*x[i] + 0.25
        q = q*x[i] + 0.5
    y[i] = p/q


# A division in front of what takes long.
def before(i, x, y):
    t = 1.0/x[i]
    p = 0.1
    for k in range(40):
        p = p*t + 0.25
    y[i] = p


def gauss(i, x, y):
    y[i] = exp(-x[i])/sqrt(x[i])


# As many divisions as there are in newton.
def damped(i, x, y):
    r = x[i]
    for k in range(20):
        r = 0.5*(r + x[i]/r)
    y[i] = exp(-r)


def scaled(i, x, y):
    y[i] = 2.5*x[i]


def whole(i, x, y):
    y[i] = x[i]//(y[i] + 1)


def parted(i, x, y):
    t = 0.0
    for k in range(100):
        if x[i + k] > 0.5:
            t += y[i]/x[i + k]
    y[i] = t
