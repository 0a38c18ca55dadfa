# Complex numbers: arithmetic, conversions and functions as NumPy and cmath have them.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import cmath
import numpy as np
from compyle.api import annotate, declare

UNIT = 1j
POINT = -0.5 + 0.25j*2
SCALED = POINT/UNIT*complex(2, 1)


def arithmetic(i, z, w, y):
    a = 2*z[i] + 1j
    b = a*z[i] - (3 - 2j)*w[i] - 1
    b += 1.5
    b -= z[i]
    b *= w[i]
    y[i] = -b + 4 - +a


def division(i, z, w, y):
    y[i] = z[i]/w[i] + w[i]/4 + 1/w[i] + (2 + 1j)/w[i]


def powers(i, z, y):
    y[i] = z[i]**2 + z[i]**3 - z[i]**0 + z[i]**-1


def parts(i, z, y):
    y[i] = z[i].real - 2*z[i].imag + z[i].conjugate().imag
    if z[i] == 1 + 2j:
        y[i] += 1000
    if z[i] != 0:
        y[i] += 100
    if z[i] == 3:
        y[i] += 10000


def casts(i, z, x, y):
    y[i] = cast(z[i], 'complex64') + cast(x[i], 'complex128') - cast(1, complex).imag


def made(i, x, y):
    s = 0.0
    for k in range(4):
        s += complex(x[i], k)
        s *= 0.5
    t = s if x[i] > 0 else 0
    v = declare('complex128')
    m = declare('matrix(3, "complex128")')
    for k in range(3):
        m[k] = t*k
    v = m[2] + complex(x[i])
    y[i] = v + m[1]


def stored(i, z, w):
    w[i] = z[i]
    w[i].real = w[i].real + 1
    w[i].imag *= 2


def scaled(i, a, z, w):
    w[i] = a*z[i] + POINT - SCALED
    a += z[i]
    w[i] += a*UNIT


@annotate(a=complex)
def given(i, a, y):
    y[i] = a.real - a.imag


def square(v):
    return v*v


def whole(z, n, y):
    s = 0j
    for k in range(n):
        s += square(z[k])
    y[0] = s


def product(z, a, n):
    s = 1 + 0j
    for k in range(n):
        s *= z[k]
    if a == 2j:
        return a
    return s + a


def kind(v):
    if isinstance(v, complex):
        return 2
    if isinstance(v, (int, bool)):
        return 0
    return 1


def kinds(i, z, x, y):
    y[i] = 100*kind(z[i]) + 10*kind(x[i]) + kind(i)


def absolute(i, z, y):
    y[i] = abs(z[i])


def exponential(i, z, y):
    y[i] = np.exp(z[i])


def logarithm(i, z, y):
    y[i] = np.log(z[i])


def root(i, z, y):
    y[i] = np.sqrt(z[i])


def root_of_number(i, x, y):
    y[i] = cmath.sqrt(x[i])


def sine(i, z, y):
    y[i] = np.sin(z[i]) + cmath.cos(z[i])


def hyperbolic(i, z, y):
    y[i] = np.tanh(z[i]) + cmath.sinh(z[i]) - np.cosh(z[i])


def large(i, z, s, c, sh, ch, e):
    s[i] = np.sin(z[i])
    c[i] = np.cos(z[i])
    sh[i] = np.sinh(z[i])
    ch[i] = np.cosh(z[i])
    e[i] = np.exp(z[i])


def sides(i, z, r, l, l10, t, th, p):
    r[i] = cmath.sqrt(z[i])
    l[i] = np.log(z[i])
    l10[i] = cmath.log10(z[i])
    t[i] = np.tan(z[i])
    th[i] = np.tanh(z[i])
    p[i] = np.angle(z[i])


def tangent(i, z, y):
    y[i] = cmath.tan(z[i])


def angle(i, z, y):
    y[i] = cmath.phase(z[i])


def polar(i, x, y):
    y[i] = cmath.rect(2.0, x[i])


def around(i, z, y):
    r, phi = cmath.polar(z[i])
    y[i] = cmath.rect(r, phi)


def general(i, z, w, y):
    y[i] = z[i]**w[i] + z[i]**0.5


def of_zero(i, z, w, y):
    y[i, 0] = z[i]**w[i]
    y[i, 1] = (z[i] - z[i])**w[i].real


ROOTS = (1, 1j, -1, -1j)
PAIRS = [[0.5 + 0.25j, 2], [ROOTS[1]*2, complex(1, -1)]]


def tables(i, z, y):
    s = ROOTS[1]*z[i] + PAIRS[0][0]
    for r in ROOTS:
        s += r*z[i] if r else r
    for a in range(2):
        s += PAIRS[a][i % 2]*ROOTS[(i + a) % 4]
    y[i] = s


def truth(i, z, w, y):
    both = z[i] and w[i]
    y[i] = both + (z[i] or w[i] or 2)
    if both and not (z[i] - w[i]):
        y[i] += 8
    elif not z[i]:
        y[i] += 16
    while both:
        both -= both
        y[i] += 32
    y[i] += (64 if z[i] else 128j) + (w[i] and 256)


SMALL = [0, 1, 1 + 2j, -1, -2j, 3, 0.5 - 0.25j, -4 + 3j, 1e-3j, 2 + 2j]


def arms(i, z, y):
    y[i] = square(1j if z[i].real > 0 else -2j) + (2j if z[i].imag > 0 else 3)*z[i]


def cases(case, np, rng):
    numbers(case, np)
    widths(case, np, rng)
    for dtype, real in (("complex128", "float64"), ("complex64", "float32")):
        z = np.array(SMALL, dtype)
        w = (rng.integers(1, 5, 10) + 1j*rng.integers(-4, 4, 10)).astype(dtype)
        empty, x = np.zeros(10, dtype), rng.integers(-4, 5, 10).astype(real)
        b = (((2*z + 1j)*z - (3 - 2j)*w - 1) + 1.5 - z)*w
        case("arithmetic", {"z": z, "w": w, "y": empty}, expected={"y": (-b + 4 - (2*z + 1j)).astype(dtype)})
        case("tables", {"z": z, "y": empty}, expected=None)
        u = w.copy()
        u[1:9:2] = z[1:9:2]
        u[0] = u[2] = 0
        case("truth", {"z": z, "w": u, "y": empty}, expected=None)
        case("stored", {"z": z, "w": empty}, expected={"w": (z.real + 1 + 2j*z.imag).astype(dtype)})
        case("parts", {"z": z, "y": x}, expected={"y": (z.real - 3*z.imag + 1000*(z == 1 + 2j) + 100*(z != 0) + 10000*(z == 3)).astype(real)})
        case("arms", {"z": z, "y": empty},
             expected={"y": (np.where(z.real > 0, -1, -4) + np.where(z.imag > 0, 2j, 3)*z).astype(dtype)})
        case("kinds", {"z": z, "x": x, "y": x}, expected={"y": np.full(10, 210, real)})
        case("product", {"z": w[:2]}, {"a": "1-1j", "n": 2}, form="function", result=f"({(w[0]*w[1]).real + 1:g}{(w[0]*w[1]).imag - 1:+g}j)")
        case("product", {"z": w[:2]}, {"a": "2j", "n": 2}, form="function", result="(0+2j)")
        case("whole", {"z": w, "y": np.zeros(1, dtype)}, {"n": 10}, {"y": np.array([(w.astype("complex128")**2).sum()], dtype)}, form="function")
        point = -0.5 + 0.5j
        scaled = point/1j*(2 + 1j)
        w2 = (2 - 1j)*z + point - scaled + (2 - 1j + z)*1j
        for a in ("2-1j", f"(2-1j):{dtype}"):
            case("scaled", {"z": z, "w": empty}, {"a": a}, {"w": w2.astype(dtype)})
        case("given", {"y": x}, {"a": "2.5-0.5j"}, {"y": np.full(10, 3, real)})
        case("given", {"y": x}, {"a": "2.5:float64"}, {"y": np.full(10, 2.5, real)})
        s = 0*x + 0j
        for k in range(4):
            s = (s + (x + 1j*k))*0.5
        s = np.where(x > 0, s, 0)
        case("casts", {"z": z, "x": x, "y": empty},
             expected={"y": (z.astype("complex64") + x.astype("complex128")).astype(dtype)})
        case("made", {"x": x, "y": empty}, expected={"y": (2*s + x + s).astype(dtype)})
        numbers_by_parts(case, np, dtype, real)
        near(case, np, rng, dtype, real)
        powers_of_zero(case, np, dtype)
        beyond(case, np, dtype)
        on_axes(case, np, dtype, real)


def of_reals(i, x, k, b, y, n):
    s = 0.5
    y[i] = x[i].real + 10*k[i].real + b[i].real + x[i].imag - (x[i]*k[i]).imag + s.real + n.imag + n.real


def numbers(case, np):
    x, k = np.array([1.5, -2.0, np.inf]), np.array([3, -4, 5], "int32")
    case("of_reals", {"x": x, "k": k, "b": k > 0, "y": np.zeros(3)}, {"n": 7})


def by_parts(i, z, a, y):
    y[i, 0] = z[i]*a[i]
    y[i, 1] = a[i]*z[i]
    y[i, 2] = z[i]/a[i]
    y[i, 3] = z[i] + a[i]
    y[i, 4] = z[i] - a[i]
    y[i, 5] = a[i] - z[i]
    t = z[i]
    t *= a[i]
    t -= 1
    y[i, 6] = t


# NumPy has a + 0j for a, and NaN for the other part of inf*a, 0.0 for a part that is -0.0.
def numbers_by_parts(case, np, dtype, real):
    inf = np.inf
    u = np.array([inf, 1, -0.0, 3, -inf, 2, -0.0, 0.5], real)
    v = np.array([1, -inf, -0.0, -0.0, -2, 5, 7, 0.25], real)
    a = np.array([2, -3, 4, 0.5, 8, inf, -2, -0.0], real)

    def pair(re, im):
        made = np.zeros(len(u), dtype)
        made.real, made.imag = re, im
        return made

    with np.errstate(divide="ignore"):
        rows = [pair(u*a, v*a)]*2 + [pair(u/a, v/a), pair(u + a, v), pair(u - a, v), pair(a - u, -v), pair(u*a - 1, v*a)]
    case("by_parts", {"z": pair(u, v), "a": a, "y": np.zeros((len(u), 7), dtype)}, expected={"y": np.array(rows).T.copy()})


def of_widths(i, z, w, x, u, k, y):
    y[i, 0] = w[i]/z[i]
    y[i, 1] = x[i]/z[i]
    y[i, 2] = z[i]**w[i]
    y[i, 3] = z[i]**x[i]
    y[i, 4] = u[i]/w[i]
    y[i, 5] = k[i]/w[i]


# What is divided or raised is no narrower than the result; an integer is not negated as one.
def widths(case, np, rng):
    z = (rng.normal(size=40) + 1j*rng.normal(size=40)).astype("complex64")
    w, x = rng.normal(size=40) + 1j*rng.normal(size=40), rng.normal(size=40)
    u = rng.integers(2**63, size=40, dtype="uint64")*2 + 1
    k = np.full(40, -2**63)
    rows = [w/z, x/z, z**w, z**x, u/w, k/w]
    case("of_widths", {"z": z, "w": w, "x": x, "u": u, "k": k, "y": np.zeros((40, 6), complex)},
         expected={"y": np.array(rows).T.copy()}, ulps=32)


def near(case, np, rng, dtype, real):
    z = np.concatenate([np.array(SMALL[1:], dtype), (rng.normal(size=40) + 1j*rng.normal(size=40)).astype(dtype)])
    w = (rng.normal(size=49) + 1j*rng.normal(size=49)).astype(dtype)
    x, empty = z.real.copy(), np.zeros(49, dtype)
    wide, wider = z.astype("complex128"), w.astype("complex128")

    def one(name, value, **arrays):
        kind = dtype if value.dtype.kind == "c" else real
        case(name, {**arrays, "y": np.zeros(49, kind)}, expected={"y": value.astype(kind)}, ulps=32)

    one("division", wide/wider + wider/4 + 1/wider + (2 + 1j)/wider, z=z, w=w)
    one("powers", wide**2 + wide**3 - 1 + 1/wide, z=z)
    one("absolute", np.abs(wide), z=z)
    one("exponential", np.exp(wide), z=z)
    one("logarithm", np.log(wide), z=z)
    one("root", np.sqrt(wide), z=z)
    one("root_of_number", np.sqrt(x.astype("complex128")), x=x)
    one("sine", np.sin(wide) + np.cos(wide), z=z)
    one("hyperbolic", np.tanh(wide) + np.sinh(wide) - np.cosh(wide), z=z)
    one("tangent", np.tan(wide), z=z)
    one("angle", np.angle(wide), z=z)
    one("polar", 2*np.cos(x.astype("float64")) + 2j*np.sin(x.astype("float64")), x=x)
    one("around", wide, z=z)
    one("general", wide**wider + wide**0.5, z=z, w=w)


def powers_of_zero(case, np, dtype):
    w = np.array([2, 0.5, -0.5, 1j, 1 - 1j, 0, -2, -1j], dtype)
    nan = complex(np.nan, np.nan)
    first = [0, 0, nan, nan, 0, 1, nan, nan]
    second = [0, 0, nan, 1, 0, 1, nan, 1]
    case("of_zero", {"z": np.zeros(8, dtype), "w": w, "y": np.zeros((8, 2), dtype)},
         expected={"y": np.array([first, second], dtype).T.copy()})


def on_axes(case, np, dtype, real):
    """Both sides of what is cut along an axis, and the signs of zeros there."""
    parts = [0.0, -0.0, 0.5, -0.5, 1, -1, 4, -4]
    z = np.array([complex(a, b) for a in parts for b in parts], dtype)
    with np.errstate(divide="ignore"):
        values = [f(z.astype("complex128")) for f in (np.sqrt, np.log, np.log10, np.tan, np.tanh)]
    expected = dict(zip(("r", "l", "l10", "t", "th"), (v.astype(dtype) for v in values)))
    expected["p"] = np.angle(z.astype("complex128")).astype(real)
    case("sides", {"z": z, **{name: np.full_like(v, 77) for name, v in expected.items()}},
         expected=expected, ulps=32)


def beyond(case, np, dtype):
    most, tiny = (700, 1e-300) if dtype == "complex128" else (88, 1e-37)
    alone = 710.9 if dtype == "complex128" else 89.6  # where exp and cosh overflow, and e**x/8 does not
    parts = [0, -0.0, 1, most, most + 8, -most - 8, 1.9*most, -1e9, tiny, -3, alone, -alone, 0.1, -0.02, 2.9, 1.5]
    z = np.array([complex(a, b) for a in parts for b in parts], dtype)
    values = [f(z.astype("clongdouble")) for f in (np.sin, np.cos, np.sinh, np.cosh, np.exp)]
    names, none = ("s", "c", "sh", "ch", "e"), np.zeros(len(z), dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = {name: value.astype(dtype) for name, value in zip(names, values)}
    case("large", {"z": z, **{name: none for name in names}}, expected=expected, ulps=32)
