"""NumPy's functions of elements, with arrays of the library: against NumPy."""

import itertools
import operator

import numpy as np
import pytest
from conftest import DTYPES

import cpl
from cpl import elements

BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "fmod", "maximum",
          "minimum", "fmax", "fmin", "equal", "not_equal", "less", "less_equal", "greater",
          "greater_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
          "bitwise_xor", "left_shift", "right_shift", "copysign", "heaviside"]
UNARY = ["negative", "positive", "absolute", "fabs", "sign", "square", "reciprocal", "logical_not",
         "invert", "isnan", "isinf", "isfinite", "signbit", "rint", "floor", "ceil", "trunc", "sqrt"]
MATHS = ["cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
         "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
         "degrees", "radians", "deg2rad", "rad2deg"]


def edges(dtype):
    """All sorts of elements, against each other."""
    if dtype == np.bool_:
        values = np.array([False, True])
    elif np.dtype(dtype).kind == "f":
        values = np.array([0.0, -0.0, 1, -1, 2.5, -2.5, 0.3, 7, 1e4, np.inf, -np.inf, np.nan], dtype)
    else:
        info = np.iinfo(dtype)
        values = np.array([0, 1, 2, 3, 7, info.max, info.max - 1, info.min, info.min//2, 9 % 200],
                          dtype)
        if info.min:
            values = np.concatenate([values, np.array([-1, -3], dtype)])
    a, b = np.meshgrid(values, values)
    return a.ravel(), b.ravel()


def check(f, *arguments, **kwargs):
    """The same result, or the same kind of refusal."""
    there = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    here = [cpl.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(all="ignore"):
        try:
            expected = f(*there, **kwargs)
        except TypeError:
            with pytest.raises(TypeError):
                f(*here, **kwargs)
            return
        found = f(*here, **kwargs)
    assert isinstance(found, cpl.ndarray)
    if expected.dtype.kind == "f":
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_array_equal(found.numpy(), expected)
        # of which zeros of both signs the greatest is NumPy does not say
        known = (expected == 0) & (f.__name__ not in ("maximum", "minimum", "fmax", "fmin"))
        np.testing.assert_array_equal(np.signbit(found.numpy())[known], np.signbit(expected)[known])
    else:
        np.testing.assert_array_equal(found.numpy(), expected, strict=True)


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name, dtype):
    check(getattr(np, name), *edges(dtype))


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name, dtype):
    a, _ = edges(dtype)
    if name == "reciprocal" and a.dtype.kind != "f":
        a = a[a != 0]
    check(getattr(np, name), a)


@pytest.mark.parametrize("name", MATHS)
def test_mathematics(name):
    f = getattr(np, name)
    for dtype in (np.float32, np.float64, np.int32, np.uint8):
        a = (np.linspace(-3, 3, 50) if np.dtype(dtype).kind == "f" else np.arange(50)).astype(dtype)
        with np.errstate(all="ignore"):
            expected, found = f(a), f(cpl.array(a))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.numpy(), expected, rtol=8*np.finfo(expected.dtype).eps)


@pytest.mark.parametrize("name", ["arctan2", "hypot", "logaddexp", "power"])
def test_mathematics_of_two(name):
    f = getattr(np, name)
    a, b = (x.ravel() for x in np.meshgrid(np.linspace(0.1, 3, 7), np.linspace(-2, 2, 9)))
    np.testing.assert_allclose(f(cpl.array(a), cpl.array(b)).numpy(), f(a, b), rtol=1e-14)


PAIRS = list(itertools.combinations_with_replacement(DTYPES, 2))


@pytest.mark.parametrize("name", ["add", "less", "maximum"])
def test_types_of_results(name):
    f = getattr(np, name)
    for s, t in PAIRS:
        check(f, np.array([0, 1, 1], s), np.array([1, 0, 1], t))


OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
             operator.mod, operator.lt, operator.le, operator.eq, operator.ne, operator.gt,
             operator.ge, operator.and_, operator.or_, operator.xor]


@pytest.mark.parametrize("number", [2, 2.5, True, np.float32(2.5), np.int64(3), np.uint8(7)],
                         ids=repr)
def test_numbers(dtype, number):
    """Python's are weak, NumPy's are not."""
    x = np.array([0, 1, 1]).astype(dtype)
    for f in OPERATORS:
        check(f, x, number)
        check(f, number, x)


def test_numbers_out_of_range():
    x = cpl.array(np.array([1, 2], np.uint8))
    with pytest.raises(OverflowError, match="out of bounds"):
        x + 300
    with pytest.raises(OverflowError, match="out of bounds"):
        x - -1
    assert (x < 300).numpy().all() and not (x > 2**70).numpy().any() and (x > -1).numpy().all()
    assert (cpl.array([-1]) < np.uint64(2**64 - 1)).numpy().all()


@pytest.mark.parametrize("name", ["less", "less_equal", "greater", "greater_equal", "equal",
                                  "not_equal"])
def test_comparisons_of_signs(name):
    """Integers are compared as numbers: -1 is not 2**64 - 1."""
    signed = [np.array([-1, 0, 1, 2**63 - 1, -2**63])[:, None], np.array([-1, 5], np.int8)[:, None]]
    whole = [np.array([2**64 - 1, 0, 1, 2**63 - 1, 2**63], np.uint64), np.array([255], np.uint8)]
    for a, b in itertools.product(signed, whole):
        check(getattr(np, name), a, b)
        check(getattr(np, name), b, a)


def test_powers():
    whole = np.arange(-5, 6)
    for power in (0, 1, 2, 5, np.int8(3)):
        check(operator.pow, whole, power)
    check(operator.pow, 2, np.arange(10))
    check(operator.pow, np.arange(5, dtype=np.uint8), np.arange(5, dtype=np.uint8))
    check(operator.pow, np.zeros((0, 3), np.int64), -1)
    check(operator.pow, np.zeros((0, 3), np.int8), np.array([-1, 2, 3], np.int8))
    with pytest.raises(ValueError, match="negative integer powers"):
        cpl.array(whole) ** -1
    with pytest.raises(ValueError, match="negative integer powers"):
        cpl.array(whole) ** cpl.array(whole)


@pytest.mark.parametrize("shapes", [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (3,)), ((2, 1, 3), (4, 1)),
                                    ((0, 3), (3,)), ((3, 0), (3, 1)), ((), ())], ids=str)
def test_broadcasting(shapes):
    a, b = (np.random.default_rng(1).random(s) for s in shapes)
    np.testing.assert_array_equal((cpl.array(a) + cpl.array(b)).numpy(), a + b)


def test_shapes_that_do_not_fit():
    with pytest.raises(ValueError, match="broadcast"):
        cpl.zeros(3) + cpl.zeros(4)
    with pytest.raises(ValueError, match="shape"):
        np.add(cpl.zeros(3), 1, out=cpl.zeros(4))


@pytest.mark.parametrize("layout", [np.s_[::2], np.s_[::-1], np.s_[1:-1]], ids=str)
def test_layouts(layout):
    a = np.arange(40.0).reshape(8, 5)
    x = cpl.array(a)
    for key in (layout, (slice(None), layout), (layout, layout)):
        np.testing.assert_array_equal((x[key]*2).numpy(), a[key]*2)
        np.testing.assert_array_equal((x[key].T + x[key].T).numpy(), a[key].T*2)
        y, b = cpl.array(a), a.copy()
        y[key] += 3
        b[key] += 3
        np.testing.assert_array_equal(y.numpy(), b)


def test_in_place():
    x = cpl.array([1, 2, 3])
    same = x
    x += 1
    x *= x
    assert same is x and x.numpy().tolist() == [4, 9, 16]
    x[1:] = x[:-1]
    assert x.numpy().tolist() == [4, 4, 9]
    with pytest.raises(TypeError, match="same_kind"):
        x += 0.5
    with pytest.raises(TypeError, match="same_kind"):
        x /= 2
    there = np.arange(3.0)
    there.flags.writeable = False
    y = cpl.asarray(there)
    with pytest.raises(ValueError, match="read-only"):
        y += 1
    assert there.tolist() == [0, 1, 2]


def test_ufuncs():
    x = cpl.array([1.0, 4.0, 9.0])
    out = cpl.zeros(3)
    assert np.sqrt(x, out=out) is out and out.numpy().tolist() == [1, 2, 3]
    assert np.add(x, 1, dtype=np.float32).dtype == np.float32
    assert isinstance(np.ones(3) + x, cpl.ndarray) and isinstance(x + np.ones(3), cpl.ndarray)
    assert isinstance(np.float32(2)*x, cpl.ndarray)
    np.testing.assert_array_equal(np.add.reduce(cpl.array([[1, 2], [3, 4]]), axis=1).numpy(), [3, 7])
    np.testing.assert_array_equal(np.maximum.accumulate(cpl.array([1, 3, 2])).numpy(), [1, 3, 3])


def refusals():
    x = cpl.array([1.0, 2.0])
    yield "subtract.reduce", lambda: np.subtract.reduce(x)
    yield "complex", lambda: np.maximum(x, np.complex128(1))
    yield "unsupported operand", lambda: x + "1"
    yield "a list of <U1", lambda: x + ["1", "2"]
    yield "numpy.linalg.inv", lambda: np.linalg.inv(x)
    yield "fft", lambda: np.fft.fft(x)
    yield "order", lambda: np.add(x, 1, order="F")


@pytest.mark.parametrize("what, call", list(refusals()), ids=lambda p: p if isinstance(p, str) else "")
def test_what_is_not_there(what, call):
    with pytest.raises(TypeError, match=what):
        call()


def test_the_way_out_is_named():
    with pytest.raises(TypeError, match=r"numpy\.asarray\(x\)"):
        np.i0(cpl.zeros(2))


def test_every_expression_is_a_ufunc():
    assert all(isinstance(getattr(np, name), np.ufunc) for name in elements.EXPRESSIONS)
