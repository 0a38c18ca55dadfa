"""Arrays of other libraries on the host: against NumPy, and a producer and consumer in ctypes."""

import ctypes
import gc
import sys
import threading

import numpy as np
import pytest
from conftest import DTYPES, numbers

import cpl

P, I64 = ctypes.c_void_p, ctypes.c_int64
OTHERS = [d.label for d in cpl.devices() if d.kind == "opencl"]


class Tensor(ctypes.Structure):
    _fields_ = [("data", P), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(I64)),
                ("strides", ctypes.POINTER(I64)), ("byte_offset", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, P)


class Legacy(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", P), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", P),
                ("deleter", DELETER), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


api = ctypes.pythonapi
DESTRUCTOR = ctypes.CFUNCTYPE(None, P)
api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = ctypes.py_object, [P, ctypes.c_char_p, P]
api.PyCapsule_GetPointer.restype = P
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetName.restype = ctypes.c_char_p
api.PyCapsule_GetName.argtypes = [ctypes.py_object]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

OLD, NEW, USED_OLD, USED_NEW = (b"dltensor", b"dltensor_versioned", b"used_dltensor",
                                b"used_dltensor_versioned")


class Producer:
    """Hands out an array's memory, whatever is said of it, and counts how often it is let go."""

    def __init__(self, array, versioned=True, strides=True, version=(1, 1), deleter=True, **changes):
        self.array, self.ended = array, 0
        self.kept = Versioned() if versioned else Legacy()
        if versioned:
            self.kept.major, self.kept.minor = version
            self.kept.flags = changes.pop("flags", 0)
        self._end = DELETER(self._count)
        if deleter:
            self.kept.deleter = self._end
        t = self.kept.tensor
        codes = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}
        t.data, t.device_type, t.ndim = array.ctypes.data, 1, array.ndim
        t.code, t.bits, t.lanes = codes[array.dtype.kind], 8*array.itemsize, 1
        self.shape = (I64*max(array.ndim, 1))(*array.shape)
        self.strides = (I64*max(array.ndim, 1))(*(s//array.itemsize for s in array.strides))
        t.shape = self.shape
        if strides:
            t.strides = self.strides
        for name, value in changes.items():
            setattr(t, name, value)

    def _count(self, _):
        self.ended += 1

    def __dlpack_device__(self):
        return self.kept.tensor.device_type, self.kept.tensor.device_id

    def __dlpack__(self, **options):
        self.options = options
        name = NEW if isinstance(self.kept, Versioned) else OLD
        return api.PyCapsule_New(ctypes.addressof(self.kept), name, None)


@cpl.elementwise
def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b


# --- taking ---


@pytest.mark.parametrize("versioned", [True, False])
def test_taking_from_a_producer(dtype, versioned):
    x = numbers(dtype, (3, 4))
    p = Producer(x, versioned)
    y = cpl.from_dlpack(p)
    assert y.dtype == x.dtype and y.shape == (3, 4) and y.strides == x.strides
    assert not y.readonly and p.options == {"max_version": (1, 1)} and p.ended == 0
    np.testing.assert_array_equal(y.numpy(), x)
    x[1, 2] = 1 - x[1, 2] % 2
    np.testing.assert_array_equal(y.numpy(), x)
    del y
    gc.collect()
    assert p.ended == 1


@pytest.mark.parametrize("part", [
    lambda a: a[::2, 1:], lambda a: a[::-1], lambda a: a[:, ::-3], lambda a: a.T,
    lambda a: a[:, :1], lambda a: a[2:2], lambda a: a[0, 0:0], lambda a: a[1, 1, ...],
])
def test_views(part):
    x = part(np.arange(42.0).reshape(6, 7))
    for y in cpl.from_dlpack(Producer(x)), cpl.from_dlpack(x), cpl.asarray(Producer(x)):
        assert y.shape == x.shape
        np.testing.assert_array_equal(y.numpy(), x)


def test_no_strides_are_dense_ones():
    x = np.arange(6.0).reshape(2, 3)
    y = cpl.from_dlpack(Producer(x, strides=False))
    np.testing.assert_array_equal(y.numpy(), x)
    assert cpl.from_dlpack(Producer(np.array(2.5), strides=False)).numpy() == 2.5


def test_an_offset_of_bytes():
    x = np.arange(6.0)
    y = cpl.from_dlpack(Producer(x[:4], byte_offset=16))
    np.testing.assert_array_equal(y.numpy(), [2, 3, 4, 5])


def test_nothing_of_no_address():
    p = Producer(np.zeros((0, 3)), data=None)
    y = cpl.from_dlpack(p)
    assert y.shape == (0, 3) and p.ended == 1


def test_memory_that_is_only_read():
    p = Producer(np.arange(3.0), flags=1)
    y = cpl.from_dlpack(p)
    assert y.readonly
    with pytest.raises(cpl.ArgumentError, match="read"):
        axpb(np.ones(3), y, 1, 0)
    axpb(y, np.ones(3), 1, 0)


def test_no_deleter():
    x = np.arange(3.0)
    for versioned in True, False:
        y = cpl.from_dlpack(Producer(x, versioned, deleter=False))
        assert y.numpy()[2] == 2
        del y


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize(("changes", "error", "text"), [
    ({"code": 4, "bits": 16}, TypeError, "bfloat16"),
    ({"code": 5, "bits": 32}, TypeError, "complex32"),
    ({"code": 3}, TypeError, "code 3"),
    ({"code": 99}, TypeError, "code 99"),
    ({"bits": 128}, TypeError, "float128"),
    ({"code": 6, "bits": 1}, TypeError, "bool1"),
    ({"bits": 4}, TypeError, "float4"),
    ({"bits": 32, "lanes": 2}, TypeError, "2 lanes"),
    ({"lanes": 0}, TypeError, "0 lanes"),
    ({"ndim": 9}, ValueError, "8 dimensions, not 9"),
    ({"ndim": -1}, ValueError, "not -1"),
    ({"shape": None}, ValueError, "dimensions"),
    ({"data": None}, ValueError, "NULL"),
    ({"byte_offset": 3}, ValueError, "not aligned"),
])
def test_what_is_refused(versioned, changes, error, text):
    p = Producer(np.arange(4.0), versioned, **changes)
    with pytest.raises(error, match=text):
        cpl.from_dlpack(p)
    gc.collect()
    assert p.ended == 1
    with pytest.raises(error, match=text):
        cpl.asarray(p)


def test_shapes_that_cannot_be():
    for shape in [-1], [2**62]:
        p = Producer(np.arange(4.0), strides=False)
        p.shape[0] = shape[0]
        with pytest.raises((ValueError, cpl.Error)):
            cpl.from_dlpack(p)
        assert p.ended == 1
    p = Producer(np.arange(4.0))
    p.strides[0] = 2**61
    with pytest.raises(ValueError, match="stride"):
        cpl.from_dlpack(p)
    p = Producer(np.arange(4.0))
    p.strides[0] = 0
    with pytest.raises(ValueError, match="one place"):
        cpl.from_dlpack(p)


@pytest.mark.parametrize(("kind", "error", "text"), [
    (2, cpl.DeviceError, "cuda"), (4, BufferError, "OpenCL memory"), (8, BufferError, "of that kind"),
])
def test_devices_that_are_not_here(kind, error, text):
    if kind == 2 and any(d.kind == "cuda" for d in cpl.devices()):
        pytest.skip("there is one")
    with pytest.raises(error, match=text):
        cpl.from_dlpack(Producer(np.arange(4.0), device_type=kind))


def test_a_producer_that_lies_of_its_device():
    p = Producer(np.arange(4.0), device_type=2)
    p.__class__ = type("Liar", (Producer,), {"__dlpack_device__": lambda self: (1, 0)})
    with pytest.raises(BufferError, match=r"device \(2, 0\), not on host"):
        cpl.from_dlpack(p)
    assert p.ended == 1


def test_page_locked_memory_is_the_hosts():
    y = cpl.from_dlpack(Producer(np.arange(4.0), device_type=3))
    assert y.place == "host"


def test_a_version_to_come():
    p = Producer(np.arange(4.0), version=(2, 0))
    with pytest.raises(BufferError, match="version 2"):
        cpl.from_dlpack(p)
    cpl.from_dlpack(Producer(np.arange(4.0), version=(1, 9)))


def test_a_capsule_is_taken_once():
    p = Producer(np.arange(4.0))
    capsule = p.__dlpack__()

    class Again(Producer):
        def __dlpack__(self, **_):
            return capsule

    again = Again(np.arange(4.0))
    y = cpl.from_dlpack(again)
    assert api.PyCapsule_GetName(capsule) == USED_NEW
    with pytest.raises(ValueError, match="taken before"):
        cpl.from_dlpack(again)
    del y
    assert p.ended == 1


@pytest.mark.parametrize("given", [None, 3, "dltensor"])
def test_what_is_no_capsule(given):
    class Odd:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            return given

    with pytest.raises(TypeError, match="capsule was expected"):
        cpl.from_dlpack(Odd())
    with pytest.raises(TypeError, match="__dlpack_device__"):
        cpl.from_dlpack(given)


def test_producers_of_before_version_1():
    class Old(Producer):
        def __dlpack__(self):
            return super().__dlpack__()

    y = cpl.from_dlpack(Old(np.arange(3.0), versioned=False))
    np.testing.assert_array_equal(y.numpy(), [0, 1, 2])


def test_errors_of_the_producer():
    class Bad(Producer):
        def __dlpack__(self, **_):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        cpl.from_dlpack(Bad(np.arange(3.0)))


def test_arrays_end_on_other_threads():
    p = Producer(np.arange(4.0))
    held = [cpl.from_dlpack(p)]
    t = threading.Thread(target=held.clear)
    t.start()
    t.join()
    cpl.zeros(1)
    assert p.ended == 1


def test_from_numpy():
    x = np.arange(3.0)
    y = cpl.from_dlpack(x)
    x[0] = 5
    assert y.numpy()[0] == 5
    z = cpl.from_dlpack(x, copy=True)
    x[0] = 6
    assert z.numpy()[0] == 5
    with pytest.raises((TypeError, BufferError)):
        cpl.from_dlpack(np.zeros(3, np.clongdouble))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    x = (np.arange(12) + 1j).astype(dtype).reshape(3, 4)
    y = cpl.from_dlpack(x[:, ::2])
    y[1, 1] = 7 - 2j
    assert x[1, 2] == 7 - 2j and y.dtype == dtype
    z = np.from_dlpack(y.T)
    assert z.dtype == dtype and np.array_equal(z, x[:, ::2].T)


@pytest.mark.parametrize("dtype", [*DTYPES, np.complex64, np.complex128])
def test_alignment_is_that_of_the_parts(dtype):
    kind = np.dtype(dtype)
    memory = np.zeros(16 + 4*kind.itemsize, np.uint8)
    memory = memory[-memory.ctypes.data % 16:]
    for at in range(kind.itemsize):
        x = memory[at:at + 2*kind.itemsize].view(kind)
        if at % kind.alignment:
            with pytest.raises(ValueError, match="not aligned"):
                cpl.from_dlpack(x)
        else:
            x[1] = 3
            assert cpl.from_dlpack(x).numpy()[1] == kind.type(3)


@pytest.mark.skipif(not OTHERS, reason="no device")
def test_to_a_device():
    x = np.arange(3.0)
    y = cpl.from_dlpack(x, device=OTHERS[0])
    assert y.place == OTHERS[0]
    np.testing.assert_array_equal(y.numpy(), x)
    with pytest.raises(BufferError, match="not to be copied"):
        cpl.from_dlpack(x, device=OTHERS[0], copy=False)


# --- giving ---


def test_to_numpy(dtype):
    x = cpl.array(numbers(dtype, (3, 4)))
    y = np.from_dlpack(x)
    assert y.dtype == x.dtype and y.shape == (3, 4) and y.flags.writeable
    np.testing.assert_array_equal(y, x.numpy())
    y[0, 0] = 1
    assert x.numpy()[0, 0] == 1
    np.testing.assert_array_equal(np.from_dlpack(cpl.from_dlpack(y.T)), y.T)
    assert np.from_dlpack(cpl.zeros((0, 2))).shape == (0, 2)
    del x
    gc.collect()
    assert y[0, 0] == 1


def test_to_numpy_what_is_only_read():
    there = np.arange(3.0)
    there.flags.writeable = False
    y = np.from_dlpack(cpl.asarray(there))
    assert not y.flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        cpl.asarray(there).__dlpack__()


def consumed(capsule, versioned):
    """What a consumer sees; it marks the capsule."""
    name = NEW if versioned else OLD
    assert api.PyCapsule_GetName(capsule) == name
    kept = (Versioned if versioned else Legacy).from_address(api.PyCapsule_GetPointer(capsule, name))
    api.PyCapsule_SetName(capsule, USED_NEW if versioned else USED_OLD)
    return kept


@pytest.mark.parametrize("versioned", [True, False])
def test_giving_to_a_consumer(versioned):
    p = Producer(np.arange(12.0, dtype=np.float32).reshape(3, 4)[::-1, 1:])
    x = cpl.from_dlpack(p)
    capsule = x.__dlpack__(max_version=(1, 0) if versioned else None)
    kept = consumed(capsule, versioned)
    del capsule, x
    gc.collect()
    t = kept.tensor
    assert (t.device_type, t.device_id, t.ndim, t.code, t.bits, t.lanes) == (1, 0, 2, 2, 32, 1)
    assert (t.shape[0], t.shape[1], t.strides[0], t.strides[1]) == (3, 3, -4, 1)
    assert ctypes.c_float.from_address(t.data + t.byte_offset).value == 9
    if versioned:
        assert (kept.major, kept.flags) == (1, 0)
    assert p.ended == 0
    # on another thread and, by ctypes, without the GIL
    thread = threading.Thread(target=kept.deleter, args=(ctypes.addressof(kept),))
    thread.start()
    thread.join()
    cpl.zeros(1)
    assert p.ended == 1


def test_capsules_that_nobody_takes():
    p = Producer(np.zeros(1000))
    x = cpl.from_dlpack(p)
    before = sys.getrefcount(x)
    for version in None, (1, 0), (1, 3), (0, 8):
        capsule = x.__dlpack__(max_version=version)
        assert api.PyCapsule_GetName(capsule) == (NEW if version and version[0] else OLD)
        del capsule
    assert sys.getrefcount(x) == before
    assert p.ended == 0
    del x
    assert p.ended == 1


def test_what_a_consumer_may_ask_for():
    x = cpl.array([1.0, 2.0])
    assert x.__dlpack_device__() == (1, 0)
    kept = consumed(x.__dlpack__(max_version=(1, 1), copy=True), True)
    assert kept.flags == 2
    ctypes.c_double.from_address(kept.tensor.data).value = 5
    assert x.numpy()[0] == 1
    kept.deleter(ctypes.addressof(kept))
    kept = consumed(x.__dlpack__(max_version=(1, 1), copy=False, dl_device=(1, 0)), True)
    assert kept.flags == 0
    kept.deleter(ctypes.addressof(kept))
    with pytest.raises(BufferError, match="not on DLPack's device"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="no streams"):
        x.__dlpack__(stream=1)
    with pytest.raises(TypeError):
        x.__dlpack__(3)


def test_structs_are_not_given():
    x = cpl.zeros(3, np.dtype([("a", "f8"), ("b", "i4")], align=True))
    with pytest.raises(BufferError, match="structs"):
        x.__dlpack__()


@pytest.mark.skipif(not OTHERS, reason="no device")
def test_arrays_of_opencl():
    x = cpl.array([1.0, 2.0], device=OTHERS[0])
    assert x.__dlpack_device__() == (4, 0)
    with pytest.raises(BufferError, match="OpenCL"):
        x.__dlpack__()
    np.testing.assert_array_equal(np.from_dlpack(x, device="cpu"), [1, 2])
    with pytest.raises(BufferError, match="copied"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(AttributeError, match=r"no CUDA array interface|__cuda_array_interface__"):
        _ = x.__cuda_array_interface__


def test_what_is_written_on_a_device_is_given():
    if not OTHERS:
        pytest.skip("no device")
    x = cpl.array(np.arange(4.0))
    with cpl.device(OTHERS[0]):
        axpb(x, x, 2, 1)
    np.testing.assert_array_equal(np.from_dlpack(x), [1, 3, 5, 7])


def test_references_are_counted():
    x, y = np.arange(4.0), cpl.zeros(4)
    counted = [x, y, cpl.ndarray]
    before = [sys.getrefcount(c) for c in counted]
    for _ in range(100):
        cpl.from_dlpack(x)
        np.from_dlpack(y)
        with pytest.raises(BufferError):
            y.__dlpack__(dl_device=(2, 0))
    gc.collect()
    after = [sys.getrefcount(c) for c in counted]
    assert all(abs(a - b) < 20 for a, b in zip(after, before, strict=True)), (before, after)


# --- calls ---


@pytest.mark.parametrize("label", ["host", *OTHERS])
def test_calls_with_arrays_of_others(label):
    x, y = np.arange(4.0), np.zeros(4)
    p, q = Producer(x), Producer(y)
    with cpl.device(label):
        axpb(p, q, 2, 1)
        np.testing.assert_array_equal(y, [1, 3, 5, 7])
        assert cpl.reduce("a + b")(p) == 6
    gc.collect()
    assert (p.ended, q.ended) == (2, 1)


def test_calls_with_what_is_no_array_of_the_hosts():
    y = np.zeros(4)
    with pytest.raises(BufferError, match="OpenCL"):
        axpb(Producer(y, device_type=4), y, 1, 0)
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        axpb(Producer(y, code=4, bits=16), y, 1, 0)


class Face:
    def __init__(self, **face):
        self.__cuda_array_interface__ = {
            "shape": (3,), "typestr": "<f8", "data": (4096, False), "version": 3, **face}


@pytest.mark.parametrize(("x", "error", "text"), [
    (Face(mask=1), TypeError, "masked"),
    (Face(typestr=">f8"), TypeError, "byte order"),
    (Face(), cpl.DeviceError, "cuda"),
])
def test_arrays_of_cuda_without_it(x, error, text):
    if error is cpl.DeviceError and any(d.kind == "cuda" for d in cpl.devices()):
        pytest.skip("there is a device")
    with pytest.raises(error, match=text):
        axpb(x, np.ones(3), 1, 0)
    with pytest.raises(error, match=text):
        cpl.asarray(x)


def test_interfaces_that_lack_entries():
    x = Face()
    del x.__cuda_array_interface__["typestr"]
    with pytest.raises(TypeError, match="lacks"):
        cpl.asarray(x)
    x.__cuda_array_interface__ = None
    with pytest.raises(TypeError, match="lacks"):
        axpb(np.ones(3), x, 1, 0)
