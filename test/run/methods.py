# Methods of structs, new structs by their fields or __init__, operators; as plain Python has them.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import annotate, declare, struct


@struct
class Point:
    """Fields first, methods behind them, in any order."""
    x: 'double'
    y: 'double'

    def norm2(self):
        return self.dot(self)

    def dot(self, other):
        return self.x*other.x + self.y*other.y

    def scale(self, factor=2.0):
        self.x *= factor
        self.y *= factor

    def moved(self, dx=0.0, dy=0.0):
        return Point(self.x + dx, self.y + dy)

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Point(self.x*factor, self.y*factor)

    def __rmul__(self, factor):
        return Point(factor*self.x, factor*self.y)

    def __truediv__(self, factor):
        return Point(self.x/factor, self.y/factor)

    def __matmul__(self, other):
        return self.dot(other)

    def __neg__(self):
        return Point(y=-self.y, x=-self.x)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.norm2() < other.norm2()

    def __abs__(self):
        return self.norm2()


@struct
class Line:
    a: Point
    b: Point
    n: int
    steps: 'matrix(3)'

    def length2(self):
        return (self.b - self.a).norm2()

    def count(self, by):
        self.n += by
        return self.n


@struct
class Counter:
    n: 'double'
    p: Point

    def __init__(self, start, p):
        self.n = start
        self.p = p*start

    def next(self):
        self.n += 1.0
        return self.n


def calls(i, x, y):
    p = Point(x[i], 2.0)
    p.scale()
    p.scale(factor=0.25)
    q = p.moved(dy=x[i])
    y[i] = p.dot(q) + q.norm2() + p.moved(1.0).moved(2.0, 3.0).x


def order(i, x, y):
    c = Counter(x[i], Point(1.0, 3.0))
    y[i] = c.next()*100.0 - c.next() + c.p.y
    y[i] += c.next()


def operators(i, x, y):
    p = Point(x[i], x[i] - 3.0)
    q = 2.0*p - Point(1.0, 1.0)*x[i] + -p/4.0
    p += q
    p *= 0.5
    s = p @ q
    if p < q:
        s += 1000.0
    if p > q:
        s += 2000.0
    if p == p and not p == q:
        s += 4000.0
    s += 8000.0*(p != q) + 16000.0*(p != p) + (100.0 if not p != q or q != q else 200.0)
    y[i] = s + abs(p) + (q if x[i] > 4.0 else p).x


def loops(i, x, y):
    total = Point(0.0, 0.0)
    for k in range(5):
        total += Point(x[i]*k, 1.0) if k % 2 else Point()
    y[i] = total.x + 10.0*total.y


def nested(i, x, y):
    line = declare('Line')
    line.a = Point(x[i], 1.0)
    line.b = line.a.moved(3.0, 4.0)
    line.a.scale(2.0)
    line.b.x += 1.0
    for k in range(3):
        line.steps[k] = line.count(k + 1)
    y[i] = line.length2() + line.steps[0] + line.steps[1] + line.steps[2]


@struct
class Cell:
    x: 'double'
    n: int
    steps: 'matrix(3)'

    def add(self, by, at=1):
        self.n += by
        self.steps[at] = self.x*self.n

    def sum(self):
        s = 0.0
        for k in range(3):
            s += self.steps[k]
        return s


@annotate(cells='Cell[]')
def records(i, cells, y):
    cells[i].add(2)
    cells[i].add(at=2, by=3)
    y[i] = cells[i].sum()


def pointer(i, x, y):
    p = Point(x[i], 1.0)
    bump(p)
    y[i] = p.x


def bump(p):
    p.scale(3.0)


def cases(case, np, rng):
    x = rng.integers(0, 9, 15).astype("float64")
    for name in ("calls", "order", "operators", "loops", "pointer"):
        case(name, {"x": x, "y": np.zeros(15)}, expected=None)
    dx, dy = 4.0 - x, 5.0 - 2.0
    case("nested", {"x": x, "y": np.zeros(15)}, expected={"y": dx*dx + dy*dy + 1 + 3 + 6})
    cell = np.dtype([("x", "float64"), ("n", "int64"), ("steps", "float64", (3,))], align=True, metadata={"struct": "Cell"})
    before = np.zeros(15, cell)
    before["x"], before["n"], before["steps"] = x, np.arange(15), rng.integers(0, 9, (15, 3))
    after = before.copy()
    after["n"] += 5
    after["steps"][:, 1] = x*(before["n"] + 2)
    after["steps"][:, 2] = x*(before["n"] + 5)
    case("records", {"cells": before, "y": np.zeros(15)}, expected={"cells": after, "y": after["steps"].sum(1)})
