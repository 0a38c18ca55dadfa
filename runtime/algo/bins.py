# Histograms by pieces: each has bins of its own, which are taken in piece by piece.
#
# bin(i, *args) is the number of element i's bin; the rest is as in chunks.py, in front.


def tallies(c, part, n, size, bins, T, op, neutral, map, bin, *args):
    """Elementwise over pieces: what the elements of one come to, bin by bin."""
    b = declare('long')
    for k in range(c*bins, (c + 1)*bins):
        part[k] = neutral()
    for i in range(c*size, min((c + 1)*size, n)):
        b = bin(i, *args)
        if b >= 0 and b < bins:
            part[c*bins + b] = op(part[c*bins + b], element(i, T, map, *args))


def join_bins(b, out, part, bins, count, T, op):
    """Elementwise over bins: those of all pieces, in order."""
    r = declare(T)
    r = part[b]
    for p in range(1, count):
        r = op(r, part[p*bins + b])
    out[b] = r


# --- sums of integers, by tiles ---


def clear(b, out):
    """Elementwise over bins."""
    out[b] = 0


def take(table, i, b, bins, T, source, *args):
    if b >= 0 and b < bins:
        atomic_add(table[b], element(i, T, source, *args))


def tally(out, n, bins, T, GROUP, ITEMS, TABLE, map, bin, *args):
    """For devices whose groups have many work-items side by side: a group adds up tiles of
    GROUP*ITEMS elements in local memory, which has room for TABLE bins, then adds that to out."""
    table = declare('LOCAL_MEM matrix(TABLE, "T")')
    at = declare('matrix(ITEMS, "long")')
    for b in range(LID_0, bins, GROUP):
        table[b] = 0
    local_barrier()
    first = GID_0*(GROUP*ITEMS)
    while first < n:
        if first + GROUP*ITEMS <= n:
            for j in static_range(ITEMS):
                at[j] = bin(first + j*GROUP + LID_0, *args)
            for j in static_range(ITEMS):
                take(table, first + j*GROUP + LID_0, at[j], bins, T, map, *args)
        else:
            for i in range(first + LID_0, n, GROUP):
                take(table, i, bin(i, *args), bins, T, map, *args)
        first += GDIM_0*(GROUP*ITEMS)
    local_barrier()
    for b in range(LID_0, bins, GROUP):
        if table[b] != 0:
            atomic_add(out[b], table[b])
