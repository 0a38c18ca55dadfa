"""functools.partial wherever a function is given to kernels and algorithms."""

import functools
from functools import partial

import numpy as np
import pytest

import cpl

X = np.arange(1, 6.0)


def mixed(a, b, k):
    return a + b*k


def scaled(i, x, k, shift=0.5):
    return x[i]*k + shift


def put(i, x, k):
    x[i] *= k


def alone(a, *, k):
    return a*k


def apply(f, a):
    return f(a)*2


@pytest.mark.parametrize("made, args", [
    (partial(mixed, k=3), (1.0, 2.0)), (partial(mixed, 1.0), (2.0, 3.0)),
    (partial(mixed, 1.0, k=3), (2.0,)), (partial(partial(mixed, 1.0), k=4), (2.0,)),
    (partial(alone, k=4), (2.0,)), (partial(lambda a, b: a - b, 10), (1.0,)),
    (partial(apply, lambda a: a*a), (3.0,)), (partial(cpl.jit(mixed), k=2), (1.0, 2.0)),
])  # fmt: skip
def test_called(made, args):
    assert cpl.jit(made)(*args) == made(*args)


def test_in_a_kernel():
    by = partial(mixed, k=7)

    @cpl.jit
    def f(a):
        return by(a, 2.0)

    @cpl.jit
    def given(a, g):
        return g(a, 2.0)

    assert f(1.0) == given(1.0, by) == 15
    by = partial(mixed, k=8)
    assert f(1.0) == 17
    by.keywords["k"] = 9
    assert f(1.0) == 19


def test_in_algorithms():
    add = partial(mixed, k=1)
    assert cpl.reduce(add, neutral=0)(X) == 15
    assert cpl.reduce("a + b", map=partial(scaled, k=2))(X) == 2*15 + 5*0.5
    np.testing.assert_array_equal(cpl.scan(add, neutral=0)(X), np.cumsum(X))
    np.testing.assert_array_equal(cpl.sort(X, less=partial(lambda s, a, b: a*s < b*s, -1)), X[::-1])
    x = X.copy()
    triple = cpl.elementwise(partial(put, k=3))
    triple(x)
    np.testing.assert_array_equal(x, 3*X)


def test_changed_keywords():
    made = partial(mixed, 1.0, k=2)
    f = cpl.jit(made)
    assert f(3.0) == 7
    made.keywords["k"] = 5
    assert f(3.0) == 16


@pytest.mark.parametrize("made, said", [
    (partial(lambda *a: a[0], 1.0), "any number of arguments"),
    (partial(mixed, b=1.0), "k goes by its name alone"), (partial(alone), "k goes by its name"),
    (partial(mixed, z=1), "no parameter for z"), (partial(mixed, 1, 2, 3, 4), "so many arguments"),
    (partial(pow, 2.0), "no function that kernels are made of"),
])  # fmt: skip
def test_what_is_refused(made, said):
    with pytest.raises(TypeError, match=said):
        cpl.jit(made)(1.0)


def test_what_is_bound_is_no_number():
    with pytest.raises(cpl.CompileError, match="is a text"):
        cpl.jit(functools.partial(mixed, k="2"))(1.0, 2.0)
