"""Reductions and scans by tiles, for devices whose groups have many work-items side by side: a group
takes GROUP*ITEMS elements at once, each work-item ITEMS of them, in registers.

op, neutral, T, source and start are as in chunks.py. COMMUTES: op does; then a work-item's elements
lie GROUP apart, so that all of a sub-group are in one piece of memory, else they follow each other.
WIDE: not 0: element i is args[0][i], of type E, and so many are loaded as one. SHUFFLES: values of T
go from lane to lane of sub-groups of 32, else through local memory.
"""


def element_at(i, n, T, neutral, source, *args):
    """Behind the last one the neutral element."""
    v = declare(T)
    v = neutral()
    if i < n:
        v = source(i, *args)
    return v


def load_wide(v, at, step, T, E, ITEMS, WIDE, x, *rest):
    """Vectors at, at + step and so on, as they lie in memory: all are under way before the first is
    looked at."""
    some = declare('matrix(WIDE, "E")')
    all = declare('matrix(ITEMS, "E")')
    for k in static_range(ITEMS // WIDE):
        vload(some, x, at + k*step)
        for j in static_range(WIDE):
            all[k*WIDE + j] = some[j]
    for k in static_range(ITEMS):
        v[k] = all[k]


def load_tile(v, first, T, E, GROUP, ITEMS, WIDE, COMMUTES, source, *args):
    """A work-item's elements of a whole tile."""
    if WIDE:
        if COMMUTES:
            load_wide(v, first // WIDE + LID_0, GROUP, T, E, ITEMS, WIDE, *args)
        else:
            load_wide(v, first // WIDE + LID_0*(ITEMS // WIDE), 1, T, E, ITEMS, WIDE, *args)
    else:
        for k in static_range(ITEMS):
            if COMMUTES:
                v[k] = source(first + k*GROUP + LID_0, *args)
            else:
                v[k] = source(first + LID_0*ITEMS + k, *args)


def load_rest(v, first, end, T, GROUP, ITEMS, COMMUTES, neutral, source, *args):
    """The same of one that ends early."""
    for k in static_range(ITEMS):
        if COMMUTES:
            v[k] = element_at(first + k*GROUP + LID_0, end, T, neutral, source, *args)
        else:
            v[k] = element_at(first + LID_0*ITEMS + k, end, T, neutral, source, *args)


def take_items(acc, v, ITEMS, op):
    """Into four values side by side, each behind a neutral one: what is compared with a NaN is so
    always on its left."""
    for k in static_range(ITEMS):
        acc[k % 4] = op(acc[k % 4], v[k])


def join_four(acc, T, op):
    r = declare(T)
    r = op(op(acc[0], acc[1]), op(acc[2], acc[3]))
    return r


def fold_items(v, T, ITEMS, op, neutral):
    """In their order."""
    r = declare(T)
    r = neutral()
    for k in static_range(ITEMS):
        r = op(r, v[k])
    return r


def fold_group(v, room, T, GROUP, SHUFFLES, op):
    """What the values of a group's work-items come to, in their order: work-item 0 has it."""
    r = declare(T)
    r = v
    if SHUFFLES:
        for s in static_range(5):
            r = op(r, shuffle_down(r, 1 << s))
        if lane_id() == 0:
            room[LID_0 // 32] = r
        local_barrier()
        if LID_0 == 0:
            for k in static_range(1, GROUP // 32):
                r = op(r, room[k])
    else:
        room[LID_0] = r
        step = 1
        while step < GROUP:
            local_barrier()
            if LID_0 % (2*step) == 0:
                room[LID_0] = op(room[LID_0], room[LID_0 + step])
            step = 2*step
        r = room[LID_0]
    local_barrier()
    return r


def parts(total, n, size, T, E, GROUP, ITEMS, WIDE, COMMUTES, SHUFFLES, op, neutral, source, *args):
    """total[g]: what piece g comes to, of `size` elements, which are whole tiles."""
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    v = declare('matrix(ITEMS, "T")')
    acc = declare('matrix(4, "T")')
    r = declare(T)
    r = neutral()
    for k in static_range(4):
        acc[k] = r
    begin = GID_0*size
    first = begin
    end = min(begin + size, n)
    while first < end:
        if first + GROUP*ITEMS <= end:
            load_tile(v, first, T, E, GROUP, ITEMS, WIDE, COMMUTES, source, *args)
        else:
            load_rest(v, first, end, T, GROUP, ITEMS, COMMUTES, neutral, source, *args)
        if COMMUTES:
            take_items(acc, v, ITEMS, op)
        else:
            r = op(r, fold_group(fold_items(v, T, ITEMS, op, neutral), room, T, GROUP, SHUFFLES, op))
        first += GROUP*ITEMS
    if COMMUTES:
        r = fold_group(join_four(acc, T, op), room, T, GROUP, SHUFFLES, op)
    if begin == end:
        r = neutral()
    if LID_0 == 0:
        total[GID_0] = r


def join_parts(out, total, count, T, GROUP, SHUFFLES, op, neutral):
    """One group: all totals, in order."""
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    each = (count + GROUP - 1) // GROUP
    first = LID_0*each
    r = declare(T)
    r = neutral()
    for p in range(first, min(first + each, count)):
        r = op(r, total[p])
    r = fold_group(r, room, T, GROUP, SHUFFLES, op)
    if LID_0 == 0:
        out[0] = r
