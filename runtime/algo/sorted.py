# Searches and merges of sorted arrays, and sets; what is unique. Names are those of sort.py and
# merge.py, in front; *how says how keys are compared.
#
# Merges by merge path: pieces of what comes out. Sets likewise, where a piece begins in front of all
# that are alike in both arrays, so that each value is one piece's: what balanced path (S. Baxter,
# moderngpu, 2013) is for multisets needs no more where results are sets.


def search(i, out, keys, values, m, K, RIGHT, before, *how):
    """Elementwise over values: how many of the m keys come before one; RIGHT: or are like it."""
    v = declare(K)
    v = values[i]
    low = declare('long')
    high = declare('long')
    high = m
    while low < high:
        k = low + (high - low) // 2
        found = precedes(keys[k], v, before, *how)
        if RIGHT:
            found = not precedes(v, keys[k], before, *how)
        if found:
            low = k + 1
        else:
            high = k
    out[i] = low


def merge_arrays(c, x, y, m, n, size, before, R, BITS, FRACTION, DESCENDING, FIRST, END, *args):
    """Elementwise over pieces of the n elements of both; x has m of them. args: what goes along in
    thirds: results, those of x, those of y; keys among them."""
    first = c*size
    a = cross(x, 0, m, y, 0, n - m, first, before, R, BITS, FRACTION, DESCENDING, FIRST, END)
    b = first - a
    for i in range(first, min(first + size, n)):
        second = a >= m
        if not second and b < n - m:
            second = precedes(y[b], x[a], before, R, BITS, FRACTION, DESCENDING, FIRST, END)
        if second:
            for k in static_range(len(args) // 3):
                args[k][i] = args[len(args) // 3*2 + k][b]
            b += 1
        else:
            for k in static_range(len(args) // 3):
                args[k][i] = args[len(args) // 3 + k][a]
            a += 1


# --- sets ---


def first_like(x, end, z, at, *how):
    """Where those begin in x that do not precede z[at], as far as end."""
    low = declare('long')
    high = declare('long')
    high = end
    while low < high:
        k = low + (high - low) // 2
        if precedes(x[k], z[at], *how):
            low = k + 1
        else:
            high = k
    return low


def cut(at, x, m, y, n, step, *how):
    """at[0] and at[1]: where a piece begins in x and in y, of m and n elements, `step` of which are
    in front of it or like those behind."""
    a = cross(x, 0, m, y, 0, n, step, *how)
    b = step - a
    second = a >= m
    if not second and b < n:
        second = precedes(y[b], x[a], *how)
    if step >= m + n:
        at[0] = m
        at[1] = n
    elif second:
        at[0] = first_like(x, a, y, b, *how)
        at[1] = first_like(y, b, y, b, *how)
    else:
        at[0] = first_like(x, a, x, a, *how)
        at[1] = first_like(y, b, x, a, *how)


def behind_like(x, at, end, *how):
    """Where those end in x that are like x[at]."""
    k = at + 1
    while k < end and not precedes(x[at], x[k], *how):
        k += 1
    return k


def walk(out, to, x, y, m, n, begin, stop, SET, WRITE, *how):
    """How many of a piece are in the set: 0: union, 1: intersection, 2: difference, 3: symmetric
    difference. WRITE: they go to out, from `to` on, as far as there is room."""
    at = declare('matrix(2, "long")')
    to_at = declare('matrix(2, "long")')
    count = declare('long')
    cut(at, x, m, y, n, begin, *how)
    cut(to_at, x, m, y, n, stop, *how)
    a = at[0]
    b = at[1]
    while a < to_at[0] or b < to_at[1]:
        in_y = b < to_at[1]
        if in_y and a < to_at[0]:
            in_y = not precedes(x[a], y[b], *how)
        in_x = a < to_at[0]
        if in_x and in_y:
            in_x = not precedes(y[b], x[a], *how)
        kept = True
        if SET == 1:
            kept = in_x and in_y
        elif SET == 2:
            kept = in_x and not in_y
        elif SET == 3:
            kept = in_x != in_y
        if kept:
            if WRITE:
                if to + count < len(out):
                    if in_x:
                        out[to + count] = x[a]
                    else:
                        out[to + count] = y[b]
            count += 1
        if in_x:
            a = behind_like(x, a, to_at[0], *how)
        if in_y:
            b = behind_like(y, b, to_at[1], *how)
    return count


def set_items(c, out, begun, x, y, m, n, size, SET, WRITE, before, *how):
    """Elementwise over pieces of the n elements of both, m of them those of x. WRITE: those of the
    set go to out; else begun takes how many there are."""
    to = declare('long')
    if WRITE:
        to = begun[c]
    count = walk(out, to, x, y, m, n - m, c*size, min((c + 1)*size, n), SET, WRITE, before, *how)
    if WRITE == 0:
        begun[c] = count
