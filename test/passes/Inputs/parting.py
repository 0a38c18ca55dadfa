# Work-items that part around barriers, which devices leave undefined; on the host those that do not come are not waited for.
from compyle.low_level import *


def some(x, y, n):
    s = declare('LOCAL_MEM matrix(8, "int")')
    i = LID_0 + LDIM_0*GID_0
    if LID_0 < 5:
        s[LID_0] = x[i]
        local_barrier()
        y[i] = s[4 - LID_0]
    else:
        v = i
        local_barrier()
        y[i] = -v
    y[i] += 1000


def returns(x, y, n):
    s = declare('LOCAL_MEM matrix(8, "int")')
    i = LID_0 + LDIM_0*GID_0
    if i >= n:
        return
    s[LID_0] = x[i]
    local_barrier()
    y[i] = s[0] + s[LID_0]


def leaves(x, y, n):
    # each work-item has as many rounds as its index
    s = declare('LOCAL_MEM matrix(8, "int")')
    k = 0
    while k < LID_0:
        if LID_0 == k + 1:
            s[0] = 10*k + 3
        local_barrier()
        y[LID_0] = y[LID_0]*2 + s[0]
        k += 1
        local_barrier()
    y[LID_0] += 100*k


def counts(x, y, n):
    s = declare('LOCAL_MEM matrix(8, "int")')
    total = 0
    for k in range(LID_0, 8, 3):
        if x[LID_0] == k:
            continue
        if k == n:
            break
        for j in range(2):
            s[LID_0] = k + j
            local_barrier()
            total = total*3 + s[LID_0]
            if LID_0 == 1:
                break
    y[LID_0] = total + 1000*k


def once(x, y, n):
    # a loop that the group runs together, in which some do nothing, and one that nobody enters
    s = declare('LOCAL_MEM matrix(8, "int")')
    total = 0
    if LID_0 % 2:
        for k in range(n):
            s[LID_0] = k
            local_barrier()
            total += s[LID_0] + s[LID_0 ^ 2]
            local_barrier()
        while x[n + LID_0] > 5000:
            local_barrier()
            total = -1
    y[LID_0] = total


def cases(case, np, rng):
    def grid(function, expected, n, x, items=8):
        case(function, form="kernel", arrays={"x": x.astype("int32"), "y": np.zeros(items, "int32")}, scalars={"n": n},
             expected={"y": np.array(expected, "int32")}, options=["--global", str(items), "--local", "8"], modes=("O0", "O3", "checked"))

    x = rng.integers(0, 100, 16)
    i = np.arange(16)
    grid("some", np.where(i % 8 < 5, x[np.where(i % 8 < 5, i//8*8 + 4 - i % 8, 0)], -i) + 1000, 0, x, 16)
    grid("returns", np.where(i < 11, x + x[i//8*8], 0), 11, x, 16)
    y = np.zeros(8, int)
    for k in range(7):
        y[k + 1:] = y[k + 1:]*2 + 10*k + 3
    grid("leaves", y + 100*np.arange(8), 0, x)
    y = np.zeros(8, int)
    met = np.array([0, 4, 0, 6, 7, 0, 6, 1])
    for own in range(8):
        total = 0
        for k in range(own, 8, 3):
            if met[own] == k:
                continue
            if k == 5:
                break
            for j in range(2):
                total = total*3 + k + j
                if own == 1:
                    break
        y[own] = total + 1000*k
    grid("counts", y, 5, met)
    grid("once", [0 if k % 2 == 0 else 12 for k in range(8)], 4, x)
