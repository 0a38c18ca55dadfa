"""Sorts by digits, from the lowest on: count the digits in each piece, find where keys go, move
them. D. E. Knuth, The art of computer programming 3, 5.2.5; by pieces: M. Zagha and G. E. Blelloch,
Radix sort for vector multiprocessors, SC91.

What orders keys of type K is an unsigned number of type R, 32 or 64 bits wide, their rank; *how is
how it comes about.

Keys move between x, where they end up, and y, whose lengths are n at least. OUT: at first they are
in `keys`, which stays as it is. vx, vy and values are the same for what goes along, of type V:
MODE 1; with MODE 2 that is where keys came from, and nothing is given. LATER: the mode behind the
first pass, 1 or 0.

There is a pass for each eight bits from one on in which keys differ: none if they are in order.
With LEAD the first turn goes by the highest WINDOW bits in which they do: a map makes digits of
them, of which each has about as many keys as any other, as floats differ in few exponents. What has
one of them is a bucket, which stays in a cache while one worker does all other passes on it: D.
Jimenez-Gonzalez, J. J. Navarro and J.-L. Larriba-Pey, CC-Radix, a cache conscious sorting based on
radix sort, PDP 2003. Where a bucket is too large to be one worker's, and where passes are few,
passes are of all keys.

Keys of one digit are alike where they differ in eight bits alone, or where a map has a digit for
each of the few keys that there are, which is tried if some keys look like it. If nothing goes along
with them they are made from their counts then, H. H. Seward's counting sort (1954), and not moved.

One worker's keys, of a bucket or of few in all, are sorted by as many of their highest digits as
leave little to do, which is done by insertion. Integers that are nearly all of a range, such as a
permutation's, are made from counts of each: by digits they would go to places that lie the same
power of two apart, of which a cache holds few.

*by says what a key's digit is: plain, what is taken off its rank, and at which bit it begins then;
or mapped, a map, and where what it is of begins; then R and *how.
"""

FEW_PASSES = 2
WINDOW = 14  # radix.c has it too
SAMPLE = 4096  # keys that say what the map is
SOME = 32  # keys of which each is compared with each


def rank(k, R, BITS, FRACTION, DESCENDING, FIRST, END):
    """The bits from FIRST to END - 1 of a number that is ordered as keys are, of BITS bits.
    FRACTION: how many of them are that of a float, whose bits the key is; 0 of an unsigned key, -1
    of a signed one. A float's sign is turned round, and all bits of a negative one; NaN are the
    greatest."""
    r = declare(R)
    r = cast(k, R)
    if FRACTION > 0:
        nan = (r & ((1 << (BITS - 1)) - 1)) > (1 << (BITS - 1)) - (1 << FRACTION)
        r = r ^ ((0 - (r >> (BITS - 1))) | (1 << (BITS - 1)))
        if nan:
            r = 0
            r = ~r
    elif FRACTION < 0:
        r = r ^ (1 << (BITS - 1))
    if DESCENDING:
        r = ~r
    top = declare(R)
    top = 1 << (END - 1)
    return r & (top + (top - (1 << FIRST)))


def key_of(r, K, R, BITS, FRACTION, DESCENDING, FIRST, END):
    """The key that has this rank, of all its bits, and is no NaN."""
    if DESCENDING:
        r = ~r
    if FRACTION > 0:
        r = r ^ ((((r >> (BITS - 1)) & 1) - 1) | (1 << (BITS - 1)))
    elif FRACTION < 0:
        r = r ^ (1 << (BITS - 1))
    top = declare(R)
    top = 1 << (BITS - 1)
    return cast(r & (top + (top - 1)), K)


# --- passes ---


def difference(keys, base, first, end, falls, R, *how):
    """The bits in which some key differs from the one at base; falls[0]: whether one is less than
    the one before it, from base on."""
    r = declare(R)
    start = declare(R)
    before = declare(R)
    found = declare(R)
    less = declare(R)
    start = rank(keys[base], R, *how)
    before = start
    if first > base:
        before = rank(keys[first - 1], R, *how)
    for i in range(first, end):
        r = rank(keys[i], R, *how)
        found |= r ^ start
        less |= cast(r < before, R)
        before = r
    falls[0] = less
    return found


def passes_of(found):
    p = 0
    s = declare('ulong')
    while s < 64:
        if (found >> s) & 1:
            p += 1
            s += 8
        else:
            s += 1
    return p


def shift_of(found, turn):
    """Where the digit of a pass begins."""
    p = 0
    s = declare('ulong')
    while s < 64:
        if (found >> s) & 1:
            if p == turn:
                return s
            p += 1
            s += 8
        else:
            s += 1
    return s


def highest(found):
    """Where the highest eight bits begin in which keys differ."""
    s = declare('ulong')
    s = 56
    while s > 0 and (found >> s) == 0:
        s -= 8
    while s > 0 and (found >> (s + 7)) == 0:
        s -= 1
    return s


def vary(c, varying, keys, n, size, count, R, *how):
    """Elementwise over pieces: what keys differ in, and whether they are out of order; behind that
    and what offsets finds, the rank of some key."""
    falls = declare('matrix(1, "ulong")')
    varying[2*c] = difference(keys, 0, c*size, min((c + 1)*size, n), falls, R, *how)
    varying[2*c + 1] = falls[0]
    if c == 0:
        varying[2*count + 2] = rank(keys[0], R, *how)


def found_in(varying, count):
    """All that keys differ in; nothing if they are in order."""
    found = declare('ulong')
    falls = declare('ulong')
    for c in range(count):
        found |= cast(varying[2*c], 'ulong')
        falls |= cast(varying[2*c + 1], 'ulong')
    if falls == 0:
        found = 0
    return found


def place(turn, passes, OUT):
    """Where keys are in front of a pass, or behind the last: 0: where the caller has them, 1: x,
    2: y."""
    if OUT:
        if turn == 0:
            return 0
        return 1 + ((passes - turn) & 1)
    return 1 + (turn & 1)


# --- what a pass does to a piece ---


def plain(r, low, shift):
    return cast(((r - low) >> shift) & 255, 'int')


def mapped(r, map, shift):
    return cast(map[cast((r >> shift) & ((1 << WINDOW) - 1), 'int')], 'int')


def digit(k, of, given, shift, R, *how):
    return of(rank(k, R, *how), given, shift)


def tally(table, keys, first, end, *by):
    """table[4*d + k]: how many keys have digit d; four counts of each, since equal digits come
    together, and a count waits for the one before."""
    whole = first + (end - first) // 4 * 4
    for i in range(first, whole, 4):
        for k in static_range(4):
            table[4*digit(keys[i + k], *by) + k] += 1
    for i in range(whole, end):
        table[4*digit(keys[i], *by)] += 1


def move(x, vx, keys, values, at, first, end, K, MODE, *by):
    """Each key, and what goes with it, to where its digit's next one goes."""
    k = declare(K)
    for i in range(first, end):
        k = keys[i]
        d = digit(k, *by)
        to = at[d]
        at[d] = to + 1
        x[to] = k
        if MODE == 1:
            vx[to] = values[i]
        elif MODE == 2:
            vx[to] = i


def flush(x, line, base, d, begin, end, LINE, WHOLE):
    """What is there of a line, from begin to end; WHOLE: from base on, all."""
    if WHOLE:
        for j in range(LINE):
            x[base + j] = line[d, j]
    else:
        for j in range(begin, end):
            x[j] = line[d, j - base]


def move_lines(x, vx, keys, values, at, first, end, K, V, LINE, MODE, *by):
    """The same by way of LINE keys for each digit, which are written together: elements go to 256
    places at once, of which a cache holds few as they may lie in the same sets of it."""
    k = declare(K)
    line = declare('matrix((256, LINE), "K")')
    begin = declare('matrix(256, "long")')
    for d in range(256):
        begin[d] = at[d]
    if MODE:
        vline = declare('matrix((256, LINE), "V")')
    for i in range(first, end):
        k = keys[i]
        d = digit(k, *by)
        to = at[d]
        at[d] = to + 1
        slot = cast(to & (LINE - 1), 'int')
        line[d, slot] = k
        if MODE == 1:
            vline[d, slot] = values[i]
        elif MODE == 2:
            vline[d, slot] = i
        if slot == LINE - 1:
            base = to - (LINE - 1)
            if base >= begin[d]:
                flush(x, line, base, d, 0, 0, LINE, 1)
                if MODE:
                    flush(vx, vline, base, d, 0, 0, LINE, 1)
            else:
                flush(x, line, base, d, begin[d], to + 1, LINE, 0)
                if MODE:
                    flush(vx, vline, base, d, begin[d], to + 1, LINE, 0)
    for d in range(256):
        base = at[d] & ~(LINE - 1)
        flush(x, line, base, d, max(base, begin[d]), at[d], LINE, 0)
        if MODE:
            flush(vx, vline, base, d, max(base, begin[d]), at[d], LINE, 0)


def move_by(x, vx, keys, values, at, first, end, K, V, LINE, MODE, *by):
    if LINE:
        move_lines(x, vx, keys, values, at, first, end, K, V, LINE, MODE, *by)
    else:
        move(x, vx, keys, values, at, first, end, K, MODE, *by)


def move_between(x, y, vx, vy, keys, values, at, turn, passes, first, end, OUT, K, V, LINE, MODE,
                 LATER, *by):
    into = place(turn + 1, passes, OUT)
    if turn == 0:
        if OUT:
            if into == 1:
                move_by(x, vx, keys, values, at, first, end, K, V, LINE, MODE, *by)
            else:
                move_by(y, vy, keys, values, at, first, end, K, V, LINE, MODE, *by)
        else:
            move_by(y, vy, x, vx, at, first, end, K, V, LINE, MODE, *by)
    elif into == 1:
        move_by(x, vx, y, vy, at, first, end, K, V, LINE, LATER, *by)
    else:
        move_by(y, vy, x, vx, at, first, end, K, V, LINE, LATER, *by)


def tally_there(table, x, y, keys, where, first, end, OUT, *by):
    if OUT:
        if where == 0:
            tally(table, keys, first, end, *by)
    if where == 1:
        tally(table, x, first, end, *by)
    elif where == 2:
        tally(table, y, first, end, *by)


def copy(to, from_, first, end):
    for i in range(first, end):
        to[i] = from_[i]


def number(vx, first, end):
    for i in range(first, end):
        vx[i] = i


def settle(x, y, vx, vy, keys, values, passes, first, end, OUT, MODE):
    """Behind the last pass: to where all is to end up."""
    where = place(passes, passes, OUT)
    if OUT:
        if where == 0:
            copy(x, keys, first, end)
            if MODE == 1:
                copy(vx, values, first, end)
    if where == 2:
        copy(x, y, first, end)
        if MODE:
            copy(vx, vy, first, end)
    if MODE == 2:
        if passes == 0:
            number(vx, first, end)


# --- kernels ---


def window_of(found):
    """Where the highest WINDOW bits begin in which keys differ."""
    s = declare('ulong')
    s = highest(found)
    return s - min(s, cast(WINDOW - 8, 'ulong'))


def share(map, cells):
    """From how many keys have each cell, its digit: each cell's own, if there are few that have
    any; else so that as many keys have each digit. Whether it is its own."""
    all = 0
    some = 0
    for k in range(cells):
        all += map[k]
        some += min(map[k], 1)
    scale = (256 << 20) // (all + 1)
    s = 0
    for k in range(cells):
        m = cast(map[k], 'int')
        if some <= 256:
            map[k] = min(s, 255)
            s += min(m, 1)
        else:
            map[k] = (s*scale) >> 20
            s += m
    return some <= 256


# What `varying` has behind all else if keys may be made: the rank of some key of each digit,
# whether those are all that some keys have, and whether a piece has others.


def ranks_at(count):
    return 2*count + 3


def alone_at(count):
    return ranks_at(count) + 256


def others_at(count):
    return alone_at(count) + 1


def rank_ranks(varying, map, keys, step, many, count, shift, R, BITS, FRACTION, DESCENDING, *how):
    """The rank of each digit in some keys; whether there is but one of each, and none of NaN."""
    r = declare(R)
    nan = declare(R)
    if DESCENDING == 0:
        nan = ~nan
    alone = 1
    for i in range(many):
        r = rank(keys[i*step], R, BITS, FRACTION, DESCENDING, *how)
        varying[ranks_at(count) + mapped(r, map, shift)] = r
        if FRACTION > 0:
            alone = alone and r != nan
    for i in range(many):
        r = rank(keys[i*step], R, BITS, FRACTION, DESCENDING, *how)
        alone = alone and cast(varying[ranks_at(count) + mapped(r, map, shift)], R) == r
    return alone


def make_map(map, varying, keys, n, count, FILLS, R, *how):
    """What digit some keys' highest bits stand for."""
    found = found_in(varying, count)
    if passes_of(found) > FEW_PASSES:
        shift = window_of(found)
        many = min(cast(SAMPLE, 'long'), n // 16)
        cells = 1 << WINDOW
        for k in range(cells):
            map[k] = 0
        for i in range(many):
            k = cast((rank(keys[i*(n // many)], R, *how) >> shift) & (cells - 1), 'int')
            map[k] = min(map[k] + 1, 255)
        alone = share(map, cells)
        if FILLS:
            for d in range(256):
                varying[ranks_at(count) + d] = varying[2*count + 2]
            varying[alone_at(count)] = alone and rank_ranks(varying, map, keys, n // many, many,
                                                            count, shift, R, *how)


def maps(c, map, varying, x, keys, n, count, OUT, FILLS, R, *how):
    """One round."""
    if OUT:
        make_map(map, varying, keys, n, count, FILLS, R, *how)
    else:
        make_map(map, varying, x, n, count, FILLS, R, *how)


def tally_known(table, varying, map, keys, first, end, count, shift, R, *how):
    """As tally does; whether some key has another rank than its digit stands for."""
    r = declare(R)
    others = declare(R)
    whole = first + (end - first) // 4 * 4
    for i in range(first, whole, 4):
        for k in static_range(4):
            r = rank(keys[i + k], R, *how)
            d = mapped(r, map, shift)
            table[4*d + k] += 1
            others |= r ^ cast(varying[ranks_at(count) + d], R)
    for i in range(whole, end):
        r = rank(keys[i], R, *how)
        d = mapped(r, map, shift)
        table[4*d] += 1
        others |= r ^ cast(varying[ranks_at(count) + d], R)
    return others != 0


def tally_lead(c, table, varying, map, keys, first, end, count, shift, FILLS, R, *how):
    """By the highest bits."""
    if FILLS:
        if varying[alone_at(count)]:
            varying[others_at(count) + c] = tally_known(table, varying, map, keys, first, end,
                                                        count, shift, R, *how)
            return
    tally(table, keys, first, end, mapped, map, shift, R, *how)


def counts(c, tallies, map, varying, x, y, keys, n, size, count, turn, LEAD, OUT, FILLS, R, *how):
    """Elementwise over pieces: tallies[count*d + c] keys of piece c have digit d."""
    found = found_in(varying, count)
    passes = passes_of(found)
    here = turn - LEAD
    if works(varying, count, here, passes, LEAD):
        first = c*size
        end = min(first + size, n)
        table = declare('matrix(1024, "uint")')
        if LEAD:
            if here < 0:
                if OUT:
                    tally_lead(c, table, varying, map, keys, first, end, count, window_of(found),
                               FILLS, R, *how)
                else:
                    tally_lead(c, table, varying, map, x, first, end, count, window_of(found),
                               FILLS, R, *how)
        if here >= 0:
            tally_there(table, x, y, keys, place(here, passes, OUT), first, end, OUT,
                        plain, 0, shift_of(found, here), R, *how)
        for d in range(256):
            tallies[count*d + c] = (table[4*d] + table[4*d + 1]) + (table[4*d + 2] + table[4*d + 3])


def works(varying, count, here, passes, LEAD):
    """Whether there is something to do in a pass; -1: the first by the highest bits. Behind what
    pieces found stands whether that was one, and how many turns there are to be."""
    if LEAD:
        if here < 0:
            return passes > FEW_PASSES
        return here < passes and varying[2*count] == 0
    return here < passes


BUCKETS = 1
MADE = 2


def all_known(varying, count):
    """Whether each key has the rank that its digit stands for."""
    others = declare('ulong')
    for p in range(count):
        others |= cast(varying[others_at(count) + p], 'ulong')
    return varying[alone_at(count)] != 0 and others == 0


def offsets(c, tallies, varying, n, size, count, turn, LEAD, FILLS):
    """One round: where the first key of each digit and piece goes; whether that was the last turn,
    as keys are known, or no bucket is too large: each can be in three pieces."""
    passes = passes_of(found_in(varying, count))
    here = turn - LEAD
    if turn == 0:
        varying[2*count] = 0
        varying[2*count + 1] = passes + LEAD
    if works(varying, count, here, passes, LEAD):
        s = declare('long')
        most = declare('long')
        for d in range(256):
            begin = s
            for p in range(count):
                t = tallies[count*d + p]
                tallies[count*d + p] = s
                s += t
            most = max(most, s - begin)
        if here < 0 and most <= 3*size:
            varying[2*count] = BUCKETS
            varying[2*count + 1] = 1
        if LEAD and FILLS:
            if here < 0 and all_known(varying, count):
                varying[2*count] = MADE
                varying[2*count + 1] = 1


def are_made(passes, FILLS):
    """FILLS: what differs in no digit is the same, and nothing goes along: keys with one digit are
    not moved, but made."""
    return FILLS and passes == 1


def with_digit(d, some, shift, R):
    """The rank of keys with this digit that differ in it alone; some: that of one of them."""
    r = declare(R)
    r = 255
    return (some & ~(r << shift)) | (cast(d, R) << shift)


def known(d, varying, at, R):
    return cast(varying[at + d], R)


def fill(x, tallies, first, end, n, count, of, given, at, K, R, *how):
    """What x has from `first` to `end` where keys of one digit are alike: of says what they are."""
    r = declare(R)
    k = declare(K)
    for d in range(256):
        behind = n
        if d < 255:
            behind = tallies[count*(d + 1)]
        r = of(d, given, at, R)
        k = key_of(r, K, R, *how)
        for i in range(max(tallies[count*d], first), min(behind, end)):
            x[i] = k


def moves(c, x, y, vx, vy, keys, values, tallies, map, varying, n, size, count, turn, LEAD, OUT, K,
          V, LINE, MODE, LATER, FILLS, R, *how):
    """Elementwise over pieces."""
    found = found_in(varying, count)
    passes = passes_of(found)
    here = turn - LEAD
    lead = here < 0 and varying[2*count] == BUCKETS
    first = c*size
    end = min(first + size, n)
    if LEAD and FILLS:
        if here < 0 and varying[2*count] == MADE:
            fill(x, tallies, first, end, n, count, known, varying, ranks_at(count), K, R, *how)
    if are_made(passes, FILLS):
        if here == 0:
            fill(x, tallies, first, end, n, count, with_digit, cast(varying[2*count + 2], R),
                 shift_of(found, 0), K, R, *how)
    elif lead or (here >= 0 and works(varying, count, here, passes, LEAD)):
        at = declare('matrix(256, "long")')
        for d in range(256):
            at[d] = tallies[count*d + c]
        if LEAD:
            if lead:
                if OUT:
                    move_by(x, vx, keys, values, at, first, end, K, V, LINE, MODE, mapped, map,
                            window_of(found), R, *how)
                else:
                    move_by(y, vy, x, vx, at, first, end, K, V, LINE, MODE, mapped, map,
                            window_of(found), R, *how)
        if here >= 0:
            move_between(x, y, vx, vy, keys, values, at, here, passes, first, end, OUT, K, V, LINE,
                         MODE, LATER, plain, 0, shift_of(found, here), R, *how)


def buckets(d, x, y, vx, vy, tallies, varying, n, count, OUT, K, V, LATER, R, *how):
    """Elementwise over digits: all other passes on what has one, in the end to x."""
    if varying[2*count] == BUCKETS:
        first = tallies[count*d]
        end = n
        if d < 255:
            end = tallies[count*(d + 1)]
        if first < end:
            sort_alone(x, y, vx, vy, first, end, OUT, K, V, LATER, R, *how)


def spread(low, keys, first, end, found, R, *how):
    """The bits in which keys differ when the least, which low[0] takes, is taken off each: so their
    highest digit has more values than a few. found: as they are; the lowest is the same. low[1]: by
    how much the greatest differs."""
    r = declare(R)
    least = declare(R)
    most = declare(R)
    bits = declare('ulong')
    least = rank(keys[first], R, *how)
    most = least
    for i in range(first, end):
        r = rank(keys[i], R, *how)
        least = min(least, r)
        most = max(most, r)
    low[0] = least
    low[1] = most - least
    bits = most - least
    for k in static_range(6):
        bits |= bits >> (1 << k)
    return bits & (0 - (found & (0 - found)))


def digit_of(found, j):
    """Where the digits begin that keys differ in, the highest one first, as passes_of counts them."""
    s = declare('ulong')
    s = highest(found)
    for _ in range(j):
        found = found & ((cast(1, 'ulong') << s) - 1)
        s = highest(found)
    return s


def starts(at, table, first):
    """Where each digit's first key goes; how many pairs of keys have the same digit."""
    s = declare('long')
    pairs = declare('long')
    s = first
    for d in range(256):
        at[d] = s
        many = cast((table[4*d] + table[4*d + 1]) + (table[4*d + 2] + table[4*d + 3]), 'long')
        s += many
        pairs += many*(many - 1)//2
    return pairs


def closest(keys, first, end, R, *how):
    """The least difference of two of some keys, less one: equal ones do not count."""
    some = declare('matrix(SOME, "R")')
    least = declare(R)
    least = ~least
    step = (end - first) // SOME
    for i in range(SOME):
        some[i] = rank(keys[first + i*step], R, *how)
    for i in range(SOME):
        for j in range(SOME):
            least = min(least, some[i] - some[j] - 1)
    return least


def enough(pairs, found, digits, keys, first, end, R, *how):
    """By how many digits keys are to be sorted so that few agree in all of them that are not equal:
    a pair for each key, where `pairs` agree in the highest digit and others are as good as random;
    and two for a key if as many of all are as close as of some."""
    few = 1
    n = end - first
    while few < digits and pairs > n:
        pairs = pairs // 256
        few += 1
    if n > 16*SOME:
        least = cast(closest(keys, first, end, R, *how), 'ulong')
        while few < digits and least >> digit_of(found, few - 1) < n // (2*SOME*SOME):
            few += 1
    return few


def pass_alone(x, y, vx, vy, first, end, table, at, top, COUNTED, K, LATER, *by):
    """One worker's, from y to x. COUNTED: it is known already where digits begin."""
    if COUNTED:
        for d in range(256):
            at[d] = top[d]
    else:
        for k in range(1024):
            table[k] = 0
        tally(table, y, first, end, *by)
        starts(at, table, first)
    move(x, vx, y, vy, at, first, end, K, LATER, *by)


def passes_alone(x, y, vx, vy, first, end, low, found, some, table, at, top, IN_X, K, LATER, R,
                 *how):
    """By the highest digits, to x."""
    for turn in range(some):
        shift = digit_of(found, some - 1 - turn)
        if (turn + IN_X) & 1:
            pass_alone(y, x, vy, vx, first, end, table, at, top, turn == some - 1, K, LATER, plain,
                       low, shift, R, *how)
        else:
            pass_alone(x, y, vx, vy, first, end, table, at, top, turn == some - 1, K, LATER, plain,
                       low, shift, R, *how)
    if ((some + IN_X) & 1) == 0:
        copy(x, y, first, end)
        if LATER:
            copy(vx, vy, first, end)


def straighten(x, vx, first, end, K, V, LATER, R, *how):
    """Sorts by insertion what is in order but for little: whether it was. If not, equal keys are
    still in their order."""
    k = declare(K)
    v = declare(V)
    r = declare(R)
    left = 4*(end - first)
    for i in range(first + 1, end):
        k = x[i]
        r = rank(k, R, *how)
        if r < rank(x[i - 1], R, *how):
            if LATER:
                v = vx[i]
            j = i
            while j > first and left > 0 and r < rank(x[j - 1], R, *how):
                x[j] = x[j - 1]
                if LATER:
                    vx[j] = vx[j - 1]
                j -= 1
                left -= 1
            x[j] = k
            if LATER:
                vx[j] = v
    return left > 0


# --- integers that are nearly all of a range ---


LEAST_DENSE = 4096  # keys: of fewer all is near anyway


def can_be_dense(BITS, FRACTION, DESCENDING, FIRST, END):
    """Whether a rank is a key, in words of which each has room for counts of 4 or 8 ranks."""
    return BITS >= 32 and FRACTION <= 0 and FIRST == 0 and END == BITS


def is_dense(low, first, end, LATER, *how):
    """Counts take half of the room that keys do at most, and there are some of each rank or one of
    some."""
    n = cast(end - first, 'ulong')
    span = cast(low[1], 'ulong')
    return LATER == 0 and can_be_dense(*how) and n >= LEAST_DENSE and span < 2*n and span > n // 16


def words_of(low, BITS, FRACTION, DESCENDING, FIRST, END):
    return cast(low[1] >> (2 + (BITS == 64)), 'long') + 1


def count_ranks(table, keys, first, end, low, K, R, BITS, *how):
    """From table[first] on: eight bits for each rank. Whether that is enough for all."""
    cell = declare(R)
    word = declare(R)
    one = declare(R)
    full = declare(R)
    one = 1
    for w in range(words_of(low, BITS, *how)):
        table[first + w] = 0
    for i in range(first, end):
        cell = rank(keys[i], R, BITS, *how) - low[0]
        at = first + cast(cell >> (2 + (BITS == 64)), 'long')
        shift = 8*(cell & (BITS // 8 - 1))
        word = cast(table[at], R)
        full |= ((word >> shift) & 255) // 255
        table[at] = cast(word + (one << shift), K)
    return full == 0


def make_keys(x, table, first, end, low, K, R, BITS, *how):
    """As many as were counted of each rank. One is written where there is none, too, in place of
    which the next one comes."""
    word = declare(R)
    r = declare(R)
    k = declare(K)
    to = first
    r = low[0]
    for w in range(words_of(low, BITS, *how)):
        word = cast(table[first + w], R)
        for b in static_range(BITS // 8):
            many = cast((word >> 8*b) & 255, 'int')
            k = key_of(r, K, R, BITS, *how)
            r = r + 1
            if to < end:
                x[to] = k
            to += min(many, 1)
            for _ in range(1, many):
                x[to] = k
                to += 1


def make_dense(x, y, first, end, low, IN_X, K, R, *how):
    """Whether keys could be made, in x."""
    if IN_X:
        made = count_ranks(y, x, first, end, low, K, R, *how)
    else:
        made = count_ranks(x, y, first, end, low, K, R, *how)
        if made:
            copy(y, x, first, first + words_of(low, *how))
    if made:
        make_keys(x, y, first, end, low, K, R, *how)
    return made


def difference_of(low, keys, first, end, falls, R, *how):
    """What there is to do for one worker's keys: the bits in which they differ less low[0], or
    nothing if they are in order."""
    found = declare('ulong')
    found = difference(keys, first, first, end, falls, R, *how)
    if falls[0] == 0:
        found = 0
    if found > 0:
        found = spread(low, keys, first, end, found, R, *how)
    return found


def top_of(top, table, low, keys, first, end, found, R, *how):
    """How many pairs agree in the highest digit, whose first keys go to what top takes."""
    tally(table, keys, first, end, plain, low[0], highest(found), R, *how)
    return starts(top, table, first)


def sort_alone(x, y, vx, vy, first, end, IN_X, K, V, LATER, R, *how):
    """One worker's, which are in x or in y: the highest digits as a rule leave little to do. Where
    they do not, all."""
    falls = declare('matrix(1, "ulong")')
    low = declare('matrix(2, "R")')
    table = declare('matrix(1024, "uint")')
    at = declare('matrix(256, "long")')
    top = declare('matrix(256, "long")')
    found = declare('ulong')
    some = 0
    if IN_X:
        found = difference_of(low, x, first, end, falls, R, *how)
    else:
        found = difference_of(low, y, first, end, falls, R, *how)
    digits = passes_of(found)
    if digits > 0 and is_dense(low, first, end, LATER, *how):
        if make_dense(x, y, first, end, low, IN_X, K, R, *how):
            return
    if digits > 0:
        if IN_X:
            some = enough(top_of(top, table, low, x, first, end, found, R, *how), found, digits, x,
                          first, end, R, *how)
        else:
            some = enough(top_of(top, table, low, y, first, end, found, R, *how), found, digits, y,
                          first, end, R, *how)
    ends = 0
    while ends == 0:
        passes_alone(x, y, vx, vy, first, end, low[0], found, some, table, at, top, IN_X, K, LATER,
                     R, *how)
        ends = 1
        if some < digits:
            if not straighten(x, vx, first, end, K, V, LATER, R, *how):
                if IN_X == 0:
                    copy(y, x, first, end)
                    if LATER:
                        copy(vy, vx, first, end)
                some = digits
                ends = 0


def settles(c, x, y, vx, vy, keys, values, varying, n, size, count, OUT, MODE, FILLS):
    """Elementwise over pieces."""
    passes = passes_of(found_in(varying, count))
    if varying[2*count] == 0 and not are_made(passes, FILLS):
        settle(x, y, vx, vy, keys, values, passes, c*size, min((c + 1)*size, n), OUT, MODE)


def few(c, x, y, vx, vy, keys, values, n, OUT, K, V, MODE, LATER, R, *how):
    """One round: all of it, for few keys."""
    if OUT:
        copy(x, keys, 0, n)
        if MODE == 1:
            copy(vx, values, 0, n)
    if MODE == 2:
        number(vx, 0, n)
    sort_alone(x, y, vx, vy, 0, n, 1, K, V, LATER, R, *how)
