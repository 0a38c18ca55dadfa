"""Symbols from outside in programs of Compyle's."""

import numpy as np
import pytest
from compyle_named import exponent
from conftest import OPENCL

import cpl
from cpl.compat.compyle.array import wrap
from cpl.compat.compyle.config import get_config
from cpl.compat.compyle.extern import Extern, printf, signature
from cpl.compat.compyle.parallel import Elementwise
from cpl.compat.compyle.types import annotate

pytestmark = pytest.mark.usefixtures("in_double")


class Logb(Extern):
    """One of C's that the language has not."""

    def link(self, backend):
        return ["-lm"]

    def code(self, backend):
        if backend == "cython":
            return 'cdef extern from "math.h":\n    double logb(double x) nogil'
        raise NotImplementedError


class J0(Extern):
    """One that the process has, from whatever library."""

    def code(self, backend):
        return 'cdef extern from "math.h": double j0(double)'


class Nobody(Extern):
    def code(self, backend):
        return "double nobody(double x);"


class Halved(Extern):
    """A text in C."""

    def code(self, backend):
        return "inline double halved(double x, int n) { return x/(2*n); }"


class Fmax(Extern):
    """One that the language has too."""

    def code(self, backend):
        return "from libc.math cimport fmax" if backend == "cython" else ""


logb, halved, fmax, own_printf = Logb(), Halved(), Fmax(), printf
j0, nobody = J0(), Nobody()


@annotate
def exponents(i, x, y):
    y[i] = logb(x[i])


@annotate(i="int", doublep="x, y")
def quarters(i, x, y):
    y[i] = halved(x[i], 2)


@annotate
def positive(i, x, y):
    y[i] = fmax(x[i], 2.0)


def run(function, backend):
    x, y = wrap(np.array([1.0, 4.0, 9.0]), np.zeros(3), backend=backend)
    Elementwise(function, backend=backend)(x, y)
    return y.get().tolist()


def test_functions_of_libraries_on_the_host():
    assert run(exponents, "cython") == [0, 2, 3]


def test_functions_of_the_process_itself():
    @annotate
    def waves(i, x, y):
        y[i] = j0(x[i])

    assert run(waves, "cython") == pytest.approx([0.7651976866, -0.3971498099, -0.0903336112])


@pytest.mark.parametrize("backend", ["cython", pytest.param("opencl", marks=OPENCL)])
def test_functions_that_are_named_alone(backend):
    assert run(exponent, backend) == [0, 2, 3]
    get_config().use_double = False
    assert run(exponent, backend) == [0, 2, 3]


def test_functions_that_nothing_has():
    @annotate
    def calls(i, x, y):
        y[i] = nobody(x[i])

    with pytest.raises(cpl.CompileError, match="'nobody' is an Extern that no library.*link"):
        run(calls, "cython")


@OPENCL
def test_texts_on_opencl():
    assert run(quarters, "opencl") == [0.25, 1, 2.25]
    get_config().use_double = False
    assert run(quarters, "opencl") == [0.25, 1, 2.25]


@pytest.mark.parametrize("backend", ["cython", pytest.param("opencl", marks=OPENCL)])
def test_functions_that_the_language_has(backend):
    assert run(positive, backend) == [2, 4, 9]


@OPENCL
def test_symbols_that_a_back_end_lacks():
    with pytest.raises(cpl.CompileError, match="without code for opencl"):
        run(exponents, "opencl")


def test_a_text_is_no_function_of_the_host():
    with pytest.raises(cpl.Error):
        run(quarters, "cython")


@pytest.mark.parametrize("text, expected", [
    ("double f(double)", "float64(float64)"),
    ("static inline unsigned int f(const float *x, ulong n) {", "uint32(float32[], uint64)"),
    ("void f(void);", "void()"),
    ("WITHIN_KERNEL double f(GLOBAL_MEM double* x)", "float64(float64[])"),
    ("double g(double)", None), ("thing f(double)", None), ("double f(double **x)", None),
])
def test_signatures(text, expected):
    assert signature(text, "f") == expected
