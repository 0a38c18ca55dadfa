"""Arrays of complex numbers, against NumPy's."""

import operator

import numpy as np
import pytest

import cpl

RNG = np.random.default_rng(3)
Z = RNG.normal(size=(3, 4)) + 1j*RNG.normal(size=(3, 4))
W = RNG.normal(size=4) + 1j*RNG.normal(size=4)
OTHERS = [W.astype(np.complex64), W, np.float32([1, 2, 3, 4]), np.arange(1, 5), np.int8([1, 2, 3, 4]),
          2, 0.5, 1j, 2 - 1j, np.complex64(1 + 1j), np.float64(3)]


@pytest.fixture(params=[np.complex64, np.complex128], ids=["complex64", "complex128"])
def kind(request):
    return request.param


def same(call, *arrays):
    """What the call makes of arrays of cpl is what it makes of NumPy's."""
    found = np.asarray(call(*[cpl.array(a) if isinstance(a, np.ndarray) else a for a in arrays]))
    expected = np.asarray(call(*arrays))
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    near = 1e-5 if expected.dtype in (np.complex64, np.float32) else 1e-12
    np.testing.assert_allclose(found, expected, rtol=near, atol=near)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "pow", "eq", "ne"])
def test_operators(name, kind):
    for other in OTHERS:
        same(getattr(operator, name), Z.astype(kind), other)
        same(getattr(operator, name), other, Z.astype(kind))


def test_real_arrays_with_complex_numbers():
    for x in (np.float32([1, 2]), np.float64([1, 2]), np.int16([1, 2]), np.array([True, False])):
        for number in (1j, np.complex64(1j), np.complex128(1j)):
            same(lambda x: x*number + number, x)


@pytest.mark.parametrize("name", [
    "negative", "positive", "absolute", "square", "reciprocal", "exp", "log", "log10", "sqrt",
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "conjugate", "isnan", "isinf", "isfinite",
    "logical_not", "real", "imag", "angle",
])
def test_functions(name, kind):
    same(getattr(np, name), Z.astype(kind))
    if name not in ("isnan", "isinf", "isfinite"):
        same(getattr(np, name), np.arange(1.0, 5))


def test_conjugates_of_what_is_real():
    for dtype in (bool, np.int8, np.uint64, np.float16, np.float64):
        a = np.array([0, 1, 1], dtype)
        same(lambda x: x.conj(), a)
        same(lambda x: np.vdot(x, x), a)
        x = cpl.array(a)
        assert x.conj() is x


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum", "cumprod", "any", "count_nonzero"])
def test_reductions(name, kind):
    if name not in ("any", "count_nonzero"):
        same(lambda z: getattr(np, name)(z, axis=1), Z.astype(kind))
    same(getattr(np, name), Z.astype(kind))
    same(getattr(np, name), Z.astype(kind)[:, ::-2])


CALLS = {
    "matmul": lambda z: z @ z[0], "dot": lambda z: np.dot(z[0], z[1]), "diff": np.diff,
    "where": lambda z: np.where(z.real > 0, z, 1j), "mask": lambda z: z[z.imag > 0],
    "take": lambda z: z[[0, 2]], "concatenate": lambda z: np.concatenate([z, z.T.reshape(3, 4)]),
    "views": lambda z: z.T[::-1].copy(), "full_like": lambda z: np.full_like(z, 2j),
    "to 128": lambda z: z.astype(np.complex128), "to 64": lambda z: z.astype(np.complex64),
    "from real": lambda z: z.real.astype(z.dtype), "to bool": lambda z: z.astype(bool),
    "long": lambda z: (z*2 + 1j)/(z - 3) - z.conj()*z.imag,
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name, kind):
    same(CALLS[name], Z.astype(kind))


def test_assignments(kind):
    def change(z):
        z = z.copy()
        z[0] = 1j
        z[1, ::2] += z[2, :2]
        z.real[2] = 5
        z.imag[:, 1] -= z.real[:, 1]
        z *= 2
        z[0, 0] = 3
        z[2] = z.real[1]
        return z

    same(change, Z.astype(kind))


def test_one_number():
    x = cpl.array(Z)
    assert complex(x[1, 2]) == Z[1, 2] and x[1, 2].item() == Z[1, 2]
    x.fill(2j)
    assert x.tolist() == [[2j]*4]*3


def test_what_is_refused():
    x = cpl.array(Z)
    for call in (lambda: x < 1, lambda: np.maximum(x, x), lambda: x.min(),
                 lambda: np.arctan(x), lambda: x.argmax()):
        with pytest.raises(TypeError, match="is not there for arrays of cpl"):
            call()
    with pytest.raises(TypeError, match="same_kind"):
        y = cpl.zeros(4)
        y += cpl.array(W)
