# Whole arrays: element by element, and along one dimension. Behind chunks.py, whose names these are.
#
# f is the caller's function of elements; source(i, j, k, f, *args) picks the elements that lie at
# i, j, k of the space that all arrays are laid over, and calls it. Along a dimension it is
# source(t, i, j, f, *args), with t along it, so that total_of of chunks.py takes its elements from
# it.


def value(i, j, k, source, f, *args):
    """For who asks for its type."""
    return source(i, j, k, f, *args)


def value_of_map(i, j, k, source, map, *args):
    return source(i, j, k, map, *args)


def value_of_input(i, j, k, source, input, *args):
    return source(i, j, k, input, *args)


def at(i, j, k, T, source, f, *args):
    v = declare(T)
    v = source(i, j, k, f, *args)
    return v


def map1(i, out, T, source, f, *args):
    out[i] = at(i, 0, 0, T, source, f, *args)


def map2(i, j, out, T, source, f, *args):
    out[i, j] = at(i, j, 0, T, source, f, *args)


def map3(i, j, k, out, T, source, f, *args):
    out[i, j, k] = at(i, j, k, T, source, f, *args)


def take(i, indices, m, x, index):
    """Elementwise over indices, where bounds are checked: reads what each points to, before any is
    used, as only here is a round one index whatever dimensions there are."""
    v = x[index(indices[i], m), 0]


def rows(c, out, m, size, pieces, columns, T, LANES, VECTORS, op, neutral, source, map, *args):
    """Elementwise over pieces of rows: the elements of row (i, j) lie along t, which is where they
    lie closest."""
    r = c // pieces
    p = c - r*pieces
    i = r // columns
    out[c] = total_of(p*size, min((p + 1)*size, m), T, LANES, VECTORS, op, neutral, source, i,
                      r - i*columns, map, *args)


def down(c, out, m, size, pieces, columns, WIDTH, T, op, neutral, source, map, *args):
    """Elementwise over blocks of WIDTH columns of pieces: elements lie closest along j, so that a
    block goes down its rows side by side."""
    blocks = (columns + WIDTH - 1) // WIDTH
    r = c // blocks
    first = (c - r*blocks)*WIDTH
    i = r // pieces
    t0 = (r - i*pieces)*size
    t1 = min(t0 + size, m)
    acc = declare('matrix(WIDTH, "T")')
    for k in range(WIDTH):
        acc[k] = neutral()
    if first + WIDTH <= columns:
        for t in range(t0, t1):
            for k in range(WIDTH):
                acc[k] = op(acc[k], element(t, T, source, i, first + k, map, *args))
    else:
        for t in range(t0, t1):
            for k in range(columns - first):
                acc[k] = op(acc[k], element(t, T, source, i, first + k, map, *args))
    for k in range(min(WIDTH, columns - first)):
        out[r*columns + first + k] = acc[k]


def scan_rows(c, x, m, EXCLUSIVE, T, op, neutral):
    """Elementwise over rows of m elements, each of which becomes what it takes in."""
    acc = declare(T)
    before = declare(T)
    acc = neutral()
    for t in range(c*m, (c + 1)*m):
        before = acc
        acc = op(acc, x[t])
        if EXCLUSIVE:
            x[t] = before
        else:
            x[t] = acc


def scan_columns(c, x, m, columns, EXCLUSIVE, WIDTH, T, op, neutral):
    """The same down columns, a block of WIDTH of them at a time."""
    blocks = (columns + WIDTH - 1) // WIDTH
    i = c // blocks
    first = (c - i*blocks)*WIDTH
    acc = declare('matrix(WIDTH, "T")')
    before = declare(T)
    for k in range(WIDTH):
        acc[k] = neutral()
    for t in range(m):
        row = (i*m + t)*columns + first
        for k in range(min(WIDTH, columns - first)):
            before = acc[k]
            acc[k] = op(acc[k], x[row + k])
            if EXCLUSIVE:
                x[row + k] = before
            else:
                x[row + k] = acc[k]


def column_totals(c, total, x, m, size, pieces, columns, T, op, neutral):
    """Elementwise over pieces of columns, of `size` rows each: what they come to."""
    acc = declare(T)
    r = c // columns
    i = r // pieces
    first = (r - i*pieces)*size
    at = (i*m + first)*columns + c - r*columns
    acc = neutral()
    for t in range(first, min(first + size, m)):
        acc = op(acc, x[at])
        at += columns
    total[c] = acc


def scan_pieces(c, x, carry, m, size, pieces, columns, EXCLUSIVE, T, op):
    """The same: each element becomes what it takes in, behind what is in front of the piece."""
    acc = declare(T)
    before = declare(T)
    r = c // columns
    i = r // pieces
    first = (r - i*pieces)*size
    at = (i*m + first)*columns + c - r*columns
    acc = carry[c]
    for t in range(first, min(first + size, m)):
        before = acc
        acc = op(acc, x[at])
        if EXCLUSIVE:
            x[at] = before
        else:
            x[at] = acc
        at += columns


def line(i, x, start, step, T):
    """Element i of an even row of numbers."""
    x[i] = cast(start + i*step, T)


def evenly(i, x, start, stop, count, ENDPOINT, WHOLE, T):
    """WHOLE: rounded down."""
    v = start
    if count > 0:
        v = start + cast(i, 'double')*((stop - start)/cast(count, 'double'))
    if ENDPOINT and count > 0 and i == count:
        v = stop
    if WHOLE:
        v = floor(v)
    x[i] = cast(v, T)
