# match on numbers: cases, several of them, guards, names with dots, blocks within blocks; what is compared is computed once.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math


def modes(i, x, mode, y):
    match mode[i] % 7:
        case 0:
            y[i] = x[i] + 1
        case 1 | 2:
            y[i] = 2*x[i]
        case (3 | 4) if x[i] > 0: y[i] = math.sqrt(x[i])
        case 3:
            pass
        case 5:
            match mode[i]:
                case -2 | 5:
                    y[i] = -x[i]
                case _ if x[i] < 0:
                    y[i] = 5
                case _:
                    y[i] = 6
        case _:
            y[i] = 7


def unit(k):
    match k:
        case 0: return 1.0
        case 1: return math.pi
        case 2 if k < 2: return -1.0
    return 0.5


def changed(n, out):
    state = 0
    for k in range(n):
        match state:
            case 0:
                state = 2
                out[k] = 1
            case 2 if (state := 1) == 0:
                out[k] = 9
            case 2:
                state = 3
                out[k] = 2
            case 3:
                state = 4
                continue
            case _:
                out[k] += unit(k - 3)
                if k > 6:
                    break


def floats(i, x, y):
    match x[i]:
        case 0.5 | -1: y[i] = 1
        case math.inf: y[i] = 2
        case 0: y[i] = 3


def cases(case, np, rng):
    f = {"form": "function"}
    x = rng.integers(-4, 5, 40)/2
    case("modes", {"x": x, "mode": rng.integers(-9, 30, 40), "y": np.zeros(40)})
    case("modes", {"x": x, "mode": rng.integers(0, 9, 40).astype("uint8"), "y": np.zeros(40)})
    case("changed", {"out": np.zeros(12)}, {"n": 12}, **f)
    y = x.copy()
    y[3] = np.inf
    y[5] = np.nan
    case("floats", {"x": y, "y": np.zeros(40)})
