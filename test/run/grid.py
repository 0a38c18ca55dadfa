# Kernels over a grid: barriers, local memory, what is kept from barrier to barrier, and work-items that part.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import itertools

from compyle.low_level import *


def plain(x, y, a, n):
    i = LID_0 + LDIM_0*GID_0
    if i < n:
        y[i] = a*x[i] + y[i]


def places(y):
    i = LID_0 + LDIM_0*(LID_1 + LDIM_1*LID_2)
    g = GID_0 + GDIM_0*(GID_1 + GDIM_1*GID_2)
    y[g*LDIM_0*LDIM_1*LDIM_2 + i] = i + 100*g + 10000*LID_1 + 100000*GID_2


def reverse(x, y, t, n):
    i = GID_0*LDIM_0 + LID_0
    t[LID_0] = x[i] if i < n else 0
    local_barrier()
    if i < n:
        y[i] = t[LDIM_0 - 1 - LID_0]


def tree(x, y, n):
    s = declare('LOCAL_MEM matrix(64, "int")')
    i = LID_0 + LDIM_0*GID_0
    s[LID_0] = x[i] if i < n else 0
    local_barrier()
    w = LDIM_0 // 2
    while w > 0:
        if LID_0 < w:
            s[LID_0] += s[LID_0 + w]
        w = w // 2
        local_barrier()
    if LID_0 == 0:
        y[GID_0] = s[0]


def kept(x, y, n):
    # matrices, structs of numbers and a counter of each work-item, across barriers
    s = declare('LOCAL_MEM matrix(32, "int")')
    m = declare('matrix(3, "int")')
    i = LID_0 + LDIM_0*GID_0
    seen = 0
    for k in range(3):
        m[k] = x[i]*(k + 1)
    p = address(m[1])
    s[LID_0] = m[2]
    local_barrier()
    for round in range(4):
        other = s[(LID_0 + round) % LDIM_0]
        if other % 2:
            seen += 1
        m[round % 3] += other
        p[1] += 1
        local_barrier()
        s[LID_0] += 1
        local_barrier()
    y[i] = m[0] + 10*m[1] + 100*m[2] + 1000*seen + s[LID_0]


def uniform(x, y, n):
    # control flow that the whole group takes
    s = declare('LOCAL_MEM matrix(16, "int")')
    i = LID_0 + LDIM_0*GID_0
    k = 0
    total = 0
    s[LID_0] = x[i]
    local_barrier()
    while True:
        if k % 2 == 0:
            total += s[(LID_0 + k) % LDIM_0]
            k += 1
            local_barrier()
            if GID_0 == 1:
                s[LID_0] = total
                local_barrier()
            else:
                total += k
        else:
            k += 2
        if k > n:
            break
        if k == 5:
            continue
        local_barrier()
        total = total*3 % 1000
    y[i] = total + k


def early(x, y, n):
    s = declare('LOCAL_MEM matrix(32, "int")')
    i = LID_0 + LDIM_0*GID_0
    s[LID_0] = 7
    local_barrier()
    if n < 0:
        return
    s[LID_0] = x[i] if i < n else -1
    local_barrier()
    j = 0
    while j < LDIM_0:
        if s[j] < 0:
            y[i] = -100 - j
            return
        j += 1
    y[i] = s[LDIM_0 - 1 - LID_0]


def last(x, y, n):
    # barriers in a function, and in a loop over two dimensions
    s = declare('LOCAL_MEM matrix((4, 8), "int")')
    s[LID_1][LID_0] = x[LID_0 + 8*(LID_1 + 4*GID_0)]
    for d in range(2):
        turned(s, d)
    y[LID_0 + 8*(LID_1 + 4*GID_0)] = s[LID_1][LID_0]


def turned(s, d):
    local_barrier()
    v = s[3 - LID_1][LID_0] if d else s[LID_1][7 - LID_0]
    local_barrier()
    s[LID_1][LID_0] = v


def counted(x, y, n):
    # atomics of a group, and of all groups
    bins = declare('LOCAL_MEM matrix(4, "int")')
    i = LID_0 + LDIM_0*GID_0
    if LID_0 < 4:
        bins[LID_0] = 0
    local_barrier()
    atomic_add(bins[x[i] % 4], 1, scope='group')
    local_barrier()
    if LID_0 < 4:
        atomic_add(y[LID_0], bins[LID_0])


def changed(x, y, n):
    # a parameter that the kernel changes, and one more for each work-item
    n = n + LID_0
    local_barrier()
    y[LID_0] = n + x[LID_0]


def apart(p, q, s, y, n):
    # three parameters in local memory, and the kernel's own: none lies in another, whatever their types
    own = declare('LOCAL_MEM matrix(9, "short")')
    i = LID_0
    j = n - 1 - i
    if i < n:
        p[i] = i + 1
        q[i] = i + 31
        s[i] = i + 61
        own[i] = i + 91
    local_barrier()
    if i < n:
        y[4*j] = p[j]
        y[4*j + 1] = q[j]
        y[4*j + 2] = s[j]
        y[4*j + 3] = own[j]


def cases(case, np, rng):
    def grid(function, items, group, arrays, expected, local=(), **scalars):
        case(function, form="kernel", arrays=arrays, expected=expected, scalars={**dict(local), **scalars},
             options=["--global", ",".join(map(str, items)), "--local", ",".join(map(str, group))])

    x = rng.integers(0, 1000, 192).astype("int32")
    f = rng.random(100).astype("float32")
    grid("plain", (128,), (32,), {"x": f, "y": f + 1}, {"y": np.float32(2)*f + (f + 1)}, a="2.0:float32", n=100)
    own, g = np.arange(4*3*2), np.arange(2*2*3)
    expected = own + 100*g[:, None] + 10000*(own//4 % 3) + 100000*(g[:, None]//4)
    grid("places", (8, 6, 6), (4, 3, 2), {"y": np.zeros(24*12, "int32")}, {"y": expected.ravel().astype("int32")})
    part = np.where(np.arange(192) < 180, x, 0).reshape(3, 64)
    grid("reverse", (180,), (64,), {"x": x, "y": np.zeros(192, "int32")},
         {"y": np.where(np.arange(192) < 180, part[:, ::-1].ravel(), 0).astype("int32")}, local={"t": "local:int32[64]"}, n=180)
    grid("tree", (192,), (64,), {"x": x, "y": np.zeros(3, "int32")}, {"y": part.sum(1).astype("int32")}, n=180)
    for name, size, n in (("kept", 32, 0), ("uniform", 16, 9), ("early", 32, 180), ("early", 32, -1)):
        grid(name, (192,), (size,), {"x": x, "y": np.zeros(192, "int32")}, None, n=n)
    grid("last", (8*6, 4), (8, 4), {"x": x, "y": np.zeros(192, "int32")}, {"y": x.reshape(6, 4, 8)[:, ::-1, ::-1].ravel()}, n=0)
    grid("counted", (192,), (16,), {"x": x, "y": np.zeros(4, "int32")}, {"y": np.bincount(x % 4).astype("int32")}, n=0)
    grid("changed", (64,), (64,), {"x": x, "y": np.zeros(64, "int32")}, {"y": (5 + np.arange(64) + x[:64]).astype("int32")}, n=5)
    values = np.arange(9.0)[:, None] + [1, 31, 61, 91]
    for types in itertools.permutations(("int8", "float64", "int16")):
        local = {name: f"local:{dtype}[9]" for name, dtype in zip("pqs", types)}
        grid("apart", (16,), (16,), {"y": np.zeros(36)}, {"y": values.ravel()}, local=local, n=9)
