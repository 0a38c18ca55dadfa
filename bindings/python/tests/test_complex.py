"""Complex arrays, numbers and constants, against NumPy."""

import cmath

import cpl
import numpy as np
import pytest

SHIFT = -0.8 + 0.156j
NARROW = np.complex64(0.5j)
TYPES = [np.complex64, np.complex128]


@cpl.elementwise
def affine(i, a, z, y):
    y[i] = a*z[i] + SHIFT - NARROW


@cpl.elementwise
def through_functions(i, z, y):
    y[i] = np.exp(z[i])*cmath.sqrt(z[i]) + np.conj(z[i]) + abs(z[i])


@cpl.jit
def julia(z, c, most, out):
    for k in range(len(z)):
        w = z[k]
        n = 0
        while n < most and w.real*w.real + w.imag*w.imag <= 4:
            w = w*w + c
            n += 1
        out[k] = n


@cpl.elementwise
def parts(i, z, x):
    x[i] = z[i].real - z[i].imag


def numbers(dtype, n=101):
    rng = np.random.default_rng(3)
    return (rng.standard_normal(n) + 1j*rng.standard_normal(n)).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("a", [2 - 1j, 3, 0.5, np.complex64(1j), True])
def test_arrays_and_numbers(dtype, a):
    z = numbers(dtype)
    y = np.zeros_like(z)
    affine(a, z, y)
    tolerance = 1e-6 if dtype is np.complex64 else 1e-14
    np.testing.assert_allclose(y, a*z + SHIFT - 0.5j, rtol=tolerance)
    y[:] = 0
    affine(a, z[::-2], y[:51])
    np.testing.assert_allclose(y[:51], a*z[::-2] + SHIFT - 0.5j, rtol=tolerance)
    assert not y[51:].any()


@pytest.mark.parametrize("dtype", TYPES)
def test_functions(dtype):
    z = numbers(dtype)
    y = np.zeros_like(z)
    through_functions(z, y)
    wide = z.astype(complex)
    np.testing.assert_allclose(y, np.exp(wide)*np.sqrt(wide) + wide.conj() + abs(wide),
                               rtol=2e-6 if dtype is np.complex64 else 1e-13)


def test_julia_set():
    x = np.linspace(-1.5, 1.5, 41)
    z = (x[None, :] + 1j*x[:, None]).ravel()
    out = np.zeros(z.size, np.int32)
    julia(z, SHIFT, 60, out)
    expected = np.zeros_like(out)
    for k, w in enumerate(z):
        while expected[k] < 60 and w.real*w.real + w.imag*w.imag <= 4:
            w = w*w + SHIFT
            expected[k] += 1
    assert np.mean(out == expected) > 0.99


def test_parts():
    z = numbers(complex)
    x = np.zeros(z.size)
    parts(z, x)
    np.testing.assert_array_equal(x, z.real - z.imag)


def test_arrays_of_the_library():
    z = numbers(np.complex64)
    there = cpl.array(z)
    assert there.dtype == np.complex64
    y = cpl.zeros(z.size, np.complex64)
    affine(1j, there, y)
    np.testing.assert_allclose(y.numpy(), 1j*z + SHIFT - 0.5j, rtol=1e-6)


def test_what_is_no_complex_number():
    @cpl.elementwise
    def stored(i, z, x):
        x[i] = z[i]

    with pytest.raises(cpl.CompileError, match="cannot take complex128"):
        stored(numbers(complex), np.zeros(101))
    with pytest.raises(TypeError, match="1 z is an array of complex256, which"):
        stored(np.zeros(3, "G"), np.zeros(3))


@pytest.mark.parametrize("dtype", TYPES)
def test_results(dtype):
    @cpl.jit
    def energy(z, scale):
        s = 0j
        for k in range(len(z)):
            s += z[k]*z[k].conjugate()
        return s*scale

    z = numbers(dtype)
    result = energy(z, 2j)
    assert result.dtype == dtype
    np.testing.assert_allclose(result, (abs(z.astype(complex))**2).sum()*2j, rtol=1e-5)

    @cpl.jit
    def turned(x):
        return x*1j

    assert turned(2.0) == 2j
    assert turned(1j) == -1
