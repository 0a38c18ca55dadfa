# What fast_math computes in place is as exact as said, in lanes, in the rest of a loop and unoptimised, with the same bits; and is what C says at
# zeros, infinities and NaN. Subnormal numbers are zero, which the default mode does not do; nor does what AVX-512 computes by eights.
# REQUIRES: avx2
# RUN: rm -rf %t && mkdir -p %t && %python %S/Inputs/ulp.py %s %t 3
# RUN: %if avx512 %{ %python %S/Inputs/ulp.py %s %t 4 %}


def e(i, a, b, y):
    y[i] = exp(a[i])


def e2(i, a, b, y):
    y[i] = exp2(a[i])


def natural(i, a, b, y):
    y[i] = log(a[i])


def binary(i, a, b, y):
    y[i] = log2(a[i])


def decimal(i, a, b, y):
    y[i] = log10(a[i])


def power(i, a, b, y):
    y[i] = pow(a[i], b[i])


def uniform(i, a, b, y):
    y[i] = pow(a[i], -1.7)


def sine(i, a, b, y):
    y[i] = sin(a[i])


def cosine(i, a, b, y):
    y[i] = cos(a[i])


def cases(np, level):
    rng = np.random.default_rng(7)
    n = 10001  # odd: something is left of the loop
    wide = lambda *parts: np.concatenate(parts)
    exact = lambda f, *args: f(*(v.astype("longdouble") for v in args))
    for t in (np.float64, np.float32):
        info = np.finfo(t)
        tiny, low, high = info.tiny, np.log(info.tiny), np.log(info.max)
        flushed = lambda v: np.where(np.abs(v) < tiny, np.copysign(0, v), v)
        eights = level == "4" and t is np.float64
        kept = (lambda v: v) if eights else flushed
        special = np.array([0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, np.inf, -np.inf, np.nan, info.max, -info.max, info.smallest_subnormal, tiny, -tiny, tiny/2, -tiny/2,
                            2.0**info.nmant, -2.0**(info.nmant + 1) - 2, 7.5, -7.5, 1e-5, -1e-5, high*0.9999, high*1.0001, low*0.9999, low*1.0001, 1e17, -1e17,
                            1 - info.epsneg, 1 + info.eps, info.maxexp - 0.01, info.maxexp, info.minexp, info.minexp - 1, -2000, np.sqrt(0.5), np.sqrt(2)]).astype(t)
        spread = wide(rng.uniform(-1, 1, n), rng.uniform(low, high, n), rng.normal(0, 1e-5, n), special).astype(t)
        positive = wide(np.exp(rng.uniform(low, high, n)), rng.uniform(0.6, 1.6, n), rng.uniform(0, 20, n), special).astype(t)
        none = np.zeros_like
        # powers of two where results begin to be normal and where they end, and are subnormal
        edges = wide(*(e + rng.uniform(-2, 2, 300) for e in (info.minexp, info.maxexp)), rng.uniform(info.minexp - info.nmant - 3, info.minexp, 300),
                    *(e + np.array([-1, -0.5, 0, 0.5, 1])*(1 + s*2.0**-info.nmant) for e in (info.minexp, info.maxexp) for s in (-2, 0, 2)))
        spread2, spread = wide(spread, edges).astype(t), wide(spread, edges*np.log(2)).astype(t)
        yield "e", spread, none(spread), kept(exact(np.exp, spread)), 1.5
        yield "e2", spread2, none(spread2), flushed(exact(np.exp2, spread2)), 1.5
        if t is np.float64:
            for name, f, most in (("natural", np.log, 1.0), ("binary", np.log2, 2.0), ("decimal", np.log10, 2.0)):
                yield name, positive, none(positive), exact(f, np.where(positive < 0, -1, (kept if name == "natural" else flushed)(positive))), most
            half_turns = rng.integers(-2**20, 2**20, n)*(np.pi/2)  # and numbers around those; far ones are libm's
            angles = wide(rng.uniform(-4, 4, n), rng.uniform(-2**40, 2**40, n), half_turns, np.nextafter(half_turns, np.inf), np.ldexp(rng.uniform(-1, 1, n), rng.integers(-1070, 41, n)),
                          np.ldexp(rng.uniform(-1, 1, n), rng.integers(38, 1024, n)), np.exp(rng.uniform(low, high, n)), special)
            for name, f in ("sine", np.sin), ("cosine", np.cos):
                yield name, angles, none(angles), exact(f, angles), 3.0
                ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
                yield name, ends, none(ends), exact(f, ends), 0

        # pow: near and far from 1, where few and many digits of the logarithm count, then every pair of special numbers
        x = wide(np.exp(rng.uniform(low, high, n)), rng.uniform(0.6, 1.6, n), -rng.uniform(0, 20, n)).astype(t)
        y = wide(rng.uniform(-1, 1, n)*30/high, rng.uniform(-30, 30, n), rng.integers(-9, 9, n)).astype(t)
        yield "power", x, y, kept(exact(np.power, x, y)), NEAR[t.__name__]
        x = rng.uniform(0.5, 2, n).astype(t)
        y = (rng.uniform(low, high, n)/np.log(x.astype("float64"))).astype(t)
        yield "power", x, y, kept(exact(np.power, x, y)), 16
        x = np.exp(rng.uniform(-5, 5, len(edges))).astype(t)
        y = (edges/np.log2(x.astype("longdouble"))).astype(t)
        clear = np.abs(exact(np.power, x, y)/tiny - 1) > info.maxexp*info.eps  # what is nearly normal may be 0 or not
        yield "power", x[clear], y[clear], kept(exact(np.power, x, y))[clear], 16
        x, y = (v.ravel() for v in np.meshgrid(special, special))
        want = kept(exact(np.power, kept(x), y))
        want[(not eights) & (np.abs(x) == 1) & ~np.isfinite(y) & ~((x == -1) & np.isnan(y))] = np.nan  # the one exception
        yield "power", x, y, want, 16
        power = np.full(len(positive), -1.7, t)
        yield "uniform", positive, none(positive), kept(exact(np.power, kept(positive), power)), 3


KEPT = ("e", -740.0)  # subnormal but with fast_math
NEAR = {"float64": 2.0, "float32": 4.0}
