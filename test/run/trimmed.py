# Conditions on the counter of a loop that let some rounds through alone: as bounds, whatever the limits are.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def inside(i, x, y, low, high):
    if i > low and i < high:
        y[i] = x[i] + 1


def closed(i, x, y, low, high):
    if i >= low and i <= high:
        y[i] = x[i] + 1


def mirrored(i, x, y, low, high):
    if low < i and high >= i:
        y[i] = x[i] + 1


def left_early(i, x, y, low, high):
    if i < low or i > high:
        return
    y[i] = x[i] + 1


def not_first(i, x, y, low, high):
    if i != 0 and x[i] > low and i < high:
        y[i] = x[i] + 1


def where_read(i, x, y, low, high):
    if x[i] != 3 and i > low:
        y[i] = x[i]


def nested(x, y, low, high):
    y[6] = -7
    for i in prange(len(x)):
        for j in range(4):
            if i > low and j > low and j < high and x[i] != 2:
                y[i] += 10*j + 1


def counted(x, y, low, high):
    j = 100
    for j in range(len(x)):
        if j < high:
            y[j] = 1
    y[0] = j
    for j in range(3):
        if j > low and low != 2:
            y[j] += 5


def moving(x, y, low, high):
    y[6] = -7
    for j in range(len(x)):
        if j > low:
            low += 2
            y[j] = low


def summed(x, y, low, high):
    s = 0
    for i in prange(len(x)):
        if i > low and i < high:
            s += x[i]
    y[0] = s


def cases(case, np, rng):
    globals()["prange"] = range
    x = np.arange(7)
    most = np.iinfo(np.int64).max
    limits = [(0, 6), (-1, 7), (2, 3), (3, 3), (5, 2), (-9, 99), (most, most), (-most - 1, -most - 1), (-most - 1, most), (0, most - 1)]
    for low, high in limits:
        for f in inside, closed, mirrored, left_early, not_first, where_read:
            y = x*0 - 1
            for i in range(7):
                f(i, x, y, low, high)
            case(f.__name__, arrays={"x": x, "y": x*0 - 1}, scalars={"low": np.int64(low), "high": np.int64(high)}, expected={"y": y})
    for low, high in limits[:6]:
        for f in ("nested", "counted", "moving", "summed"):
            case(f, arrays={"x": x, "y": x*0 - 1}, scalars={"low": np.int64(low), "high": np.int64(high)}, expected=None, form="function")
        case("counted", arrays={"x": x, "y": x*0 - 1}, scalars={"low": np.int32(low), "high": np.int32(high)}, expected=None, form="function")
