# Assignments: several targets, tuples, augmented ones of every operator, annotated ones, places evaluated once.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def several(i, x, y, z):
    a = b = x[i]*2
    y[i] = z[i] = a + b


def swap(i, x, y):
    a, b = x[i], y[i]
    a, b = b, a
    x[i], y[i] = a + 1, b


def rotate(x):
    x[0], x[1], x[2] = x[1], x[2], x[0]


def fibonacci(x, n):
    a, b = 0, 1
    for k in range(n):
        x[k] = a
        a, b = b, a + b


def augmented(i, x, y, k):
    y[i] += x[i]
    y[i] -= 3
    y[i] *= x[i]
    k[i] <<= 3
    k[i] |= 5
    k[i] ^= 12
    k[i] &= 254
    k[i] >>= 1
    k[i] //= 3
    k[i] %= 7
    k[i] **= 2
    k[i] /= 2
    y[i] /= 4


def narrow(i, c, f):
    c[i] += 100
    c[i] *= 3
    f[i] += 0.1


def index(counter):
    counter[0] += 1
    return counter[0]


def once(counter, x):
    x[index(counter)] += 10
    x[index(counter)] += index(counter)
    x[index(counter)], x[index(counter)] = index(counter), index(counter)
    k: int = index(counter)
    x[k] = k


def cases(case, np, rng):
    for t in ("int32", "float32", "float64"):
        x, y = rng.integers(1, 9, 20).astype(t), rng.integers(1, 9, 20).astype(t)
        case("several", {"x": x, "y": np.zeros(20, t), "z": np.zeros(20, t)}, expected={"y": x*4, "z": x*4})
        case("swap", {"x": x, "y": y}, expected={"x": y + 1, "y": x})
        case("rotate", {"x": x}, form="function")
    case("fibonacci", {"x": np.zeros(30, "int64")}, {"n": 30}, form="function")
    x, y, k = rng.uniform(1, 2, 20), rng.uniform(1, 2, 20), rng.integers(0, 1000, 20)
    j = ((((((((k << 3) | 5) ^ 12) & 254) >> 1)//3) % 7)**2)//2
    case("augmented", {"x": x, "y": y, "k": k}, expected={"y": ((y + x) - 3)*x/4, "k": j}, options=["--option", "precise=1"])
    c, f = np.array([50, -50, 100], "int8"), np.array([1, 2, 3], "float16")
    case("narrow", {"c": c, "f": f}, expected={"c": ((c.astype("int32") + 100).astype("int8").astype("int32")*3).astype("int8"),
                                              "f": (f.astype("float32") + np.float32(0.1)).astype("float16")})
    # Python evaluates the target of x[f()] += g() first, all right sides of a tuple before the targets.
    case("once", {"counter": np.zeros(1, "int32"), "x": np.zeros(12, "int32")}, form="function")
