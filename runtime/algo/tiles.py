"""Reductions and scans by tiles, for devices whose groups have many work-items side by side: a group
takes GROUP*ITEMS elements at once, each work-item ITEMS of them, in registers.

op, neutral, T, source and start are as in chunks.py. COMMUTES: op does; then a work-item's elements
lie GROUP apart, so that all of a sub-group are in one piece of memory; else they follow each other,
and come by way of local memory, into which neighbours load what lies side by side.
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


def load_wide(all, first, E, GROUP, ITEMS, WIDE, x, *rest):
    """Vectors as they lie in memory: all are under way before the first is looked at."""
    some = declare('matrix(WIDE, "E")')
    for k in static_range(ITEMS // WIDE):
        vload(some, x, first // WIDE + k*GROUP + LID_0)
        for j in static_range(WIDE):
            all[k*WIDE + j] = some[j]


def take_tile(acc, first, T, E, GROUP, ITEMS, WIDE, op, source, *args):
    """A work-item's elements of a whole tile, into four values side by side, each behind a neutral
    one: what is compared with a NaN is so always on its left."""
    all = declare('matrix(ITEMS, "E")')
    v = declare(T)
    if WIDE:
        load_wide(all, first, E, GROUP, ITEMS, WIDE, *args)
        for k in static_range(ITEMS):
            v = all[k]
            acc[k % 4] = op(acc[k % 4], v)
    else:
        if ITEMS >= 4:
            for k in range(ITEMS // 4):
                for j in static_range(4):
                    v = source(first + (4*k + j)*GROUP + LID_0, *args)
                    acc[j] = op(acc[j], v)
        for j in static_range(ITEMS % 4):
            v = source(first + (ITEMS - 1 - j)*GROUP + LID_0, *args)
            acc[j] = op(acc[j], v)


def take_rest(acc, first, end, T, GROUP, op, source, *args):
    """The same of what is no whole tile."""
    v = declare(T)
    for i in range(first + LID_0, end, GROUP):
        v = source(i, *args)
        acc[0] = op(acc[0], v)


def stage(tile, first, n, T, E, GROUP, ITEMS, WIDE, neutral, source, *args):
    """A tile's elements into local memory, neighbours by neighbours."""
    all = declare('matrix(ITEMS, "E")')
    if first + GROUP*ITEMS > n:
        for p in range(LID_0, GROUP*ITEMS, GROUP):
            tile[p] = element_at(first + p, n, T, neutral, source, *args)
    elif WIDE:
        load_wide(all, first, E, GROUP, ITEMS, WIDE, *args)
        for k in static_range(ITEMS // WIDE):
            for j in static_range(WIDE):
                tile[(k*GROUP + LID_0)*WIDE + j] = all[k*WIDE + j]
    else:
        for k in range(ITEMS):
            tile[k*GROUP + LID_0] = source(first + k*GROUP + LID_0, *args)


def join_four(acc, T, op):
    r = declare(T)
    r = op(op(acc[0], acc[1]), op(acc[2], acc[3]))
    return r


def fold_items(tile, T, ITEMS, op, neutral):
    """A work-item's, in their order."""
    r = declare(T)
    r = neutral()
    for k in static_range(ITEMS):
        r = op(r, tile[LID_0*ITEMS + k])
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


def fold_piece(tile, room, n, size, T, E, GROUP, ITEMS, WIDE, COMMUTES, SHUFFLES, op, neutral,
               source, *args):
    """What the group's piece comes to, of `size` elements, which are whole tiles: work-item 0 has
    it."""
    acc = declare('matrix(4, "T")')
    r = declare(T)
    r = neutral()
    for k in static_range(4):
        acc[k] = r
    begin = GID_0*size
    first = begin
    end = min(begin + size, n)
    while first < end:
        if COMMUTES:
            if first + GROUP*ITEMS <= end:
                take_tile(acc, first, T, E, GROUP, ITEMS, WIDE, op, source, *args)
            else:
                take_rest(acc, first, end, T, GROUP, op, source, *args)
        else:
            stage(tile, first, end, T, E, GROUP, ITEMS, WIDE, neutral, source, *args)
            local_barrier()
            own = fold_items(tile, T, ITEMS, op, neutral)
            r = op(r, fold_group(own, room, T, GROUP, SHUFFLES, op))
        first += GROUP*ITEMS
    if COMMUTES:
        r = fold_group(join_four(acc, T, op), room, T, GROUP, SHUFFLES, op)
    if begin == end:
        r = neutral()
    return r


def fold_parts(total, count, room, T, GROUP, SHUFFLES, op, neutral):
    """By a group: all totals, in order; work-item 0 has it."""
    each = (count + GROUP - 1) // GROUP
    first = LID_0*each
    r = declare(T)
    r = neutral()
    for p in range(first, min(first + each, count)):
        r = op(r, total[p])
    return fold_group(r, room, T, GROUP, SHUFFLES, op)


def parts(total, n, size, T, E, GROUP, ITEMS, TILE, WIDE, COMMUTES, SHUFFLES, op, neutral, map,
          *args):
    """total[g]: what piece g comes to."""
    tile = declare('LOCAL_MEM matrix(TILE, "T")')
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    r = declare(T)
    r = fold_piece(tile, room, n, size, T, E, GROUP, ITEMS, WIDE, COMMUTES, SHUFFLES, op, neutral,
                   map, *args)
    if LID_0 == 0:
        total[GID_0] = r


def join_parts(out, total, count, T, GROUP, SHUFFLES, op, neutral):
    """One group."""
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    r = declare(T)
    r = fold_parts(total, count, room, T, GROUP, SHUFFLES, op, neutral)
    if LID_0 == 0:
        out[0] = r


def whole(out, total, state, n, size, count, T, E, GROUP, ITEMS, TILE, WIDE, COMMUTES, SHUFFLES, op,
          neutral, map, *args):
    """Both at once, by `count` groups: the last one to have its total joins all.
    state[DONE] is 0, and so again in the end."""
    tile = declare('LOCAL_MEM matrix(TILE, "T")')
    room = declare('LOCAL_MEM matrix(GROUP, "T")')
    last = declare('LOCAL_MEM matrix(1, "int")')
    r = declare(T)
    r = fold_piece(tile, room, n, size, T, E, GROUP, ITEMS, WIDE, COMMUTES, SHUFFLES, op, neutral,
                   map, *args)
    if LID_0 == 0:
        total[GID_0] = r
        last[0] = 1 if atomic_add(state[DONE], 1, order='acq_rel') == count - 1 else 0
    local_barrier()
    if last[0]:
        r = fold_parts(total, count, room, T, GROUP, SHUFFLES, op, neutral)
        if LID_0 == 0:
            out[0] = r
            state[DONE] = 0


# --- scans ---
#
# In one pass, as look.py has it. A tile says what it comes to as soon as it knows, and what all up to
# its end come to as soon as it knows what is in front, for which it asks the tiles there, 32 at a
# time, back to one that knows.
# A tile's state is 0, AHEAD or WHOLE: nothing, its own elements, all up to its end. Where a segment
# begins in a tile, what is in front makes no difference to those behind, and it is WHOLE at once.
# Words of state have that above, in their upper half. PACKED: values are numbers, whose bits are in
# so many words, below; a value is there when both say the same. 0: they are in total[t] and carry[t].


def words_of(tiles, PACKED):
    return max(PACKED, 1)*tiles


def publish(at, kind, v, state, base, total, carry, T, PACKED):
    word = cast(kind, 'int64') << 32
    if PACKED == 2:
        atomic_store(state[base + 2*at], word | cast(bits(v, 'uint64') & 0xffffffff, 'int64'))
        atomic_store(state[base + 2*at + 1], word | cast(bits(v, 'uint64') >> 32, 'int64'))
    elif PACKED:
        atomic_store(state[base + at], word | cast(bits(v, 'uint32'), 'int64'))
    else:
        if kind == WHOLE:
            carry[at] = v
        else:
            total[at] = v
        atomic_store(state[base + at], word, order='release')


def wait_for(words, at, state, base, PACKED):
    """The words of a tile, when they are there; in front of all tiles one that is WHOLE."""
    words[0] = cast(WHOLE, 'int64') << 32
    words[1] = words[0]
    if at >= 0:
        if PACKED == 2:
            words[0] = atomic_load(state[base + 2*at])
            words[1] = atomic_load(state[base + 2*at + 1])
            while words[0] == 0 or words[0] >> 32 != words[1] >> 32:
                words[0] = atomic_load(state[base + 2*at])
                words[1] = atomic_load(state[base + 2*at + 1])
        elif PACKED:
            words[0] = atomic_load(state[base + at])
            while words[0] == 0:
                words[0] = atomic_load(state[base + at])
        else:
            words[0] = atomic_load(state[base + at], order='acquire')
            while words[0] == 0:
                words[0] = atomic_load(state[base + at], order='acquire')


def kind_of(words):
    return cast(words[0] >> 32, 'int32')


def value_of(at, words, total, carry, T, PACKED, neutral):
    v = declare(T)
    v = neutral()
    if at >= 0:
        if PACKED == 2:
            v = bits(cast(words[0] & 0xffffffff | words[1] << 32, 'uint64'), T)
        elif PACKED:
            v = bits(cast(words[0] & 0xffffffff, 'uint32'), T)
        elif kind_of(words) == WHOLE:
            v = carry[at]
        else:
            v = total[at]
    return v


def look_back_lanes(tile, count, ns, state, base, total, carry, T, PACKED, op, neutral):
    """By one sub-group: what is in front of a tile, in lane 0."""
    r = declare(T)
    v = declare(T)
    words = declare('matrix(2, "int64")')
    r = neutral()
    at = tile - 1 - lane_id()
    looking = True
    let_tell(count, ns)
    while looking:
        wait_for(words, at, state, base, PACKED)
        whole = ballot(kind_of(words) == WHOLE)
        v = value_of(at, words, total, carry, T, PACKED, neutral)
        # those behind the first that knows all are none of ours
        if whole & ((cast(1, 'uint64') << lane_id()) - 1):
            v = neutral()
        for s in static_range(5):
            v = op(shuffle_down(v, 1 << s), v)
        r = op(v, r)
        at -= 32
        looking = whole == 0
    return r


def look_back(tile, room, kinds, state, base, total, carry, T, PACKED, op, neutral):
    """By a group: the same, in work-item 0."""
    r = declare(T)
    words = declare('matrix(2, "int64")')
    r = neutral()
    at = tile - 1 - LID_0
    looking = True
    while looking:
        if LID_0 < 32:
            wait_for(words, at, state, base, PACKED)
            kinds[LID_0] = kind_of(words)
            room[LID_0] = value_of(at, words, total, carry, T, PACKED, neutral)
        local_barrier()
        k = 0
        while k < 31 and kinds[k] != WHOLE:
            k += 1
        looking = kinds[k] != WHOLE
        if LID_0 == 0:
            for j in range(k + 1):
                r = op(room[j], r)
        at -= 32
        local_barrier()
    return r


def scan_group(v, f, room, marks, T, GROUP, SEGMENTS, SHUFFLES, op, neutral, before, begun):
    """before[0]: what the values of the work-items in front come to, from the last start on, and
    begun[0] whether there is one; before[1] and begun[1] the same of all."""
    r = declare(T)
    a = declare(T)
    r = v
    if SHUFFLES:
        for s in static_range(5):
            a = shuffle_up(r, 1 << s)
            g = 0
            if SEGMENTS:
                g = shuffle_up(f, 1 << s)
            if lane_id() >= 1 << s:
                if not f:
                    r = op(a, r)
                f = f | g
        if lane_id() == 31:
            room[LID_0 // 32] = r
            if SEGMENTS:
                marks[LID_0 // 32] = f
        a = shuffle_up(r, 1)
        g = 0
        if SEGMENTS:
            g = shuffle_up(f, 1)
        if lane_id() == 0:
            a = neutral()
            g = 0
        local_barrier()
        p = declare(T)
        p = neutral()
        h = 0
        before[0] = a
        begun[0] = g
        for k in static_range(GROUP // 32):
            if k == LID_0 // 32:
                if not g:
                    before[0] = op(p, a)
                    begun[0] = h
            if SEGMENTS:
                if marks[k]:
                    p = neutral()
                    h = 1
            p = op(p, room[k])
        before[1] = p
        begun[1] = h
    else:
        room[LID_0] = r
        if SEGMENTS:
            marks[LID_0] = f
        step = 1
        while step < GROUP:
            local_barrier()
            g = 0
            if LID_0 >= step:
                a = room[LID_0 - step]
                if SEGMENTS:
                    g = marks[LID_0 - step]
                if not f:
                    r = op(a, r)
                f = f | g
            local_barrier()
            room[LID_0] = r
            if SEGMENTS:
                marks[LID_0] = f
            step = 2*step
        local_barrier()
        before[0] = neutral()
        begun[0] = 0
        if LID_0 > 0:
            before[0] = room[LID_0 - 1]
            if SEGMENTS:
                begun[0] = marks[LID_0 - 1]
        before[1] = room[GROUP - 1]
        begun[1] = 0
        if SEGMENTS:
            begun[1] = marks[GROUP - 1]
    local_barrier()


def mark(marks, first, n, GROUP, ITEMS, start, *args):
    """Where segments begin in a tile."""
    for k in range(ITEMS):
        i = first + k*GROUP + LID_0
        marks[k*GROUP + LID_0] = 0
        if i < n:
            marks[k*GROUP + LID_0] = 1 if start(i, *args) else 0


def write_wide(tile, first, out, T, GROUP, ITEMS, WIDE):
    some = declare('matrix(WIDE, "T")')
    for k in static_range(ITEMS // WIDE):
        for j in static_range(WIDE):
            some[j] = tile[(k*GROUP + LID_0)*WIDE + j]
        vstore(some, out, first // WIDE + k*GROUP + LID_0)


def scan(out, state, total, carry, n, count, T, E, GROUP, ITEMS, TILE, ROOM, MARKS, WIDE, OUT_WIDE,
         SEGMENTS, WRITES, PACKED, LANES, SHUFFLES, KEPT, op, neutral, input, segment, output,
         *args):
    """One group for each of `count` tiles. WRITES: as in item of chunks.py. KEPT: as in look.py."""
    tile = declare('LOCAL_MEM matrix(TILE, "T")')
    room = declare('LOCAL_MEM matrix(ROOM, "T")')
    marks = declare('LOCAL_MEM matrix(MARKS, "int8")')
    kinds = declare('LOCAL_MEM matrix(32, "int")')
    flags = declare('LOCAL_MEM matrix(GROUP, "int8")')
    own = declare('LOCAL_MEM matrix(2, "long")')
    v = declare('matrix(ITEMS, "T")')
    before = declare('matrix(2, "T")')
    begun = declare('matrix(2, "int")')
    acc = declare(T)
    front = declare(T)
    at = next_tile(own, state, count, words_of(count, PACKED), KEPT)
    first = at*TILE
    stage(tile, first, n, T, E, GROUP, ITEMS, WIDE, neutral, input, *args)
    if SEGMENTS:
        mark(marks, first, n, GROUP, ITEMS, segment, *args)
    local_barrier()
    acc = neutral()
    begins = 0
    for k in static_range(ITEMS):
        v[k] = tile[LID_0*ITEMS + k]
        if SEGMENTS:
            if marks[LID_0*ITEMS + k]:
                acc = neutral()
                begins = 1
        acc = op(acc, v[k])
    scan_group(acc, begins, room, flags, T, GROUP, SEGMENTS, SHUFFLES, op, neutral, before, begun)
    front = neutral()
    if LID_0 == 0 and (at == 0 or begun[1]):
        publish(at, WHOLE, before[1], state, own[1], total, carry, T, PACKED)
    if LID_0 == 0 and at > 0 and not begun[1]:
        publish(at, AHEAD, before[1], state, own[1], total, carry, T, PACKED)
    if LANES:
        if LID_0 < 32 and at > 0:
            front = look_back_lanes(at, count, 1500 if SEGMENTS else 2500, state, own[1], total, carry,
                                    T, PACKED, op, neutral)
    else:
        front = look_back(at, room, kinds, state, own[1], total, carry, T, PACKED, op, neutral)
    if LID_0 == 0:
        room[0] = front
        if at > 0 and not begun[1]:
            publish(at, WHOLE, op(front, before[1]), state, own[1], total, carry, T, PACKED)
    local_barrier()
    front = room[0]
    if KEPT:
        clear_other(own, count, state, GROUP)
    acc = before[0]
    if not begun[0]:
        acc = op(front, acc)
    for k in static_range(ITEMS):
        if SEGMENTS:
            if marks[LID_0*ITEMS + k]:
                acc = neutral()
        if WRITES == 2:
            tile[LID_0*ITEMS + k] = acc
        acc = op(acc, v[k])
        if WRITES != 2:
            tile[LID_0*ITEMS + k] = acc
    local_barrier()
    if WRITES:
        if OUT_WIDE and first + TILE <= n:
            write_wide(tile, first, out, T, GROUP, ITEMS, OUT_WIDE)
        else:
            for p in range(LID_0, min(n - first, TILE), GROUP):
                out[first + p] = tile[p]
    else:
        for p in range(LID_0, min(n - first, TILE), GROUP):
            acc = front
            if p > 0:
                acc = tile[p - 1]
            if SEGMENTS:
                if marks[p]:
                    acc = neutral()
            output(first + p, tile[p], acc, acc, n, *args)
