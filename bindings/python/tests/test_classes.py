"""Classes of structs: in arguments, made in kernels, with methods and operators."""

import numpy as np
import pytest
from conftest import DEVICES

import cpl
from cpl.lang import declare


@cpl.struct
class Cell:
    kind: np.int32
    mass: float
    SIDES = 6
    WEIGHTS = (0.25, 0.5)

    def energy(self, v):
        return 0.5*self.mass*v*v + self.rest()

    def rest(self):
        return 2.0*self.kind

    def grow(self, by):
        self.mass += by


@cpl.struct
class Point:
    x: "double"  # noqa: F821 (the language's)
    y: "double"  # noqa: F821

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __mul__(self, f):
        return Point(self.x*f, self.y*f)

    def dot(self, other):
        return self.x*other.x + self.y*other.y

    def __repr__(self):
        return f"Point({self.x}, {self.y})"


@cpl.struct
class Pair:
    first: Cell
    both: "matrix(2, 'int')"  # noqa: F821
    grid: (np.float32, (2, 2))


def cells(n):
    made = np.zeros(n, Cell.dtype)
    made["kind"], made["mass"] = np.arange(n), 1 + np.arange(n)
    return made


def test_layout():
    assert Cell.dtype == np.dtype([("kind", "i4"), ("mass", "f8")], align=True)
    assert Pair.dtype["first"] == Cell.dtype and Pair.dtype["both"].shape == (2,)
    assert Pair.dtype["grid"].base == np.float32 and Cell.dtype.itemsize == 16


def test_in_python():
    c = Cell(1, 2.0)
    assert c.energy(2.0) == 6.0 and Cell().mass == 0 and Cell(mass=3, kind=1).rest() == 2
    assert repr(Point(1, 2) + Point(3, 4)*2) == "Point(7, 10)"
    with pytest.raises(TypeError, match="all fields"):
        Cell(1)
    with pytest.raises(TypeError, match="Cell has the fields kind, mass"):
        Cell(colour=1)


def test_made_in_kernels():
    @cpl.elementwise
    def f(i, x, y):
        p = Cell(i, 2.0)
        q = declare("Cell")
        q.mass = x[i]
        p.grow(q.mass)
        y[i] = p.energy(2.0)

    y = np.zeros(3)
    f(np.array([1.0, 2, 3]), y)
    assert y.tolist() == [6.0, 10.0, 14.0]


def test_methods_of_elements():
    @cpl.elementwise
    def f(i, c, y):
        c[i].grow(1)
        y[i] = c[i].energy(2.0)

    c, y = cells(3), np.zeros(3)
    f(c, y)
    assert c["mass"].tolist() == [2, 3, 4] and y.tolist() == [4.0, 8.0, 12.0]


def length(p):
    return p.dot(p)**0.5


def test_operators_and_helpers():
    @cpl.elementwise
    def f(i, p, q, y):
        s = Point(1.0, 0.0) + p[i]*2.0
        q[i] = s
        y[i] = length(s)

    p = np.array([(1, 4), (0.5, 0)], Point.dtype)
    q, y = np.zeros(2, Point.dtype), np.zeros(2)
    f(p, q, y)
    assert q.tolist() == [(3, 8), (2, 0)] and np.allclose(y, [73**0.5, 2])


def test_structs_in_structs():
    @cpl.elementwise
    def f(i, p, y):
        p[i].first.grow(3)
        p[i].both[1] = i
        q = p[i]
        y[i] = q.first.mass + q.both[1] + q.grid[1][0]

    p, y = np.zeros(2, Pair.dtype), np.zeros(2)
    p["grid"][:, 1, 0] = 0.5
    f(p, y)
    assert y.tolist() == [3.5, 4.5] and p["both"].tolist() == [[0, 0], [0, 1]]


def test_constants():
    @cpl.struct
    class Box:
        x: float
        SIDES = 4
        WAY = 1j

        def around(self):
            return self.x*self.SIDES + Box.SIDES

    @cpl.elementwise
    def f(i, b, c, y):
        v = b[i]
        y[i] = v.around() + 100*b[i].SIDES + 1000*Cell.SIDES + 10000*v.WAY.imag + c[i].kind + Cell.WEIGHTS[i]

    boxes, y = np.zeros(2, Box.dtype), np.zeros(2)
    boxes["x"] = 2, 3
    f(boxes, cells(2), y)
    assert y.tolist() == [16412.25, 16417.5]
    Box.SIDES = 5
    f(boxes, cells(2), y)
    assert y.tolist() == [16515.25, 16521.5]

    @cpl.elementwise
    def rows(i, y):
        made = np.zeros(2, Cell.dtype)
        made[i].mass = 3.0
        y[i] = made[0].mass

    rows(y)
    assert y.tolist() == [3.0, 0.0]


def test_changed_methods_are_read_again():
    @cpl.struct
    class Scale:
        by: float

        def of(self, x):
            return self.by*x

    @cpl.elementwise
    def f(i, x):
        s = Scale(3.0)
        x[i] = s.of(x[i])

    x = np.ones(2)
    f(x)
    Scale.of = lambda self, x: self.by + x
    f(x)
    assert x.tolist() == [6.0, 6.0]


def test_what_is_refused():
    with pytest.raises(TypeError, match="Empty has no fields"):
        @cpl.struct
        class Empty:
            pass

    with pytest.raises(TypeError, match="Preset.x has a value, and fields of structs begin as 0"):
        @cpl.struct
        class Preset:
            x: float = 2.0

    with pytest.raises(TypeError, match="Sub has base classes"):
        @cpl.struct
        class Sub(Cell):
            more: float

    @cpl.elementwise
    def f(i, c, y):
        y[i] = c[i].enrgy(2.0)

    with pytest.raises(cpl.CompileError, match="has no method 'enrgy'"):
        f(cells(3), np.zeros(3))

    @cpl.elementwise
    def more(i, c, y):
        y[i] = Cell(1, 2.0).rest() + c[i].mas

    with pytest.raises(cpl.CompileError, match="Cell has no field 'mas'"):
        more(cells(3), np.zeros(3))

    @cpl.elementwise
    def others(i, p, y):
        y[i] = p[i].z

    with pytest.raises(cpl.CompileError, match=r"record\(a, b, c, d, ...\) has no field 'z'"):
        others(np.zeros(3, [(name, "f4") for name in "abcde"]), np.zeros(3))

    @cpl.elementwise
    def unknown(i, y):
        y[i] = Cell.SIDE

    with pytest.raises(cpl.CompileError, match="'SIDE' is unknown \\(the class Cell has no 'SIDE'"):
        unknown(np.zeros(3))

    @cpl.jit
    def whole(c):
        return c[0]

    with pytest.raises(cpl.CompileError, match="'whole' is called from outside and returns a struct"):
        whole(cells(1))

    @cpl.elementwise
    def g(i, y):
        y[i] = Cell(1).mass

    with pytest.raises(cpl.CompileError, match="takes 2 fields or none, found 1"):
        g(np.zeros(3))


@pytest.mark.parametrize("place", ["host", *DEVICES])
def test_objects_are_arguments(place):
    """Kernels read their fields, as they are at each call, and call their methods."""
    @cpl.struct
    class Ray:
        at: float
        count: np.int32
        grid: 'matrix((2, 2))'

        def along(self, t):
            return self.at + t*self.count

    @cpl.struct
    class Two:
        near: Ray
        far: Ray

    @cpl.elementwise
    def f(i, y, r, two):
        y[i] = r.along(i) + r.grid[1][0] + two.far.at

    ray, two = Ray(1.0, 2), Two(Ray(0.0, 0), Ray(100.0, 0))
    ray.grid[1, 0] = 0.5
    y = np.zeros(3)
    with cpl.device(place):
        f(y, ray, two)
        assert y.tolist() == [101.5, 103.5, 105.5]
        ray.at, two.far.at = 2.0, 0.0
        f(y, ray, two)
        assert y.tolist() == [2.5, 4.5, 6.5]

    @cpl.jit
    def g(r, x):
        return r.along(x)*2

    assert g(ray, 3) == 16.0


def test_objects_are_only_read():
    """A record is what kernels write to."""
    @cpl.elementwise
    def f(i, c):
        c.mass = 3.0

    cell = Cell(1, 2.0)
    with pytest.raises(cpl.ArgumentError, match="argument 'c' is read-only"):
        f[1](cell)
    record = np.zeros(1, Cell.dtype)[0]
    f[1](record)
    assert cell.mass == 2.0 and record["mass"] == 3.0
    with pytest.raises(TypeError, match="an object of type type"):
        f[1](Cell)
