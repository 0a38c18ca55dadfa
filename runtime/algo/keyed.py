# Reductions of runs by tiles, in one pass: as the scan by segments of tiles.py, whose names these
# are; what the open run in front of a tile comes to and how many runs begin there are looked back for
# by two sub-groups side by side. What runs come to, and where they begin, is listed in local memory,
# so that it is written side by side.


def mark_runs(marks, first, n, GROUP, ITEMS, STARTS, key, start, *args):
    """Whether runs begin at a tile's elements."""
    for k in range(ITEMS):
        i = first + k*GROUP + LID_0
        marks[k*GROUP + LID_0] = 0
        if i < n:
            marks[k*GROUP + LID_0] = 1 if begins_run(i, STARTS, key, start, *args) else 0


def keyed(out, keys, number, state, total, carry, n, count, T, E, GROUP, ITEMS, TILE, ROOM, WIDE,
          PACKED, LANES, SHUFFLES, KEPT, STARTS, ASKED, TOLD, op, neutral, map, key, start,
          *args):
    """One group for each of `count` tiles. state: of values as scan has it; behind them of counts, as
    count_in_front has it. ASKED, TOLD: keys takes the key of each run, number how many there are.
    listed: of each element whether a run begins there, and later of each run where."""
    tile = declare('LOCAL_MEM matrix(TILE, "T")')
    room = declare('LOCAL_MEM matrix(ROOM, "T")')
    kinds = declare('LOCAL_MEM matrix(32, "int")')
    flags = declare('LOCAL_MEM matrix(GROUP, "int8")')
    listed = declare('LOCAL_MEM matrix(TILE, "ushort")')
    sums = declare('LOCAL_MEM matrix(32, "int")')
    own = declare('LOCAL_MEM matrix(4, "long")')  # next_tile's, runs in front, runs here
    v = declare('matrix(ITEMS, "T")')
    before = declare('matrix(2, "T")')
    begun = declare('matrix(2, "int")')
    acc = declare(T)
    front = declare(T)
    starts = declare('uint')  # bit k: a run begins at element k of the work-item's
    at = next_tile(own, state, count, words_of(count, PACKED) + count, KEPT)
    first = at*TILE
    stage(tile, first, n, T, E, GROUP, ITEMS, WIDE, neutral, map, *args)
    mark_runs(listed, first, n, GROUP, ITEMS, STARTS, key, start, *args)
    local_barrier()
    acc = neutral()
    for k in static_range(ITEMS):
        v[k] = tile[LID_0*ITEMS + k]
        if listed[LID_0*ITEMS + k]:
            acc = neutral()
            starts |= 1 << k
        acc = op(acc, v[k])
    begins = cast(ones(starts), 'int')
    slot = sum_in_front(begins, sums, GROUP)
    if LID_0 == GROUP - 1:
        own[3] = slot + begins
    scan_group(acc, 1 if begins else 0, room, flags, T, GROUP, 1, SHUFFLES, op, neutral, before,
               begun)
    front = neutral()
    if LID_0 == 0:
        publish(at, WHOLE if at == 0 or begun[1] else AHEAD, before[1], state, own[1], total, carry,
                T, PACKED)
        atomic_store(state[own[1] + words_of(count, PACKED) + at],
                     (cast(1 + (at == 0), 'long') << COUNT_BITS) | own[3])
    if LID_0 // 32 == 1:
        runs_in_front = count_in_front(at, count, 700, state, own[1] + words_of(count, PACKED))
        if lane_id() == 0:
            own[2] = runs_in_front
            if at > 0:
                atomic_store(state[own[1] + words_of(count, PACKED) + at],
                             (cast(WHOLE, 'long') << COUNT_BITS) | (runs_in_front + own[3]))
    if LANES:
        if LID_0 < 32 and at > 0:
            front = look_back_lanes(at, count, 1000, state, own[1], total, carry, T, PACKED,
                                    op, neutral)
    else:
        front = look_back(at, room, kinds, state, own[1], total, carry, T, PACKED, op, neutral)
    if LID_0 == 0:
        room[0] = front
        if at > 0 and not begun[1]:
            publish(at, WHOLE, op(front, before[1]), state, own[1], total, carry, T, PACKED)
    local_barrier()
    if KEPT:
        clear_other(own, count, state, GROUP)
    acc = before[0]
    if not begun[0]:
        acc = op(room[0], acc)
    for k in static_range(ITEMS):
        if (starts >> k) & 1:
            tile[slot] = acc
            if ASKED:
                listed[slot] = LID_0*ITEMS + k
            slot += 1
            acc = neutral()
        acc = op(acc, v[k])
    local_barrier()
    in_front = own[2]
    here = own[3]
    for p in range(LID_0, here, GROUP):
        put_run(in_front + p - 1, out, tile[p])
        if ASKED:
            if in_front + p < len(keys):
                keys[in_front + p] = key(first + listed[p], *args)
    if at == count - 1 and LID_0 == GROUP - 1:
        put_run(in_front + here - 1, out, acc)
        if TOLD:
            number[0] = in_front + here
