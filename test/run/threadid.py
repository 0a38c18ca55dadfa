# threadid(): each of those who run rounds at once has a number of its own, whatever the schedule; in reductions and helpers' arguments too.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.low_level import atomic_add, atomic_sub, prange, threadid


def alone(n, busy, y):
    for i in prange(n):
        t = threadid()
        y[i] = atomic_add(busy[t], 1)
        for k in range(20):
            y[i] += busy[t] - 1
        atomic_sub(busy[t], 1)


def dealt(n, busy, y):
    for i in prange(n, schedule='dynamic', chunksize=3, num_threads=4):
        t = threadid()
        y[i] = atomic_add(busy[t], 1)
        for k in range(20):
            y[i] += busy[t] - 1
        atomic_sub(busy[t], 1)
        if t >= n + 1024:
            y[i] = -1


def take(part, t, v):
    part[t] += v


def parts(n, x, part, r):
    for i in prange(n, num_threads=3, schedule='static', chunksize=5):
        take(part, threadid(), x[i])
    for k in range(len(part)):
        r[0] += part[k]


def misplaced(n, who, size):
    """How many rounds are not of the thread that had as many chunks before as the team has threads."""
    team = 1
    while team*size < n and who[team*size] != who[0]:
        team += 1
    wrong = 0
    for i in range(n):
        wrong += who[i] != who[i//size % team*size]
    return wrong


def in_turn(n, who, r):
    for i in prange(n, num_threads=3, schedule='static', chunksize=1):
        who[i] = threadid()
    r[0] = misplaced(n, who, 1)
    for i in prange(n, num_threads=3, schedule='static', chunksize=2):
        who[i] = threadid()
    r[1] = misplaced(n, who, 2)
    for i in prange(n, num_threads=4, schedule='static', chunksize=7):
        who[i] = threadid()
    r[2] = misplaced(n, who, 7)
    for i in prange(n, num_threads=3, schedule='static', chunksize=5000):
        who[i] = threadid()
    r[3] = misplaced(n, who, 5000)
    for i in prange(0, 2*n, 2, num_threads=2, schedule='static', chunksize=1):
        who[i//2] = threadid()
    r[4] = misplaced(n, who, 1)


def counts(n, x, part):
    s = 0
    for i in prange(n, num_threads=2):
        part[threadid()] += x[i]
        s += x[i]
    for k in range(len(part)):
        s -= part[k]
    return s


def inside(n, x, r):
    s = 0
    for i in prange(n, num_threads=2):
        for j in prange(3):
            s += (0 <= threadid())*x[i]
    r[0] = s


def each(i, x):
    x[i] = threadid() >= 0


def unused(n, x, r):
    s = 0
    for i in prange(n):
        t = threadid()
        threadid()
        s += x[i] + 0*t
    r[0] = s


def cases(case, np, rng):
    n = 3000
    zeros = np.zeros(n, "int32")
    for name in ("alone", "dealt"):
        case(name, {"busy": np.zeros(1 << 16, "int32"), "y": zeros + 7}, {"n": n}, form="function", expected={"y": zeros})
    x = rng.integers(0, 99, n)
    case("parts", {"x": x, "part": np.zeros(4096, "int64"), "r": np.zeros(1, "int64")}, {"n": n}, form="function",
         expected={"r": np.array([x.sum()])})
    for rounds in (40, 41, 3000):
        case("in_turn", {"who": zeros, "r": np.ones(5, "int64")}, {"n": rounds}, form="function", expected={"r": np.zeros(5, "int64")})
    case("inside", {"x": x, "r": np.zeros(1, "int64")}, {"n": n}, form="function", expected={"r": np.array([3*x.sum()])})
    case("unused", {"x": x, "r": np.zeros(1, "int64")}, {"n": n}, form="function", expected={"r": np.array([x.sum()])})
    case("counts", {"x": x, "part": np.zeros(4096, "int64")}, {"n": n}, form="function", expected={}, result="0")
    case("each", {"x": np.zeros(n, "int64")}, expected={"x": np.ones(n, "int64")})
