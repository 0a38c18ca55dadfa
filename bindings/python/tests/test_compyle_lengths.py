"""Arrays that end before the first one does: told of where a kernel comes to that, else as good as
any."""

import numpy as np
import pytest

import cpl
from cpl.compat.compyle import reach
from cpl.compat.compyle.array import wrap
from cpl.compat.compyle.low_level import address, atomic_inc, cast
from cpl.compat.compyle.parallel import Elementwise, Reduction, Scan
from cpl.compat.compyle.types import annotate, declare

pytestmark = pytest.mark.usefixtures("in_double")


@annotate
def copy(i, x, y):
    y[i] = x[i]


@annotate(i="int", doublep="x, y")
def copy_typed(i, x, y):
    y[i] = x[i]


@annotate
def put(y, at, value):
    y[at + 1] = value


@annotate
def through_helper(i, x, y):
    j = 2*i
    put(y, j, x[i])


@annotate
def through_pointer(i, x, y):
    p = declare("doublep")
    p = address(y[0])
    for k in range(i, i + 1):
        p[k] = x[i]


@annotate
def first_three(i, x, y):
    if i < 3:
        y[i] = x[i]


@annotate
def constant(i, x, y):
    x[i] += y[0] + y[2]


@annotate
def by_key(i, x, y, key):
    k = declare("matrix(1, 'int')")
    k[0] = cast(key[i], "int")
    y[k[0]] = 4.0


@annotate
def by_choice(i, x, y):
    y[1 if i > 5 else 0] = 3.0


@annotate
def counted(i, x, y):
    k = declare("int")
    k = atomic_inc(y[i // 4])


@annotate
def again(n, i, y):
    if n > 0:
        again(n - 1, i, y)
    y[i] = 0


@annotate
def recurring(i, x, y):
    again(2, i, y)


REACHED = {
    copy: {"x", "y"}, copy_typed: {"x", "y"}, through_helper: {"x", "y"},
    through_pointer: {"x", "y"}, first_three: {"x", "y"}, constant: {"x"}, by_key: {"key"},
    by_choice: set(), counted: {"y"}, recurring: {"y"},
}


@pytest.mark.parametrize("function", REACHED, ids=lambda f: f.__name__)
def test_what_a_kernel_indexes_by_its_index(function):
    assert reach.reached([function], ()) == REACHED[function]


def run(function, backend, *args):
    given = wrap(*args, backend=backend)
    e = Elementwise(function, backend=backend)
    e(*given)
    return e, given


@pytest.mark.parametrize("function", [copy, copy_typed, through_helper, through_pointer],
                         ids=lambda f: f.__name__)
def test_short_arrays_are_told_of(function, backend):
    with pytest.raises(IndexError) as caught:
        run(function, backend, np.ones(10), np.zeros(3))
    said = str(caught.value)
    assert "is out of bounds of" in said and "which has 3 elements" in said
    assert f"elwise_{function.__name__}() was given arrays of 10 of 'x', 3 of 'y'" in said


def test_nothing_is_written_behind_their_end():
    memory = np.zeros(8)
    with pytest.raises(cpl.BoundsError):
        run(copy, "cython", np.ones(8), memory[:3])
    assert memory[3:].tolist() == [0]*5


def test_what_is_indexed_otherwise_may_be_short(backend):
    e, (_, y) = run(first_three, backend, np.ones(10), np.zeros(3))
    assert y.get().tolist() == [1, 1, 1]
    key = (np.arange(10) % 3).astype(np.int32)
    for function, more, expected in ((constant, (), [0, 0, 0]), (by_key, (key,), [4, 4, 4]),
                                     (by_choice, (), [3, 3, 0])):
        e, given = run(function, backend, np.ones(10), np.zeros(3), *more)
        assert given[1].get().tolist() == expected
        assert "_checked" not in vars(e.elementwise)  # and costs nothing


@annotate
def product(i, x, y):
    return x[i]*y[i]


@annotate
def value(i, x):
    return x[i]


@annotate
def store(i, item, y):
    y[i] = item


@annotate
def store_total(i, item, N, y):
    if i == N - 1:
        y[0] = item


def test_reductions_and_scans_tell_too(backend):
    x, y = wrap(np.ones(10), np.zeros(3), backend=backend)
    with pytest.raises(IndexError, match="reduce_product.. was given arrays of 10 of 'x', 3 of"):
        Reduction("a+b", product, backend=backend)(x, y)
    with pytest.raises(IndexError, match="scan_value.. was given arrays of 10 of 'x', 3 of 'y'"):
        Scan(value, store, backend=backend)(x=x, y=y)
    with pytest.raises(IndexError, match="10 of 'input', 3 of 'y'"):
        Scan(output=store, backend=backend)(input=x, y=y)
    y = wrap(np.zeros(3), backend=backend)
    Scan(value, store_total, backend=backend)(x=x, y=y)
    assert y.get().tolist() == [10, 0, 0]
