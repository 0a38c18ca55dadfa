"""The cases that are timed: arguments, sizes, and what NumPy makes of them."""
import numpy as np

IN, OUT, INOUT = "in", "out", "inout"


class Array:
    """An argument. An output is given by what it holds before the first run."""

    def __init__(self, kind, data):
        self.kind, self.data = kind, np.ascontiguousarray(data)


class Case:
    """One row of the table for each of sizes = {label: n}. entry: the name that the peers know it by."""

    def __init__(self, name, arguments, expected, sizes, small, entry=None, kernel=None, tolerance=1e-12, loose=0.0, view=None):
        self.name, self.arguments, self.expected, self.sizes, self.small = name, arguments, expected, sizes, small
        self.kernel = kernel or name         # in kernels.py
        self.entry = entry or self.kernel    # in the peers
        self.tolerance = tolerance           # of the largest number expected
        self.loose = loose                   # share of the elements that may be off
        self.view = view or (lambda x: x)    # what of an output is compared

    def check(self, arguments, results):
        """None, or what is wrong with results: one array per output, in order."""
        for number, (want, got) in enumerate(zip(self.expected(arguments), map(self.view, results), strict=True)):
            if want.shape != got.shape:
                return f"output {number} has {got.size} elements"
            wide = want.astype(np.float64)
            with np.errstate(invalid="ignore"):
                good = np.abs(got - wide) <= self.tolerance*np.abs(wide).max()
            if np.mean(~good) > self.loose:
                at = int(np.argmin(good))
                return f"output {number}[{at}] is {got[at]}, not {want[at]}"
        return None


def ramp(n, low, high, dtype=np.float64):
    """Numbers from low to high, in an order that no branch predictor learns."""
    return np.random.default_rng(1).uniform(low, high, n).astype(dtype)


def axpb(n):
    return [Array(IN, ramp(n, -8, 8)), Array(OUT, np.zeros(n)), 2.5, 1.0]


def gauss(n):
    return [Array(IN, ramp(n, -3, 3)), Array(OUT, np.zeros(n))]


def saxpy(n):
    return [Array(IN, ramp(n, 0, 1, np.float32)), Array(INOUT, ramp(n, 1, 2, np.float32)), 1e-6]


def triad(n):
    return [Array(OUT, np.zeros(n)), Array(IN, ramp(n, 0, 1)), Array(IN, ramp(n, 1, 2)), 3.0]


def powlog(n):
    return [Array(IN, ramp(n, 0.01, 20)), Array(OUT, np.zeros(n)), 1.7]


def vortex(n, dtype=np.float64):
    points = np.random.default_rng(2).uniform(0, 1, (3, n)).astype(dtype)
    return [*(Array(IN, p) for p in points), Array(OUT, np.zeros(n, dtype)), Array(OUT, np.zeros(n, dtype)), n, 1e-4]


def vortex_expected(arguments):
    x, y, strength = (a.data.astype(np.float64) for a in arguments[:3])
    u, v = np.empty_like(x), np.empty_like(x)
    for begin in range(0, len(x), 256):
        part = slice(begin, begin + 256)
        dx, dy = x[part, None] - x, y[part, None] - y
        s = strength/(dx*dx + dy*dy + arguments[6])
        u[part], v[part] = -(dy*s).sum(axis=1), (dx*s).sum(axis=1)
    return [u, v]


def julia(n):
    side = int(n**0.5)
    im, re = np.meshgrid(np.linspace(-1.5, 1.5, side), np.linspace(-1.5, 1.5, n//side), indexing="ij")
    n = re.size
    return [Array(OUT, np.zeros(n)), Array(IN, re.ravel()), Array(IN, im.ravel()), 0.7885*np.cos(3.0), 0.7885*np.sin(3.0)]


def julia_expected(arguments):
    x, y = arguments[1].data.copy(), arguments[2].data.copy()
    k = np.zeros(len(x))
    for _ in range(50):
        inside = x*x + y*y < 400.0
        k += inside
        t = np.where(inside, x*x - y*y + arguments[3], x)
        y = np.where(inside, 2.0*x*y + arguments[4], y)
        x = t
    return [1.0 - 0.02*k]


def forces(n):
    """Particles near the points of a square grid, numbered by rows; neighbours are those nearer than 2.3."""
    side = int(n**0.5)
    n = side*side
    row, column = np.divmod(np.arange(n), side)
    shift = np.random.default_rng(3).uniform(-0.2, 0.2, (2, n))
    x, y = column + shift[0], row + shift[1]
    near = np.zeros((n, 48), bool)
    other = np.zeros((n, 48), np.int32)
    steps = [(r, c) for r in range(-3, 4) for c in range(-3, 4) if (r, c) != (0, 0)]
    for slot, (r, c) in enumerate(steps):
        valid = (row + r >= 0) & (row + r < side) & (column + c >= 0) & (column + c < side)
        j = np.where(valid, np.arange(n) + r*side + c, 0)
        near[:, slot] = valid & ((x - x[j])**2 + (y - y[j])**2 < 2.3**2)
        other[:, slot] = j
    start = np.concatenate([[0], np.cumsum(near.sum(axis=1))]).astype(np.int32)
    return [*(Array(IN, a) for a in (x, y, start, other[near])), Array(OUT, np.zeros(n)), Array(OUT, np.zeros(n))]


def forces_expected(arguments):
    x, y, start, index = (a.data for a in arguments[:4])
    i = np.repeat(np.arange(len(x)), np.diff(start))
    dx, dy = x[i] - x[index], y[i] - y[index]
    r2 = 1.0/(dx*dx + dy*dy)
    f = 24.0*r2*r2**3*(2.0*r2**3 - 1.0)
    return [np.bincount(i, f*dx, len(x)), np.bincount(i, f*dy, len(x))]


def histogram(n):
    values = np.random.default_rng(4).integers(0, 1024, n, dtype=np.int32)
    return [Array(IN, values), Array(INOUT, np.zeros(1024, np.int32))]


def matrices(n):
    side = int(n**0.5)
    return [Array(IN, ramp(n, 0, 1, np.float32)), Array(IN, ramp(n, 1, 2, np.float32)), Array(OUT, np.zeros(n, np.float32)), side]


def product_expected(arguments):
    a, b = (x.data.reshape(arguments[3], -1).astype(float) for x in arguments[:2])
    return [(a @ b).ravel()]


def numbers(n, dtype, places, *more):
    """An array and others, then places for that many results of float64."""
    return [Array(IN, ramp(n, 0, 1, dtype)), *more, *(Array(OUT, np.zeros(k)) for k in places)]


def best_expected(arguments):
    x = arguments[0].data
    return [np.array([x.min(), x.argmin()], np.float64)]


def scanned(n, dtype=np.float64):
    data = np.random.default_rng(5).integers(-9, 10, n).astype(dtype)
    return [Array(IN, data), Array(OUT, np.zeros(n, dtype))]


def segments_expected(arguments):
    x = arguments[0].data
    sums = np.cumsum(x)
    starts = np.arange(len(x))//100*100
    return [sums - np.where(starts > 0, sums[starts - 1], 0)]


def affine_expected(arguments):
    """y[i] = y[i - 1]/2 + x[i]; what lies 60 back is lost in rounding."""
    x = arguments[0].data
    return [np.convolve(x, 0.5**np.arange(60))[:len(x)]]


def kept(n):
    return [Array(IN, ramp(n, 0, 1)), Array(OUT, np.zeros(n)), Array(OUT, np.zeros(1, np.int64))]


def kept_expected(arguments):
    x = arguments[0].data
    found = x[x > 0.5]
    return [np.concatenate([found, np.zeros(len(x) - len(found))]), np.array([len(found)])]


def moments(x):
    return np.array([x.mean(), x.std(), (x[1:]*x[:-1]).mean()])


def drawn(name, entry, wanted):
    """Peers draw other numbers, of the same distribution."""
    return algorithm(f"{name} f64", lambda n: [Array(OUT, np.zeros(n))], lambda a: [np.array(wanted)], streams(1 << 15, 1 << 24),
                     f"random:{name}", entry, tolerance=0.1, view=moments)


def some_keys(n, dtype):
    """Of all bits; floats are spread over some powers of two."""
    rng = np.random.default_rng(6)
    return rng.normal(size=n).astype(dtype) if np.dtype(dtype).kind == "f" else rng.integers(0, np.iinfo(dtype).max, n, dtype, True)


def sorted_from(keys):
    return [Array(IN, keys), Array(OUT, np.zeros_like(keys))]


def nearly_sorted(n):
    keys = np.arange(n, dtype=np.uint32)
    some = np.random.default_rng(7).integers(0, n, n//100)
    keys[some] = keys[some[::-1]]
    return sorted_from(keys)


def few_keys(n):
    return sorted_from(np.random.default_rng(7).integers(0, 16, n).astype(np.uint32)*np.uint32(0x10204081))


def pairs(n):
    keys, values = some_keys(n, np.uint32), np.arange(n, dtype=np.uint32)
    return [Array(IN, keys), Array(IN, values), Array(OUT, np.zeros_like(keys)), Array(OUT, np.zeros_like(values))]


def pairs_expected(arguments):
    order = np.argsort(arguments[0].data, kind="stable")
    return [arguments[0].data[order], arguments[1].data[order]]


def keys_expected(arguments):
    return [np.sort(arguments[0].data)]


def taken(n, *types):
    """Arrays of these types, by random indices, of all of which memory is far away."""
    index = np.random.default_rng(8).integers(0, n, n, dtype=np.int32)
    return [Array(IN, index), *(Array(IN, ramp(n, 0, 99, t)) for t in types), *(Array(OUT, np.zeros(n, t)) for t in types)]


def taken_expected(arguments):
    half = len(arguments)//2
    return [a.data[arguments[0].data] for a in arguments[1:half + 1]]


def points(n):
    cells = np.random.default_rng(9).integers(0, n//10, n, dtype=np.int32)
    return [Array(IN, cells), Array(OUT, np.zeros(n, np.int32)), Array(OUT, np.zeros(n//10 + 1, np.int32))]


def points_expected(arguments):
    cells = arguments[0].data
    return [np.argsort(cells, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=len(cells)//10))])]


def sort(name, make, kernel="sort:", entry="sort_keys", expected=keys_expected):
    return algorithm(name, make, expected, streams(1 << 10, 1 << 24), kernel, entry, tolerance=0.0)


def algorithm(name, make, expected, sizes, kernel, entry, **more):
    return Case(name, make, expected, sizes, 1000, kernel=kernel, entry=entry, **more)


def streams(cache, memory):
    return {"cache": cache, "memory": memory}


CASES = [
    Case("a*sin(x)+b", axpb, lambda a: [a[2]*np.sin(a[0].data) + a[3]], streams(1 << 15, 1 << 24), 1000, kernel="axpb"),
    Case("exp(-x^2)/sqrt(1+x^2)", gauss, lambda a: [np.exp(-a[0].data**2)/np.sqrt(1 + a[0].data**2)],
         streams(1 << 15, 1 << 24), 1000, kernel="gauss"),
    Case("saxpy f32", saxpy, lambda a: [a[1].data + np.float32(a[2])*a[0].data], streams(1 << 16, 1 << 24), 1000, kernel="saxpy",
         tolerance=1e-6),
    Case("triad f64", triad, lambda a: [a[1].data + a[3]*a[2].data], streams(1 << 15, 1 << 24), 1000, kernel="triad"),
    Case("x^a*log(x+1)", powlog, lambda a: [a[0].data**a[2]*np.log(a[0].data + 1)], streams(1 << 15, 1 << 23), 1000, kernel="powlog"),
    Case("vortex f64", vortex, vortex_expected, {"10^3": 1000, "10^4": 10000}, 300, kernel="vortex"),
    Case("vortex f32", lambda n: vortex(n, np.float32), vortex_expected, {"10^3": 1000, "10^4": 10000}, 300, kernel="vortex",
         entry="vortex_f32", tolerance=1e-3),
    Case("Julia set", julia, julia_expected, {"128^2": 1 << 14, "1024^2": 1 << 20}, 1024, kernel="julia", loose=2e-3),
    Case("neighbour list", forces, forces_expected, streams(64*64, 1024*1024), 1024, kernel="forces"),
    Case("histogram i32", histogram, lambda a: [np.bincount(a[0].data, minlength=1024)], streams(1 << 15, 1 << 22), 1000,
         kernel="histogram", tolerance=0.0),
    Case("matrix product f32", matrices, product_expected, {"256^2": 1 << 16, "1024^2": 1 << 20}, 1024, kernel="grid:matmul",
         entry="matmul", tolerance=1e-4),
    algorithm("sum f32", lambda n: [Array(IN, ramp(n, 0, 1, np.float32)), Array(OUT, np.zeros(1, np.float32))],
              lambda a: [np.array([a[0].data.sum(dtype=float)])],
              streams(1 << 16, 1 << 25), "reduce:a+b", "sum_f32", tolerance=1e-4),
    algorithm("sum f64", lambda n: numbers(n, np.float64, [1]), lambda a: [np.array([a[0].data.sum()])],
              streams(1 << 15, 1 << 24), "reduce:a+b", "sum_f64"),
    algorithm("min f64", lambda n: numbers(n, np.float64, [1]), lambda a: [np.array([a[0].data.min()])],
              streams(1 << 15, 1 << 24), "reduce:min(a,b)", "min_f64"),
    algorithm("argmin f64", lambda n: numbers(n, np.float64, [2]), best_expected, streams(1 << 15, 1 << 24),
              "reduce:better:numbered:nobody", "argmin_f64"),
    algorithm("dot f64", lambda n: numbers(n, np.float64, [1], Array(IN, ramp(n, 1, 2))),
              lambda a: [np.array([a[0].data @ a[1].data])], streams(1 << 15, 1 << 24), "reduce:a+b:product", "dot_f64"),
    algorithm("sum, min, max f64", lambda n: numbers(n, np.float64, [1, 1, 1]),
              lambda a: [np.array([f(a[0].data)]) for f in (np.sum, np.min, np.max)], streams(1 << 15, 1 << 24),
              "reduce:a+b;min(a,b);max(a,b)", "three_f64"),
    algorithm("scan i32", lambda n: scanned(n, np.int32), lambda a: [np.cumsum(a[0].data, dtype=np.int32)],
              streams(1 << 16, 1 << 24), "scan:a+b", "scan_i32"),
    algorithm("scan f64", scanned, lambda a: [np.cumsum(a[0].data)], streams(1 << 15, 1 << 24), "scan:a+b", "scan_f64"),
    algorithm("scan max f64", scanned, lambda a: [np.maximum.accumulate(a[0].data)], streams(1 << 15, 1 << 24),
              "scan:max(a,b)", "scan_max_f64"),
    algorithm("scan segmented f64", scanned, segments_expected, streams(1 << 15, 1 << 24), "scan:a+b:::hundreds",
              "segmented_f64"),
    algorithm("scan affine f64", scanned, affine_expected, streams(1 << 15, 1 << 24), "scan:behind:still:decay::shown",
              "affine_f64"),
    drawn("uniform", "uniform_f64", [1/2, 1/12**0.5, 1/4]),
    drawn("normal", "normal_f64", [0.0, 1.0, 0.0]),
    algorithm("compaction f64", kept, kept_expected, streams(1 << 15, 1 << 24), "scan:a+b:0:wanted::packed", "compact_f64"),
    algorithm("compact f64", kept, kept_expected, streams(1 << 15, 1 << 24), "compact:large", "compact_f64"),
    algorithm("take f64", lambda n: taken(n, np.float64), taken_expected, streams(1 << 15, 1 << 24), "take:", "take_f64", tolerance=0.0),
    algorithm("align f64, f32, i32", lambda n: taken(n, np.float64, np.float32, np.int32), taken_expected, streams(1 << 15, 1 << 24),
              "take:", "align_three", tolerance=0.0),
    algorithm("cells i32", points, points_expected, streams(1 << 15, 1 << 20), "cells:", "cells_i32", tolerance=0.0),
    sort("sort u32", lambda n: sorted_from(some_keys(n, np.uint32))),
    sort("sort u64", lambda n: sorted_from(some_keys(n, np.uint64))),
    sort("sort f64", lambda n: sorted_from(some_keys(n, np.float64))),
    sort("sort u32 nearly sorted", nearly_sorted),
    sort("sort u32 few keys", few_keys),
    sort("sort u32 with u32", pairs, entry="sort_pairs", expected=pairs_expected),
    sort("select f64", lambda n: [Array(IN, some_keys(n, np.float64)), Array(OUT, np.zeros(n//100 + 1))], "select:", "select_f64",
         lambda a: [np.sort(a[0].data)[:len(a[0].data)//100 + 1]]),
]
