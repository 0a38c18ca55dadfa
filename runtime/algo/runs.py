# Reductions of segments, whose borders are given, and of runs of equal keys. The names are those of
# chunks.py and keys.py, in front.
#
# Segments: m of them, number k from offsets[k] to offsets[k + 1]. D. Merrill and M. Garland,
# Merge-based parallel sparse matrix-vector multiplication, SC16 (2016): ends of segments and
# elements, merged, are m + n steps; a piece is `size` of these, however they mix.
#
# Runs: totals of pieces with how many runs begin there, carries, then what each run came to: two
# readings of the elements, as scans have them.


def border(k, offsets, n):
    """Where segment k begins; within the elements."""
    v = declare('long')
    v = offsets[k]
    return max(0, min(v, n))


def ends_before(step, offsets, m, n):
    """How many segments end among the first `step` steps; the others are elements."""
    low = max(0, step - n)
    high = min(step, m)
    while low < high:
        k = low + (high - low) // 2
        if border(k + 1, offsets, n) <= step - k - 1:
            low = k + 1
        else:
            high = k
    return low


def taken(first, end, T, LANES, VECTORS, op, neutral, source, *args):
    """What elements of a segment come to; of few of them in order."""
    if end - first < 64:
        r = declare(T)
        r = neutral()
        for i in range(first, end):
            r = op(r, element(i, T, source, *args))
        return r
    return total_of(first, end, T, LANES, VECTORS, op, neutral, source, *args)


def spans(c, total, ended, out, offsets, m, n, size, T, LANES, VECTORS, op, neutral, map,
          *args):
    """Elementwise over pieces: segments that end in one, without what earlier pieces have of the
    first. total: what is there of the segment after those; ended: how many end up to here."""
    step = min((c + 1)*size, m + n)
    k = ends_before(c*size, offsets, m, n)
    i = c*size - k
    last = ends_before(step, offsets, m, n)
    while k < last:
        stop = border(k + 1, offsets, n)
        assert 0 <= offsets[k] <= offsets[k + 1] <= n, \
            "the offsets of segments go up, from 0 to the number of elements at most"
        first = max(i, border(k, offsets, n))
        out[k] = taken(first, stop, T, LANES, VECTORS, op, neutral, map, *args)
        i = stop
        k += 1
    first = step - last
    if last < m:
        first = max(i, border(last, offsets, n))
    total[c] = taken(first, step - last, T, LANES, VECTORS, op, neutral, map, *args)
    ended[c] = last


def join_spans(c, total, ended, out, count, T, op, neutral):
    """One round: puts in front of segments what earlier pieces have of them."""
    r = declare(T)
    r = neutral()
    k = declare('long')
    for p in range(count):
        if ended[p] > k:
            out[k] = op(r, out[k])
            k = ended[p]
            r = neutral()
        r = op(r, total[p])


def run_totals(c, total, begun, n, size, T, STARTS, op, neutral, map, key, start, *args):
    """Elementwise over pieces: what the elements of the last run in one come to, and how many runs
    begin there."""
    r = declare(T)
    r = neutral()
    k = declare('long')
    for i in range(c*size, min((c + 1)*size, n)):
        if begins_run(i, STARTS, key, start, *args):
            r = neutral()
            k += 1
        r = op(r, element(i, T, map, *args))
    total[c] = r
    begun[c] = k


def run_carries(c, total, begun, number, count, T, TOLD, op, neutral):
    """One round: total[p] and begun[p] become what is there of the run in front of piece p, and how
    many runs began there. TOLD: number takes how many there are."""
    r = declare(T)
    t = declare(T)
    r = neutral()
    k = declare('long')
    for p in range(count):
        t = total[p]
        total[p] = r
        b = begun[p]
        begun[p] = k
        k += b
        if b > 0:
            r = neutral()
        r = op(r, t)
    if TOLD:
        number[0] = k


def runs(c, out, keys, total, begun, n, size, T, STARTS, KEPT, op, neutral, map, key, start,
         *args):
    """Elementwise over pieces: a run is written where the next begins. KEPT: keys takes its key."""
    r = declare(T)
    r = total[c]
    k = begun[c] - 1
    end = min((c + 1)*size, n)
    for i in range(c*size, end):
        if begins_run(i, STARTS, key, start, *args):
            put_run(k, out, r)
            r = neutral()
            k += 1
            if KEPT:
                if k < len(keys):
                    keys[k] = key(i, *args)
        r = op(r, element(i, T, map, *args))
    if end == n:
        put_run(k, out, r)
