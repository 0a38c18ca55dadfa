"""What arrays show of how they lie, and copies that lie otherwise: against NumPy."""

import numpy as np
import pytest
from conftest import DEVICES, scope_of

import cpl

PLACES = ["host", *DEVICES[:1]]

NAMES = {"x": np.arange(1.0, 5), "m": np.arange(6.0).reshape(2, 3),
         "b": np.arange(24, dtype=np.int32).reshape(2, 3, 4), "s": np.array(2.5)}

CALLS = [
    "x.view('i8')", "x.view(np.float32)", "m.view('u1')", "m.T.view('i8')", "b.view('i8')",
    "b.view(np.uint16)", "x.view()", "s.view('i8')", "b[:, ::2].view('i8')", "b[:0].view('i8')",
    "m.mT", "b.mT", "x.copy('F')", "m.copy(order='F')", "m.T.copy('A')", "m.ravel('F')",
    "m.T.ravel('A')", "m.flatten('F')", "b.flatten('F')", "b.reshape(4, 6, order='F')",
    "b.reshape((4, -1), order='F')", "np.reshape(m, (3, 2), order='F')", "m.T.ravel('K')",
    "m.astype('f4', 'F')", "m.astype(np.int32, casting='unsafe')", "x.astype('f8', copy=False)",
    "m.T.astype('i4')", "m.repeat(2, axis=1)", "m.repeat([1, 0, 2], 1)", "np.repeat(x, 3)",
    "np.repeat(x, [1, 2, 0, 1])", "x[::-1].argpartition(2)", "x.flat[1:3]", "m.T.flat[[0, 4]]",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", CALLS)
def test_layouts(call, place):
    here = scope_of(NAMES, place)
    expected, found = eval(call, {"np": np, **NAMES}), eval(call, here)
    assert isinstance(found, cpl.ndarray) and found.place == here["x"].place
    np.testing.assert_array_equal(found.numpy(), expected, strict=True)
    if ".ravel" not in call and "[:0]" not in call:
        assert found.flags.f_contiguous == expected.flags.f_contiguous or not expected.flags.forc


@pytest.mark.parametrize("text", ["a", "a.T", "a[::2]", "a[:, ::2]", "a[0]", "a[:1]"])
def test_flags(text):
    a = np.zeros((3, 4))
    expected, found = (eval(text, {"a": x}).flags for x in (a, cpl.asarray(a)))
    for name in ("c_contiguous", "f_contiguous", "contiguous", "writeable", "aligned", "forc",
                 "fnc"):
        assert getattr(found, name) == getattr(expected, name), name
    for name in ("C_CONTIGUOUS", "F", "C", "WRITEABLE"):
        assert found[name] == expected[name]
    assert "C_CONTIGUOUS : " in repr(found)
    with pytest.raises(KeyError, match="Unknown flag"):
        found["X"]
    a.flags.writeable = False
    assert not cpl.asarray(a).flags.writeable


@pytest.mark.parametrize("place", PLACES)
def test_elements_in_a_row(place):
    there, here = NAMES["m"].copy(), cpl.array(NAMES["m"], device=place)
    assert list(here.T.flat) == list(there.T.flat) and len(here.flat) == 6 and here.flat[3] == 3
    for a in (there, here):
        a.flat[2:4] = [7, 8]
        a.T.flat[1] = 9
        a.put([0, -1], [5, 6])
        a.put([1, 2, 3], 4)
    np.testing.assert_array_equal(here.numpy(), there)
    here.flat = 1
    assert here.sum() == 6 and here.tobytes() == np.ones(6).tobytes()
    here[0, 1] = 2
    assert here.tobytes("F") == here.numpy().tobytes("F") != here.tobytes()


def test_views_are_of_one_memory():
    x = cpl.zeros(3)
    x.view(np.int64)[1] = np.array(1.0).view(np.int64)
    assert x.tolist() == [0, 1, 0]
    y = cpl.array([3, 1, 2, 0])
    y.partition(1)
    assert y[:2].tolist() == [0, 1]


def test_files(tmp_path):
    x = cpl.array([1.0, 2.0])
    x.tofile(tmp_path / "x")
    np.testing.assert_array_equal(np.fromfile(tmp_path / "x"), x.numpy())


@pytest.mark.parametrize("call, error, what", [
    ("m.T.view('f4')", ValueError, "the last axis must be contiguous"),
    ("x[:3].view('c16')", ValueError, "must be a divisor"), ("s.view('f4')", ValueError, "0d array"),
    ("b[:, :, :2].reshape(6, 2)[:, :2].view('no')", TypeError, "no"),
    ("cpl.arange(9, dtype=np.int32).reshape(3, 3)[:, :2].view('i8')", ValueError,
     r"rows are \(12,\) bytes apart, to which int64 is not aligned"),
    ("x.view(np.ndarray)", TypeError, "takes a dtype"), ("x.copy('Q')", ValueError, "order must be"),
    ("x.astype('i4', casting='safe')", TypeError, "according to the rule 'safe'"),
    ("x.mT", ValueError, "ndim < 2"), ("x.put([9], 1)", IndexError, "out of bounds"),
    ("np.put(x, [0], 1, mode='wrap')", TypeError, "mode='wrap'"),
])
def test_what_cannot_be_laid_so(call, error, what):
    here = scope_of(NAMES)
    with pytest.raises(error, match=what):
        eval(call, here)
