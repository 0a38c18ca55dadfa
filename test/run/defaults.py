# Defaults: numbers are used, all others are not read; parameters behind a star are given by their names.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
# RUN: cplc run %s:left_out --as function 'x=float32[2]' | FileCheck %s
# RUN: cplc run %s:left_out --as function 'x=float32[2]' b=2 flag=False \
# RUN:   | FileCheck %s --check-prefix=GIVEN
# RUN: not cplc run %s:computed --as function 'x=float32[2]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=COMPUTED
# CHECK: 1000.5 3 -2 1
# GIVEN: 1000.5 3 2 0
# RUN: cplc run %s:signed --as function 'x=float32[2]' | FileCheck %s --check-prefix=SIGNED
# SIGNED: 3 -2 2.5 2 1
# COMPUTED: error: 'computed' lacks an argument for n; its parameters are x, n
LIMIT = 5


def scaled(v, factor=2.0, shift=-1, *, upper=1e3, twice=True):
    r = v*factor + shift
    if twice:
        r *= 2
    return min(r, upper)


def lists(i=0, x=[0.0], y=[], n=len("abc"), name='none', what=None, make=lambda q, r=1: {q: r}, bound=LIMIT*2):
    x[i] = y[i]*n + bound


def names(i, x, *, a=3, y):
    x[i] = scaled(y[i]) + scaled(y[i], 3.0, upper=4.0) + scaled(y[i], twice=False, shift=a)


def left_out(x, h=1_000.5, n=0x3, b=-2, flag=True):
    printf("%g %d %d %d\n", h, n, b, flag)


def signed(x, a=+3, b=(-2), h=-(-2.5), n=- -2, flag=(True)):
    printf("%d %d %g %d %d\n", a, b, h, n, flag)
    x[0] = shifted(x[1])


def shifted(v, by=(+1), factor=-(2)):
    return v*factor + by


def computed(x, n=2*LIMIT):
    x[0] = n


def turned(v, by=1j, plus=(-1.5 - 2j), d: 'complex64' = 2):
    return v*by + plus*d


def phases(i, x, y, z, c=-2j, d: complex = 1):
    y[i] = turned(x[i])
    z[i] = turned(x[i], d=c) + turned(x[i], d)


def cases(case, np, rng):
    a = np.array([1 + 2j, -0.5j])
    case("phases", {"x": a, "y": np.zeros(2, complex), "z": np.zeros(2, complex)},
         expected={"y": a*1j - 3 - 4j, "z": a*1j + (-1.5 - 2j)*-2j + a - 3 - 4j}, stdout="")  # by cplc, which knows defaults
    y = np.array([0.5, 1.25, -3.0, 7.0])
    v = lambda factor, shift, upper, twice: np.minimum((y*factor + shift)*(2 if twice else 1), upper)
    case("names", {"x": np.zeros(4), "y": y}, {"a": np.int32(2)},
         expected={"x": v(2, -1, 1e3, True) + v(3, -1, 4, True) + v(2, 2, 1e3, False)})
    case("lists", {"x": np.zeros(4), "y": y}, {"n": np.int32(4), "name": np.int32(0), "what": np.int32(0), "make": np.int32(0), "bound": np.int32(1)},
         expected={"x": y*4 + 1})
