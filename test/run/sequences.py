# Tuples and lists of the module, by constant and other indices; loops over them, over arrays and over lists in place.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
W = (0.25, 0.5, 0.25)
STEPS = [1, -2, 3]
GRID = [[1, 2], [3, 4.5]]
SCALE = 2*W[1] + STEPS[-1] + GRID[1][0] + len(W)
FLAGS = True, False


def convolve(i, x, y):
    s = x[i]*0
    for k in range(3):
        j = i + k - 1
        if 0 <= j < len(x):
            s += W[k]*x[j]*STEPS[k]
    y[i] = s + W[1] + STEPS[-2] + GRID[1][1] + len(W) + SCALE


NETWORK = ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2))


def network(i, x):
    for a, b in NETWORK:
        if x[4*i + a] > x[4*i + b]:
            x[4*i + a], x[4*i + b] = x[4*i + b], x[4*i + a]


def pairs(x, points):
    for a, b in ((0, 1.5), (2, x[0]), (1, -2)):
        x[a] += b
    for k, (p, q, r) in enumerate(points):
        x[k] += p*q - r


def shadow(i, x, y):
    W = x[i]
    y[i] = W + STEPS[0]


def over(i, x, y):
    s = x[i]*0
    for w in W:
        if w > 0.3:
            continue
        s += w
    for v in x:
        s += v
        if s > 5:
            break
    else:
        s += 100
    for q in (1, 2, x[i]):
        s += q
    for q in [1, 2]:
        for r in STEPS:
            s += q*r
    t = [s, 1.0]
    for v in t:
        s += v
    for flag in FLAGS:
        s += 7 if flag else 1
    y[i] = s + v


def weight(k):
    return W[k]


def apply(g, k):
    return g(k)


def helpers(i, x, y):
    s = x[i]
    for k in range(len(W)):
        s += weight(k) + apply(lambda n: STEPS[n]*2, k) + W[k]
    y[i] = s


def cases(case, np, rng):
    case("network", {"x": rng.integers(-9, 9, 12)/2}, n=3)
    case("pairs", {"x": np.arange(4.0), "points": rng.integers(-9, 9, (3, 3))/2}, form="function")
    for kind in "float32", "float64":
        x = rng.integers(-5, 6, 20).astype(kind)
        for f in "convolve", "shadow", "over":
            case(f, {"x": x, "y": np.zeros(20, kind)}, expected=None)
    case("helpers", {"x": x, "y": np.zeros(20)}, expected=None)
