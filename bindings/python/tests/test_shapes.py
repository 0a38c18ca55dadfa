"""Arrays laid out anew and compared, variances and rounding, against NumPy."""

import array
import itertools

import numpy as np
import pytest

import cpl
from conftest import DEVICES, scope_of

A = np.random.default_rng(8).normal(size=(3, 4, 5))
KINDS = [np.float64, np.float32, np.float16, np.int32, np.uint8, np.bool_, np.complex64]

CALLS = {
    "flip": lambda x: np.flip(x), "flip one": lambda x: np.flip(x, 1), "flip two": lambda x: np.flip(x, (0, -1)),
    "roll": lambda x: np.roll(x, 7), "roll back": lambda x: np.roll(x, -2, 1),
    "roll two": lambda x: np.roll(x, (1, 9), (0, 2)), "roll by one": lambda x: np.roll(x, 2, (0, 1)),
    "roll none": lambda x: np.roll(x[:0], 3),
    "expand": lambda x: np.expand_dims(x, 1), "expand two": lambda x: np.expand_dims(x, (0, -1)),
    "outer": lambda x: np.outer(x[0, 0], x[1]), "repeat": lambda x: np.repeat(x, 3),
    "repeat rows": lambda x: np.repeat(x, 2, 1), "repeat never": lambda x: np.repeat(x, 0, -1),
    "vstack": lambda x: np.vstack([x[0], x[1]]), "vstack rows": lambda x: np.vstack([x[0, 0], x[1, 2]]),
    "hstack": lambda x: np.hstack([x[0], x[1]]), "hstack rows": lambda x: np.hstack([x[0, 0], x[1, 2]]),
    "at least one": lambda x: np.atleast_1d(x[0, 0, 0]), "at least two": lambda x: np.atleast_2d(x[0, 0]),
    "append": lambda x: np.append(x, x[0]), "append along": lambda x: np.append(x, x[:1], 0),
    "flipud": lambda x: np.flipud(x), "fliplr": lambda x: np.fliplr(x),
    "tile": lambda x: np.tile(x, 2), "tile more": lambda x: np.tile(x, (2, 1, 3, 1)),
    "tile fewer": lambda x: np.tile(x, (2, 2)),
}


@pytest.mark.parametrize("name", CALLS)
def test_layouts(name):
    for kind in KINDS:
        x = (A*3).astype(kind)
        found, expected = CALLS[name](cpl.array(x)), CALLS[name](x)
        assert isinstance(found, cpl.ndarray) and found.dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected)


def test_flips_and_new_dimensions_are_views():
    x = cpl.array(A)
    cpl.flip(x, 0)[0] = 5
    cpl.expand_dims(x, 0)[0, 0, 0, 0] = 6
    assert x[2, 0, 0].item() == 5 and x[0, 0, 0].item() == 6


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda t: t.__name__)
def test_variances(name, kind):
    x = (A*3).astype(kind)
    call = getattr(np, name)
    for more in ({}, {"axis": 1}, {"axis": (0, 2), "keepdims": True}, {"ddof": 1}, {"axis": -1, "ddof": 1},
                 {"axis": None, "keepdims": True}):
        found, expected = call(cpl.array(x), **more), call(x, **more)
        assert (found.dtype, found.shape) == (expected.dtype, np.shape(expected))
        near = {2: 2e-2, 4: 1e-5}.get(expected.dtype.itemsize, 1e-12)
        np.testing.assert_allclose(found.numpy(), expected, rtol=near)
    assert getattr(cpl.array(x), name)(0).shape == (4, 5)


def test_variances_in_given_places():
    out = cpl.zeros((4, 5))
    assert cpl.std(cpl.array(A), 0, out=out) is out
    np.testing.assert_allclose(out.numpy(), A.std(0))
    np.testing.assert_allclose(cpl.var(cpl.array(A.astype(np.float32)), dtype=float).numpy(), A.var(), rtol=1e-6)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int32, np.uint8])
def test_rounding(kind):
    x = np.array([0.5, 1.5, 2.5, 12.345, 99.99, 150.5]).astype(kind)
    for decimals in (0, 1, 2, -1, -2):
        found, expected = np.round(cpl.array(x), decimals), np.round(x, decimals)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected)
    assert cpl.array(x).round().tolist() == x.round().tolist()


def item_or_error(x, index):
    try:
        return x.item(*index)
    except IndexError:
        return "no such element"
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (0,), (1, 1), (2, 3), (0, 2), (1, 1, 1), (2, 1, 2)])
def test_items(shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape) + 0.5
    x = cpl.array(a)
    numbers = range(-a.size - 1, a.size + 1)
    indices = [(), ((),), *((k,) for k in numbers), *(((k,),) for k in numbers)]
    for n in (2, 3):
        places = list(itertools.product(range(-3, 3), repeat=n))
        indices += places + [(place,) for place in places]
    for index in indices:
        found, expected = item_or_error(x, index), item_or_error(a, index)
        assert found == expected and type(found) is type(expected), index


def test_spans():
    for more in ({}, {"axis": 1}, {"axis": (0, 2), "keepdims": True}):
        np.testing.assert_array_equal(np.ptp(cpl.array(A), **more).numpy(), np.ptp(A, **more))


def test_comparisons_of_whole_arrays():
    a = np.array([1.0, np.inf, -np.inf, np.nan, 0.0, 1e10])
    b = np.array([1 + 1e-9, np.inf, np.inf, np.nan, 1e-9, 1.00001e10])
    x, y = cpl.array(a), cpl.array(b)
    for more in ({}, {"equal_nan": True}, {"rtol": 1e-4}, {"rtol": 0.0, "atol": 0.0}):
        np.testing.assert_array_equal(np.isclose(x, y, **more).numpy(), np.isclose(a, b, **more))
        assert np.allclose(x, y, **more) == np.allclose(a, b, **more)
    assert np.allclose(x[:2], b[:2]) and cpl.allclose(x[0], 1.0)
    assert np.array_equal(x[:2], a[:2]) and not np.array_equal(x, y) and not np.array_equal(x, x[:3])


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex128", "int64"])
def test_close_to_each_other(dtype):
    """Every pair of zeros, near and far numbers, infinities and NaN, and every tolerance."""
    ends = [0.0, -0.0, 1.0, 1 + 1e-9, 1 + 1e-4, -1.0, 3e38, -3e38, np.inf, -np.inf, np.nan]
    if dtype == "complex128":
        ends = [complex(a, b) for a in ends[::2] for b in ends[3::3]]
    if dtype == "int64":
        ends = [0, 1, -1, 100000, 100001, -100000, 2**40]
    a, b = (v.ravel().astype(dtype) for v in np.meshgrid(ends, ends))
    x, y = cpl.array(a), cpl.array(b)
    for rtol, atol in itertools.product((0.0, 1e-5, 1e-3, 2.0, np.inf), repeat=2):
        for equal_nan in (False, True):
            more = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan}
            with np.errstate(all="ignore"):
                expected = np.isclose(a, b, **more)
            found = np.isclose(x, y, **more).numpy()
            assert not (found != expected).any(), (more, a[found != expected], b[found != expected])
    for v in ends:
        with np.errstate(all="ignore"):
            assert (cpl.isclose(x, v).numpy() == np.isclose(a, v)).all(), v
            assert (cpl.isclose(v, y).numpy() == np.isclose(v, b)).all(), v


def test_what_is_refused():
    x = cpl.array(A)
    with pytest.raises(np.exceptions.AxisError):
        cpl.flip(x, 3)
    with pytest.raises(ValueError, match="duplicate"):
        cpl.expand_dims(x, (1, 1))
    with pytest.raises(TypeError, match="complex"):
        np.round(cpl.array([1j]))


@pytest.mark.parametrize("size", [8193, 12288, 100003])
@pytest.mark.parametrize("dtype", ["float64", "float16", "int8", "uint64", "bool"])
def test_first_of_many(size, dtype):
    """Of many elements those of a block alone are looked at twice."""
    draw = np.random.default_rng(size)
    a = (draw.standard_normal(size)*40).astype(dtype)
    for name in ("argmin", "argmax"):
        got = getattr(cpl, name)(cpl.array(a))
        assert got == getattr(np, name)(a) and got.dtype == np.int64, name
    a[:] = 1
    a[[size - 1, size*3//4, 5000]] = 0
    assert cpl.argmin(cpl.array(a)) == 5000
    assert cpl.argmax(cpl.array(a).reshape(1, size), keepdims=True).shape == (1, 1)
    if a.dtype.kind == "f":
        a[[7001, 6000, 8000]] = np.nan, np.nan, np.inf
        assert cpl.argmin(cpl.array(a)) == cpl.argmax(cpl.array(a)) == 6000
    to = cpl.zeros((), "int64")
    assert cpl.argmin(cpl.array(a), out=to) is to and to == np.argmin(a)


def test_elements_are_numbers():
    """x[i] stays what it was when x is written; x[..., i] and x[i:i + 1] are views."""
    for dtype in ("float64", "float16", "int8", "bool", "complex128", "complex64"):
        x = cpl.array(np.array([[0, 1], [2, 3]]).astype(dtype))
        old, other, view = x[0, 1], x[np.int64(1), -1], x[..., 0, 1]
        x[...] = 0
        assert old == 1 and other == np.dtype(dtype).type(3) and view == 0
        assert old.shape == () and old.dtype == dtype
    for device in ("host", *(f"{kind}:0" for kind in DEVICES)):
        x = cpl.array([3.0, 1.0, 2.0], device=device)
        x[0], x[2] = x[2], x[0]
        kept = list(x)
        x += 1
        assert kept == [2, 1, 3] and x.tolist() == [3, 2, 4]


def test_places_along_one_axis():
    x = cpl.array(np.arange(8.0).reshape(2, 2, 2))
    for f in (np.argmin, np.argmax):
        with pytest.raises(TypeError):
            f(x, axis=(0, 1))
    assert [y.shape for y in np.atleast_2d(cpl.array([1, 2]), 3)] == [(1, 2), (1, 1)]


@pytest.mark.parametrize("dtype", ["float64", "float16", "int32", "uint8", "bool"])
@pytest.mark.parametrize("f", [np.sum, np.prod, np.min, np.max, np.all, np.any, np.add.reduce])
def test_some_elements_alone(f, dtype):
    draw = np.random.default_rng(3)
    a, mask = (draw.normal(size=(4, 5))*3).astype(dtype), draw.random((4, 5)) > .4
    first = {} if f in (np.all, np.any) else {"initial": 2}
    for given in ({**first}, {**first, "axis": 0, "where": mask}, {**first, "axis": 1, "keepdims": True}):
        with np.errstate(over="ignore"):
            wanted = f(a, **given)
        got = f(cpl.array(a), **{k: cpl.array(v) if k == "where" else v for k, v in given.items()})
        assert got.dtype == wanted.dtype and got.shape == wanted.shape
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-2 if dtype == "float16" else 1e-12)


def test_some_elements_of_none():
    none = cpl.zeros((0, 3))
    assert np.max(none, initial=5) == 5 and np.sum(none, 0, initial=2).tolist() == [2, 2, 2]
    x = cpl.array([1.0, 2.0])
    assert cpl.sum(x, where=x > 1) == 2
    with pytest.raises(ValueError, match="initial"):
        cpl.min(x, where=x > 1)
    with pytest.raises(ValueError, match="shape"):
        cpl.sum(x, where=cpl.array([[True, False], [True, True]]))


def test_buffers_are_shared():
    """What NumPy makes an array of without a copy, asarray() does."""

    class Holder:
        def __init__(self):
            self.x = np.zeros(2)

        def __array__(self, dtype=None, copy=None):
            return self.x

    class Described:
        def __init__(self):
            self.x = np.zeros(2)
            self.__array_interface__ = self.x.__array_interface__

    buffer, memory, holder, described = array.array("d", [1, 2]), bytearray(16), Holder(), Described()
    for owner, seen in ((buffer, buffer), (memoryview(memory).cast("d"), np.frombuffer(memory)),
                        (holder, holder.x), (described, described.x)):
        x = cpl.asarray(owner)
        x[1] = 7
        assert seen[1] == 7
        seen[0] = 5
        assert x[0] == 5
    assert cpl.asarray([1, 2]).tolist() == [1, 2] and cpl.asarray(3).shape == ()


# --- repeated, and taken apart ---

TAKEN = {"a": np.arange(24.0).reshape(2, 3, 4), "v": np.arange(1, 8), "s": np.array(2.5)}


@pytest.mark.parametrize("place", ["host", *DEVICES[:1]])
@pytest.mark.parametrize("call", [
    "np.broadcast_to(v[:4], (3, 4))", "np.broadcast_to(s, 3)", "np.broadcast_to(a, (2, 2, 3, 4))",
    "np.broadcast_to(v[:0], (2, 0))", "np.broadcast_arrays(a, a[0, :, :1], s)", "np.split(v, 7)",
    "np.split(v, [2, 5])", "np.split(a, 2, axis=-1)", "np.array_split(v, 3)", "np.array_split(v, 9)",
    "np.hsplit(a, 3)", "np.hsplit(v, [3])", "np.vsplit(a, 2)", "np.column_stack([v, v*2])",
    "np.column_stack([a[0], a[1, :, 0]])", "np.tril(a)", "np.triu(a)", "np.tril(a[0], 1)",
    "np.triu(a[0] > 3, -1)", "np.triu(a, 2)", "np.argwhere(a % 3 == 0)", "np.argwhere(v > 3)",
    "np.argwhere(v > 30)", "np.flatnonzero(a % 3)",
])
def test_taken_apart(call, place):
    here = scope_of(TAKEN, place)
    found, expected = eval(call, here), eval(call, {"np": np, **TAKEN})
    if not isinstance(expected, (list, tuple)):
        found, expected = [found], [expected]
    for f, e in zip(found, expected, strict=True):
        assert isinstance(f, cpl.ndarray) and f.place == here["a"].place
        np.testing.assert_array_equal(f.numpy(), e, strict=True)


@pytest.mark.parametrize("place", ["host", *DEVICES[:1]])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)], ids=str)
@pytest.mark.parametrize("name", ["sum", "max", "mean", "any", "std", "argmin", "cumsum"])
@pytest.mark.parametrize("value", [
    "np.broadcast_to(v[:4], (3, 4))", "np.broadcast_to(v[:3, None], (3, 4))*2",
    "np.broadcast_to(v[:4], (3, 4)) + v[:3, None]", "np.broadcast_to(s, (3, 4))",
])
def test_repeated_elements_are_taken_in(value, name, axis, place):
    """Nothing but them, which are not there yet, says how many there are."""
    if isinstance(axis, tuple) and name in ("argmin", "cumsum"):
        return
    call = f"np.{name}({value}, axis={axis})"
    found, expected = eval(call, scope_of(TAKEN, place)), eval(call, {"np": np, **TAKEN})
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-14)


def test_parts_are_views():
    x = cpl.zeros(4)
    cpl.split(x, 2)[1][:] = 3
    assert x.tolist() == [0, 0, 3, 3]


@pytest.mark.parametrize("call, what", [
    ("np.broadcast_to(v, (3, 4))", "requested shape"), ("np.broadcast_to(a, 4)", "requested shape"),
    ("np.split(v, 2)", "equal division"), ("np.array_split(v, 0)", "larger than 0"),
    ("np.vsplit(v, 7)", "2 or more dimensions"), ("np.tril(v)", "two dimensions or more"),
])
def test_what_cannot_be_taken_apart(call, what):
    with pytest.raises(ValueError, match=what):
        eval(call, scope_of(TAKEN))
