"""Arrays in Compyle's style, and its functions of them, on each back end."""

import numpy as np
import pytest
from conftest import BACKENDS, OPENCL

import cpl
from cpl.compat.compyle import array, cuda, opencl
from cpl.compat.compyle.array import Array, wrap
from cpl.compat.compyle.config import use_config
from cpl.compat.compyle.sort import radix_sort

pytestmark = pytest.mark.usefixtures("in_double")


def numbers(backend, *values, dtype=np.int32):
    return wrap(np.array(values, dtype), backend=backend)


# ---- what arrays are made of ----


def test_the_host_shares_memory():
    x = np.zeros(3)
    a = wrap(x, backend="cython")
    a[1] = 5
    assert a.data is x and a.dev is x and x[1] == 5 and a.get() is x


def test_elements_are_given_on_the_host(backend):
    a, at = numbers(backend, 1, 2, 3, 4), numbers(backend, 3, 1, 2)
    assert isinstance(a[at.dev[0]], int if backend != "cython" else np.int32)
    found = a[at.dev]
    assert type(found) is np.ndarray and found.tolist() == [4, 2, 3]


def test_devices_have_copies():
    for backend in BACKENDS[1:]:
        x = np.zeros(3)
        a = wrap(x, backend=backend)
        a[1] = 5
        assert x[1] == 0 and a.get().tolist() == a.dev.get().tolist() == [0, 5, 0]
        a.pull()
        assert a.data.tolist() == [0, 5, 0]
        a.data[2] = 7
        a.push()
        assert a.get().tolist() == [0, 5, 7]


def test_floats_of_devices_are_single_unless_asked(backend):
    with use_config(use_double=False):
        a = wrap(np.zeros(3), backend=backend)
    assert a.dtype == (np.float64 if backend == "cython" else np.float32)
    assert a.gptr_type == "gdoublep"
    assert array.zeros(2, np.float64, backend).dtype == np.float64


def test_wrap_counts(backend):
    assert wrap(backend=backend) == []
    x, y = wrap(np.zeros(2), np.zeros(3), backend=backend)
    assert (len(x), len(y)) == (2, 3)
    assert wrap(x, backend=backend) is x
    assert array.to_device(np.arange(3), backend).get().tolist() == [0, 1, 2]


def test_back_ends_by_settings():
    assert array.get_backend() == "cython"
    with use_config(use_opencl=True, use_cuda=True):
        assert array.get_backend() == "opencl" and array.get_backend("cuda") == "cuda"
    with use_config(use_cuda=True):
        assert array.get_backend() == "cuda"


def test_types_that_kernels_lack():
    with pytest.raises(KeyError):
        wrap(np.zeros(2, complex), backend="cython")


# ---- room ----


def test_room_for_more(backend):
    a = Array(np.int32, backend=backend)
    assert (a.length, a.alloc, len(a)) == (0, 16, 0)
    for k in range(20):
        a.append(k)
    assert a.alloc == 32 and a.get().tolist() == list(range(20)) and a[-1] == 19
    a.extend(numbers(backend, 7, 8))
    assert a.length == 22 and a.get().tolist()[-3:] == [19, 7, 8]
    a.resize(3)
    assert a.alloc == 32 and a.get().tolist() == [0, 1, 2]
    a.squeeze()
    assert a.alloc == 3 and len(a.get_data()) == 3
    a.append(9)
    assert a.get().tolist() == [0, 1, 2, 9]


def test_an_array_without_room_grows(backend):
    a = wrap(np.zeros(0, np.int32), backend=backend)
    a.append(4)
    assert a.get().tolist() == [4]


def test_numpy_makes_copies(backend):
    a = numbers(backend, 0, 1, 2)
    kept = np.array(a), np.asarray(a), a.__array__(copy=True)
    a[0] = 9
    assert all(k.tolist() == [0, 1, 2] for k in kept)
    if backend == "cython":
        assert np.shares_memory(a.__array__(copy=False), a.get())
    else:
        with pytest.raises(ValueError, match="without a copy"):
            a.__array__(copy=False)


def test_views(backend):
    a = numbers(backend, 0, 1, 2, 3, 4)
    view = a.get_view(1, 3)
    view.fill(9)
    assert a.get().tolist() == [0, 9, 9, 9, 4]
    assert a.get_view(3).get().tolist() == [9, 4]
    assert a[1:3].get().tolist() == [9, 9] and a.get_array().length == 5
    assert np.asarray(wrap(np.asarray([1, 2]), backend=backend)).tolist() == [1, 2]
    a[0:2] = 6
    assert [int(x) for x in a] == [6, 6, 9, 9, 4] and str(a) == "[6 6 9 9 4]"
    with pytest.raises(IndexError):
        a[5]


def test_buffers_of_the_host():
    a = numbers("cython", 0, 1, 2, 3)
    assert a.get_buff(1, 2).tolist() == [1, 2] and a.get_buff(2).tolist() == [2, 3]


def test_set(backend):
    a = numbers(backend, 1, 2)
    a.set(np.arange(5.0))
    assert (a.length, a.alloc, a.dtype) == (5, 5, np.float64)
    b = a.copy()
    b.fill(0)
    assert a.get().tolist() == [0, 1, 2, 3, 4] and b.get().tolist() == [0]*5
    assert array.empty_like(a).length == 5
    assert array.ones_like(a).get().tolist() == [1]*5


# ---- operators ----


def test_operators(backend):
    a, b = numbers(backend, 1, 2, 3), numbers(backend, 3, 2, 1)
    assert (a + b).get().tolist() == [4, 4, 4] and (a - b).get().tolist() == [-2, 0, 2]
    assert (10 - a).get().tolist() == [9, 8, 7] and (0.5 + a).get().tolist() == [1.5, 2.5, 3.5]
    halves = wrap(np.full(3, 0.5), backend=backend)
    assert (a + halves).dtype == np.int32
    with pytest.raises(TypeError):
        a + 1
    with pytest.raises(TypeError):
        a*2
    with pytest.raises(TypeError):
        hash(a)


@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.float32, np.uint8])
def test_comparisons(dtype, backend):
    a = numbers(backend, 1, 2, 3, dtype=dtype)
    for made, expected in ((a > 2, [0, 0, 1]), (a <= 2, [1, 1, 0]), (a == 2, [0, 1, 0]),
                           (a != 2, [1, 0, 1]), (a < 2, [1, 0, 0]), (a >= 2, [0, 1, 1])):
        assert made.dtype == np.int32 and made.get().tolist() == expected
    with pytest.raises(KeyError):
        a == None  # noqa: B015, E711
    for other in (True, np.int8(2)):
        with pytest.raises(TypeError, match="not compared"):
            a > other  # noqa: B015


def test_indices_and_masks(backend):
    a = numbers(backend, 10, 11, 12, 13)
    assert a[numbers(backend, 3, 0)].get().tolist() == [13, 10]
    assert a[a > 11].get().tolist() == [12, 13]
    assert a[a > 99].get().tolist() == []
    assert a.align(numbers(backend, 3, 2, 1, 0)).get().tolist() == [13, 12, 11, 10]
    out = array.zeros(2, np.int32, backend)
    assert a.align(numbers(backend, 1, 1), out) is out and out.get().tolist() == [11, 11]


def test_remove(backend):
    a = numbers(backend, 0, 1, 2, 3, 4)
    a.remove(numbers(backend, 3, 0))
    assert a.get().tolist() == [1, 2, 4]
    a.remove(wrap(np.zeros(0, np.int32), backend=backend))
    assert a.get().tolist() == [1, 2, 4]
    with pytest.raises(ValueError):
        a.remove(numbers(backend, 0, 1, 2, 2))


def test_copy_values(backend):
    a, to = numbers(backend, 5, 6, 7), array.zeros(3, np.int32, backend)
    a.copy_values(numbers(backend, 2, 0), to)
    assert to.get().tolist() == [7, 5, 0]
    with pytest.raises(TypeError):
        a.copy_values(np.zeros(1, np.int32), to)


# ---- functions ----


def test_numbers_of_arrays(backend):
    a = wrap(np.array([3.0, -1.0, 2.5]), backend=backend)
    assert array.minimum(a) == -1 and array.maximum(a) == 3 and array.sum(a) == 4.5
    assert array.dot(a, a) == 16.25
    a.update_min_max()
    assert (a.minimum, a.maximum) == (-1, 3)
    b = numbers(backend, 1, 2)
    array.update_minmax_gpu([a, b], only_max=True)
    assert b.maximum == 2 and b.minimum == 0
    with pytest.raises(ValueError):
        array.update_minmax_gpu([a], True, True)
    with pytest.raises(ValueError):
        array.minimum(wrap(np.zeros(0), backend=backend))


def test_sums(backend):
    a = numbers(backend, 1, 2, 3)
    made = array.cumsum(a)
    assert made.get().tolist() == [1, 3, 6]
    assert made.dtype == (np.int64 if backend == "cython" else np.int32)
    out = array.zeros(3, made.dtype, backend)
    assert array.cumsum(a, out=out) is out and out.get().tolist() == [1, 3, 6]


def test_differences_and_integrals(backend):
    a = wrap(np.array([1.0, 4.0, 9.0, 16.0]), backend=backend)
    assert array.diff(a, 1).get().tolist() == [3, 5, 7]
    assert array.diff(a, 2).get().tolist() == [2, 2] and array.diff(a, 0) is a
    assert array.trapz(a) == 21.5 and array.trapz(a, dx=2) == 43
    assert array.trapz(a, a) == np.trapezoid(a.get(), a.get())
    for wrong in (-1, 4):
        with pytest.raises(ValueError):
            array.diff(a, wrong)


def test_where(backend):
    a, b = numbers(backend, 1, 2, 3), numbers(backend, 7, 8, 9)
    assert array.where(a > 1, a, b).get().tolist() == [7, 2, 3]
    with pytest.raises(TypeError):
        array.where(a > 1, a, numbers(backend, 1, 2, 3, dtype=np.float32))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.int32, np.int64, np.float32,
                                   np.float64])
def test_all_but_zeros_is_a_condition(backend, dtype):
    """Negative numbers and NaN too, and no zero of either sign."""
    values = [0, 1]
    if np.issubdtype(dtype, np.integer):
        values += [2, np.iinfo(dtype).min, np.iinfo(dtype).max]
    if np.issubdtype(dtype, np.signedinteger):
        values += [-1, -2]
    if np.issubdtype(dtype, np.floating):
        values += [-0.0, 0.25, -0.25, -1, np.inf, -np.inf, np.nan]
    c = wrap(np.array(values, dtype), backend=backend)
    a, b = (numbers(backend, *range(k, len(values) + k)) for k in (1, 101))
    holds = np.array([v != 0 for v in values])
    np.testing.assert_array_equal(array.where(c, a, b).get(), np.where(holds, a.get(), b.get()))
    np.testing.assert_array_equal(array.take_bool(a, c).get(), a.get()[holds])


def test_ranges(backend):
    assert array.arange(2, 8, 2, backend=backend).get().tolist() == [2, 4, 6]
    line = array.linspace(0, 1, 11, backend=backend)
    assert line[-1] == 1 and np.allclose(line.get(), np.arange(11)/10)
    assert len(array.linspace(0, 1, 4, endpoint=False, backend=backend)) == 4
    with pytest.raises(TypeError):
        array.linspace(0, 1, np.int64(3), backend=backend)
    with pytest.raises(ValueError):
        array.linspace(0, 1, 0, backend=backend)


KEYS = np.random.default_rng(3).integers(-50, 50, 3000).astype(np.int32)


@pytest.mark.parametrize("radix", [False, True])
def test_sorts(radix, backend):
    values = np.arange(KEYS.size, dtype=np.float64)
    keys, carried = wrap(KEYS.copy(), values, backend=backend)
    outs = [array.zeros_like(keys), array.zeros_like(carried)]
    made = array.sort_by_keys([keys, carried], outs, use_radix_sort=radix)
    assert made[0] is outs[0] and (outs[0].get() == np.sort(KEYS)).all()
    order = outs[1].get().astype(int)
    assert (KEYS[order] == np.sort(KEYS)).all() and (np.sort(order) == np.arange(KEYS.size)).all()
    if radix or backend != "cython":
        assert (order == np.argsort(KEYS, kind="stable")).all()
    assert (keys.get() == KEYS).all()


def test_the_order_of_a_radix_sort(backend):
    keys = numbers(backend, 3, 1, 2, 0)
    (made,), order = radix_sort([keys])
    assert made.get().tolist() == [0, 1, 2, 3] and order.get().tolist() == [3, 1, 2, 0]
    with pytest.raises(ValueError):
        radix_sort([wrap(np.zeros(3), backend=backend)])


def test_argsort_sorts_too(backend):
    keys = numbers(backend, 3, 1, 2)
    order = array.argsort(keys)
    assert order.dtype == np.int64 and order.get().tolist() == [1, 2, 0]
    assert keys.dev.tolist() == [1, 2, 3]


def test_align_several(backend):
    a, b = numbers(backend, 1, 2, 3), wrap(np.array([0.1, 0.2, 0.3]), backend=backend)
    made = array.align([a, b], numbers(backend, 2, 0))
    assert made[0].get().tolist() == [3, 1] and made[1].get().tolist() == [0.3, 0.1]
    assert array.align([], None) == []
    with pytest.raises(AttributeError, match="takes a list of Arrays first"):
        array.align(numbers(backend, 2, 0), [a, b])
    with pytest.raises(AttributeError, match="takes a list of Arrays first"):
        array.sort_by_keys(a)


# ---- devices ----


@OPENCL
def test_the_device_may_be_chosen(monkeypatch):
    last = [d for d in cpl.devices() if d.kind == "opencl"][-1]
    first = opencl.get_context()
    opencl.set_context(last.label)
    try:
        assert opencl.get_context() is last and opencl.get_queue().device is last
        assert array.zeros(3, np.int32, "opencl").dev.device is last
        queue = cpl.Queue(last)
        opencl.set_queue(queue)
        assert opencl.get_queue() is queue
    finally:
        opencl.set_context(first)


def test_what_has_no_meaning_here():
    for call in (opencl.SimpleKernel, cuda.SourceModule, cuda.match_dtype_to_c_struct,
                 cuda.dtype_to_c_struct):
        with pytest.raises(NotImplementedError):
            call()
