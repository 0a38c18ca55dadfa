# What is timed, in libcpl's language. peer.c, peer.cl, peer_numba.py and peer_compyle.py hold the same loops, cases.py the
# arguments.
def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b


def gauss(i, x, y):
    y[i] = exp(-x[i]*x[i])/sqrt(1.0 + x[i]*x[i])


def saxpy(i, x, y, a):
    y[i] += a*x[i]


def triad(i, x, y, z, s):
    x[i] = y[i] + s*z[i]


def powlog(i, x, y, a):
    y[i] = pow(x[i], a)*log(x[i] + 1.0)


def vortex(i, x, y, strength, u, v, n, core):
    sum_u = 0.0
    sum_v = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        s = strength[j]/(dx*dx + dy*dy + core)
        sum_u -= dy*s
        sum_v += dx*s
    u[i] = sum_u
    v[i] = sum_v


def julia(i, z, re, im, cre, cim):
    x = re[i]
    y = im[i]
    k = 0
    while x*x + y*y < 400.0 and k < 50:
        t = x*x - y*y + cre
        y = 2.0*x*y + cim
        x = t
        k += 1
    z[i] = 1.0 - 0.02*k


# Lennard-Jones forces between a particle and its neighbours, whose numbers are index[start[i]] to index[start[i + 1] - 1].
def forces(i, x, y, start, index, fx, fy):
    sum_x = 0.0
    sum_y = 0.0
    for k in range(start[i], start[i + 1]):
        j = index[k]
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        r2 = 1.0/(dx*dx + dy*dy)
        r6 = r2*r2*r2
        f = 24.0*r2*r6*(2.0*r6 - 1.0)
        sum_x += f*dx
        sum_y += f*dy
    fx[i] = sum_x
    fy[i] = sum_y


def histogram(i, values, counts):
    atomic_inc(counts[values[i]])


def sums_by_cell(i, cells, sums, x):
    atomic_add(sums[cells[i]], x[i])


# Of reductions and scans: operators, elements, where segments begin, what becomes of items.
def product(i, x, y):
    return x[i]*y[i]


@struct
class Best:
    value: 'double'
    index: 'double'


def better(a, b):
    return a if a.value <= b.value else b


def numbered(i, x):
    r = declare('Best')
    r.value = x[i]
    r.index = i
    return r


def nobody():
    r = declare('Best')
    r.value = INFINITY
    return r


def hundreds(i, x, y):
    return i % 100 == 0


@struct
class Affine:
    a: 'double'
    b: 'double'


def behind(f, g):
    r = declare('Affine')
    r.a = g.a*f.a
    r.b = g.a*f.b + g.b
    return r


def still():
    r = declare('Affine')
    r.a = 1.0
    return r


def decay(i, x, y):
    r = declare('Affine')
    r.a = 0.5
    r.b = x[i]
    return r


def shown(i, item, prev_item, last_item, N, x, y):
    y[i] = item.b


def large(i, x):
    return x[i] > 0.5


def wanted(i, x, y, count):
    return 1 if x[i] > 0.5 else 0


def packed(i, item, prev_item, last_item, N, x, y, count):
    if item != prev_item:
        y[prev_item] = x[i]
    if i == N - 1:
        count[0] = item


def matmul(a, b, c, side):
    """By work-items, in groups of 16 x 16 that share tiles of both."""
    ta = declare('LOCAL_MEM matrix((16, 16), "float")')
    tb = declare('LOCAL_MEM matrix((16, 16), "float")')
    row = 16*GID_1 + LID_1
    column = 16*GID_0 + LID_0
    total = declare('float')
    for tile in range(side // 16):
        ta[LID_1][LID_0] = a[row*side + 16*tile + LID_0]
        tb[LID_1][LID_0] = b[(16*tile + LID_1)*side + column]
        local_barrier()
        for j in range(16):
            total += ta[LID_1][j]*tb[j][LID_0]
        local_barrier()
    c[row*side + column] = total
