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


def next_tile(own, state, turns):
    """By a group: the tile that is its own, as state[turns] hands them out; own[0] takes it."""
    if LID_0 == 0:
        own[0] = atomic_add(state[turns], 1)
    local_barrier()
    return own[0]


def take_turn(state, turns, count):
    """By one work-item of a group, behind a barrier, when state has all that the group stores: how
    many groups did so before. What all stored is then ordered in front of what the last one clears;
    the others of the group go on meanwhile."""
    turn = atomic_add(state[turns + 1], 1, order='release')
    if turn == count - 1:
        fence(order='acquire')
    return turn


def zero_last(turn, count, state, words, GROUP):
    """By the last of `count` groups that took a turn, when all have looked at state: it is all zeros
    again. There is a barrier in between."""
    if turn == count - 1:
        for t in range(LID_0, words, GROUP):
            state[t] = 0


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
