"""Sorts by digits for devices whose groups have many work-items side by side: A. Adinets, D.
Merrill, Onesweep: a faster least significant digit radix sort for GPUs, arXiv 2206.01784. All
digits are counted at once; then each takes one pass. A group sorts a tile of GROUP*ITEMS keys by
the digit in local memory, says how many it has of each, and asks the tiles in front for theirs,
back to one that knows of all before it.

K, V, R, *how, MODE: as in sort.py, which has rank. Digits have eight bits; digit p begins at bit
LOWEST + 8*p, and there are PLACES of them. bins[256*p + d]: how many keys have digit d there, later
where they begin; behind that for each p how many tiles were handed out. A pass has one half of
state, and clears the other for the next: state[256*t + d] of it is 0, or how many keys with digit d
tile t has (AHEAD), or it and all in front (WHOLE), of type S, with the kind from bit KIND on.
"""

DIGITS = 256


def begin(c, bins):
    """Elementwise."""
    bins[c] = 0


def digit(k, shift, R, BITS, *how):
    if BITS == 64:
        return cast((rank(k, R, BITS, *how) >> cast(shift & 63, R)) & 255, 'uint')
    return cast((rank(k, R, BITS, *how) >> cast(shift & 31, R)) & 255, 'uint')


def count_digits(table, k, PLACES, LOWEST, R, *how):
    for p in static_range(PLACES):
        atomic_add(table[256*p + digit(k, LOWEST + 8*p, R, *how)], 1)


def count(bins, state, keys, n, words, K, GROUP, ITEMS, PLACES, TABLE, LOWEST, R, *how):
    """Counts all digits of all keys, in local memory first; clears a half of state."""
    table = declare('LOCAL_MEM matrix(TABLE, "uint")')
    k = declare('matrix(ITEMS, "K")')
    for j in static_range((TABLE + GROUP - 1) // GROUP):
        if j*GROUP + LID_0 < TABLE:
            table[j*GROUP + LID_0] = 0
    at = GID_0*GROUP + LID_0
    while at < words:
        state[at] = 0
        at += GDIM_0*GROUP
    local_barrier()
    first = GID_0*(GROUP*ITEMS)
    while first < n:
        if first + GROUP*ITEMS <= n:
            for j in static_range(ITEMS):
                k[j] = keys[first + j*GROUP + LID_0]
            for j in static_range(ITEMS):
                count_digits(table, k[j], PLACES, LOWEST, R, *how)
        else:
            for i in range(first + LID_0, n, GROUP):
                count_digits(table, keys[i], PLACES, LOWEST, R, *how)
        first += GDIM_0*(GROUP*ITEMS)
    local_barrier()
    for j in static_range((TABLE + GROUP - 1) // GROUP):
        at = j*GROUP + LID_0
        if at < TABLE:
            if table[at] != 0:
                atomic_add(bins[at], table[at])


def starts(bins):
    """A group of 256 for each digit."""
    room = declare('LOCAL_MEM matrix(32, "long")')
    at = GID_0*256 + LID_0
    bins[at] = sum_in_front(bins[at], room, 256)


def take_place(d, counts, base):
    """Where the next key of the sub-group goes that has the digit, lower lanes first."""
    other = declare('uint')  # lanes with another digit
    place = declare('uint')
    for b in static_range(8):
        mine = cast(cast(d << (31 - b), 'int') >> 31, 'uint')
        other = other | ~(cast(ballot((d & (1 << b)) == 0), 'uint') ^ mine)
    same = cast(~other, 'uint')
    below = cast(same & ((cast(1, 'uint') << lane_id()) - 1), 'uint')
    if below == 0:
        place = atomic_add(counts[base + d], ones(same))
    same = same | 0x80000000
    return shuffle(place, cast(ones(~same & (same - 1)), 'int')) + ones(below)


def look_back(state, half, at, own, S, KIND):
    """How many keys the tiles in front have with the work-item's digit; `own` are here."""
    s = declare(S)
    word = declare(S)
    t = at - 1
    looking = at > 0
    while looking:
        word = atomic_load(state[half + 256*t + LID_0])
        if word != 0:
            s += word & ((1 << KIND) - 1)
            looking = word >> KIND == AHEAD
            t -= 1
    if at > 0:
        word = cast(WHOLE, S) << KIND
        atomic_store(state[half + 256*at + LID_0], word | (s + own))
    return s


def sweep(x, vx, keys, values, state, bins, n, turn, count, K, V, GROUP, ITEMS, TILE, MOVED,
          COUNTS, PLACES, MODE, S, KIND, GROUPS, LOWEST, R, *how):
    """A tile of keys to x, and what goes along to vx. MOVED: 1 if that goes through the memory of
    keys, whose size it has. GROUPS: so many are to share a multiprocessor; 0: as it comes."""
    if GROUPS:
        launch_bounds(GROUP, GROUPS)
    counts = declare('LOCAL_MEM matrix(COUNTS, "uint")')
    tile = declare('LOCAL_MEM matrix(TILE, "K")')
    moved = declare('LOCAL_MEM matrix(MOVED, "V")')
    to = declare('LOCAL_MEM matrix(256, "S")')
    room = declare('LOCAL_MEM matrix(32, "uint")')
    mine = declare('LOCAL_MEM matrix(1, "long")')
    k = declare('matrix(ITEMS, "K")')
    v = declare('matrix(ITEMS, "V")')
    r = declare('matrix(ITEMS, "uint")')
    own = declare('uint')
    word = declare(S)
    if LID_0 == 0:
        mine[0] = atomic_add(bins[256*PLACES + turn], 1)
    for j in static_range(COUNTS // GROUP):
        counts[j*GROUP + LID_0] = 0
    local_barrier()
    at = mine[0]
    first = at*TILE
    here = cast(min(n - first, TILE), 'int')
    shift = cast(LOWEST + 8*turn, 'int')
    base = (LID_0 // 32)*(32*ITEMS) + lane_id()
    many = (here - base + 31) >> 5  # keys of the work-item, if that is less than ITEMS
    warp = (LID_0 // 32)*256
    half = (turn & 1)*count*256
    other = (count - (turn & 1)*count)*256
    for j in static_range(ITEMS):
        if j < many:
            k[j] = keys[first + base + 32*j]
    for j in static_range(ITEMS):
        if j < many:
            d = digit(k[j], shift, R, *how)
            atomic_add(counts[warp + d], 1)
    local_barrier()
    if LID_0 < 256:
        for w in static_range(GROUP // 32):
            own += counts[256*w + LID_0]
        word = 1 + (at == 0)
        atomic_store(state[half + 256*at + LID_0], (word << KIND) | own)
        state[other + 256*at + LID_0] = 0
    front = sum_in_front(own, room, GROUP)
    if LID_0 < 256:
        sum = front
        for w in static_range(GROUP // 32):
            counted = counts[256*w + LID_0]
            counts[256*w + LID_0] = sum
            sum += counted
    local_barrier()
    for j in static_range(ITEMS):
        d = digit(k[j], shift, R, *how)
        if j >= many:
            d = 255  # behind all
        r[j] = take_place(d, counts, warp)
        if j < many:
            tile[r[j]] = k[j]
    if LID_0 < 256:
        to[LID_0] = bins[256*turn + LID_0] + look_back(state, half, at, own, S, KIND) - front
    local_barrier()
    if MODE == 1:
        for j in static_range(ITEMS):
            if j < many:
                v[j] = values[first + base + 32*j]
    elif MODE == 2:
        for j in static_range(ITEMS):
            v[j] = first + base + 32*j
    if MODE and MOVED == 1:
        for j in static_range(ITEMS):
            k[j] = tile[j*GROUP + LID_0]
            if j*GROUP + LID_0 < here:
                x[to[digit(k[j], shift, R, *how)] + j*GROUP + LID_0] = k[j]
        local_barrier()
        for j in static_range(ITEMS):
            if j < many:
                tile[r[j]] = cast(v[j], K)
        local_barrier()
        for j in static_range(ITEMS):
            p = j*GROUP + LID_0
            if p < here:
                vx[to[digit(k[j], shift, R, *how)] + p] = bits(tile[p], V)
    else:
        if MODE:
            for j in static_range(ITEMS):
                if j < many:
                    moved[r[j]] = v[j]
            local_barrier()
        if here == TILE:
            for j in static_range(ITEMS):
                k[j] = tile[j*GROUP + LID_0]
                p = to[digit(k[j], shift, R, *how)] + j*GROUP + LID_0
                x[p] = k[j]
                if MODE:
                    vx[p] = moved[j*GROUP + LID_0]
        else:
            for i in range(LID_0, here, GROUP):
                p = to[digit(tile[i], shift, R, *how)] + i
                x[p] = tile[i]
                if MODE:
                    vx[p] = moved[i]
