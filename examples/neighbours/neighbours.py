"""A place has two coordinates, each a fraction of the box in units of 2**-32. They are whole
numbers, so distances are the same bits on every device, and the box is periodic, since they wrap.
The index of a point comes first; points are numbered as they lie in cells, row by row."""
from cpl.random import uniform


def spectrum(k, modes, waves, seed):
    """Waves along all directions of half a plane: their numbers along both axes, how far they move
    points, less for short ones, and where they begin."""
    kx = k % (2*waves + 1) - waves
    ky = k // (2*waves + 1)
    length2 = kx*kx + ky*ky
    modes[k, 0] = kx
    modes[k, 1] = ky
    if 0 < length2 <= waves*waves and (ky > 0 or kx > 0):
        modes[k, 2] = (uniform(seed, k) - 0.5)/length2**1.25
    modes[k, 3] = uniform(seed, k, 1)


def place(v):
    return (v - floor(v))*4294967296.0


def move(i, x, y, modes, side, far):
    """The point of a square grid, moved by all waves: Y. B. Zel'dovich, Gravitational instability:
    an approximate theory for large density perturbations, Astronomy and Astrophysics 5 (1970)."""
    u = (i % side + 0.5)/side
    v = (i // side + 0.5)/side
    du = 0.0
    dv = 0.0
    for k in range(modes.shape[0]):
        s = modes[k, 2]*sin(6.283185307179586*(modes[k, 0]*u + modes[k, 1]*v + modes[k, 3]))
        du += modes[k, 0]*s
        dv += modes[k, 1]*s
    x[i] = place(u + far*du)
    y[i] = place(v + far*dv)


def line(v, across):
    """In which of so many rows, or columns, a coordinate is."""
    wide = declare('ulong')
    wide = v
    return int(wide*across >> 32)


def cell(i, x, y, across):
    return line(y[i], across)*across + line(x[i], across)


def distance2(i, k, x, y):
    """The square of that to the nearest of all that a point is in a periodic box."""
    dx = declare('int')
    dy = declare('int')
    dx = x[i] - x[k]
    dy = y[i] - y[k]
    a = declare('ulong')
    a = abs(long(dx))
    b = declare('ulong')
    b = abs(long(dy))
    return a*a + b*b


def visit(i, x, y, offsets, across, radius2, lists, at, keep):
    """How many points of the nine cells around are near point i, which keep puts into lists."""
    n = 0
    for j in range(9):
        row = (line(y[i], across) + j // 3 + across - 1) % across
        column = (line(x[i], across) + j % 3 + across - 1) % across
        c = row*across + column
        for k in range(offsets[c], offsets[c + 1]):
            if k != i and distance2(i, k, x, y) <= radius2:
                if keep:
                    lists[at + n] = k
                n += 1
    return n


def count(i, number, x, y, offsets, across, radius2):
    number[i] = visit(i, x, y, offsets, across, radius2, number, 0, False)


def border(i, item, begins):
    """Where the list of the next point begins."""
    begins[i + 1] = item


def fill(i, number, begins, lists, x, y, offsets, across, radius2):
    number[i] = visit(i, x, y, offsets, across, radius2, lists, begins[i], True)


def density(i, rho, begins, lists, x, y, radius2):
    """How many points are near, those that are nearer counting more."""
    s = 1.0
    for k in range(begins[i], begins[i + 1]):
        w = 1.0 - float(distance2(i, lists[k], x, y))/float(radius2)
        s += w*w
    rho[i] = s


def listed(s, found, begins, lists, step):
    """Of one point of a sample: how many its neighbours are, and the sum of their numbers."""
    i = s*step
    found[s, 0] = begins[i + 1] - begins[i]
    t = long(0)
    for k in range(begins[i], begins[i + 1]):
        t += lists[k]
    found[s, 1] = t


def searched(s, found, x, y, radius2, step):
    """The same by looking at all points."""
    i = s*step
    n = long(0)
    t = long(0)
    for k in range(len(x)):
        if k != i and distance2(i, k, x, y) <= radius2:
            n += 1
            t += k
    found[s, 0] = n
    found[s, 1] = t


def dot(i, x, y, rho, size):
    """In which dot of the picture a point is."""
    return line(y[i], size)*size + line(x[i], size)


def bright(i, x, y, rho, size):
    return rho[i]


def paint(i, j, out, most, top):
    """Black where nothing is, over red and yellow to white."""
    size = out.shape[0]
    v = log(max(most[i*size + j // 3], 1.0))/log(top)
    out[i, j] = 255.0*min(max(3.0*v - 1.0*(j % 3), 0.0), 1.0)
