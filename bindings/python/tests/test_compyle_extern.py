"""Symbols from outside in programs of Compyle's."""

import os
import re
import shutil
import subprocess

import numpy as np
import pytest
from compyle_named import exponent, logb as exponent_text
from conftest import BACKENDS, OPENCL

import cpl
from cpl.compat.compyle import cuda_text, extern
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


# --- texts for CUDA ---


class Grown(Extern):
    """CUDA C with a helper of its own, and a function of CUDA's that has helpers."""

    def code(self, backend):
        return ("static __device__ double squared(double x) { return pow(x, x); }\n"
                "inline WITHIN_KERNEL double grown(GLOBAL_MEM double *x, int n)\n"
                "{ return squared(x[0])/n + INFINITY; }")


class Other(Grown):
    """One with helpers of the same names."""

    def code(self, backend):
        return super().code(backend).replace("grown", "other").replace("x[0]", "x[1]")


class InPtx(Extern):
    def code(self, backend):
        return ("// double doubled(double x)\n.version 6.3\n.target sm_75\n.address_size 64\n"
                ".visible .func (.param .b64 result) doubled(.param .b64 x)\n{\n"
                "\t.reg .b64 %r<3>;\n\tld.param.b64 %r1, [x];\n\tadd.f64 %r2, %r1, %r1;\n"
                "\tst.param.b64 [result], %r2;\n\tret;\n}\n")


class Wrong(Extern):
    def code(self, backend):
        return "\n__device__ double wrong(double x) { return y; }"


grown, other, doubled, wrong = Grown(), Other(), InPtx(), Wrong()
NVRTC = pytest.mark.skipif(not cuda_text.is_there(), reason="no compiler of CUDA C")
CUDA = pytest.mark.skipif("cuda" not in BACKENDS, reason="no CUDA device")


@pytest.fixture
def given(monkeypatch):
    """What the compiler is given as texts: (name, signature, language, text)."""
    rows = []
    monkeypatch.setattr(extern._cpl, "extern_source", lambda *row: rows.append(row))
    return rows


def assembled(texts, tmp_path):
    """Whether NVIDIA's assembler takes the texts in one, without their headers."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    if not os.path.exists(ptxas):
        pytest.skip("no assembler of PTX")
    header = r"^\.(version|target|address_size).*$"
    version = max(re.findall(r"^\.version (\d+)\.(\d)", "".join(texts), re.M),
                  key=lambda v: (int(v[0]), int(v[1])))
    whole = (f".version {'.'.join(version)}\n.target sm_75\n.address_size 64\n"
             + "".join(re.sub(header, "", text, flags=re.M) for text in texts))
    (tmp_path / "texts.ptx").write_text(whole)
    done = subprocess.run([ptxas, "-c", "-arch=sm_75", "texts.ptx"], cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr + whole


@NVRTC
@pytest.mark.parametrize("narrow", [False, True])
def test_texts_in_cuda_c_become_ptx(given, narrow, tmp_path):
    real = "float32" if narrow else "float64"
    for name, what, expected in [
        ("grown", grown, f"{real}({real}[], int32)"), ("other", other, f"{real}({real}[], int32)"),
        ("halved", halved, f"{real}({real}, int32)"), ("logb", exponent_text, f"{real}({real})"),
    ]:
        kind, own = extern.symbol(what, name, "cuda", narrow)
        assert kind == "extern" and given[-1][:3] == (own, expected, "ptx")
    text = given[0][3]
    assert f".func  (.param .b{32 if narrow else 64} func_retval0) {given[0][0]}(" in text
    assert "squared" not in re.sub(rf"{given[0][0]}_\w*", "", text)
    assembled([row[3] for row in given], tmp_path)


@NVRTC
@pytest.mark.parametrize("driver, count", [(0, 1), (11000, 0), (99000, 1)])
def test_ptx_for_an_older_driver_has_no_version_of_its_own(monkeypatch, driver, count):
    monkeypatch.setattr(cuda_text, "_driver", lambda: driver)
    text = cuda_text.ptx("double f(double x) { return x; }", "f", f"f_{driver}",
                         "float64(float64)", 75)
    assert text.count(".version") == count and text.count(".func") == 1


def test_ptx_is_taken_with_its_prototype(given, tmp_path):
    for narrow in (False, True):
        kind, own = extern.symbol(doubled, "doubled", "cuda", narrow)
        assert kind == "extern" and given[-1][:3] == (own, "float64(float64)", "ptx")
        assert f".func (.param .b64 result) {own}(" in given[-1][3]
    assembled([given[0][3]], tmp_path)


@NVRTC
def test_what_cuda_c_has_wrong_is_told(given):
    assert extern.symbol(wrong, "wrong", "cuda", False) == (
        "other", 'an Extern for CUDA without PTX: wrong.cu(2): error: identifier "y" is undefined')
    assert not given


def test_without_a_compiler_of_cuda_c_the_error_says_what_to_give(monkeypatch):
    cuda_text.ptx.cache_clear()
    monkeypatch.setattr(cuda_text, "_library", lambda: None)
    kind, why = extern.symbol(grown, "grown", "cuda", False)
    assert kind == "other" and "wheel nvidia-cuda-nvrtc; or give PTX" in why
    cuda_text.ptx.cache_clear()


@annotate(i="int", doublep="x, y")
def on_cuda(i, x, y):
    y[i] = halved(x[i], 2) + doubled(x[i])


@CUDA
@NVRTC
@pytest.mark.parametrize("use_double", [False, True])
def test_texts_on_cuda(use_double):
    get_config().use_double = use_double
    assert run(on_cuda, "cuda") == [2.25, 9, 20.25]
    assert run(exponent, "cuda") == [0, 2, 3]


@CUDA
def test_what_is_wrong_on_cuda_has_a_place():
    @annotate
    def calls(i, x, y):
        y[i] = wrong(x[i])

    with pytest.raises(cpl.CompileError, match="'wrong' is an Extern for CUDA"):
        run(calls, "cuda")
