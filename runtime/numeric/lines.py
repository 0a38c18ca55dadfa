"""Rows of elements by groups, for devices whose groups have many work-items side by side. Behind
tiles.py, whose names these are; source(t, i, j, f, *args) is as in numeric.py."""


def rows(out, m, size, pieces, columns, T, GROUP, SHUFFLES, op, neutral, source, map, *args):
    """A group for each piece of a row, of `size` elements: neighbours take neighbours, each four
    side by side; op commutes."""
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    acc = declare('matrix(4, "T")')
    v = declare('matrix(4, "T")')
    row = GID_0 // pieces
    first = (GID_0 - row*pieces)*size
    end = min(first + size, m)
    i = row // columns
    j = row - i*columns
    for k in static_range(4):
        acc[k] = neutral()
    t = first + LID_0
    while t + 3*GROUP < end:
        for k in static_range(4):
            v[k] = source(t + k*GROUP, i, j, map, *args)
        for k in static_range(4):
            acc[k] = op(acc[k], v[k])
        t += 4*GROUP
    while t < end:
        v[0] = source(t, i, j, map, *args)
        acc[0] = op(acc[0], v[0])
        t += GROUP
    v[0] = fold_group(join_four(acc, T, op), room, T, GROUP, SHUFFLES, op)
    if LID_0 == 0:
        out[GID_0] = v[0]


def short_rows(out, rows, m, columns, T, GROUP, op, neutral, source, map, *args):
    """A sub-group for each row."""
    r = declare(T)
    v = declare(T)
    row = GID_0*(GROUP // 32) + LID_0 // 32
    i = row // columns
    j = row - i*columns
    r = neutral()
    if row < rows:
        for t in range(lane_id(), m, 32):
            v = source(t, i, j, map, *args)
            r = op(r, v)
    for s in static_range(5):
        r = op(r, shuffle_down(r, 1 << s))
    if row < rows and lane_id() == 0:
        out[row] = r


def scan_rows(x, m, EXCLUSIVE, T, GROUP, ITEMS, TILE, SHUFFLES, op, neutral):
    """A group for each row of m elements, each of which becomes what it takes in: a tile at a time,
    of which a work-item has ITEMS neighbours."""
    tile = declare('LOCAL_MEM matrix(TILE, "T")')
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    marks = declare('LOCAL_MEM matrix(1, "int")')
    before = declare('matrix(2, "T")')
    begun = declare('matrix(2, "int")')
    carry = declare(T)
    r = declare(T)
    v = declare(T)
    carry = neutral()
    own = LID_0*ITEMS
    first = GID_0*m
    end = first + m
    while first < end:
        for p in range(LID_0, min(GROUP*ITEMS, end - first), GROUP):
            tile[p] = x[first + p]
        local_barrier()
        mine = max(min(end - first - own, ITEMS), 0)
        r = neutral()
        for k in range(own, own + mine):
            r = op(r, tile[k])
        scan_group(r, 0, room, marks, T, GROUP, 0, SHUFFLES, op, neutral, before, begun)
        r = op(carry, before[0])
        for k in range(own, own + mine):
            v = r
            r = op(r, tile[k])
            if not EXCLUSIVE:
                v = r
            tile[k] = v
        carry = op(carry, before[1])
        local_barrier()
        for p in range(LID_0, min(GROUP*ITEMS, end - first), GROUP):
            x[first + p] = tile[p]
        local_barrier()
        first += GROUP*ITEMS
