# floor, ceil, trunc and round give floats that stand where integers do: as indices, bounds of loops, operands of bits and shifts.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math


def places(i, x, y, z):
    j = math.floor(x[i])
    z[i] = x[i] - j
    low = j
    low, high = low - 1, math.ceil(x[i] + 2)
    s = 0
    for m in range(math.floor(x[i]), high):
        s += m
    y[8*i + abs(j) % 8] = s
    y[8*i + 7] = (j & 1) + (low << 2) + ~j + (high ^ 3)
    j += round(x[i]*4) % 4 + 10//math.ceil(x[i] + 40)
    y[8*i + abs(j) % 8] += math.ceil(x[i]) + (j >> 1)


def tables(i, x, g, t):
    k = math.floor(x[i])
    for m in range(3):
        if k > 3 or k < 0:
            k = 0
        g[i, k] = k + m
        k += 1
    t[round(x[i]) % 4] = 1


def far(i, x, y):
    y[i] = x[i] - math.floor(x[i])
    y[i] += math.floor(x[i])/2


def cases(case, np, rng):
    for dtype in ("float64", "float32"):
        x = rng.uniform(-9, 9, 50).astype(dtype)
        case("places", {"x": x, "y": np.zeros(400, "int64"), "z": np.zeros(50, dtype)}, expected=None)
        case("tables", {"x": x, "g": np.zeros((50, 4), "int64"), "t": np.zeros(4, "int64")}, expected=None, modes=("O3", "checked"))
        x = np.array([2.5, -2.5, 1e30, -7.0]).astype(dtype)
        case("far", {"x": x, "y": np.zeros(4)}, expected={"y": np.array([0.5 + 1, 0.5 - 1.5, float(x[2])/2, -3.5])})
