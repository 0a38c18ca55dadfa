"""NumPy's functions of arrays by their names here, given what becomes an array: lists, tuples,
numbers and arrays of NumPy's, on the host and where the thread's `with` says."""

import numpy as np
import pytest
from conftest import DEVICES
from test_array_functions import same

import cpl

ROW, TABLE, BOOLS = [3.0, 1.0, 2.0, 2.0], [[3, 1], [2, 2]], [True, False, True, True]
OF_ANY = ["all", "any", "argmax", "argmin", "argsort", "average", "clip", "count_nonzero", "cumprod",
          "cumsum", "cumulative_prod", "cumulative_sum", "flatnonzero", "flip", "iscomplex",
          "isneginf", "isposinf", "isreal", "max", "mean", "median", "min", "nan_to_num",
          "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian",
          "nanmin", "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar",
          "ones_like", "percentile", "prod", "ptp", "quantile", "repeat", "round", "std", "sum",
          "tile", "var", "zeros_like", "full_like", "expand_dims", "roll", "unique"]
OF_ROWS = ["argwhere", "diff", "nonzero", "sort", "sort_complex", "trapezoid", "partition",
           "argpartition"]
OF_TABLES = ["diag_indices_from", "diagonal", "matrix_transpose", "rollaxis", "trace",
             "tril_indices_from", "triu_indices_from", "fliplr", "flipud"]
MORE = {"clip": (1, 2), "expand_dims": (0,), "full_like": (7,), "partition": (1,),
        "argpartition": (1,), "percentile": (30,), "nanpercentile": (30,), "quantile": (0.3,),
        "nanquantile": (0.3,), "repeat": (2,), "roll": (1,), "rollaxis": (1,), "tile": (2,)}
ONLY_OF_ARRAYS = ("diag_indices_from", "rollaxis", "tril_indices_from", "triu_indices_from")


def call(name, x, given):
    if not hasattr(np, name):
        pytest.skip(f"this NumPy has no {name}")
    of_numpy = np.asarray(x) if name in ONLY_OF_ARRAYS else x
    expected = getattr(np, name)(of_numpy, *MORE.get(name, ()))
    same(getattr(cpl, name)(given(x), *MORE.get(name, ())), expected, exact=False)


@pytest.mark.parametrize("given", [lambda x: x, tuple, np.array], ids=["list", "tuple", "numpy"])
@pytest.mark.parametrize("x", [ROW, [3, 1, 2]], ids=["floats", "ints"])
@pytest.mark.parametrize("name", [*OF_ANY, *OF_ROWS])
def test_of_lists(name, x, given):
    call(name, x, given)


@pytest.mark.parametrize("name", ["all", "any", "argmax", "count_nonzero", "cumsum", "diff", "flip",
                                  "max", "mean", "nonzero", "prod", "repeat", "sort", "std", "sum"])
def test_of_bools(name):
    call(name, BOOLS, lambda x: x)


@pytest.mark.parametrize("given", [lambda x: x, np.array], ids=["list", "numpy"])
@pytest.mark.parametrize("name", OF_TABLES)
def test_of_tables(name, given):
    call(name, TABLE, given)


@pytest.mark.parametrize("x", [2.5, 3, np.float32(1.5), np.int16(-3), np.array(4.0)], ids=repr)
@pytest.mark.parametrize("name", OF_ANY)
def test_of_numbers(name, x):
    call(name, x, lambda x: x)


@pytest.mark.parametrize("place", DEVICES)
def test_lists_go_where_the_thread_says(place):
    with cpl.device(place):
        for made, expected in ((cpl.sum(ROW, keepdims=True), [8]), (cpl.cumsum(ROW), [3, 4, 6, 8]),
                               (cpl.diff([1, 4]), [3]), (cpl.flip(np.array(ROW)), [2, 2, 1, 3])):
            assert made.device is cpl.device(place)
            np.testing.assert_array_equal(made.numpy(), expected)


def test_conditions_in_rows():
    given = [np.array(BOOLS), ~np.array(BOOLS)]
    same(cpl.piecewise(ROW, np.array(given), [1, 2]), np.piecewise(ROW, given, [1, 2]))


@pytest.mark.parametrize("name", ["diff", "nonzero", "cumulative_sum"])
def test_what_has_no_dimension_or_too_many(name):
    x = TABLE if name == "cumulative_sum" else 3
    with pytest.raises(ValueError) as expected:
        getattr(np, name)(x)
    with pytest.raises(ValueError) as found:
        getattr(cpl, name)(x)
    assert str(found.value)[:20] == str(expected.value)[:20]


def test_what_becomes_no_array_of_numbers():
    for bad in (["a", "b"], object(), [None]):
        with pytest.raises(TypeError):
            cpl.sum(bad)
    with pytest.raises(ValueError, match="inhomogeneous"):
        cpl.cumsum([[1, 2], [3]])


@pytest.mark.parametrize("x", [np.zeros(3), [0.0, 0.0, 0.0]], ids=["numpy", "list"])
def test_what_is_written_is_an_array_of_ours(x):
    for name, call in {
        "putmask": lambda: cpl.putmask(x, [True, False, True], 1),
        "place": lambda: cpl.place(x, [True, False, True], 1),
        "put_along_axis": lambda: cpl.put_along_axis(x, np.array([0]), 1, 0),
    }.items():
        with pytest.raises(TypeError, match=rf"{name}\(\) writes to a cpl.ndarray, not to "):
            call()
    with pytest.raises(TypeError, match="out= takes a cpl.ndarray, not "):
        cpl.cumsum(np.ones(3), out=x)
    assert list(x) == [0, 0, 0]


def test_masks_are_not_lost():
    masked = np.ma.array([1.0, 2], mask=[False, True])
    for call in (cpl.sum, cpl.asarray, cpl.array, lambda x: cpl.concatenate([x, x]),
                 lambda x: cpl.where(x > 1, x, 0), lambda x: cpl.zeros(2) + x,
                 lambda x: cpl.zeros(2).__setitem__(..., x), lambda x: cpl.ones(2)*np.ma.masked):
        with pytest.raises(TypeError, match="masked array, whose mask"):
            call(masked)
    assert cpl.sum(masked.data) == 3 and cpl.sum(masked.filled(5)) == 6
