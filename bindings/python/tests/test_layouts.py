"""Elementwise calls on each dtype in each layout, against NumPy; and structs in every layout."""

import numpy as np
import pytest
from conftest import numbers

import cpl


@cpl.elementwise
def square_plus(i, x, y):
    y[i] = x[i]*x[i] + x[i]


@cpl.elementwise
def square_plus_2d(i, j, x, y):
    y[i, j] = x[i, j]*x[i, j] + x[i, j]


@cpl.elementwise
def flat(i, x, y):
    y[i] = x[i]*x[i] + x[i]


@cpl.elementwise
def larger(i, x, y, out):
    out[i] = x[i] > y[i]


@cpl.jit
def sum_2d(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            s += x[i, j]
    return s


LINES = {
    "contiguous": lambda n, dtype: np.zeros(n, dtype),
    "strided": lambda n, dtype: np.zeros(3*n, dtype)[1::3],
    "reversed": lambda n, dtype: np.zeros(n, dtype)[::-1],
    "a column": lambda n, dtype: np.zeros((n, 4), dtype)[:, 2],
    "a field": lambda n, dtype: np.zeros(n, np.dtype([("a", "u1"), ("b", dtype)], align=True))["b"],
}
PLANES = {
    "rows": lambda n, m, dtype: np.zeros((n, m), dtype),
    "Fortran's": lambda n, m, dtype: np.zeros((n, m), dtype, order="F"),
    "strided": lambda n, m, dtype: np.zeros((2*n, 3*m), dtype)[::2, 1::3],
    "reversed": lambda n, m, dtype: np.zeros((n, m), dtype)[::-1, ::-1],
    "of three": lambda n, m, dtype: np.zeros((n, 5, m), dtype)[:, 3],
}


def small(dtype, shape):
    """Squares of these are exact in float16 too."""
    return (numbers(np.int64, shape) % (2 if dtype == np.bool_ else 8)).astype(dtype)


@pytest.mark.parametrize("n", [0, 1, 7, 1001])
@pytest.mark.parametrize("layout", LINES)
def test_lines(dtype, layout, n):
    x, y = LINES[layout](n, dtype), LINES[layout](n, dtype)
    x[:] = small(dtype, n)
    square_plus(x, y)
    np.testing.assert_array_equal(y, x*x + x)
    out = np.zeros(n, bool)
    larger(x, y, out)
    np.testing.assert_array_equal(out, x > y)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (13, 21)])
@pytest.mark.parametrize("layout", PLANES)
def test_planes(dtype, layout, shape):
    x, y = PLANES[layout](*shape, dtype), PLANES[layout](*shape, dtype)
    x[:] = small(dtype, shape)
    square_plus_2d(x, y)
    np.testing.assert_array_equal(y, x*x + x)
    assert sum_2d(x) == x.sum(dtype=np.float64)


def test_planes_as_lines():
    """A kernel of one index takes what lies densely, and nothing that has gaps."""
    x = small(np.float64, (4, 6))
    y = np.zeros_like(x)
    flat(x, y)
    np.testing.assert_array_equal(y, x*x + x)
    for gaps in x[:, ::2], np.asfortranarray(x):
        with pytest.raises(cpl.ArgumentError, match="'x' has 2 dimensions"):
            flat(gaps, np.zeros(gaps.shape))


def test_broadcast_arrays_are_read():
    x, y = np.broadcast_to(np.float32(3), (4, 5)), np.zeros((4, 5), np.float32)
    square_plus_2d(x, y)
    np.testing.assert_array_equal(y, 12)
    with pytest.raises(cpl.ArgumentError, match="y"):
        square_plus_2d(y, x)


def test_readonly(dtype):
    x, y = small(dtype, 9), np.zeros(9, dtype)
    x.flags.writeable = False
    square_plus(x, y)
    np.testing.assert_array_equal(y, x*x + x)
    with pytest.raises(cpl.ArgumentError, match="'y'"):
        square_plus(y, x)


def test_elements_in_one_place():
    """Strides of 0, which say that arrays are contiguous where they stand alone."""
    held = np.array([3.0, 100, 200, 300])
    x, y = np.broadcast_to(held[:1], (4,)), np.zeros(4)
    square_plus(x, y)
    np.testing.assert_array_equal(y, 12)
    assert cpl.reduce("a + b")(x) == 12
    np.testing.assert_array_equal(cpl.scan("a + b")(x), [3, 6, 9, 12])
    square_plus(np.full(4, 2.0), np.lib.stride_tricks.as_strided(held[:1], (4,), (0,)))
    np.testing.assert_array_equal(held, [6, 100, 200, 300])


WIDE = pytest.mark.parametrize("wide", ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8"])


@WIDE
def test_other_byte_orders_are_refused(wide):
    y = np.zeros(4, wide)
    with pytest.raises(TypeError, match="argument 1 x is an array of the other byte order"):
        square_plus(np.ones(4, ">" + wide), y)
    square_plus(np.ones(4, "<" + wide), y)
    np.testing.assert_array_equal(y, 2)


@WIDE
def test_fields_of_packed_records(wide):
    """Their elements are not aligned: copies of them are."""
    packed = np.zeros(5, [("a", "u1"), ("b", wide), ("c", wide)])
    packed["a"], packed["b"] = 7, range(5)
    square_plus(packed["b"], packed["c"])
    np.testing.assert_array_equal(packed["c"], packed["b"]**2 + packed["b"])
    np.testing.assert_array_equal(packed["a"], 7)
    square_plus(packed["b"][::-2], packed["c"][:3])
    np.testing.assert_array_equal(packed["c"][:3], [20, 6, 0])
    square_plus(packed["b"], packed["b"])  # one view twice, read and written
    np.testing.assert_array_equal(packed["b"], [0, 2, 6, 12, 20])
    overlaps = "argument [12] [xy] is .*not aligned .*and overlaps another"
    with pytest.raises(TypeError, match=overlaps):
        square_plus(packed["b"][1:], packed["b"][:-1])
    with pytest.raises(TypeError, match="argument 1 x is .*not aligned .*and overlaps another"):
        square_plus(packed["b"], packed.view("u1"))
    np.testing.assert_array_equal(packed["b"], [0, 2, 6, 12, 20])
    assert cpl.reduce("a + b")(packed["c"][3:].astype("f8")) == packed["c"][3:].sum()
    assert cpl.reduce("a + b")(packed["a"]) == 35
    packed.flags.writeable = False
    with pytest.raises(cpl.ArgumentError, match="y"):
        square_plus(packed["b"], packed["c"])


@pytest.mark.parametrize("one, other", [("f4", "i4"), ("i4", "u4"), ("f8", "i8"), ("f2", "u2")])
def test_two_types_of_the_same_bytes(one, other):
    """A copy stands for elements of one type alone."""
    memory = np.arange(8*9, dtype="u1")
    before, bytes_ = memory.copy(), memory[1:1 + 4*8]
    for x, y in ((bytes_.view(one), bytes_.view(other)), (bytes_.view(other), bytes_.view(one))):
        overlaps = "argument [12] [xy] is .*not aligned .*and overlaps another"
        with pytest.raises(TypeError, match=overlaps):
            square_plus(x, y)
        np.testing.assert_array_equal(memory, before)


@pytest.mark.parametrize("other", [
    lambda a: a[::2], lambda a: a[:, ::2], lambda a: a.T, lambda a: a[:2], lambda a: a[:, :2],
], ids="rows columns turned fewer narrower".split())
def test_two_views_that_begin_at_one_place(other):
    """A copy stands for one view alone: not for one of other strides or lengths."""
    packed = np.zeros((4, 4), [("a", "u1"), ("b", "f8")])
    packed["b"] = np.arange(16).reshape(4, 4)
    whole, before = packed["b"], packed.copy()
    view = other(whole)
    part = whole[tuple(slice(n) for n in view.shape)]
    pairs = [(x, y) for x, y in ((part, view), (whole, view)) if x.strides != y.strides or
             x.shape != y.shape]
    assert pairs and all(x.ctypes.data == y.ctypes.data for x, y in pairs)
    for x, y in pairs + [(y, x) for x, y in pairs]:
        with pytest.raises(TypeError, match="not aligned .*and overlaps another"):
            square_plus_2d(x, y)
        assert (packed == before).all()


def twice(v):
    return 2*v


def test_fields_of_packed_records_beside_functions():
    """Wherever functions stand among arguments, copies go back to what they are of."""
    def last(i, x, y, f):
        y[i] = f(x[i])

    def between(i, x, f, y):
        y[i] = f(x[i])

    def first(i, f, x, y):
        y[i] = f(x[i])

    def around(i, f, x, g, y):
        y[i] = f(g(x[i]))/2

    for text, order in ((last, "xyf"), (between, "xfy"), (first, "fxy"), (around, "fxfy")):
        packed = np.zeros(5, [("a", "u1"), ("b", "f8"), ("c", "f8")])
        packed["b"] = range(5)
        named = {"x": packed["b"], "y": packed["c"], "f": twice}
        cpl.elementwise(text)(*[named[name] for name in order])
        np.testing.assert_array_equal(packed["c"], 2*packed["b"])
        np.testing.assert_array_equal(packed["b"], range(5))


def test_planes_of_packed_records():
    packed = np.zeros((3, 4), [("a", "u1"), ("b", "f8"), ("c", "f8")])
    packed["b"] = np.arange(12).reshape(3, 4)
    square_plus_2d(packed["b"], packed["c"])
    np.testing.assert_array_equal(packed["c"], packed["b"]**2 + packed["b"])
    assert sum_2d(packed["c"]) == packed["c"].sum()
    with pytest.raises(TypeError, match="is not aligned to its elements; copy it"):
        cpl.scan("a + b")(packed["b"].ravel()[:0], packed["c"])


def test_records_of_graphs_are_aligned():
    packed, y = np.zeros(5, [("a", "u1"), ("b", "f8")]), np.zeros(5)
    queue = cpl.Queue("host")
    with pytest.raises(TypeError, match="is not aligned to its elements; copy it"):
        with queue.record_graph():
            square_plus(packed["b"], y)


# --- structs ---

POINT = [("x", "f4"), ("y", "f8")]
STRUCTS = {
    "packed": np.dtype([("tag", "i1"), ("n", "i4"), ("p", POINT), ("w", "f8", (2, 3))]),
    "aligned": np.dtype([("tag", "i1"), ("n", "i4"), ("p", np.dtype(POINT, align=True)),
                         ("w", "f8", (2, 3))], align=True),
    "with padding": np.dtype({
        "names": ["tag", "n", "p", "w"], "offsets": [3, 8, 16, 40], "itemsize": 104,
        "formats": ["i1", "i4", np.dtype(POINT, align=True), ("f8", (2, 3))]}),
    "out of order": np.dtype({
        "names": ["w", "p", "n", "tag"], "offsets": [32, 8, 4, 0], "itemsize": 80,
        "formats": [("f8", (2, 3)), np.dtype(POINT, align=True), "i4", "i1"]}),
}


@cpl.elementwise
def mixed(i, s, out):
    out[i] = s[i].n + s[i].p.x*s[i].p.y + s[i].w[1][2] - s[i].tag
    s[i].p.y = s[i].p.y + s[i].n
    s[i].w[0][1] = out[i]
    s[i].tag = 7


def filled(dtype, n):
    s = np.zeros(n, dtype)
    s["tag"], s["n"] = np.arange(n) % 5, np.arange(n)*3
    s["p"]["x"], s["p"]["y"] = np.arange(n)/4, np.arange(n)/8
    s["w"] = np.arange(6*n).reshape(n, 2, 3)
    return s


@pytest.mark.parametrize("part", [slice(None), slice(None, None, 2), slice(None, None, -1)])
@pytest.mark.parametrize("layout", STRUCTS)
def test_structs(layout, part):
    s = filled(STRUCTS[layout], 10)[part]
    before, out = s.copy(), np.zeros(len(s))
    mixed(s, out)
    wanted = (before["n"] + before["p"]["x"]*before["p"]["y"] + before["w"][:, 1, 2]
              - before["tag"])
    np.testing.assert_array_equal(out, wanted)
    np.testing.assert_array_equal(s["p"]["y"], before["p"]["y"] + before["n"])
    np.testing.assert_array_equal(s["w"][:, 0, 1], wanted)
    np.testing.assert_array_equal(s["tag"], 7)
    for untouched in ("n",), ("p", "x"):
        a, b = s, before
        for name in untouched:
            a, b = a[name], b[name]
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(s["w"][:, 1], before["w"][:, 1])


@pytest.mark.parametrize("layout", STRUCTS)
def test_padding_stays(layout):
    dtype = STRUCTS[layout]
    memory = np.full(10*dtype.itemsize, 0xA5, np.uint8)
    s = memory.view(dtype)
    s[:] = 0
    clean = memory.reshape(10, -1).copy()
    mixed(s, np.zeros(10))
    touched = np.zeros(dtype.itemsize, bool)
    for name in dtype.names:
        of, offset = dtype.fields[name][:2]
        touched[offset:offset + of.itemsize] = True
    np.testing.assert_array_equal(memory.reshape(10, -1)[:, ~touched], clean[:, ~touched])


@pytest.mark.parametrize(("dtype", "text"), [
    ([("tag", ">i4")], "byte order"),
    ([("x", "M8[s]")], "no type for datetime64"),
    ([("x", "S3")], "no type for |S3"),
    ([("x", "G")], "no type for complex256"),
    ([("p", [("x", ">f8")])], "byte order"),
    ([("x", object)], "no type for object"),
])
def test_structs_that_kernels_have_no_type_for(dtype, text):
    with pytest.raises(TypeError) as error:
        mixed(np.zeros(3, dtype), np.zeros(3))
    assert text in str(error.value)


def test_a_field_that_is_not_there():
    with pytest.raises(cpl.CompileError, match="has no field 'n'"):
        mixed(np.zeros(3, POINT), np.zeros(3))


def test_overlapping_fields_are_refused():
    both = np.dtype({"names": ["n", "tag"], "formats": ["i4", "i1"], "offsets": [0, 1]})
    with pytest.raises(cpl.Error):
        mixed(np.zeros(3, both), np.zeros(3))
