"""Programs in Compyle's style: elementwise kernels, reductions and scans on each back end."""

import re
from math import cos, floor, sin, sqrt
from textwrap import dedent

import numpy as np
import pytest
from conftest import BACKENDS

from cpl.compat.compyle.array import wrap, zeros
from cpl.compat.compyle.config import use_config
from cpl.compat.compyle.low_level import Kernel, LID_0, address, atomic_dec, atomic_inc, cast
from cpl.compat.compyle.parallel import Elementwise, Reduction, Scan, elementwise, serial
from cpl.compat.compyle.types import KnownType, annotate, declare, double, doublep, int_

pytestmark = pytest.mark.usefixtures("in_double")
HALF = 0.5
COUNT = 7


def run(function, backend, *args):
    """Calls it with arrays of the back end's, and gives their elements back."""
    given = [wrap(a.copy(), backend=backend) if isinstance(a, np.ndarray) else a for a in args]
    Elementwise(function, backend=backend)(*given)
    return [a.get().copy() for a in given if not isinstance(a, (int, float, np.generic))]


X = np.linspace(-2, 3, 501)


# ---- functions that are called for each index ----


@annotate(double="x, y, return_")
def hypotenuse(x, y):
    return sqrt(x*x + y*y)


@annotate
def squared(x):
    return x*x


@annotate(doublep="x, y", i="int")
def typed_helper(i, x, y):
    y[i] = hypotenuse(x[i], HALF)


@annotate
def jit_helper(i, x, y):
    y[i] = squared(x[i]) + squared(COUNT)


@annotate(doublep="x, y", i="int")
def local_matrix(i, x, y):
    m = declare("matrix((2, 2))")
    k, l = declare("int", 2)
    for k in range(2):
        for l in range(2):
            m[k][l] = x[i]*(k + 2*l)
    y[i] = m[0][1] + m[1][1] - m[1][0]


@annotate(m="doublep", v="double")
def fill_three(m, v):
    j = declare("int")
    for j in range(3):
        m[j] = v + j


@annotate(doublep="x, y", i="int")
def matrix_to_helper(i, x, y):
    m = declare("matrix(3)")
    fill_three(m, x[i])
    y[i] = m[0] + m[1] + m[2]


@annotate(doublep="x, y", i="int")
def undeclared(i, x, y):
    s = 0
    for k in range(3):
        s += x[i]*k
    y[i] = s


@annotate
def early(i, x, y):
    if x[i] < 0:
        y[i] = -1.0
        return
    y[i] = 1.0 if x[i] > 1 else 0.5


@annotate
def skipping(i, x, y):
    s = 0.0
    for k in range(10):
        if k % 2 == 0:
            continue
        if k > 7:
            break
        s += x[i] + k
    y[i] = s


@annotate(doublep="x, y", i="int")
def truncating(i, x, y):
    n = declare("int")
    n = cast(floor(x[i]*10), "int")
    y[i] = n


@annotate(doublep="x, y", i="int")
def through_address(i, x, y):
    p = declare("double*")
    p = address(x[i])
    y[i] = p[0]*2.0


@annotate
def many_loops(i, x, y):
    s = 0.0
    k = 5
    while k > 0:
        s += sin(x[i])*k
        k -= 1
    y[i] = s


def python_3(i: int_, x: doublep, y: doublep, a: double):
    y[i] = cos(x[i])*a


CASES = {
    "typed_helper": (typed_helper, (), np.sqrt(X*X + 0.25)),
    "jit_helper": (jit_helper, (), X*X + 49),
    "local_matrix": (local_matrix, (), X*(2 + 3 - 1)),
    "matrix_to_helper": (matrix_to_helper, (), 3*X + 3),
    "undeclared": (undeclared, (), 3*X),
    "early": (early, (), np.where(X < 0, -1.0, np.where(X > 1, 1.0, 0.5))),
    "skipping": (skipping, (), 4*X + 16),
    "truncating": (truncating, (), np.trunc(np.floor(X*10))),
    "through_address": (through_address, (), 2*X),
    "many_loops": (many_loops, (), 15*np.sin(X)),
    "python_3": (python_3, (3,), 3*np.cos(X)),
}


@pytest.mark.parametrize("name", CASES)
def test_elementwise(name, backend):
    function, more, expected = CASES[name]
    _, y = run(function, backend, X, np.zeros_like(X), *more)
    np.testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-12)


def test_locals_of_functions_with_types_are_double_on_the_host():
    x = np.full(3, 0.1, np.float32)

    @annotate(i="int", floatp="x, y")
    def summed(i, x, y):
        s = 0.0
        for k in range(1000):
            s += x[i]
        y[i] = s

    _, y = run(summed, "cython", x, np.zeros_like(x))
    assert y[0] == np.float32(1000*float(np.float32(0.1)))


def test_numbers_of_functions_without_types_are_double_on_the_host():
    @annotate
    def third(i, x, a):
        x[i] = (a*3 - 1)*1e9

    (x,) = run(third, "cython", np.zeros(2, np.float32), 1/3)
    assert abs(x[0]) < 1e-6  # of float32 29.8


@annotate
def following(i, x):
    if i > 0:
        x[i] = x[i - 1] + 1


def test_types_are_said_first_of_one_name_too():
    @annotate(int="i", doublep="x", a="int")
    def fill(i, x, a):
        x[i] = a

    (x,) = run(fill, "cython", np.zeros(3), 2.5)
    assert x.tolist() == [2, 2, 2]
    for name, of in (("x", "y"), ("int_", "x")):
        with pytest.raises(TypeError, match=f"Unknown type {of}"):
            annotate(**{name: of})


def test_the_host_runs_in_order_without_openmp():
    (x,) = run(following, "cython", np.zeros(100_000))
    assert x.tolist() == list(range(100_000))


@pytest.mark.parametrize("mark", [serial, serial()], ids=["serial", "serial()"])
def test_serial_functions_run_in_order_with_openmp(mark):
    with use_config(use_openmp=True):
        (x,) = run(mark(following), "cython", np.zeros(100_000))
    del following.is_serial
    assert x.tolist() == list(range(100_000))


@pytest.mark.parametrize("schedule", [("static", None), ("guided", 8), ("dynamic", 1)])
def test_schedules_of_openmp(schedule):
    with use_config(use_openmp=True) as config:
        config.omp_schedule = schedule
        _, y = run(jit_helper, "cython", X, np.zeros_like(X))
    np.testing.assert_allclose(y, X*X + 49)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint32, np.uint64, np.float32])
def test_other_types(dtype, backend):
    with use_config():
        x, y = run(squared_into, backend, np.arange(9, dtype=dtype), np.zeros(9, dtype))
    assert y.dtype == dtype and y.tolist() == [k*k for k in range(9)]


@annotate
def squared_into(i, x, y):
    y[i] = squared(x[i])


def test_one_object_with_arguments_of_other_types():
    e = Elementwise(squared_into, backend="cython")
    for dtype in (np.float64, np.int32, np.float64):
        x, y = np.arange(4, dtype=dtype), np.zeros(4, dtype)
        e(*wrap(x, y, backend="cython"))
        assert y.tolist() == [0, 1, 4, 9]


def test_atomics_give_the_value_before(backend):
    @annotate(i="int", gintp="x, n")
    def slots(i, x, n):
        k = declare("int")
        k = atomic_inc(n[0])
        x[k] = i + 1

    x, n = run(slots, backend, np.zeros(1000, np.int32), np.zeros(1, np.int32))
    assert n[0] == 1000 and sorted(x) == list(range(1, 1001))

    @annotate(i="int", gintp="x, n")
    def back(i, x, n):
        k = declare("int")
        k = atomic_dec(n[0])
        x[k - 1] = 7

    x, n = run(back, backend, np.zeros(10, np.int32), np.full(1, 10, np.int32))
    assert n[0] == 0 and set(x) == {7}


def test_globals_are_read_when_they_change(backend):
    global HALF
    x, y = X, np.zeros_like(X)
    e = Elementwise(typed_helper, backend=backend)
    x, y = wrap(x, y, backend=backend)
    e(x, y)
    HALF = 2.0
    try:
        e(x, y)
    finally:
        HALF = 0.5
    np.testing.assert_allclose(y.get(), np.sqrt(X*X + 4))


def test_empty_arrays_are_no_work(backend):
    assert [len(a) for a in run(jit_helper, backend, np.zeros(0), np.zeros(0))] == [0, 0]


def test_keywords_name_parameters():
    x, y = X.copy(), np.zeros_like(X)
    Elementwise(python_3, backend="cython")(x, y=y, a=2.0)
    np.testing.assert_allclose(y, 2*np.cos(X))
    with pytest.raises(TypeError, match="b"):
        Elementwise(python_3, backend="cython")(x, y, 1.0, b=2)


def test_single_precision_of_devices(backend):
    with use_config(use_double=False):
        x, y = wrap(X.copy(), np.zeros_like(X), backend=backend)
        Elementwise(typed_helper, backend=backend)(x, y)
        assert y.dtype == (np.float64 if backend == "cython" else np.float32)
    np.testing.assert_allclose(y.get(), np.sqrt(X*X + 0.25), rtol=1e-6)


# ---- what is refused ----


@pytest.mark.parametrize("wrong, error", [
    (np.zeros(3, np.float32), ValueError), (np.zeros((3, 3)), ValueError), ([0.0], TypeError),
    (3.0, TypeError),
])
def test_arrays_of_typed_functions_are_checked_on_the_host(wrong, error):
    with pytest.raises(error):
        Elementwise(typed_helper, backend="cython")(np.zeros(3), wrong)


def test_counts_of_arguments_are_checked(backend):
    with pytest.raises(TypeError):
        Elementwise(typed_helper, backend=backend)(wrap(X.copy(), backend=backend))


def test_arrays_of_the_host_are_refused_on_devices():
    for backend in BACKENDS[1:]:
        with pytest.raises(TypeError, match="wrap"):
            Elementwise(typed_helper, backend=backend)(X, X)


def test_a_parameter_without_a_type_is_refused():
    @annotate(i="int", x="doublep")
    def lacking(i, x, y):
        y[i] = x[i]

    with pytest.raises(Exception, match="lacking: y: no type"):
        Elementwise(lacking, backend="cython")(X, X)


def test_read_only_arrays_are_refused():
    y = np.zeros_like(X)
    y.flags.writeable = False
    with pytest.raises(ValueError):
        Elementwise(typed_helper, backend="cython")(X, y)


# ---- when what is made ----


def test_attributes_come_with_the_first_call(backend):
    e = Elementwise(jit_helper)
    assert e.elementwise is None
    with pytest.raises(AttributeError):
        e.source
    e.set_backend(backend)
    e(*wrap(X.copy(), np.zeros_like(X), backend=backend))
    assert e.backend == backend and e.name == "elwise_jit_helper"
    assert "jit_helper" in e.source and len(e.all_source) > len(e.source)
    assert "source" in dir(e)
    e.set_backend(None)
    assert e.elementwise is None


def test_the_decorator_keeps_name_and_text():
    @elementwise(backend="cython")
    @annotate
    def documented(i, x):
        """What it does."""
        x[i] = 2

    assert documented.__name__ == "documented" and documented.__doc__ == "What it does."
    x = np.zeros(3)
    documented(x)
    assert x.tolist() == [2, 2, 2]


# ---- reductions ----


@annotate(i="int", doublep="x, y", return_="double")
def product(i, x, y):
    return x[i]*y[i]


@annotate
def larger(i, x, a):
    return 1 if x[i] > a else 0


REDUCTIONS = {
    "sum": (("a+b",), (), X.sum()),
    "least": (("min(a, b)", None, np.float64, "INFINITY"), (), -2.0),
    "greatest": (("max(a, b)", None, np.float64, "-INFINITY"), (), 3.0),
    "product": (("a*b", None, np.float64, "1"), (), np.prod(X)),
    "mapped": (("a+b", product), (X,), X @ X),
    "counted": (("a+b", larger, np.int32), (1.0,), 200),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reduction(name, backend):
    said, more, expected = REDUCTIONS[name]
    r = Reduction(*said, backend=backend)
    given = [wrap(a.copy(), backend=backend) if isinstance(a, np.ndarray) else a
             for a in (X, *more)]
    value = r(*given)
    np.testing.assert_allclose(value, expected, rtol=1e-12, atol=1e-12)
    assert type(value) is (np.ndarray if backend != "cython" else
                           int if name == "counted" else float)
    assert r.name == ("reduce" if len(said) == 1 or said[1] is None
                      else f"reduce_{said[1].__name__}")


def test_reductions_of_one_function_differ(backend):
    x = wrap(X.copy(), backend=backend)
    for op, neutral, expected in (("a+b", "0", 200), ("max(a, b)", "0", 1), ("min(a,b)", "1", 0)):
        r = Reduction(op, larger, np.int32, neutral, backend=backend)
        assert r(x, 1.0) == expected


def test_a_reduction_of_nothing_is_neutral(backend):
    x = wrap(np.zeros(0), backend=backend)
    assert Reduction("a+b", backend=backend)(x) == 0.0


def test_reductions_check_arrays_on_the_host():
    with pytest.raises(ValueError):
        Reduction("a+b", backend="cython")(np.zeros(3, np.int32))


# ---- scans ----


@annotate
def value(i, x):
    return x[i]


@annotate(i="int", x="intp", return_="int")
def typed_value(i, x):
    return x[i]


@annotate
def store(i, item, y):
    y[i] = item


@annotate(int="i, item, prev_item, last_item, N", gintp="y, z")
def store_all(i, item, prev_item, last_item, N, y, z):
    y[i] = item
    z[i] = prev_item
    if i == N - 1:
        z[0] = last_item


@pytest.mark.parametrize("openmp", [False, True])
def test_scan(backend, openmp):
    with use_config(use_openmp=openmp, use_double=True):
        x, y = wrap(X.copy(), np.zeros_like(X), backend=backend)
        Scan(value, store, "a+b", backend=backend)(x=x, y=y)
    np.testing.assert_allclose(y.get(), np.cumsum(X), rtol=1e-12, atol=1e-12)


def test_all_that_a_scan_knows(backend):
    data = np.arange(1, 1001, dtype=np.int32)
    x, y, z = wrap(data, np.zeros_like(data), np.zeros_like(data), backend=backend)
    Scan(typed_value, store_all, dtype=np.int32, backend=backend)(x=x, y=y, z=z)
    sums = np.cumsum(data)
    assert (y.get() == sums).all() and (z.get()[1:] == sums[:-1]).all() and z.get()[0] == sums[-1]


@annotate
def begins(i, flags):
    return flags[i]


@annotate
def store_before(i, item, prev_item, y, before):
    y[i] = item
    before[i] = prev_item


@pytest.mark.parametrize("openmp", [False, True])
def test_segments(backend, openmp):
    rng = np.random.default_rng(1)
    data = rng.integers(0, 9, 20_000).astype(np.int32)
    flags = (rng.random(data.size) < 0.01).astype(np.int32)
    with use_config(use_openmp=openmp):
        x, f, y, b = wrap(data, flags, np.zeros_like(data), np.zeros_like(data), backend=backend)
        Scan(value, store_before, "a+b", begins, np.int32, backend=backend)(
            x=x, flags=f, y=y, before=b)
    expected, total = [], 0
    for v, flag in zip(data, flags):
        total = v if flag else total + v
        expected.append(total)
    assert y.get().tolist() == expected
    inside = flags == 0
    inside[0] = False
    assert (b.get()[inside] == y.get()[:-1][inside[1:]]).all()
    assert (b.get()[~inside] == 0).all()  # neutral where one begins


def test_a_scan_for_the_greatest(backend):
    x, y = wrap(np.sin(X*9), np.zeros_like(X), backend=backend)
    scan = Scan(value, store, "max(a, b)", neutral="-INFINITY", backend=backend)
    scan(x=x, y=y)
    assert (y.get() == np.maximum.accumulate(x.get())).all()
    assert scan.name == "scan_value"


def test_a_scan_without_a_function_for_its_input(backend):
    x, y = wrap(X.copy(), np.zeros_like(X), backend=backend)
    Scan(output=store, scan_expr="a+b", backend=backend)(input=x, y=y)
    np.testing.assert_allclose(y.get(), np.cumsum(X), rtol=1e-12, atol=1e-12)


def test_what_a_scan_lacks_is_said():
    scan = Scan(value, store, backend="cython")
    with pytest.raises(ValueError, match="y not found"):
        scan(x=X)
    with pytest.raises(TypeError):
        scan(X, X)
    typed = Scan(typed_value, store_all, dtype=np.int32, backend="cython")
    with pytest.raises(ValueError, match="y, z not found"):
        typed(x=np.zeros(3, np.int32))

    def plain(i: int_, x: doublep) -> double:
        return x[i]

    def kept(i: int_, item: double, y: doublep):
        y[i] = item

    with pytest.raises(KeyError, match="y not found"):  # as in Compyle, where nothing is inferred
        Scan(plain, kept, backend="cython")(x=X)
    with pytest.raises(KeyError, match="input not found"):
        Scan(output=store, backend="cython")(y=X)
    with pytest.raises(ValueError, match="y not found"):
        Scan(output=store, backend="cython")(input=X)
    with pytest.raises(KeyError, match="y, z not found"):
        Scan(output=store_all, dtype=np.int32, backend="cython")(input=np.zeros(3, np.int32))
    with pytest.raises(AttributeError):
        Scan(value, backend="cython")(x=X)


def test_scans_ignore_what_they_do_not_know(backend):
    x, y = wrap(X.copy(), np.zeros_like(X), backend=backend)
    Scan(value, store, backend=backend)(x=x, y=y, unknown=3)
    np.testing.assert_allclose(y.get(), np.cumsum(X), rtol=1e-12, atol=1e-12)


def test_known_types_are_types_too(backend):
    known = KnownType("double*", "double")

    @annotate(i="int", x=known, y=known)
    def copied(i, x, y):
        y[i] = x[i]

    _, y = run(copied, backend, X, np.zeros_like(X))
    assert (y == X).all()


def test_a_counter_of_bins(backend):
    @annotate(i="int", x="gdoublep", counts="gintp", bins="int")
    def count(i, x, counts, bins):
        k, old = declare("int", 2)
        k = cast(floor((x[i] + 2)/5*bins), "int")
        if k >= bins:
            k = bins - 1
        old = atomic_inc(counts[k])

    x, counts = wrap(X.copy(), np.zeros(10, np.int32), backend=backend)
    Elementwise(count, backend=backend)(x, counts, np.int32(10))
    expected = np.bincount(np.minimum(np.floor((X + 2)/5*10).astype(int), 9), minlength=10)
    assert counts.get().tolist() == expected.tolist()
    assert zeros(3, np.int32, backend=backend).get().tolist() == [0, 0, 0]


@annotate
def shifted(x, n):
    y = x + n
    return y


def test_sources_have_the_text_and_the_types(backend):
    @annotate(i="int", x="doublep", n="int")
    def moved(i, x, n):
        """Moves it."""
        x[i] = shifted(x[i], n)  # by n

    e = Elementwise(moved, backend=backend)
    e(wrap(X.copy(), backend=backend), 3)
    assert e.source == dedent(f"""\
        # elwise_moved, for {backend}
        # Functions as they are written, callers first, under the types that they were compiled for.

        # moved(i: int32, x: float64[], n: int32) -> void
        @annotate(i="int", x="doublep", n="int")
        def moved(i, x, n):
            \"""Moves it.\"""
            x[i] = shifted(x[i], n)  # by n

        # shifted(x: float64, n: int32) -> float64
        #   y: float64
        @annotate
        def shifted(x, n):
            y = x + n
            return y
        """)
    assert e.all_source.startswith(e.source + "\ncir 1\n")


def test_sources_of_algorithms_have_their_functions_alone(backend):
    @annotate
    def element(i, x):
        return x[i]

    @annotate
    def into(i, x, item, prev_item):
        x[i] = item + prev_item

    r = Reduction("max(a, b)", map_func=element, neutral="-INFINITY", backend=backend)
    s = Scan(element, into, "a+b", backend=backend)
    x = wrap(X.copy(), backend=backend)
    r(x)
    s(x=x)
    assert r.source.startswith(f"# reduce_element, for {backend}: max(a, b), from -INFINITY on\n")
    for text, names in (r.source, ["element"]), (s.source, ["element", "into"]):
        assert re.findall(r"^def (\w+)", text, re.M) == names
        assert re.findall(r"^# (\w+)\(", text, re.M) == names
    plain = Reduction("a+b", backend=backend)
    plain(x)
    assert "def " not in plain.source and "cir 1" in plain.all_source


def test_sources_are_printed_on_request(monkeypatch, capsys):
    @annotate
    def f(i, x):
        x[i] = 2

    @annotate(x="gdoublep")
    def g(x):
        x[LID_0] = 3

    x = wrap(np.zeros(1000), backend="cython")
    monkeypatch.setenv("COMPYLE_DEBUG", "1")
    for called in Elementwise(f, backend="cython"), Kernel(g, backend="cython"):
        called(x)
        said = capsys.readouterr().out
        assert said.startswith(called.source) and "func " in said
        called(x)
        assert not capsys.readouterr().out
