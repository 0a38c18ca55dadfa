"""Rows of elements by groups, for devices whose groups have many work-items side by side. Behind
tiles.py, whose names these are; source(t, i, j, f, *args) is as in numeric.py. op commutes."""


def rows(out, m, size, pieces, columns, T, GROUP, SHUFFLES, op, neutral, source, f, *args):
    """A group for each piece of a row, of `size` elements: neighbours take neighbours, each four
    side by side."""
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
            v[k] = source(t + k*GROUP, i, j, f, *args)
        for k in static_range(4):
            acc[k] = op(acc[k], v[k])
        t += 4*GROUP
    while t < end:
        v[0] = source(t, i, j, f, *args)
        acc[0] = op(acc[0], v[0])
        t += GROUP
    v[0] = fold_group(join_four(acc, T, op), room, T, GROUP, SHUFFLES, op)
    if LID_0 == 0:
        out[GID_0] = v[0]
