# Numbers that classes of the file hold: A.N in functions, methods and other constants.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import enum
import math

import numpy as np

N = 100


class Settings:
    """Nothing else of a class is looked at."""
    N = 3
    RATE, SCALE = math.sqrt(2)*N, 0.5
    LIMIT: int = 1 << 40
    TABLE = (1.0, 2.5, N)
    GRID = np.array([[1, 2], [3, 4]])
    ROTATION = 1 + 2j
    square = lambda v: v*v + N

    def __init__(self):
        self.N = 7

    class Inner:
        DEPTH = N + 1
        OWN = DEPTH*2


class More(Settings):
    SCALE = 0.25
    TWICE = 2*Settings.N


class Colour(enum.IntEnum):
    RED = 1
    BLUE = RED + 4


class Kind(enum.Enum):
    WALL = 2
    FLUID = 3


HALF = Settings.SCALE + More.TWICE


def numbers(i, x, y):
    y[0] = Settings.N + More.N*10
    y[1] = Settings.RATE*Settings.SCALE
    y[2] = Settings.LIMIT // 1024
    y[3] = More.SCALE + More.TWICE
    y[4] = Settings.Inner.DEPTH + Settings.Inner.OWN
    y[5] = Colour.RED + Colour.BLUE.value*10
    y[6] = Kind.WALL.value - Kind.FLUID.value
    y[7] = HALF
    y[8] = Settings.square(x[0])
    y[9] = abs(Settings.ROTATION*Settings.ROTATION)


def tables(i, x, y):
    s = 0.0
    for v in Settings.TABLE:
        s += v*x[i]
    for a, b in Settings.GRID:
        s += a*b
    y[i] = s + Settings.TABLE[1] + Settings.TABLE[i % 3] + Settings.GRID[1][i % 2]
    if x[i] > Settings.N and i != Colour.RED:
        y[i] = -1


def cases(case, np, rng):
    case("numbers", {"x": np.float64([2.5]), "y": np.zeros(10)}, ulps=4)
    for dtype in ("float64", "float32"):
        case("tables", {"x": np.array([0.5, 2, 4, 3], dtype), "y": np.zeros(4, dtype)})
