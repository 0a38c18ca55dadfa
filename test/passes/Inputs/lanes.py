# Sub-groups on the host, which are the interpreter's: 32 lanes, or as many as the group has work-items; the last may have fewer.
from compyle.low_level import *


def shuffles(x, y, n):
    i = LID_0 + LDIM_0*GID_0
    v = x[i]
    for k in range(3):
        v += shuffle_up(v, k) + 2*shuffle_down(v, k + 1) + 3*shuffle_xor(v, 1 << k)
    y[i] = v + shuffle(v, 1) + 1000*lane_id() + 100000*subgroup_size()


def joins(x, y, n):
    i = LID_0 + LDIM_0*GID_0
    v = x[i]
    y[i] = subgroup_add(v) + 3*subgroup_min(v) + 5*subgroup_max(v) + 7*subgroup_scan_add(v) + 11*subgroup_scan_min(v) + 13*subgroup_scan_max(v)


def sums(f, r, n):
    # in the same order: the same bits
    i = LID_0 + LDIM_0*(LID_1 + LDIM_1*GID_0)
    r[i] = subgroup_add(f[i]) + subgroup_scan_add(f[i])


def boxes(f, r, n):
    # groups of three dimensions, whose work-items are numbered along the first, then the second
    own = LID_0 + LDIM_0*(LID_1 + LDIM_1*LID_2)
    group = GID_0 + GDIM_0*(GID_1 + GDIM_1*GID_2)
    i = own + LDIM_0*LDIM_1*LDIM_2*group
    r[i] = subgroup_add(f[i]) + 1000*subgroup_size() + 100000*lane_id() + shuffle_xor(f[i], 1)


def some(x, y, n):
    # lanes that have no part
    i = LID_0 + LDIM_0*GID_0
    if LID_0 % 3 and i < n:
        y[i] = subgroup_add(x[i]) + 1000*subgroup_scan_max(x[i])
        y[i] += ballot(x[i] % 2) % 1000003
        y[i] += shuffle_down(x[i], 1)*0


def leaving(x, y, n):
    # fewer lanes at each operation: those that have left have no part, nor have their values
    i = LID_0 + LDIM_0*GID_0
    if LID_0 % 17 == 16:
        return
    y[i] += subgroup_add(x[i])
    if LID_0 % 13 == 5:
        return
    y[i] += 3*subgroup_add(x[i])
    if LID_0 % 11 == 3:
        return
    y[i] += 5*subgroup_scan_add(x[i])
    if LID_0 == 0:
        return
    y[i] += ballot(x[i] % 2) % 1000003
    if LID_0 % 9 == 4:
        return
    y[i] += ballot(x[i] % 3) % 1000003
    if LID_0 % 16 == 7:
        return
    y[i] += 7*subgroup_max(x[i])
    if x[i] % 10 == 1:
        return
    y[i] += 11*shuffle_xor(x[i], 2)
    if LID_0 % 7 == 2:
        return
    y[i] += subgroup_scan_min(x[i])
    if LID_0 == 20:
        return
    y[i] += shuffle_down(x[i], 1)
    if x[i] % 5 == 2:
        return
    y[i] += 13*subgroup_min(x[i])
    if LID_0 % 4 == 1:
        return
    y[i] += subgroup_scan_max(x[i])


def within(x, y, n):
    # the same, each in an if of its own
    i = LID_0 + LDIM_0*GID_0
    if LID_0 % 17 != 16:
        y[i] += subgroup_add(x[i])
        if LID_0 % 13 != 5:
            y[i] += 3*subgroup_add(x[i])
            if LID_0 % 11 != 3:
                y[i] += 5*subgroup_scan_add(x[i])
                if LID_0 != 0:
                    y[i] += ballot(x[i] % 2) % 1000003
                    if LID_0 % 9 != 4:
                        y[i] += ballot(x[i] % 3) % 1000003
                        if LID_0 % 16 != 7:
                            y[i] += 7*subgroup_max(x[i])


def votes(x, y, n):
    i = LID_0 + LDIM_0*GID_0
    count = 0
    while ballot(x[i] > count*100):
        count += 1
    y[i] = count + 100*(ballot(LID_0 % 5 == 2) % 1000003)


@struct
class Point:
    x: 'complex64'
    far: 'bool'


@struct
class Best:
    at: 'int'
    value: 'double'
    point: 'Point'


def structs(x, y, n):
    # what goes along is seen: a struct in a struct, a complex number, a truth value
    i = LID_0 + LDIM_0*GID_0
    b = declare('Best')
    b.at = i
    b.value = x[i]
    b.point.x = complex(x[i], -i)
    b.point.far = i % 3 == 0
    o = shuffle_down(b, 1)
    if o.value < b.value:
        b = o
    y[i] = b.at + 1000*cast(b.point.x.real, 'int') - cast(b.point.x.imag, 'int') + b.point.far


def cases(case, np, rng):
    x, f = rng.integers(0, 1000, 160).astype("int32"), rng.random(160).astype("float32")
    def grid(function, arrays, global_, local, n=0):
        case(function, form="kernel", arrays=arrays, scalars={"n": n}, options=["--global", global_, "--local", local])

    for local in ("40", "32", "160", "5"):
        for function in ("shuffles", "joins", "votes"):
            grid(function, {"x": x, "y": np.zeros(160, "int32")}, "160", local)
        grid("structs", {"x": x, "y": np.zeros(160, "int32")}, "160", "40")
    for local in ("40", "32", "5"):
        for function in ("leaving", "within"):
            grid(function, {"x": x, "y": np.zeros(160, "int32")}, "160", local)
    grid("some", {"x": x, "y": np.zeros(160, "int32")}, "160", local, n=150)
    grid("sums", {"f": f, "r": np.zeros(160, "float32")}, "20,8", "20,4")
    for global_, local in (("4,4,8", "2,2,4"), ("4,2,4", "1,1,4"), ("8,4,4", "4,4,1"), ("8,4,4", "8,4,4"),
                           ("2,8,4", "1,8,1"), ("4,4,4", "1,2,4")):
        grid("boxes", {"f": f, "r": np.zeros(160, "float32")}, global_, local)
