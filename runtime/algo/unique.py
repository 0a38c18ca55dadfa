# What is unique among sorted keys: pieces count the values that begin in them, one round finds which
# of all these are, and pieces write theirs. Names are those of merge.py, in front.


def plain(i, to, keys, ZERO):
    """Elementwise: a copy; ZERO: of the bits of floats, where those of -0, if not 0, become 0."""
    to[i] = keys[i]
    if ZERO > 0:
        if keys[i] == 1 << ZERO:
            to[i] = 0


def begins_value(i, keys, *how):
    if i == 0:
        return True
    return precedes(keys[i - 1], keys[i], *how)


def value_counts(c, begun, last, keys, n, size, before, *how):
    """Elementwise over pieces of sorted keys: how many values begin in one, and where the last."""
    k = declare('long')
    for i in range(c*size, min((c + 1)*size, n)):
        if begins_value(i, keys, before, *how):
            k += 1
            last[c] = i
    begun[c] = k


def value_starts(c, begun, last, number, count, TOLD):
    """One round: how many values begin in front of piece p, and where the last of those. TOLD:
    number takes that of all."""
    k = declare('long')
    at = declare('long')
    for p in range(count):
        b = begun[p]
        here = last[p]
        begun[p] = k
        last[p] = at
        k += b
        if b > 0:
            at = here
    if TOLD:
        number[0] = k


def put_count(counts, k, count):
    if k >= 0 and k < len(counts):
        counts[k] = count


def values(c, out, first, inverse, counts, keys, order, begun, last, n, size, OUT, FIRST_ONE, INVERSE,
           COUNTS, before, *how):
    """Elementwise over pieces: those that begin in one, and how many there are of those that end."""
    k = begun[c] - 1
    at = last[c]
    end = min((c + 1)*size, n)
    for i in range(c*size, end):
        if begins_value(i, keys, before, *how):
            if COUNTS:
                put_count(counts, k, i - at)
            at = i
            k += 1
            if OUT:
                if k < len(out):
                    out[k] = keys[i]
            if FIRST_ONE:
                if k < len(first):
                    first[k] = order[i]
        if INVERSE:
            inverse[order[i]] = k
    if COUNTS:
        if end == n:
            put_count(counts, k, n - at)


# --- by tiles ---
#
# One pass, as compactions have in choose.py: where values of a tile begin is listed in local memory,
# so that what is said of them is written side by side. How many begin in the tiles in front, and where
# the last of these does, is looked back for by two sub-groups side by side.


def put_values(first, front, last, total, listed, out, at_first, counts, keys, order, GROUP, OUT,
               FIRST_ONE, COUNTS):
    """Those that begin in the tile at `first`, in front of which there are `front`, of which the last
    one begins at `last`. Each ends where the next one begins."""
    at = declare('long')
    for p in range(LID_0, total, GROUP):
        i = first + listed[p]
        k = front + p
        if OUT:
            if k < len(out):
                out[k] = keys[i]
        if FIRST_ONE:
            if k < len(at_first):
                at_first[k] = order[i]
        if COUNTS:
            at = last
            if p > 0:
                at = first + listed[p - 1]
            put_count(counts, k - 1, i - at)


def tile_values(out, at_first, inverse, counts, number, keys, order, state, n, count, GROUP, ITEMS,
                TILE, OUT, FIRST_ONE, INVERSE, COUNTS, TOLD, KEPT, before, *how):
    """One group for each of `count` tiles. state: that of count_in_front, how many begin; behind it
    that of the last place where one does. TOLD: number takes how many values there are."""
    listed = declare('LOCAL_MEM matrix(TILE, "ushort")')
    sums = declare('LOCAL_MEM matrix(32, "uint")')
    own = declare('LOCAL_MEM matrix(4, "long")')  # next_tile's, values in front, the last one
    votes = declare('matrix(ITEMS, "uint")')
    last = declare('long')
    k = declare('long')
    at = next_tile(own, state, count, 2*count if COUNTS else count, KEPT)
    first = at*TILE
    here = cast(min(n - first, TILE), 'int')
    vote(votes, sums, first, here, ITEMS, TILE, begins_value, keys, before, *how)
    ahead = of_sub_groups(sums, LID_0 // 32, GROUP)
    total = cast(of_sub_groups(sums, GROUP // 32, GROUP), 'long')
    if LID_0 == 0:
        atomic_store(state[own[1] + at], (cast(1 + (at == 0), 'long') << COUNT_BITS) | total)
    slot = ahead
    for j in static_range(ITEMS):
        if (votes[j] >> lane_id()) & 1:
            listed[slot + votes_in_front(votes[j])] = in_tile(j, ITEMS)
        slot += ones(votes[j])
    local_barrier()
    if LID_0 // 32 == 1:
        if COUNTS:
            if total > 0:
                last = (cast(WHOLE, 'long') << COUNT_BITS) | (first + listed[total - 1])
            else:
                last = cast(AHEAD, 'long') << COUNT_BITS
            if lane_id() == 0:
                atomic_store(state[own[1] + count + at], last)
            at_last = count_in_front(at, count, 1500, state, own[1] + count)
            if lane_id() == 0:
                own[3] = at_last
                if total == 0:
                    atomic_store(state[own[1] + count + at],
                                 (cast(WHOLE, 'long') << COUNT_BITS) | at_last)
    if LID_0 < 32:
        front = count_in_front(at, count, 1500, state, own[1])
        if LID_0 == 0:
            own[2] = front
            if at > 0:
                atomic_store(state[own[1] + at],
                             (cast(WHOLE, 'long') << COUNT_BITS) | (front + total))
            if TOLD:
                if at == count - 1:
                    number[0] = front + total
    local_barrier()
    if KEPT:
        clear_other(own, count, state, GROUP)
    put_values(first, own[2], own[3], total, listed, out, at_first, counts, keys, order, GROUP, OUT,
               FIRST_ONE, COUNTS)
    if COUNTS:
        if at == count - 1 and LID_0 == 0:
            last = own[3]
            if total > 0:
                last = first + listed[total - 1]
            put_count(counts, own[2] + total - 1, n - last)
    if INVERSE:
        k = own[2] + ahead - 1
        for j in static_range(ITEMS):
            if in_tile(j, ITEMS) < here:
                inverse[order[first + in_tile(j, ITEMS)]] = (k + votes_in_front(votes[j]) +
                                                             ((votes[j] >> lane_id()) & 1))
            k += ones(votes[j])
