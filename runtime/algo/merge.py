# Merge sorts by a function that says what comes before what: each piece by itself, then two sorted
# runs at a time, which the pieces of what comes out share: each finds where it begins in both.
# O. Green, S. Odeh and Y. Birk, Merge path - a visually intuitive approach to parallel merging,
# arXiv:1406.2628.
#
# Names are those of sort.py, in front. *how says how keys are compared: by before(a, b), a strict weak
# order, which DESCENDING turns round, or, where BITS are given, by their ranks, in which zeros of both
# signs are alike. Pieces have PIECE elements, but for the last one.

PIECE = 2048
RUN = 32


def rank_alike(k, R, BITS, FRACTION, DESCENDING, FIRST, END):
    r = declare(R)
    r = cast(k, R)
    if FRACTION > 0:
        if r == 1 << (BITS - 1):
            r = 0
    return rank(r, R, BITS, FRACTION, DESCENDING, FIRST, END)


def precedes(a, b, before, R, BITS, FRACTION, DESCENDING, FIRST, END):
    if BITS:
        return (rank_alike(a, R, BITS, FRACTION, DESCENDING, FIRST, END) <
                rank_alike(b, R, BITS, FRACTION, DESCENDING, FIRST, END))
    if DESCENDING:
        return bool(before(b, a))
    return bool(before(a, b))


def insert(x, vx, first, end, K, V, MODE, *how):
    """Sorts a few where they are."""
    k = declare(K)
    v = declare(V)
    for i in range(first + 1, end):
        k = x[i]
        if MODE:
            v = vx[i]
        j = i
        while j > first and precedes(k, x[j - 1], *how):
            move_one(x, vx, j, x, vx, j - 1, K, MODE)
            j -= 1
        x[j] = k
        if MODE:
            vx[j] = v


def move_one(to, vto, i, x, vx, k, K, MODE):
    key = declare(K)
    key = x[k]
    to[i] = key
    if MODE:
        vto[i] = vx[k]


def merge(to, vto, x, vx, a, middle, b, stop, first, end, K, MODE, *how):
    """From first to end what comes of two runs: from a to middle, and from b to stop."""
    for i in range(first, end):
        if b < stop and (a >= middle or precedes(x[b], x[a], *how)):
            move_one(to, vto, i, x, vx, b, K, MODE)
            b += 1
        else:
            move_one(to, vto, i, x, vx, a, K, MODE)
            a += 1


def merge_runs(to, vto, x, vx, first, end, width, K, MODE, *how):
    """All runs of a piece that have that width, two by two."""
    for a in range(first, end, 2*width):
        middle = min(a + width, end)
        stop = min(a + 2*width, end)
        merge(to, vto, x, vx, a, middle, middle, stop, a, stop, K, MODE, *how)


def sort_piece(x, y, vx, vy, first, end, K, V, MODE, *how):
    for a in range(first, end, RUN):
        insert(x, vx, a, min(a + RUN, end), K, V, MODE, *how)
    width = RUN
    while width < end - first:
        merge_runs(y, vy, x, vx, first, end, width, K, MODE, *how)
        merge_runs(x, vx, y, vy, first, end, 2*width, K, MODE, *how)
        width *= 4


def bring(to, vto, keys, values, first, end, K, MODE):
    """Keys and what goes along with them, to where they are sorted."""
    k = declare(K)
    for i in range(first, end):
        k = keys[i]
        to[i] = k
    if MODE == 1:
        copy(vto, values, first, end)
    elif MODE == 2:
        number(vto, first, end)


def blocks(c, x, y, vx, vy, keys, values, n, odd, OUT, K, V, MODE, before, *how):
    """Elementwise over pieces, each of which is sorted; odd: they end up in y."""
    first = c*PIECE
    end = min(first + PIECE, n)
    if odd:
        if OUT:
            bring(y, vy, keys, values, first, end, K, MODE)
        else:
            bring(y, vy, x, vx, first, end, K, MODE)
        sort_piece(y, x, vy, vx, first, end, K, V, MODE, before, *how)
    else:
        if OUT:
            bring(x, vx, keys, values, first, end, K, MODE)
        elif MODE == 2:
            number(vx, first, end)
        sort_piece(x, y, vx, vy, first, end, K, V, MODE, before, *how)


def cross(x, a, middle, y, b, stop, count, *how):
    """How many of the first `count` of two runs come from the first one, which is x from a to middle;
    the other is y from b to stop."""
    low = max(0, count - (stop - b))
    high = min(count, middle - a)
    while low < high:
        k = low + (high - low) // 2
        if precedes(y[b + count - 1 - k], x[a + k], *how):
            high = k
        else:
            low = k + 1
    return low


def merge_piece(to, vto, x, vx, c, n, width, K, MODE, *how):
    first = c*PIECE
    a = first // (2*width)*(2*width)
    middle = min(a + width, n)
    stop = min(a + 2*width, n)
    k = cross(x, a, middle, x, middle, stop, first - a, *how)
    merge(to, vto, x, vx, a + k, middle, middle + (first - a) - k, stop, first,
          min(first + PIECE, n), K, MODE, *how)


def merges(c, x, y, vx, vy, n, width, odd, K, MODE, before, *how):
    """Elementwise over pieces of what runs of that width become; odd: they are in y."""
    if odd:
        merge_piece(x, vx, y, vy, c, n, width, K, MODE, before, *how)
    else:
        merge_piece(y, vy, x, vx, c, n, width, K, MODE, before, *how)


# --- what the caller's function returns, for those who ask for its type ---


def of_before(a, before, b):
    return before(a, b)
