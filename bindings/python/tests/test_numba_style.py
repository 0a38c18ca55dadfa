"""Kernels as users of Numba write them, plain functions with loops of their own, against NumPy; and
what the language does not take yet, which is refused with its place."""

import math
import sys
import types

import numpy as np
import pytest

import cpl

pi = math.pi


# --- one dimension, an array for results ---


@cpl.jit
def double(x, out):
    for i in range(len(x)):
        out[i] = 2*x[i]


@cpl.jit
def sine(x, out):
    for i in range(x.shape[0]):
        out[i] = math.sin(x[i]) + np.cos(pi*x[i])


@cpl.jit
def clip(x, low, high, out):
    for i in range(len(x)):
        if x[i] < low:
            out[i] = low
        elif x[i] > high:
            out[i] = high
        else:
            out[i] = x[i]


@cpl.jit
def backwards(x, out):
    n = len(x)
    for i in range(n - 1, -1, -1):
        out[n - 1 - i] = x[i]


@cpl.jit
def reverse_in_place(x):
    n = len(x)
    for i in range(n//2):
        x[i], x[n - 1 - i] = x[n - 1 - i], x[i]


@cpl.jit
def running_mean(x, width, out):
    for i in range(len(x) - width + 1):
        s = 0.0
        for k in range(width):
            s += x[i + k]
        out[i] = s/width


@cpl.jit
def cumulative(x, out):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        out[i] = s


@cpl.jit
def difference(x, out):
    for i in range(1, len(x)):
        out[i - 1] = x[i] - x[i - 1]


@cpl.jit
def histogram(x, low, high, counts):
    scale = len(counts)/(high - low)
    for i in range(len(x)):
        if low <= x[i] < high:
            counts[int((x[i] - low)*scale)] += 1


@cpl.jit
def insertion_sort(x):
    for i in range(1, len(x)):
        v = x[i]
        k = i - 1
        while k >= 0 and x[k] > v:
            x[k + 1] = x[k]
            k -= 1
        x[k + 1] = v


@cpl.jit
def sieve(is_prime):
    n = len(is_prime)
    for i in range(n):
        is_prime[i] = i >= 2
    i = 2
    while i*i < n:
        if is_prime[i]:
            for k in range(i*i, n, i):
                is_prime[k] = False
        i += 1


@cpl.jit
def polynomial(coefficients, x, out):
    for i in range(len(x)):
        s = 0.0
        for k in range(len(coefficients)):
            s = s*x[i] + coefficients[k]
        out[i] = s


@cpl.jit
def interpolate(at, xs, ys, out):
    for i in range(len(at)):
        low = 0
        high = len(xs) - 1
        while high - low > 1:
            middle = (low + high)//2
            if xs[middle] > at[i]:
                high = middle
            else:
                low = middle
        t = (at[i] - xs[low])/(xs[high] - xs[low])
        out[i] = (1 - t)*ys[low] + t*ys[high]


# --- numbers as results ---


@cpl.jit
def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


@cpl.jit
def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i]*y[i]
    return s


@cpl.jit
def variance(x):
    mean = 0.0
    m2 = 0.0
    for i in range(len(x)):
        d = x[i] - mean
        mean += d/(i + 1)
        m2 += d*(x[i] - mean)
    return m2/len(x)


@cpl.jit
def place_of_largest(x):
    best = 0
    for i in range(1, len(x)):
        if x[i] > x[best]:
            best = i
    return best


@cpl.jit
def by_numpy(x, y):
    return np.dot(x, y)*np.argmax(x) + y.argmin()


@cpl.jit
def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            break
    else:
        return -1
    return i


@cpl.jit
def count_nan(x):
    n = 0
    for i in range(len(x)):
        if not np.isnan(x[i]):
            continue
        n += 1
    return n


@cpl.jit
def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@cpl.jit
def bits(n):
    count = 0
    while n:
        count += n & 1
        n >>= 1
    return count


@cpl.jit
def root(x):
    r = x
    for _ in range(100):
        better = 0.5*(r + x/r)
        if abs(better - r) <= 1e-15*r:
            break
        r = better
    return r


@cpl.jit
def all_positive(x):
    for i in range(len(x)):
        if x[i] <= 0:
            return False
    return True


# --- two dimensions and more ---


@cpl.jit
def table(a):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = 10*i + j


@cpl.jit
def sum_of_rows(a, out):
    n, m = a.shape
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += a[i, j]
        out[i] = s


@cpl.jit
def product(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k]*b[k, j]
            c[i, j] = s


@cpl.jit
def transpose(a, out):
    for i in range(len(a)):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]


@cpl.jit
def trace(a):
    s = 0.0
    for i in range(min(a.shape[0], a.shape[1])):
        s += a[i, i]
    return s


@cpl.jit
def relax(u, out):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            out[i, j] = 0.25*(u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])


@cpl.jit
def volume(a):
    s = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                s += a[i, j, k]
    return s


@cpl.jit
def distances(points, out):
    for i in range(points.shape[0]):
        for j in range(points.shape[0]):
            d2 = 0.0
            for k in range(points.shape[1]):
                d = points[i, k] - points[j, k]
                d2 += d*d
            out[i, j] = math.sqrt(d2)


# --- with helpers ---


def norm(x, y):
    return math.hypot(x, y)


def in_disc(x, y, r):
    return norm(x, y) <= r


@cpl.jit
def is_odd(n):
    return n % 2 == 1


@cpl.jit
def in_circle(x, y):
    n = 0
    for i in range(len(x)):
        if in_disc(x[i], y[i], 1.0):
            n += 1
    return 4*n/float(len(x))


@cpl.jit
def sum_of_odd(x):
    s = 0
    for i in range(len(x)):
        if is_odd(x[i]):
            s += x[i]
    return s


def step(re, im, c):
    return re*re - im*im + c


@cpl.jit
def mandelbrot(out, most):
    n, m = out.shape
    for i in range(n):
        for j in range(m):
            cre = -2 + 3.0*j/m
            cim = -1.5 + 3.0*i/n
            re = 0.0
            im = 0.0
            k = 0
            while k < most and re*re + im*im <= 4:
                re, im = step(re, im, cre), 2*re*im + cim
                k += 1
            out[i, j] = k


def numpy_mandelbrot(shape, most):
    n, m = shape
    c = (-2 + 3.0*np.arange(m)/m) + 1j*(-1.5 + 3.0*np.arange(n)/n)[:, None]
    z, k = np.zeros(shape, complex), np.zeros(shape, np.int32)
    for _ in range(most):
        inside = abs(z) <= 2
        k[inside] += 1
        z[inside] = z[inside]**2 + c[inside]
    return k


def julia(z, c, most, out):
    for i in range(z.shape[0]):
        for j in range(z.shape[1]):
            w = z[i, j]
            k = 0
            while k < most and abs(w) <= 2:
                w = w*w + c
                k += 1
            out[i, j] = k


rng = np.random.default_rng(1)
X, Y = rng.standard_normal(101), rng.standard_normal(101)
A, B = rng.standard_normal((7, 5)), rng.standard_normal((5, 9))
XS = np.sort(rng.random(20))
AT = rng.uniform(XS[0], XS[-1], 50)
N = np.arange(-50, 51)
PRIMES = np.array([n > 1 and all(n % d for d in range(2, n)) for n in range(200)])


def laid_out(u):
    wanted = np.zeros_like(u)
    wanted[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
    return wanted


FILLED = [  # the kernel, its arguments, how the one that it fills begins, which is last, and ends
    (double, (X,), np.zeros(101), 2*X),
    (double, (N,), np.zeros(101, int), 2*N),
    (sine, (X,), np.zeros(101), np.sin(X) + np.cos(np.pi*X)),
    (clip, (X, -1.0, 0.5), np.zeros(101), np.clip(X, -1, 0.5)),
    (backwards, (X,), np.zeros(101), X[::-1]),
    (reverse_in_place, (), X.copy(), X[::-1]),
    (running_mean, (X, 5), np.zeros(97), np.convolve(X, np.ones(5)/5, "valid")),
    (cumulative, (X,), np.zeros(101), np.cumsum(X)),
    (difference, (X,), np.zeros(100), np.diff(X)),
    (histogram, (X, -2.0, 2.0), np.zeros(8, int), np.histogram(X, 8, (-2, 2))[0]),
    (insertion_sort, (), X.copy(), np.sort(X)),
    (sieve, (), np.zeros(200, bool), PRIMES),
    (polynomial, (np.array([2.0, -1, 3]), X), np.zeros(101), np.polyval([2, -1, 3], X)),
    (interpolate, (AT, XS, XS**2), np.zeros(50), np.interp(AT, XS, XS**2)),
    (table, (), np.zeros((4, 6)), np.add.outer(10*np.arange(4), np.arange(6))),
    (sum_of_rows, (A,), np.zeros(7), A.sum(axis=1)),
    (product, (A, B), np.zeros((7, 9)), A @ B),
    (product, (B.T, A.T), np.zeros((9, 7)), B.T @ A.T),
    (transpose, (A,), np.zeros((5, 7)), A.T),
    (relax, (A,), np.zeros((7, 5)), laid_out(A)),
    (distances, (A,), np.zeros((7, 7)), np.linalg.norm(A[:, None] - A, axis=2)),
]

RETURNED = [
    (total, (X,), X.sum()),
    (total, (X[::-2],), X[::-2].sum()),
    (total, (np.empty(0),), 0.0),
    (dot, (X, Y), X @ Y),
    (variance, (X,), X.var()),
    (place_of_largest, (X,), X.argmax()),
    (by_numpy, (X, Y), X @ Y*X.argmax() + Y.argmin()),
    (first_above, (X, 1.5), np.flatnonzero(X > 1.5)[0]),
    (first_above, (X, 1e9), -1),
    (count_nan, (np.where(X > 1, np.nan, X),), np.sum(X > 1)),
    (greatest_divisor, (2**40*9, 2**35*15), 2**35*3),
    (bits, (2**50 + 77,), 5),
    (root, (2.0,), math.sqrt(2)),
    (all_positive, (X,), False),
    (all_positive, (X*X,), True),
    (trace, (A,), np.trace(A)),
    (volume, (np.arange(24.0).reshape(2, 3, 4),), 276.0),
    (in_circle, (X, Y), 4*np.mean(np.hypot(X, Y) <= 1)),
    (sum_of_odd, (N,), N[N % 2 == 1].sum()),
]


def test_there_are_many():
    kernels = {case[0].__name__ for case in FILLED + RETURNED}
    assert len(kernels) >= 25


@pytest.mark.parametrize("case", range(len(FILLED)), ids=lambda k: FILLED[k][0].__name__)
def test_arrays_are_filled(case):
    kernel, arguments, before, wanted = FILLED[case]
    out = before.copy()
    before_them = [np.copy(a) for a in arguments]
    assert kernel(*arguments, out) is None
    np.testing.assert_allclose(out, wanted, rtol=1e-12, atol=1e-13)
    for a, b in zip(arguments, before_them):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("case", range(len(RETURNED)), ids=lambda k: RETURNED[k][0].__name__)
def test_numbers_are_returned(case):
    kernel, arguments, wanted = RETURNED[case]
    result = kernel(*arguments)
    np.testing.assert_allclose(result, wanted, rtol=1e-12)
    assert isinstance(result, bool) == isinstance(wanted, bool)


def test_several_targets_and_a_helper():
    out = np.zeros((30, 40), np.int32)
    mandelbrot(out, 50)
    assert np.mean(out != numpy_mandelbrot(out.shape, 50)) < 0.01
    assert len(np.unique(out)) > 10


def test_the_same_in_python():
    """What is decorated stays what it is without the compiler."""
    for kernel, arguments, before, wanted in FILLED[:6]:
        out = before.copy()
        kernel.__wrapped__(*arguments, out)
        np.testing.assert_allclose(out, wanted, rtol=1e-12)


# --- several values: tuples, private arrays, lambdas ---


WEIGHTS = (0.25, 0.5, 0.25)
ROWS = ((1, 2), (3, 4.5))


def weighted(x, k):
    return WEIGHTS[k]*x, WEIGHTS[-1]


def apply(f, x):
    return f(x)


@cpl.jit
def several_values(x, out):
    for i in range(len(x)):
        t = np.zeros(3)
        u = [x[i], 1.0]
        for k in range(3):
            t[k], rest = weighted(x[i], k)
            u[1] += rest
        for w in WEIGHTS:
            u[0] += w
        out[i] = t[0] + 10*t[1] + apply(lambda v: v*WEIGHTS[1], u[1]) + u[0] + ROWS[1][1]


def test_several_values():
    x = np.arange(5.0)
    out = np.zeros(5)
    several_values(x, out)
    np.testing.assert_allclose(out, 0.25*x + 5*x + 0.5*1.75 + x + 1 + 4.5)


def test_a_tuple_of_numbers_is_what_it_is_at_the_call(monkeypatch):
    x, out = np.ones(3), np.zeros(3)
    several_values(x, out)
    before = out.copy()
    monkeypatch.setitem(globals(), "ROWS", ((1, 2), (3, 5.5)))
    several_values(x, out)
    np.testing.assert_allclose(out, before + 1)


NODES = np.array([-0.5, 0.0, 0.5])
WIDE = np.array([[1, 2, 3], [4, 5, 6]], np.int16)
FACTORS = [1.0, 2.0, 4.0]


def plain_tables(x, out):
    for i in range(len(x)):
        s = 0.0
        for k in range(len(NODES)):
            s += NODES[k]*FACTORS[k]
        for v in NODES:
            s += v
        for r in range(WIDE.shape[0]):
            for c in range(WIDE.shape[1]):
                s += WIDE[r, c]*x[i]
        out[i] = s + FACTORS[-1] + NODES.size + WIDE.size + np.max(WIDE) + (0.5 in NODES)


by_tables = cpl.jit(plain_tables)


def test_arrays_and_lists_of_the_module():
    x, out, wanted = np.arange(3.0), np.zeros(3), np.zeros(3)
    by_tables(x, out)
    plain_tables(x, wanted)
    np.testing.assert_allclose(out, wanted)


def test_an_array_of_the_module_has_its_type():
    @cpl.jit
    def wide(x):
        return x[0] + NODES[0]*2.0**-40

    assert wide(np.ones(1, np.float32)) == 1 - 2.0**-41


def test_what_is_assigned_to_them_counts():
    x, out, wanted = np.ones(2), np.zeros(2), np.zeros(2)
    for change in (
        lambda: NODES.__setitem__(0, 7.0),
        lambda: FACTORS.__setitem__(1, 3),
        lambda: FACTORS.append(9.5),
        lambda: WIDE.__setitem__((1, 1), -5),
    ):
        by_tables(x, out)
        change()
        by_tables(x, out)
        plain_tables(x, wanted)
        np.testing.assert_allclose(out, wanted)


def test_tables_of_closures():
    def weighted(weights):
        @cpl.jit
        def apply(k):
            return weights[k]

        return apply

    assert weighted(np.array([5, 7]))(1) == 7
    assert weighted([5.5, 7])(0) == 5.5
    with pytest.raises(cpl.CompileError, match="'weights' is an array of NumPy") as raised:
        weighted(np.zeros(257))(1)
    assert "up to 256 in a list or array" in raised.value.__notes__[0]
    with pytest.raises(cpl.CompileError, match="'weights' is a list, which"):
        weighted(["a"])(0)


def writes_a_table(x):
    NODES[0] = x[0]


def test_tables_are_not_written():
    with pytest.raises(cpl.CompileError, match="'NODES' is a constant, whose elements are not"):
        cpl.jit(writes_a_table)(np.ones(2))


# --- what is refused ---


def over_elements(x):
    s = 0.0
    for v in 2*x:  # refused: runs over range
        s += v
    return s


def numbered(x):
    s = 0.0
    for i, v in enumerate(2*x):  # refused: runs over range
        s += i*v
    return s


def in_pairs(x, y):
    for a, b in zip(x, 2*y):  # refused: runs over range
        x[0] += a*b


def in_threes(x, y):
    for a, b, c in zip(x, y):  # refused: runs over range
        x[0] += a*b*c


def allocated(x):
    out = np.empty(len(x))  # refused: the sizes of a private array
    return out[0]


def whole(x):
    return np.median(x)  # refused: 'np.median' is not known


def method(x):
    return x.trace()  # refused: float64[] has no method 'trace'


def along(x):
    return np.max(x, axis=0)  # refused: 'max' takes no keyword arguments


def sliced(x):
    return x[1:]  # refused: this slice is not supported here


def from_the_end(x):
    return x[-1]  # refused: index -1 is negative


def by_a_mask(x):
    return x[x > 1]  # refused: an index must be an integer, found a comparison of


def attribute(x):
    return x.ndim  # refused: has no field 'ndim'


def several(x):
    return x[0], x[1]  # refused: cannot return a tuple


def listed(x):
    a = []  # refused: empty lists are not supported
    return a[0]


def looked_up(x):
    d = {}  # refused: dictionaries are not supported
    return d[x[0]]


def comprehended(x):
    return sum([v for v in x])  # refused: comprehensions are not supported


def caught(x):
    try:  # refused: 'try' is not supported
        return 1/x[0]
    except ZeroDivisionError:
        return 0


def raised(x):
    raise ValueError("no")  # refused: 'raise' is not supported


def printed(x):
    print(x)  # refused: print takes numbers and literal texts


def as_complex(x):
    x[0] = 1j*x[0]  # refused: an element of 'x' is float64 and cannot take complex128


def multiplied(x, y):
    return x @ y  # refused: '@' is not supported


def optional(x):
    if x is None:  # refused: None is not a value
        return 0
    return 1


def yielded(x):
    yield x[0]  # refused: generators are not supported


def inner(x):
    def add(v):
        return v + w
    y = add(x[0])  # refused: 'w' is read before it is assigned
    w = 1.0
    return y


def anonymous(x):
    add = lambda v: v + 1  # refused: is assigned more than once  # noqa: E731
    add = x[0]
    return add


def to_another(x):
    def call(f):
        return f(x[0])
    return call(lambda v: v*x[1])  # refused: stands as an argument of what is no function of


def texts(x):
    return "text"  # refused: a string stands only


def again(x):
    return 1 if x[0] < 2 else x[0]*again(x)  # refused: calls itself


def sums(x):
    return np.sum(x) + 10*sum(x) + 100*x[1:].sum()


def within(x, a, out):
    scale = lambda v, w=2.0: v*a*w  # noqa: E731

    def total(f, n):
        s = 0.0
        for k in range(n):
            s += f(x[k])
        return s
    for i in range(len(x)):
        out[i] = scale(x[i]) + total(math.sqrt, i + 1) + apply(lambda v: v*a, x[i])


def test_functions_inside_of_functions():
    x, out, wanted = np.array([1.0, 2, 4]), np.zeros(3), np.zeros(3)
    cpl.jit(within)(x, 0.5, out)
    within(x, 0.5, wanted)
    assert np.array_equal(out, wanted)


def folds(x):
    return x.min() + 10*np.max(x) + 100*np.mean(x[1:]) + 1000*x.prod()


def test_arrays_are_taken_together():
    x = np.array([2.0, 1, 4, 3])
    assert cpl.jit(folds)(x) == folds(x)
    assert np.isnan(cpl.jit(folds)(np.array([2.0, np.nan])))


def solved(out, x, n):
    state = np.zeros(3)
    state[:] = x
    for t in range(n):
        out[t, :] = state
        state[:] += 0.5*x
    out[n, :] = out[n - 1, :]*2
    return np.sum(out[:, 1]) + np.max(np.abs(state - x))


def test_rows_are_stored():
    x, out, wanted = np.array([1.0, 2, 4]), np.zeros((4, 3)), np.zeros((4, 3))
    assert cpl.jit(solved)(out, x, 3) == solved(wanted, x, 3)
    assert np.array_equal(out, wanted)


def moved(x):
    x[1:] = x[:-1] + x[:0:-1]  # refused: at other places than it is written at


def pairs(x, y):
    s = 0.0
    for i, v in enumerate(x):
        s += i*v
    for a, b in zip(x, y):
        s += 100*a*b
    return s


def test_loops_over_pairs():
    assert cpl.jit(pairs)(np.array([1.0, 2, 3]), np.array([1.0, 2])) == 8 + 500


def test_sums_of_arrays_are_loops():
    assert cpl.jit(sums)(np.array([1.0, 2, 3, 4])) == 1010


def rows(m):
    s = 0.0
    for v in m[0]:
        s += v
    for i, v in enumerate(m[1][1:]):
        s += i*v
    return s


def test_rows_and_slices_are_looped_over():
    m = np.arange(8.0).reshape(2, 4)
    assert cpl.jit(rows)(m) == rows(m)


def squares(r):
    s = 0.0
    for x in r:
        s += x*x
    return s


def halve(r):
    for k in range(len(r)):
        r[k] /= 2


def of_rows(m):
    c = m[:, 1]
    halve(m[0])
    halve(c)
    return squares(m[1]) + squares(c) + c[0] + min(m[0]) + sum(m[:, 0])


def test_rows_are_arguments():
    m = np.arange(12.0).reshape(3, 4)
    for a in (m.copy(), np.asfortranarray(m), np.arange(48.0).reshape(6, 8)[::2, ::2]):
        wanted = a.copy()
        assert cpl.jit(of_rows)(a) == of_rows(wanted)
        assert np.array_equal(a, wanted)


@cpl.elementwise
def lengths(i, m, out):
    out[i] = squares(m[i]) + squares(m[:, i % 2])


def test_rows_are_arguments_of_each_element():
    m, out = np.arange(6.0).reshape(3, 2), np.zeros(3)
    lengths(m, out)
    assert np.array_equal(out, (m*m).sum(axis=1) + (m*m).sum(axis=0)[[0, 1, 0]])


def written(m, v):
    m[0] = v
    row = m[1]
    last = m[2]
    row[:] = last*2 + row
    m[2] += m[0]
    return m[0, 0]


def test_rows_are_written():
    for m in (np.arange(12.0).reshape(3, 4), np.asfortranarray(np.arange(12.0).reshape(3, 4))):
        wanted = m.copy()
        assert cpl.jit(written)(m, 1.5) == written(wanted, 1.5)
        assert np.array_equal(m, wanted)


def row_from_column(m):
    row = m[0]
    column = m[:, 0]
    row[:] = column  # refused: is read here at other places than it is written at
    return row[0]


def part_of_a_row(m):
    return squares(m[0, 1:])  # refused: this slice is not supported here


def column_as_a_number(m):
    c = m[:, 0]
    return 2*c  # refused: this slice is not supported here


REFUSED = [row_from_column, part_of_a_row, column_as_a_number, over_elements, numbered, in_pairs, in_threes, allocated, whole, method, along, moved,
           sliced, from_the_end, by_a_mask, attribute, several, listed, looked_up, comprehended,
           caught, raised, printed, as_complex, multiplied, optional, yielded, inner, anonymous,
           to_another, texts, again]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_is_refused_is_said_with_its_place(function):
    with open(__file__) as file:
        lines = file.read().split("\n")
    first = function.__code__.co_firstlineno
    line = next(n for n in range(first, first + 9) if "# refused: " in lines[n - 1])
    kernel = cpl.jit(function)
    with pytest.raises(cpl.CompileError) as error:
        kernel(*[np.ones(4) for _ in kernel.parameters])
    e = error.value
    message = lines[line - 1].partition("# refused: ")[2].partition("  # noqa")[0]
    assert message in e.msg
    assert (e.filename, e.lineno) == (__file__, line)
    assert e.text == lines[line - 1] + "\n" and 1 <= e.offset <= len(e.text)


def test_arrays_are_not_returned():
    with pytest.raises(cpl.CompileError, match=r"<lambda>\(\): returns an array; fill one that"):
        cpl.jit(lambda x: x)(np.ones(3))
    assert cpl.jit(lambda x: x[1])(np.arange(3.0)) == 1


# --- names of Numba's own package ---


class Stub(types.ModuleType):
    """What Numba's modules hold is named after where it is defined, as in its own package."""

    def put(self, defined_in, qualname, kind=type):
        name = qualname.rpartition(".")[2]
        thing = kind(name, (), {"__module__": defined_in, "__qualname__": qualname})
        setattr(self, name, thing)
        return thing


class Float:
    def __str__(self):
        return "float32"


Float.__module__ = "numba.core.types.scalars"


@pytest.fixture
def numba(monkeypatch):
    package, cuda = Stub("numba"), Stub("numba.cuda")
    package.put("numba.misc.special", "prange")
    package.put("numba.typed", "List")
    package.float32, package.cuda = Float(), cuda
    for name in ("grid", "syncthreads"):
        cuda.put("numba.cuda.intrinsics", name)
    for name in ("threadIdx", "shared"):
        cuda.put("numba.cuda.stubs", name)
    cuda.shared.array = cuda.put("numba.cuda.stubs", "shared.array")
    monkeypatch.setitem(sys.modules, "numba", package)
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    return package


def test_names_of_numbas_package(numba):
    prange, float32, cuda, grid = numba.prange, numba.float32, numba.cuda, numba.cuda.grid

    def halved(x, out):
        for i in prange(len(x)):
            out[i] = float32(x[i])/2

    def turned(x):
        t = cuda.shared.array(8, numba.float32)
        k = cuda.threadIdx.x
        t[k] = x[grid(1)]
        cuda.syncthreads()
        x[cuda.grid(1)] = t[7 - k]

    def listed(x):
        x[0] = len(numba.typed(x))

    def many(x):
        x[0] = numba.List(x)

    x, out = np.arange(8.0), np.zeros(8)
    cpl.jit(halved)(x, out)
    assert np.array_equal(out, x/2)
    y = np.arange(8, dtype=np.float32)
    cpl.kernel(turned)[8, 8](y)
    assert np.array_equal(y, np.arange(8.0)[::-1])
    for refused in (listed, many):
        with pytest.raises(SyntaxError, match="'numba.*' is not known in kernels"):
            cpl.jit(refused)(x)
