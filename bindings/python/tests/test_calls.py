"""What functions are called with: numbers and arrays of every type and layout, against NumPy."""

import array
import inspect
from collections import namedtuple

import numpy as np
import pytest
from conftest import numbers

import cpl
from cpl.lang import GID_0, LDIM_0, LID_0, static_range


@cpl.elementwise
def copy(i, x, y):
    y[i] = x[i]


@cpl.elementwise
def copy2(i, j, x, y):
    y[i, j] = x[i, j]


@cpl.elementwise
def axpb(i, x, y, a, b=1):
    y[i] = a*x[i] + b


@cpl.jit
def same(x):
    return x


LAYOUTS = {
    "dense": lambda a: a,
    "every second": lambda a: np.repeat(a, 2)[::2],
    "backwards": lambda a: a[::-1].copy()[::-1],
    "in a record": lambda a: _in_record(a),
}


def _in_record(a):
    whole = np.zeros(a.shape, np.dtype([("pad", "f8"), ("x", a.dtype), ("rest", "i8")], align=True))
    whole["x"] = a
    return whole["x"]


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("target", LAYOUTS)
def test_arrays_of_any_layout(dtype, source, target):
    x = LAYOUTS[source](numbers(dtype, 1001))
    y = LAYOUTS[target](np.zeros(1001, dtype))
    copy(x, y)
    np.testing.assert_array_equal(x, y)


PLANES = {
    "rows": lambda a: a,
    "columns": np.asfortranarray,
    "a part": lambda a: np.pad(a, 3)[3:-3, 3:-3],
    "turned": lambda a: np.ascontiguousarray(a.T).T,
}


@pytest.mark.parametrize("source", PLANES)
@pytest.mark.parametrize("target", PLANES)
def test_two_dimensions(source, target):
    x = PLANES[source](numbers(np.float32, (37, 21)))
    y = PLANES[target](np.zeros((37, 21), np.float32))
    copy2(x, y)
    np.testing.assert_array_equal(x, y)


def test_empty_arrays():
    y = np.empty(0)
    axpb(np.empty(0), y, 2)
    assert cpl.reduce("a + b")(np.empty(0)) == 0


def test_strides_of_one_element_and_of_none_are_any():
    @cpl.jit
    def first(x):
        return x[0, 0] if len(x) else -1.0

    packed = np.zeros((3, 4), [("tag", "i1"), ("v", "f8")])["v"]
    one = np.lib.stride_tricks.as_strided(np.array([2.5, 0, 3.5]), (1, 2), (17, 16))
    assert one.flags.aligned and packed[:0].flags.aligned and not one.flags.contiguous
    assert first(packed[:0]) == -1 and first(one) == 2.5
    axpb(packed[:0, 1], np.zeros(0), 1)


def test_structs_of_any_layout():
    for align in False, True:
        dtype = np.dtype([("tag", "i1"), ("x", "f8"), ("at", "f4", (3,))], align=align)
        p = np.zeros(5, dtype)
        p["x"], p["at"] = np.arange(5), np.arange(15).reshape(5, 3)

        @cpl.elementwise
        def move(i, p):
            p[i].x = p[i].x + p[i].at[2]

        move(p)
        np.testing.assert_array_equal(p["x"], np.arange(5) + np.arange(5)*3 + 2)


@pytest.mark.parametrize("value", [0, -1, 2**31 - 1, 2**31, -2**63, 2**64 - 1, 0.5, -0.0,
                                   float("inf"), True, False])
def test_numbers_of_python(value):
    result = same(value)
    assert result == value and type(result) is type(value) or isinstance(result, np.generic)
    assert str(result) == str(value)


def test_scalars_keep_their_type(dtype):
    value = dtype(1)
    result = same(value)
    assert result == value
    if dtype not in (np.bool_, np.int32, np.int64, np.float64):  # those are Python's own
        assert result.dtype == (np.float32 if dtype == np.float16 else dtype)


def test_scalars_at_the_ends_of_their_type(dtype):
    """What they hold comes as it is, the greatest of unsigned ones too."""
    if dtype == np.bool_:
        ends = False, True
    else:
        about = np.finfo(dtype) if np.issubdtype(dtype, np.floating) else np.iinfo(dtype)
        ends = about.min, about.max, about.max//2 + 1
    for value in map(dtype, ends):
        got = np.zeros(1, dtype)
        axpb(np.ones(1, dtype), got, value, dtype(0))
        assert got[0] == value
        assert same(value) == value


def test_not_a_number_comes_back():
    assert same(float("nan")) != same(float("nan"))


@pytest.mark.parametrize(("wrong", "text"), [
    ([1, 2], "type list; numpy.array"),
    ((1, 2), "type tuple"),
    ("text", "type str"),
    (b"text", "type bytes"),
    (None, "type NoneType"),
    ({}, "type dict"),
    (2**64, "no 64 bits hold"),
    (-2**63 - 1, "no 64 bits hold"),
    (np.zeros(3, ">f8"), "other byte order"),
    (np.zeros(3, "M8[s]"), "array of datetime64[s], which kernels have no type for; x.view('i8')"),
    (np.zeros(3, "G"), "2 y is an array of complex256, which kernels have no type for"),
    (np.zeros(3, object), "array of object, which"),
    (np.zeros(3, "U4"), "array of <U4, which"),
    (np.ma.zeros(3), "masked array"),
    (np.ma.masked, "masked array"),
    (np.zeros(3, "V4"), "2 y is an array of |V4, which kernels have no type for"),
    (np.zeros(3, [("x", "M8[s]")]), "2 y is an array of records; kernels have no type for date"),
    (np.zeros((1,)*9), "more than 8 dimensions"),
    (np.clongdouble(1), "type clongdouble"),
])
def test_what_no_kernel_takes(wrong, text):
    with pytest.raises(TypeError) as error:
        axpb(np.zeros(3), wrong, 1)
    assert text in str(error.value)


def test_methods_are_not_bound():
    class Scaled:
        @cpl.jit
        def of(self, x):
            return x

        @staticmethod
        @cpl.jit
        def twice(x):
            return 2*x

    assert Scaled().twice(2) == 4
    with pytest.raises(TypeError, match=r"given 1; it is not bound to an object: @staticmethod"):
        Scaled().of(2)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("wrong", [[1], {}, object()])
def test_the_argument_is_named(place, wrong):
    """Each of them, by whatever it is given to."""
    args = [np.zeros(3), np.zeros(3), 1]
    args[place] = wrong
    ways = [axpb, axpb[3], lambda *args: axpb.inspect("ir", *args),
            lambda *args: axpb.source("host", *args)]
    name = "xya"[place]
    for way in ways:
        with pytest.raises(TypeError, match=rf"axpb\(\): argument {place + 1} {name} is an object "
                                            f"of type {type(wrong).__name__}"):
            way(*args)


def test_readonly_arrays_are_read_but_not_written():
    x, y = np.arange(3.0), np.zeros(3)
    x.flags.writeable = False
    axpb(x, y, 1)
    np.testing.assert_array_equal(y, x + 1)
    with pytest.raises(cpl.ArgumentError, match="y"):
        axpb(y, x, 1)


def test_arguments_by_name_and_defaults():
    x, y = np.ones(3), np.zeros(3)
    axpb(x, a=4, y=y)
    np.testing.assert_array_equal(y, 5)
    axpb(x, y, 4, b=0)
    np.testing.assert_array_equal(y, 4)
    for args, names, text in [
        ((x, y), {}, "argument 'a' is missing"),
        ((x, y, 1), {"c": 1}, "no parameter is called 'c'"),
        ((x, y, 1), {"a": 1}, "two values for argument 'a'"),
        ((x, y, 1, 2, 3), {}, "takes 4 arguments"),
    ]:
        with pytest.raises(TypeError, match=text):
            axpb(*args, **names)


SCALE = 3


def weigh(a, b=2*SCALE, *, half=np.float64(0.5), flag=True):
    return a*b + half if flag else -a


def no_number(a, text=None):
    return a


def test_defaults_of_helpers():
    """What they came to when the helper was made; None and its kin must be given."""
    @cpl.elementwise
    def f(i, x, y):
        y[i] = weigh(x[i]) + 100*weigh(x[i], 1, half=0) + 10000*weigh(b=2, a=x[i], flag=False)

    x, y = np.arange(1.0, 4.0), np.zeros(3)
    f(x, y)
    np.testing.assert_array_equal(y, 6*x + 0.5 + 100*x - 10000*x)
    assert cpl.jit(lambda x: no_number(x, 1))(2.0) == 2
    with pytest.raises(cpl.CompileError, match="default of 'text' is not read here"):
        cpl.jit(lambda x: no_number(x))(1.0)


def test_any_number_of_arguments():
    @cpl.elementwise
    def total(i, out, *xs):
        s = 0.0
        for k in static_range(len(xs)):
            s += xs[k][i]
        out[i] = s

    out = np.zeros(3)
    for count in range(1, 5):
        total(out, *[np.full(3, 2.0**k) for k in range(count)])
        np.testing.assert_array_equal(out, 2.0**count - 1)


def test_buffers_of_others():
    x = array.array("d", [1, 2, 3])
    y = bytearray(24)
    axpb(x, memoryview(y).cast("d"), 2)
    np.testing.assert_array_equal(np.frombuffer(y), [3, 5, 7])


class Series:
    """What has __array__ alone, as a column of a table."""

    def __init__(self, values, shares=True):
        self.values, self.shares = values, shares

    def __array__(self, dtype=None, copy=None):
        if copy is False and not self.shares:
            raise ValueError("a copy is needed")
        return self.values if self.shares else self.values.copy()


class Described:
    def __init__(self, values):
        self.values = values
        self.__array_interface__ = values.__array_interface__


def test_what_arrays_can_be_made_of():
    x, y = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    axpb(Series(x, False), Series(y), 1)
    np.testing.assert_array_equal(y, x + 1)
    axpb(Described(x), Described(y), 1, 2)
    np.testing.assert_array_equal(y, x + 2)
    with pytest.raises(cpl.ArgumentError, match="y"):  # what is written to a copy would be lost
        axpb(x, Series(y, False), 1)
    with pytest.raises(TypeError, match="2 y is an array of object, which"):
        axpb(x, Series(np.array([None])), 1)
    with pytest.raises(TypeError, match="an object of type type"):
        axpb(x, Series, 1)


class Old:
    def __array__(self):
        return np.arange(3.0)


def test_what_may_be_a_copy_is_only_read():
    y = np.zeros(3)
    axpb(Old(), y, 1)
    np.testing.assert_array_equal(y, [1, 2, 3])
    with pytest.raises(cpl.ArgumentError, match="y"):
        axpb(y, Old(), 1)


@pytest.mark.parametrize(("given", "text"), [
    ([1, 2], "2 y is an object whose __array__ gives no array"),
    (None, "2 y is an object whose __array__ gives no array"),
    (np.ma.zeros(3), "2 y is a masked array"),
])
def test_what_gives_no_array(given, text):
    class Giving:
        def __array__(self, dtype=None, copy=None):
            return given

    with pytest.raises(TypeError, match=text):
        axpb(np.zeros(3), Giving(), 1)


@pytest.mark.parametrize("lone", [np.array, cpl.array])
def test_arrays_without_dimensions_are_numbers(lone, dtype):
    x = np.arange(3).astype(dtype)
    y = np.zeros(3)
    axpb(x, y, lone(dtype(1)))
    np.testing.assert_array_equal(y, x.astype(float) + 1)
    axpb(x, y, 1, b=lone(np.arange(4.0)).sum())
    np.testing.assert_array_equal(y, x.astype(float) + 6)
    assert same(lone(dtype(1))) == 1 and type(same(lone(dtype(1)))) is type(same(dtype(1)))
    scaled = cpl.reduce("a + b", "lambda i, x, s: x[i]*s")
    assert scaled(np.ones(3), lone(2.0)) == 6 and cpl.reduce("a + b")(lone(2.0)) == 2
    assert cpl.scan("a + b")(lone(2.0)).tolist() == [2]


@cpl.elementwise
def last_into(i, x, out):
    out[0] = x[i]


def test_results_do_not_go_to_numbers():
    with pytest.raises(cpl.CompileError, match="float64 cannot be indexed") as error:
        last_into(np.ones(1), np.array(0.0))
    assert error.value.__notes__[-1].startswith(
        "last_into() was given an array without dimensions, which is the number that it holds")
    out = np.array(0.0)
    last_into(np.ones(1), out.reshape(1))
    assert out == 1
    with pytest.raises(cpl.CompileError) as error:
        last_into(np.ones(1), 0.0)
    assert not any("without dimensions" in note for note in error.value.__notes__)


@pytest.mark.parametrize("align", [True, False])
def test_records_of_numpy(align):
    """One that is an element is over the array's memory, as NumPy has it."""
    @cpl.jit
    def grow(r, by):
        r.a = r.a + by
        return r.a*r.b

    p = np.array([(1, 2.5), (3, 4.5)], np.dtype([("a", "i1"), ("b", "f8")], align=align))
    assert grow(p[1], 1) == 18 and p["a"].tolist() == [1, 4]
    assert grow(cpl.array(p)[1], 1) == 22.5
    with pytest.raises(TypeError, match="an object of type void"):
        grow(np.void(b"abc"), 1)


def test_many_signatures():
    """Each keeps its kernel: the first ones are not made again."""
    @cpl.elementwise
    def second(i, y, p):
        y[i] = p[i].b

    y = np.zeros(2)
    for n in range(100):
        second(y, np.array([(1, n)]*2, np.dtype([(f"a{n}", "i4"), ("b", "f8")], align=True)))
        assert y.tolist() == [n, n]
    assert len(second.signatures) == 100  # of which a call finds its own


def test_a_range():
    y = np.zeros(5)
    axpb[3](np.ones(5), y, 1)
    np.testing.assert_array_equal(y, [2, 2, 2, 0, 0])
    axpb[0](np.ones(5), y, 7)
    np.testing.assert_array_equal(y, [2, 2, 2, 0, 0])
    with pytest.raises(ValueError, match="not negative"):
        axpb[-1]
    with pytest.raises(TypeError):
        axpb["x"]
    with pytest.raises(TypeError, match="has no range"):
        same[3]
    for several in ((2, 2), (), ((2,), (2,))):
        with pytest.raises(TypeError, match="axpb runs over one range, axpb.n.;"):
            axpb[several](np.ones(5), y, 1)


def test_functions_as_arguments():
    @cpl.elementwise
    def apply(i, f, x):
        x[i] = f(x[i])

    @cpl.jit
    def cube(v):
        return v*v*v

    x = np.arange(4.0)
    apply(cube, x)
    np.testing.assert_array_equal(x, [0, 1, 8, 27])
    for k in 2, 3:
        x = np.arange(4.0)
        apply(lambda v: v*k + 1, x)
        np.testing.assert_array_equal(x, np.arange(4.0)*k + 1)
    apply(np.sqrt, x)
    np.testing.assert_allclose(x, np.sqrt(np.arange(4.0)*3 + 1))


def test_arrays_that_overlap():
    x = np.arange(10.0)
    axpb(x[:-1], x[1:], 1, 0)  # in order, as a loop of Python's
    np.testing.assert_array_equal(x, np.zeros(10))


SCALE = 2


def test_globals_and_closures_are_read_again():
    global SCALE
    offset = 1

    @cpl.elementwise
    def scaled(i, x):
        x[i] = SCALE*x[i] + offset

    x = np.ones(2)
    scaled(x)
    np.testing.assert_array_equal(x, 3)
    SCALE = 10
    scaled(x)
    np.testing.assert_array_equal(x, 31)
    offset = 0.5
    scaled(x)
    np.testing.assert_array_equal(x, 310.5)
    SCALE = 2


def test_code_and_defaults_that_are_replaced():
    def helper(x, k=1):
        return x + k

    @cpl.elementwise
    def f(i, x, a=1):
        x[i] = helper(x[i])*a

    def given(*args, **named):
        x = np.ones(2)
        f(x, *args, **named)
        return x[1]

    own = f.__wrapped__
    assert given() == 2
    helper.__code__ = (lambda x, k=1: x + 100*k).__code__
    assert given() == 101
    helper.__defaults__ = (50,)
    assert given() == 5001
    own.__defaults__ = (2,)
    assert given() == 10002
    own.__defaults__ = None
    with pytest.raises(TypeError, match="takes 2 arguments"):
        given()

    def other(i, x, b, c):
        x[i] = b - c + 0*helper(0)

    own.__code__, own.__defaults__ = other.__code__, (3,)
    assert given(5) == given(b=5) == 2
    assert f.parameters == ("x", "b", "c")

    def another(i, x, b, c):
        x[i] = b + c + 0*helper(0)

    own.__code__ = another.__code__  # which takes the same
    assert given(5) == 8


def abs_like(x):
    return 100*x


def test_names_that_come_in_front_are_seen():
    @cpl.jit
    def f(x):
        return abs(x)

    assert f(-2) == 2
    try:
        globals()["abs"] = abs_like
        assert f(-2) == -200
    finally:
        del globals()["abs"]
    assert f(-2) == 2


class Tables:
    WEIGHTS = (0.25, 0.5)
    GRID = [[1, 2], [3, 4]]
    SHORT = np.array([3, 4], np.int16)

    class Inner:
        STEP = 7

    def scaled(self, x):
        @cpl.jit
        def inner(i, x):
            return self.WEIGHTS[i]*x + self.shift[0] + self.Inner.STEP

        return inner(1, x)


class Finer(Tables):
    pass


Corner = namedtuple("Corner", "x y part")
corner = Corner(3, 4, (5, 6))
flat_corner = Corner(3, 0.5, 7)


def test_shapes_of_classes_and_closures():
    class Grid:
        SHAPE = (2, 3)

    shape = (3, 2)

    @cpl.jit
    def f(x):
        for i, j in np.ndindex(Grid.SHAPE):
            x[i, j] += 1
        for i, j in np.ndindex(*shape):
            x[i, j] += 10

    x, expected = np.zeros((4, 4)), np.zeros((4, 4))
    f(x)
    f.__wrapped__(expected)
    np.testing.assert_array_equal(x, expected)
    Grid.SHAPE = (1, 1)
    f(x)
    f.__wrapped__(expected)
    np.testing.assert_array_equal(x, expected)


def test_tables_of_classes_and_objects():
    @cpl.jit
    def f(i):
        s = 0.0
        for w in Finer.WEIGHTS:
            s += w
        for a, b in Tables.GRID:
            s += 10*a*b
        return s + 1000*Tables.GRID[i][1] + Tables.SHORT[i] + len(Tables.WEIGHTS) + (7 in Tables.GRID[0])

    assert f(1) == 0.75 + 140 + 4000 + 4 + 2
    Finer.WEIGHTS = (8.0,)
    assert f(0) == 8 + 140 + 2000 + 3 + 2
    del Finer.WEIGHTS
    Tables.SHORT[0] = 30
    assert f(0) == 0.75 + 140 + 2000 + 30 + 2

    tables = Tables()
    tables.shift = [1.5]
    assert tables.scaled(4.0) == 2 + 1.5 + 7
    tables.shift[0] = 2.5
    tables.WEIGHTS = (1, 2)
    assert tables.scaled(4.0) == 8 + 2.5 + 7

    @cpl.jit
    def g():
        Tables.GRID[0][0] = 3
        return 1

    with pytest.raises(cpl.CompileError, match="'Tables.GRID' is a constant, whose elements are not"):
        g()


def test_tuples_with_names():
    @cpl.jit
    def f(i):
        return corner.x + 10*corner.part[i] + 100*corner[1] + 1000*flat_corner[i] + flat_corner.y

    assert f(0) == 3 + 50 + 400 + 3000 + 0.5
    assert f(1) == 3 + 60 + 400 + 500 + 0.5


def test_zero_and_minus_zero_are_two_constants():
    zero = 0.0

    @cpl.jit
    def one_over(x):
        return x/zero

    assert one_over(1.0) == float("inf")
    zero = -0.0
    assert one_over(1.0) == -float("inf")


def test_grids():
    @cpl.kernel
    def mark(x, n):
        i = GID_0*LDIM_0 + LID_0
        if i < n:
            x[i] = GID_0

    x = np.zeros(10, np.int32)
    mark[10, 4](x, 10)
    np.testing.assert_array_equal(x, np.arange(10)//4)
    with pytest.raises(cpl.ArgumentError):
        mark(x, 10)


def test_a_function_that_looks_like_its_own():
    assert axpb.__name__ == "axpb" and axpb.__module__ == __name__
    assert axpb.parameters == ("x", "y", "a", "b")
    assert repr(axpb) == "<cpl elementwise kernel axpb>"
    assert str(inspect.signature(axpb)) == "(x, y, a, b=1)"
    assert str(inspect.signature(copy2)) == "(x, y)"

    @cpl.reduce("a + b")
    def rows(i, m, *more: float) -> float:
        return m[i]

    assert str(inspect.signature(rows)) == "(m, *more: float)"
    assert str(inspect.signature(cpl.jit(lambda i, x: x))) == "(i, x)"


def test_what_it_became():
    @cpl.elementwise
    def fresh(i, x):
        x[i] = 2*x[i]

    with pytest.raises(ValueError, match="not been called yet"):
        fresh.inspect("llvm")
    fresh(np.zeros(2, np.float32))
    assert fresh.types == "fresh(i: int64, x: float32[]) -> void\n"
    assert "fmul" in fresh.inspect("llvm")
    assert "float64" in fresh.inspect("ir", np.zeros(3))
    assert "kernel void fresh" in fresh.source("opencl")
    assert "float32" in cpl.reduce("a*b").inspect("ir", np.zeros(3, np.float32))
    with pytest.raises(ValueError, match="there is no 'llwm'; there are tokens, ast"):
        fresh.inspect("llwm")
