"""Compyle's low-level kernels over a grid, and functions that the host calls once."""

import numpy as np
import pytest
from conftest import BACKENDS

from cpl.compat.compyle import low_level
from cpl.compat.compyle.array import wrap
from cpl.compat.compyle.config import use_config
from cpl.compat.compyle.low_level import (
    GID_0, LDIM_0, LID_0, Cython, Kernel, LocalMem, cast, local_barrier, nogil, parallel, prange,
)
from cpl.compat.compyle.types import annotate, declare

pytestmark = pytest.mark.usefixtures("in_double")
device = pytest.mark.parametrize("backend", BACKENDS)  # the host too, which Compyle refuses


@annotate(gdoublep="x, y", a="float", n="int")
def scaled(x, y, a, n):
    i = declare("int")
    i = GID_0*LDIM_0 + LID_0
    if i < n:
        y[i] = x[i]*a


@annotate(gdoublep="x, y", t="ldoublep", n="int")
def turned(x, y, t, n):
    i, l = declare("int", 2)
    l = LID_0
    i = GID_0*LDIM_0 + l
    t[2*l] = x[i]
    t[2*l + 1] = -x[i]
    local_barrier()
    y[i] = t[2*(LDIM_0 - 1 - l)] + 2*t[2*l + 1]


@device
def test_a_kernel_runs_over_the_first_array(backend):
    x, y = wrap(np.arange(1000.0), np.zeros(1000), backend=backend)
    k = Kernel(scaled, backend=backend)
    assert "scaled" in k.source and k.name == "scaled"
    assert k(x, y, 3.0, 1000) is None
    assert (y.get() == 3*x.get()).all()


@device
def test_a_kernel_runs_over_what_is_said(backend):
    x, y = wrap(np.arange(1000.0), np.zeros(1000), backend=backend)
    Kernel(scaled, backend=backend)(x, y, 3.0, 100, global_size=(100,), local_size=(16,))
    assert (y.get()[:100] == 3*x.get()[:100]).all() and not y.get()[100:].any()


@device
@pytest.mark.parametrize("double", [False, True])
def test_local_memory(backend, double):
    with use_config(use_double=double):
        x, y = wrap(np.arange(64.0), np.zeros(64), backend=backend)
        Kernel(turned, backend=backend)(x, y, LocalMem(2, backend=backend), 64, local_size=(8,))
    data = np.arange(64.0)
    assert (y.get() == data.reshape(8, 8)[:, ::-1].ravel() - 2*data).all()


@device
def test_sizes_of_local_memory(backend):
    memory = LocalMem(2, backend=backend)
    assert memory.get("double", 128).size == 2048
    assert memory.get("double", 128) is memory.get("double", 128)


@pytest.mark.parametrize("openmp", [False, True])
def test_the_host_takes_arrays_of_numpys_too(openmp):
    x, y = np.arange(1000.0), np.zeros(1000)
    with use_config(use_openmp=openmp):
        Kernel(scaled, backend=None)(x, y, 3.0, 1000)
        Kernel(turned, backend="cython")(x[:64], y[:64].copy(), LocalMem(2), 64, local_size=(8,))
    assert (y == 3*x).all()
    with pytest.raises(ValueError, match="float64.*expected, not of float32"):
        Kernel(scaled, backend="cython")(x.astype(np.float32), y, 3.0, 1000)


@device
def test_arrays_are_wrapped_for_a_device(backend):
    x = 3.0 if backend == "cython" else np.zeros(4)
    with pytest.raises(TypeError, match=f"wrap.. the arrays for {backend}"):
        Kernel(scaled, backend=backend)(x, x, 3.0, 4)


@device
def test_kernels_need_types(backend):
    @annotate
    def without(x):
        x[0] = 1

    with pytest.raises(Exception, match="without: x: no type"):
        Kernel(without, backend=backend)


# ---- functions of the host ----


@annotate(double="a, b, return_")
def added(a, b):
    return a + b


@annotate(doublep="x, y", n="int", return_="double")
def summed(x, y, n):
    i = declare("int")
    s = declare("double")
    s = 0.0
    for i in range(n):
        s += added(x[i], y[i])
    return s


@annotate(int="n, return_")
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@annotate(n="int", doublep="x, y")
def doubled(x, y, n):
    i = declare("int")
    with nogil, parallel():
        for i in prange(n):
            y[i] = 2*x[i]


def test_functions_return_numbers():
    x, y = np.arange(10.0), wrap(np.ones(10), backend="cython")
    c = Cython(summed)
    assert c(x, y, 10) == 55.0 and type(c(x, y, 10)) is float
    assert "summed" in c.source and c.all_source.startswith(c.source)
    assert Cython(fibonacci)(10) == 55


@pytest.mark.parametrize("openmp", [False, True])
def test_parallel_loops(openmp):
    x, y = np.arange(1000.0), np.zeros(1000)
    with use_config(use_openmp=openmp):
        Cython(doubled)(x, y, 1000)
    assert (y == 2*x).all()


@pytest.mark.parametrize("args, error", [
    ((np.zeros(3, np.float32), np.zeros(3), 3), ValueError),
    ((np.zeros(3), np.zeros(3)), TypeError),
    ((np.zeros(3), np.zeros(3), "1"), TypeError),
])
def test_arguments_are_checked(args, error):
    with pytest.raises(error):
        Cython(summed)(*args)


# ---- what Python does ----


def test_names_in_python():
    assert cast(1.9, "int") == 1 and cast(2, "double") == 2.0
    assert list(prange(3)) == [0, 1, 2]
    assert low_level.address(3) is None and low_level.atomic_inc(3) is None
    assert (GID_0, LDIM_0) is not None


def test_names_of_the_host_alone():
    for name in (prange, parallel, nogil):
        assert name.code("cython") == "" and name.link("cython") == []
        with pytest.raises(NotImplementedError):
            name.code("opencl")


@device
def test_sizes_of_two_dimensions(backend):
    @annotate(x="gintp")
    def place(x):
        i = declare("int")
        i = (low_level.GID_1*low_level.LDIM_1 + low_level.LID_1)*6
        i += low_level.GID_0*low_level.LDIM_0 + low_level.LID_0
        x[i] = i

    x = wrap(np.full(24, -1, np.int32), backend=backend)
    kernel = Kernel(place, backend=backend)
    kernel(x, global_size=(6, 4), local_size=(2, 2))
    assert x.get().tolist() == list(range(24))
    with pytest.raises(ValueError, match="global_size has 2 dimensions, and local_size 1"):
        kernel(x, global_size=(6, 4), local_size=(2,))
    with pytest.raises(TypeError, match="takes 1 argument.*given 2"):
        kernel(x, x)
