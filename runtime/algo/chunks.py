"""Reductions and scans by pieces: one worker, one contiguous piece of the elements. G. E. Blelloch,
Prefix sums and their applications, CMU-CS-90-190 (1990); segments are its pairs of flag and value.

op(a, b) is associative, and need not commute; neutral() is what it leaves as it is; T is the type
of its values. source(i, *args) is element i; start(i, *args), called with SEGMENTS alone, says
whether a segment begins there. Kernels have them under the names that callers know them by, which
messages say: map, or of scans input, segment and output, which is sink. Pieces have `size`
elements, but for the last one; of scans it is known when they are compiled, so that pieces side by
side are places at known distances.

A reduction is parts and join: n elements are read. Several at once are `several` and their joins.
A scan is totals, carries and items: elements are read twice, of segments those at the end of a
piece, and never behind what their own item was written to; segments with their last item, for
which lasts and segments stand in place of items, are read a third time. Of few pieces, whose
segments nobody looks ahead in, all that is one round of `few`.
"""


def element(i, T, source, *args):
    v = declare(T)
    v = source(i, *args)
    return v


def begins(i, SEGMENTS, start, *args):
    if SEGMENTS:
        return True if start(i, *args) else False
    return False


def fold(first, end, T, VECTORS, op, neutral, source, *args):
    """In order. Four parts side by side, so that op need not wait for itself; written out, but where
    that is too large: VECTORS 2."""
    q = (end - first) // 4
    acc = declare('matrix(4, "T")')
    for k in static_range(4):
        acc[k] = neutral()
    if VECTORS == 2:
        for t in range(first, first + q):
            for k in range(4):
                acc[k] = op(acc[k], element(t + k*q, T, source, *args))
    else:
        for t in range(first, first + q):
            for k in static_range(4):
                acc[k] = op(acc[k], element(t + k*q, T, source, *args))
    r = declare(T)
    r = op(op(acc[0], acc[1]), op(acc[2], acc[3]))
    for t in range(first + 4*q, end):
        r = op(r, element(t, T, source, *args))
    return r


def fold_lanes(first, end, T, LANES, VECTORS, op, neutral, source, *args):
    """Of an op that commutes: lane k has every LANES-th element from k on; then the second half of
    the lanes goes into the first until one is left. With VECTORS all lanes go along together, else
    sixteen at a time, in registers."""
    r = declare(T)
    r = neutral()
    whole = first + (end - first) // LANES * LANES
    if whole > first:
        acc = declare('matrix(LANES, "T")')
        if VECTORS:
            for k in range(LANES):
                acc[k] = r
            for t in range(first, whole, LANES):
                for k in range(LANES):
                    acc[k] = op(acc[k], element(t + k, T, source, *args))
        else:
            some = declare('matrix(16, "T")')
            for g in range(0, LANES, 16):
                for k in static_range(16):
                    some[k] = r
                for t in range(first + g, whole, LANES):
                    for k in static_range(16):
                        some[k] = op(some[k], element(t + k, T, source, *args))
                for k in static_range(16):
                    acc[g + k] = some[k]
        half = LANES // 2
        while half > 0:
            for k in range(half):
                acc[k] = op(acc[k], acc[k + half])
            half = half >> 1
        r = acc[0]
    for t in range(whole, end):
        r = op(r, element(t, T, source, *args))
    return r


def total_of(first, end, T, LANES, VECTORS, op, neutral, source, *args):
    if LANES:
        return fold_lanes(first, end, T, LANES, VECTORS, op, neutral, source, *args)
    return fold(first, end, T, VECTORS, op, neutral, source, *args)


def total_of_pieces(c, n, size, each, T, LANES, VECTORS, op, neutral, source, *args):
    """Of pieces c*each and those behind it, `each` of them, 18 at most: the total of each, in
    order."""
    r = declare(T)
    t = declare(T)
    first = c*each*size
    for k in range(18):
        if k < each:
            t = total_of(first, min(first + size, n), T, LANES, VECTORS, op, neutral, source, *args)
            if k > 0:
                t = op(r, t)
            r = t
            first += size
    return r


def parts(c, total, n, size, each, T, LANES, VECTORS, op, neutral, map, *args):
    """Elementwise over pieces, `each` at a time: what their elements come to."""
    total[c] = total_of_pieces(c, n, size, each, T, LANES, VECTORS, op, neutral, map, *args)


def take_rows(acc, first, end, T, LANES, op, source, *args):
    """The sums of all lanes take in the whole rows that there are."""
    for t in range(first, first + (end - first) // LANES * LANES, LANES):
        for k in range(LANES):
            acc[k] = op(acc[k], element(t + k, T, source, *args))


def join_lanes(acc, first, end, T, LANES, op, source, *args):
    """The second half of the lanes goes into the first until one is left; then come the elements
    behind the last whole row."""
    r = declare(T)
    half = LANES // 2
    while half > 0:
        for k in range(half):
            acc[k] = op(acc[k], acc[k + half])
        half = half >> 1
    r = acc[0]
    for t in range(first + (end - first) // LANES * LANES, end):
        r = op(r, element(t, T, source, *args))
    return r


def begin_lanes(acc, LANES, neutral):
    for k in range(LANES):
        acc[k] = neutral()


def rows_together(lane, first, end, acc0, acc1, acc2, acc3, COUNT, LANES, AT_ONCE, T0, op0, source0,
                  T1, op1, source1, T2, op2, source2, T3, op3, source3, *args):
    """AT_ONCE lanes of each from `lane` on, in registers: what several read is read once."""
    some0 = declare('matrix(AT_ONCE, "T0")')
    some1 = declare('matrix(AT_ONCE, "T1")')
    some2 = declare('matrix(AT_ONCE, "T2")')
    some3 = declare('matrix(AT_ONCE, "T3")')
    for k in range(AT_ONCE):
        some0[k] = acc0[lane + k]
        some1[k] = acc1[lane + k]
        some2[k] = acc2[lane + k]
        some3[k] = acc3[lane + k]
    for t in range(first + lane, first + (end - first) // LANES * LANES, LANES):
        for k in range(AT_ONCE):
            some0[k] = op0(some0[k], element(t + k, T0, source0, *args))
            if COUNT > 1:
                some1[k] = op1(some1[k], element(t + k, T1, source1, *args))
            if COUNT > 2:
                some2[k] = op2(some2[k], element(t + k, T2, source2, *args))
            if COUNT > 3:
                some3[k] = op3(some3[k], element(t + k, T3, source3, *args))
    for k in range(AT_ONCE):
        acc0[lane + k] = some0[k]
        acc1[lane + k] = some1[k]
        acc2[lane + k] = some2[k]
        acc3[lane + k] = some3[k]


def rows_of_several(first, end, acc0, acc1, acc2, acc3, COUNT, AT_ONCE, T0, LANES0, op0, source0,
                    T1, LANES1, op1, source1, T2, LANES2, op2, source2, T3, LANES3, op3, source3,
                    *args):
    """2048 elements at a time, so that what is read a second time is near: all reductions together,
    AT_ONCE lanes after the others, or where one has more lanes than another, each after the
    other."""
    for at in range(first, end, 2048):
        stop = min(at + 2048, end)
        if LANES0 == LANES1 and LANES0 == LANES2 and LANES0 == LANES3:
            for lane in static_range(0, LANES0, AT_ONCE):
                rows_together(lane, at, stop, acc0, acc1, acc2, acc3, COUNT, LANES0, AT_ONCE, T0,
                              op0, source0, T1, op1, source1, T2, op2, source2, T3, op3, source3,
                              *args)
        else:
            take_rows(acc0, at, stop, T0, LANES0, op0, source0, *args)
            if COUNT > 1:
                take_rows(acc1, at, stop, T1, LANES1, op1, source1, *args)
            if COUNT > 2:
                take_rows(acc2, at, stop, T2, LANES2, op2, source2, *args)
            if COUNT > 3:
                take_rows(acc3, at, stop, T3, LANES3, op3, source3, *args)


def behind_piece(p, total, acc, first, end, T, LANES, op, source, *args):
    """What a piece's lanes come to, behind the pieces in front of it."""
    r = declare(T)
    r = join_lanes(acc, first, end, T, LANES, op, source, *args)
    if p > 0:
        r = op(total, r)
    return r


def several_lanes(c, total0, total1, total2, total3, n, size, each, COUNT, PARTS, T0, LANES0,
                  op0, neutral0, source0, T1, LANES1, op1, neutral1, source1, T2, LANES2, op2,
                  neutral2, source2, T3, LANES3, op3, neutral3, source3, *args):
    acc0 = declare('matrix(LANES0, "T0")')
    acc1 = declare('matrix(LANES1, "T1")')
    acc2 = declare('matrix(LANES2, "T2")')
    acc3 = declare('matrix(LANES3, "T3")')
    r0 = declare(T0)
    r1 = declare(T1)
    r2 = declare(T2)
    r3 = declare(T3)
    first = c*each*size
    for p in range(18):
        if p < each:
            end = min(first + size, n)
            begin_lanes(acc0, LANES0, neutral0)
            begin_lanes(acc1, LANES1, neutral1)
            begin_lanes(acc2, LANES2, neutral2)
            begin_lanes(acc3, LANES3, neutral3)
            rows_of_several(first, end, acc0, acc1, acc2, acc3, COUNT,
                            LANES0 // PARTS, T0, LANES0, op0, source0, T1, LANES1, op1, source1, T2,
                            LANES2, op2, source2, T3, LANES3, op3, source3, *args)
            r0 = behind_piece(p, r0, acc0, first, end, T0, LANES0, op0, source0, *args)
            if COUNT > 1:
                r1 = behind_piece(p, r1, acc1, first, end, T1, LANES1, op1, source1, *args)
            if COUNT > 2:
                r2 = behind_piece(p, r2, acc2, first, end, T2, LANES2, op2, source2, *args)
            if COUNT > 3:
                r3 = behind_piece(p, r3, acc3, first, end, T3, LANES3, op3, source3, *args)
            first += size
    total0[c] = r0
    if COUNT > 1:
        total1[c] = r1
    if COUNT > 2:
        total2[c] = r2
    if COUNT > 3:
        total3[c] = r3


def several(c, total0, total1, total2, total3, n, size, each, COUNT, PARTS, VECTORS, T0, LANES0,
            op0, neutral0, map0, T1, LANES1, op1, neutral1, map1, T2, LANES2, op2, neutral2,
            map2, T3, LANES3, op3, neutral3, map3, *args):
    """The same for COUNT reductions at once, the lanes of all in PARTS parts. What they read a
    second time is in the cache."""
    if VECTORS*LANES0*LANES1*LANES2*LANES3 > 0:
        several_lanes(c, total0, total1, total2, total3, n, size, each, COUNT, PARTS, T0, LANES0,
                      op0, neutral0, map0, T1, LANES1, op1, neutral1, map1, T2, LANES2, op2,
                      neutral2, map2, T3, LANES3, op3, neutral3, map3, *args)
    else:
        total0[c] = total_of_pieces(c, n, size, each, T0, LANES0, VECTORS, op0,
                                    neutral0, map0, *args)
        if COUNT > 1:
            total1[c] = total_of_pieces(c, n, size, each, T1, LANES1, VECTORS, op1,
                                        neutral1, map1, *args)
        if COUNT > 2:
            total2[c] = total_of_pieces(c, n, size, each, T2, LANES2, VECTORS, op2,
                                        neutral2, map2, *args)
        if COUNT > 3:
            total3[c] = total_of_pieces(c, n, size, each, T3, LANES3, VECTORS, op3,
                                        neutral3, map3, *args)


def last_start(first, end, start, *args):
    """Where the last segment of a piece begins, or its first element."""
    last = end - 1
    while last > first and not start(last, *args):
        last -= 1
    return last


def totals(c, total, flag, head, base, n, SIZE, T, SEGMENTS, LAST, LANES, VECTORS, op, neutral,
           input, segment, *args):
    """The same for scans, from piece `base` on. total: of the elements from the last segment of a
    segment in the piece on; flag: whether there is one; head, for LAST alone: of those in front of
    the first."""
    p = base + c
    first = p*SIZE
    end = min(first + SIZE, n)
    last = first
    if SEGMENTS:
        last = last_start(first, end, segment, *args)
        flag[p] = segment(last, *args)
        if LAST:
            stop = first
            while stop < last and not segment(stop, *args):
                stop += 1
            head[p] = total_of(first, stop, T, LANES, VECTORS, op, neutral, input, *args)
    total[p] = total_of(last, end, T, LANES, VECTORS, op, neutral, input, *args)


def join(c, out, total, count, T, op):
    """One round: all totals, in order."""
    r = declare(T)
    r = total[0]
    for p in range(1, count):
        r = op(r, total[p])
    out[0] = r


def carries(c, carry, total, flag, base, end, T, SEGMENTS, op, neutral):
    """One round: carry[p] is the item in front of piece p, for those behind `base` up to `end`."""
    r = declare(T)
    if base == 0:
        carry[0] = neutral()
    r = carry[base]
    for p in range(base, end):
        if SEGMENTS:
            if flag[p]:
                r = neutral()
        r = op(r, total[p])
        carry[p + 1] = r


def lasts(c, after, carry, flag, head, count, T, op):
    """One round: after[p] is the last item of the segment that piece p ends in."""
    r = declare(T)
    r = carry[count]
    for k in range(count):
        p = count - 1 - k
        after[p] = r
        if flag[p]:
            r = op(carry[p], head[p])


def item(i, acc, last, out, n, T, SEGMENTS, WRITES, op, neutral, source, start, sink, *args):
    """The item at i, behind acc. WRITES: 1: it goes to out, 2: the one before it does, 0: sink(i,
    item, before, last, n, *args) takes them."""
    before = declare(T)
    r = declare(T)
    before = acc
    if begins(i, SEGMENTS, start, *args):
        before = neutral()
    r = op(before, element(i, T, source, *args))
    if WRITES == 1:
        out[i] = r
    elif WRITES == 2:
        out[i] = before
    else:
        sink(i, r, before, last, n, *args)
    return r


def side_by_side(p, carry0, carry1, carry2, carry3, last, out, n, SIZE, AT_ONCE, T, SEGMENTS,
                 WRITES, op, neutral, source, start, sink, *args):
    """The items of four pieces, behind what is carried into each; of each AT_ONCE in a row, as CPUs
    may store two of a cache line at a time."""
    acc = declare('matrix(4, "T")')
    whole = 0
    if (p + 4)*SIZE <= n:
        whole = SIZE
    acc[0] = carry0
    acc[1] = carry1
    acc[2] = carry2
    acc[3] = carry3
    for t in range(0, whole, AT_ONCE):
        for k in range(4):
            for j in static_range(AT_ONCE):
                acc[k] = item((p + k)*SIZE + t + j, acc[k], last, out, n, T, SEGMENTS, WRITES, op,
                              neutral, source, start, sink, *args)
    rest = declare('matrix(4, "T")')
    for k in static_range(4):
        rest[k] = acc[k]
    for k in range(4):
        r = declare(T)
        r = rest[k]
        for i in range((p + k)*SIZE + whole, min((p + k + 1)*SIZE, n)):
            r = item(i, r, last, out, n, T, SEGMENTS, WRITES, op, neutral, source, start, sink,
                     *args)


def items(c, out, carry, base, count, n, SIZE, AT_ONCE, T, SEGMENTS, WRITES, LAST, op, neutral,
          input, segment, output, *args):
    """Elementwise over fours of pieces, which go side by side, from piece `base` on. LAST: output
    asks for the last item of all."""
    p = base + 4*c
    last = declare(T)
    last = carry[p]
    if LAST:
        last = carry[count]
    side_by_side(p, carry[p], carry[min(p + 1, count)], carry[min(p + 2, count)],
                 carry[min(p + 3, count)], last, out, n, SIZE, AT_ONCE, T, SEGMENTS, WRITES, op,
                 neutral, input, segment, output, *args)


def behind(carry, first, end, T, SEGMENTS, LANES, VECTORS, op, neutral, source, start, *args):
    """What is carried out of a piece that `carry` comes into."""
    r = declare(T)
    r = carry
    last = first
    if SEGMENTS:
        last = last_start(first, end, start, *args)
        if start(last, *args):
            r = neutral()
    return op(r, total_of(last, end, T, LANES, VECTORS, op, neutral, source, *args))


def few(c, out, n, SIZE, AT_ONCE, T, SEGMENTS, WRITES, LAST, ALONG, LANES, VECTORS, op, neutral,
        input, segment, output, *args):
    """One round: a scan of twelve pieces at most, as totals, carries and items have it. ALONG: in
    one go, so many in a row: of one piece, or by an op that is done by the time the next element is
    there, and exact; that without LAST of any number of pieces."""
    base = 0*c  # places come from c, which is 0: what output updates there is the round's own
    carry = declare('matrix(5, "T")')
    last = declare(T)
    last = neutral()
    carry[4] = last
    if LAST:
        for k in range(12):
            if k*SIZE < n:
                last = behind(last, k*SIZE, min((k + 1)*SIZE, n), T, SEGMENTS, LANES, VECTORS, op,
                              neutral, input, segment, *args)
    if ALONG:
        r = declare(T)
        r = neutral()
        whole = n // ALONG * ALONG
        for t in range(base, whole, ALONG):
            for j in static_range(ALONG):
                r = item(t + j, r, last, out, n, T, SEGMENTS, WRITES, op, neutral, input, segment,
                         output, *args)
        if ALONG > 1:
            for i in range(base + whole, n):
                r = item(i, r, last, out, n, T, SEGMENTS, WRITES, op, neutral, input, segment,
                         output, *args)
    else:
        for g in range(3):
            group = base + 4*g
            if group*SIZE < n:
                for k in range(4):
                    p = group + k
                    carry[k] = carry[4]
                    if (p + 1)*SIZE < n:
                        carry[4] = behind(carry[k], p*SIZE, (p + 1)*SIZE, T, SEGMENTS, LANES,
                                          VECTORS, op, neutral, input, segment, *args)
                side_by_side(group, carry[0], carry[1], carry[2], carry[3], last, out, n, SIZE,
                             AT_ONCE, T, SEGMENTS, WRITES, op, neutral, input, segment, output,
                             *args)


def segments(c, out, carry, after, n, SIZE, T, WRITES, op, neutral, input, segment, output, *args):
    """Elementwise over pieces: looks ahead to the end of each segment, then writes its items."""
    i = c*SIZE
    end = min(i + SIZE, n)
    acc = declare(T)
    last = declare(T)
    acc = carry[c]
    while i < end:
        last = acc
        if segment(i, *args):
            last = neutral()
        last = op(last, element(i, T, input, *args))
        stop = i + 1
        while stop < end and not segment(stop, *args):
            last = op(last, element(stop, T, input, *args))
            stop += 1
        if stop == end:
            last = after[c]
        while i < stop:
            acc = item(i, acc, last, out, n, T, 1, WRITES, op, neutral, input, segment, output,
                       *args)
            i += 1


def combine(before, into, n, T, op):
    """into[i] takes in before[i] from the left: what MPI asks of an operator of a user."""
    for i in range(n):
        into[i] = op(before[i], into[i])


# --- what the caller's functions return, for those who ask for its type ---


def of_map(i, map, *args):
    return map(i, *args)


def of_input(i, input, *args):
    return input(i, *args)


def of_key(i, key, *args):
    return key(i, *args)


def of_bin(i, bin, *args):
    return bin(i, *args)


def of_cell(i, cell, *args):
    return cell(i, *args)


def of_condition(i, condition, *args):
    return condition(i, *args)


def of_op(a, op, b):
    return op(a, b)
