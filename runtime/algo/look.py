"""What kernels by tiles have in common: each group takes its tile, in order, and tells those behind
what is there; so a pass is one over memory. D. Merrill, M. Garland, Single-pass parallel prefix scan
with decoupled look-back, NVR-2016-002. A tile is AHEAD when it has told of itself alone, WHOLE when
of itself and all in front.
"""

AHEAD = 1
WHOLE = 2
COUNT_BITS = 60


def ones(w):
    """How many bits of 32 are set: known to compilers in this form."""
    w = w - ((w >> 1) & 0x55555555)
    w = (w & 0x33333333) + ((w >> 2) & 0x33333333)
    return (((w + (w >> 4)) & 0x0f0f0f0f)*0x01010101) >> 24


def clear(c, state):
    """Elementwise."""
    state[c] = 0


# The words of a state: which tile is next, how many words two passes left, how many groups of a
# reduction are done; from HEAD on those of tiles. Where KEPT, a state stays from pass to pass, all
# zeros at first: passes take turns with two halves of it, and each clears what the one before left
# in the other half. No group of one pass then has to wait for another's last look at state.
NEXT = 0
LEFT = 1  # and 2
DONE = 3
HEAD = 32  # apart from what groups ask for again and again


def next_tile(own, state, count, words, KEPT):
    """By a group: the tile that is its own, of `count`, handed out in order. own[0] takes it, own[1]
    where in state the `words` of this pass begin. Who takes the last one turns to the other half:
    bit 32 of NEXT."""
    if LID_0 == 0:
        at = atomic_add(state[NEXT], 1)
        own[0] = cast(at, 'int')
        own[1] = HEAD
        if KEPT:
            own[1] = HEAD + (at >> 32)*(len(state) // 2)
            if own[0] == count - 1:
                state[LEFT + (at >> 32)] = words
                atomic_store(state[NEXT], ((at >> 32) ^ 1) << 32)
    local_barrier()
    return own[0]


def clear_other(own, count, state, GROUP):
    """By all groups, each a part, as next_tile has it. Stores are atomic so that they stay one after
    the other: side by side they take the registers of a group that then is not at work."""
    half = cast(len(state) // 2, 'int')
    t = cast(own[0], 'int')*GROUP + LID_0
    if t < half:
        begin = 2*HEAD + half - cast(own[1], 'int')
        left = cast(state[LEFT + 1 if own[1] < half else LEFT], 'int')
        while t < left:
            atomic_store(state[begin + t], 0)
            t += cast(count, 'int')*GROUP


def sum_in_front(v, room, GROUP):
    """Of the work-items in front, by a group."""
    r = v
    for s in static_range(5):
        a = shuffle_up(r, 1 << s)
        if lane_id() >= 1 << s:
            r += a
    if lane_id() == 31:
        room[LID_0 // 32] = r
    local_barrier()
    r -= v
    for w in static_range(GROUP // 32):
        if w < LID_0 // 32:
            r += room[w]
    return r


def holds(i, condition, *args):
    k = declare('long')
    if condition(i, *args):
        k = 1
    return k


def in_tile(j, ITEMS):
    """Where element j of a work-item is in a tile: those of a sub-group lie side by side."""
    return (LID_0 // 32)*(32*ITEMS) + 32*j + lane_id()


def vote(votes, sums, first, here, ITEMS, TILE, condition, *args):
    """By a group, whose tile has `here` elements: of which of those of the work-items of a sub-group
    it holds; sums takes of how many of each."""
    many = declare('uint')
    base = in_tile(0, ITEMS)
    if here == TILE:
        for j in static_range(ITEMS):
            votes[j] = holds(first + base + 32*j, condition, *args)
    else:
        for j in static_range(ITEMS):
            votes[j] = 0
            if base + 32*j < here:
                votes[j] = holds(first + base + 32*j, condition, *args)
    for j in static_range(ITEMS):
        votes[j] = cast(ballot(votes[j]), 'uint')
        many += ones(votes[j])
    if lane_id() == 0:
        sums[LID_0 // 32] = many
    local_barrier()


def votes_in_front(w):
    """Of one element of each work-item of a sub-group: those of the lanes in front of this one."""
    return ones(cast(w & ((cast(1, 'uint') << lane_id()) - 1), 'uint'))


def of_sub_groups(sums, end, GROUP):
    """Of those in front of sub-group `end`."""
    r = declare('uint')
    for w in static_range(GROUP // 32):
        if w < end:
            r += sums[w]
    return r


CROWD = 1000  # tiles: of fewer nearly all are at work at once


def let_tell(count, ns):
    """Before a tile of `count` asks those in front of it: asked too soon they know of themselves
    alone, so that it has to go back far, and all that are asked again and again are held up. An H200
    scans 2^28 int32 at 2976, 3143, 3276 and 3430 GB/s where it waits for 0, 1000, 1500 and 2500 ns."""
    if count > CROWD:
        nanosleep(ns)


def count_in_front(tile, count, ns, state, base):
    """Of what the tiles in front have, by one sub-group, in all lanes. state[base + t] is 0, or
    how many tile t has (AHEAD), or it and all in front (WHOLE), with the kind from bit COUNT_BITS
    on. ns: let_tell."""
    r = declare('long')
    word = declare('long')
    at = tile - 1 - lane_id()
    looking = tile > 0
    let_tell(count, ns)
    while looking:
        word = cast(WHOLE, 'long') << COUNT_BITS
        if at >= 0:
            word = atomic_load(state[base + at])
            while word == 0:
                word = atomic_load(state[base + at])
        whole = ballot(word >> COUNT_BITS == WHOLE)
        word = word & ((cast(1, 'long') << COUNT_BITS) - 1)
        # those behind the first that knows all are none of ours
        if whole & ((cast(1, 'uint64') << lane_id()) - 1):
            word = 0
        for s in static_range(5):
            word += shuffle_xor(word, 1 << s)
        r += word
        at -= 32
        looking = whole == 0
    return r
