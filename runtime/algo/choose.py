# Compactions and partitions: pieces count the elements for which the condition holds, one round finds
# where those of each piece go, and pieces move theirs. G. E. Blelloch, Prefix sums and their
# applications, CMU-CS-90-190 (1990), 1.5.1, by pieces.


def counts(c, begun, n, size, condition, *args):
    """Elementwise over pieces: of how many elements it holds."""
    k = declare('long')
    for i in range(c*size, min((c + 1)*size, n)):
        k += holds(i, condition, *args)
    begun[c] = k


def starts(c, begun, number, count, TOLD):
    """One round: begun[p] becomes that of all in front of piece p. TOLD: number takes that of all."""
    k = declare('long')
    for p in range(count):
        b = begun[p]
        begun[p] = k
        k += b
    begun[count] = k
    if TOLD:
        number[0] = k


def put(to, i, out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER):
    if COUNT > 0:
        out0[to] = in0[i]
    if COUNT > 1:
        out1[to] = in1[i]
    if COUNT > 2:
        out2[to] = in2[i]
    if COUNT > 3:
        out3[to] = in3[i]
    if ORDER:
        order[to] = i


def keep(first, end, start, stop, out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER,
         condition, *args):
    """From start on up to stop. Each element is written, and the next one in its place unless it is
    to stay, so that nothing is guessed."""
    at = declare('long')
    at = start
    for i in range(first, end):
        if at < stop:
            put(at, i, out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER)
        at += holds(i, condition, *args)


def keeps(c, out0, out1, out2, out3, in0, in1, in2, in3, order, begun, n, size, count, room, COUNT,
          ORDER, condition, *args):
    """Elementwise over pieces: those of which it holds, as far as there is room."""
    keep(c*size, min((c + 1)*size, n), begun[c], min(begun[c + 1], room), out0, out1, out2, out3,
         in0, in1, in2, in3, order, COUNT, ORDER, condition, *args)


def few(c, out0, out1, out2, out3, in0, in1, in2, in3, order, number, n, room, COUNT, ORDER, TOLD,
        condition, *args):
    """One round: all that, of one piece."""
    k = declare('long')
    for i in range(n):
        k += holds(i, condition, *args)
    if TOLD:
        number[0] = k
    keep(0, n, 0, min(k, room), out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER,
         condition, *args)


def parts(c, out0, out1, out2, out3, in0, in1, in2, in3, order, begun, n, size, count, room, COUNT,
          ORDER, condition, *args):
    """Elementwise over pieces: the others behind all of which it holds."""
    at = begun[c]
    rest = begun[count] + c*size - at
    to = declare('long')
    for i in range(c*size, min((c + 1)*size, n)):
        to = rest
        if holds(i, condition, *args) > 0:
            to = at
            at += 1
        else:
            rest += 1
        put(to, i, out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER)


# --- by tiles ---
#
# In one pass, for devices whose groups have many work-items side by side: state is that of
# count_in_front of look.py. What a tile keeps is listed in local memory, so that it is written side
# by side.


def tally(state, n, count, GROUP, ITEMS, TILE, condition, *args):
    """One group for each of `count` tiles: state[HEAD + count] becomes of how many it holds."""
    k = declare('long')
    first = GID_0*TILE + LID_0
    for j in range(ITEMS):
        if first + j*GROUP < n:
            k += holds(first + j*GROUP, condition, *args)
    for s in static_range(5):
        k += shuffle_xor(k, 1 << s)
    if lane_id() == 0:
        atomic_add(state[HEAD + count], k)


def sift(out0, out1, out2, out3, in0, in1, in2, in3, order, number, state, n, count, room, GROUP,
         ITEMS, TILE, COUNT, ORDER, TOLD, MODE, condition, *args):
    """One group for each of `count` tiles: those elements of which it holds, as far as there is room.
    TOLD: number takes how many there are. MODE 1: state is KEPT; 2: the others come behind all of
    these, as tally counted them."""
    listed = declare('LOCAL_MEM matrix(TILE, "ushort")')
    sums = declare('LOCAL_MEM matrix(32, "uint")')
    own = declare('LOCAL_MEM matrix(3, "long")')  # next_tile's, chosen in front
    votes = declare('matrix(ITEMS, "uint")')
    at = next_tile(own, state, count, count, MODE == 1)
    first = at*TILE
    here = cast(min(n - first, TILE), 'int')
    vote(votes, sums, first, here, ITEMS, TILE, condition, *args)
    mine = in_tile(0, ITEMS)
    before = of_sub_groups(sums, LID_0 // 32, GROUP)
    total = of_sub_groups(sums, GROUP // 32, GROUP)
    if LID_0 == 0:
        atomic_store(state[own[1] + at],
                     (cast(1 + (at == 0), 'long') << COUNT_BITS) | cast(total, 'long'))
    for j in static_range(ITEMS):
        k = before + votes_in_front(votes[j])
        if (votes[j] >> lane_id()) & 1:
            listed[k] = mine + 32*j
        elif MODE == 2:
            if mine + 32*j < here:
                listed[total + mine + 32*j - k] = mine + 32*j
        before += ones(votes[j])
    if LID_0 < 32:
        to = count_in_front(at, count, 1500, state, own[1])
        if LID_0 == 0:
            own[2] = to
            if at > 0:
                atomic_store(state[own[1] + at],
                             (cast(WHOLE, 'long') << COUNT_BITS) | (to + total))
            if TOLD:
                if at == count - 1:
                    number[0] = to + total
    local_barrier()
    if MODE == 1:
        clear_other(own, count, state, GROUP)
    begin = own[2]
    for p in range(LID_0, min(cast(total, 'long'), room - begin), GROUP):
        put(begin + p, first + listed[p], out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT,
            ORDER)
    if MODE == 2:
        rest = state[HEAD + count] + first - begin - total
        for p in range(total + LID_0, here, GROUP):
            put(rest + p, first + listed[p], out0, out1, out2, out3, in0, in1, in2, in3, order,
                COUNT, ORDER)
