# Selects the least keys. On devices their digits from the highest on say what the last of them is,
# then all that are less, and as many that are like it, come together in the order in which they are
# there. T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, Fast k-selection algorithms for
# graphics processing units, ACM JEA 17 (2012).
#
# The host reads keys once. Some of them say of which rank, the border, few more than are asked for
# are not greater: R. W. Floyd and R. L. Rivest, Expected time bounds for selection, CACM 18 (1975).
# Those come together and are sorted, and as many as are asked for are taken.
#
# Names are those of sort.py, in front. state[0]: the digits found of the rank of the last one;
# state[1]: how many are taken of those that have them. PLACES: whether somebody wants to know where
# keys were.

SAMPLES = 64  # that say where the border of few keys is
SIFTED = 8192  # keys between two looks at how many they are


# --- by a border ---


def samples_below(samples, k, n, deviations):
    """How many of the samples from among n keys should not be beyond the border of the k least."""
    share = declare('double')
    share = cast(samples, 'double')*cast(k, 'double')/cast(n, 'double')
    return cast(share + deviations*sqrt(share), 'int') + 2


def border_of_few(keys, n, k, R, *how):
    """The least of some ranks that is no less than so many of them."""
    some = declare('matrix(SAMPLES, "R")')
    border = declare(R)
    border = ~border
    if n > 4*SAMPLES:
        below = samples_below(SAMPLES, k, n, 2.0)
        step = n // SAMPLES
        for i in range(SAMPLES):
            some[i] = rank(keys[i*step], R, *how)
        for i in range(SAMPLES):
            less = declare(R)
            less = 0
            for j in range(SAMPLES):
                less += cast(some[j] <= some[i], R)
            if less >= below:
                border = min(border, some[i])
    return border


def sift(x, vx, at, keys, first, end, border, PLACES, R, *how):
    """Those whose rank is not beyond the border, to x from `at` on; where the last one ends. Each is
    written, and the next one in its place unless it is to stay, so that nothing is guessed."""
    for i in range(first, end):
        x[at] = keys[i]
        if PLACES:
            vx[at] = i
        at += cast(rank(keys[i], R, *how) <= border, 'long')
    return at


def few(c, x, y, vx, vy, out, order, keys, n, k, PLACES, K, V, R, *how):
    """One round: all of it, for few keys."""
    border = declare(R)
    border = border_of_few(keys, n, k, R, *how)
    many = sift(x, vx, 0, keys, 0, n, border, PLACES, R, *how)
    if many < k:
        border = ~cast(0, R)
        many = sift(x, vx, 0, keys, 0, n, border, PLACES, R, *how)
    sort_alone(x, y, vx, vy, 0, many, 1, K, V, PLACES, R, *how)
    copy(out, x, 0, k)
    if PLACES:
        copy(order, vx, 0, k)


def border(c, x, y, state, keys, n, k, samples, NONE, K, V, R, *how):
    """One round: state[0], by a sample that is sorted in x, by way of y. NONE: 0, as nothing goes
    along."""
    step = n // samples
    below = samples_below(samples, k, n, 2.5)
    for i in range(samples):
        x[i] = keys[i*step]
    sort_alone(x, y, NONE, NONE, 0, samples, 1, K, V, NONE, R, *how)
    last = declare(R)
    last = ~last
    if below <= samples:
        last = rank(x[below - 1], R, *how)
    state[0] = last


def sifts(c, x, vx, begun, state, keys, n, size, room, PLACES, R, *how):
    """Elementwise over pieces: begun[c] of each, to where it is in x, but no more than show that
    there is no room for them: where keys are alike, memory for all is never touched."""
    border = declare(R)
    border = state[0]
    at = c*size
    end = min(at + size, n)
    i = at
    while i < end and at - c*size <= room:
        stop = min(i + SIFTED, end)
        at = sift(x, vx, at, keys, i, stop, border, PLACES, R, *how)
        i = stop
    begun[c] = at - c*size


def joins(c, near, places, x, vx, begun, size, count, room, PLACES):
    """Elementwise over pieces: those of all together, if there is room for them."""
    if begun[count] <= room:
        to = begun[c]
        for i in range(begun[c + 1] - to):
            near[to + i] = x[c*size + i]
            if PLACES:
                places[to + i] = vx[c*size + i]


def take(i, out, order, near, places, PLACES):
    """Elementwise."""
    out[i] = near[i]
    if PLACES:
        order[i] = places[i]


# --- by digits ---


def narrow(c, tallies, state, keys, n, size, count, turn, shift, R, *how):
    """Elementwise over pieces: tallies[count*d + c] keys, of those that are still in question, have
    digit d."""
    table = declare('matrix(256, "uint")')
    r = declare(R)
    prefix = declare(R)
    if turn > 0:
        prefix = state[0]
    for i in range(c*size, min((c + 1)*size, n)):
        r = rank(keys[i], R, *how) >> cast(shift, R)
        if (r >> 8) == prefix:
            table[cast(r & 255, 'int')] += 1
    for d in range(256):
        tallies[count*d + c] = table[d]


def pick(c, tallies, state, count, turn, k):
    """One round: the digit of the last one."""
    need = declare('long')
    prefix = declare('long')
    need = k
    if turn > 0:
        prefix = state[0]
        need = state[1]
    found = False
    for d in range(256):
        if not found:
            s = declare('long')
            s = 0
            for p in range(count):
                s += tallies[count*d + p]
            if s >= need:
                found = True
                prefix = prefix*256 + d
            else:
                need -= s
    state[0] = prefix
    state[1] = need


def marks(c, tallies, state, keys, n, size, shift, R, *how):
    """Elementwise over pieces: how many keys are less than the last one, and how many are like
    it."""
    r = declare(R)
    last = declare(R)
    last = state[0]
    less = declare('long')
    like = declare('long')
    for i in range(c*size, min((c + 1)*size, n)):
        r = rank(keys[i], R, *how) >> cast(shift, R)
        less += cast(r < last, 'long')
        like += cast(r == last, 'long')
    tallies[2*c] = less
    tallies[2*c + 1] = like


def places(c, tallies, state, count):
    """One round: where those of each piece begin, and how many it has of those like the last."""
    at = declare('long')
    left = declare('long')
    left = state[1]
    for p in range(count):
        less = tallies[2*p]
        like = min(tallies[2*p + 1], left)
        tallies[2*p] = at
        tallies[2*p + 1] = like
        at += less + like
        left -= like


def collect(c, tallies, state, out, order, keys, n, size, shift, PLACES, R, *how):
    """Elementwise over pieces. PLACES: whether order takes where they were."""
    r = declare(R)
    last = declare(R)
    last = state[0]
    at = tallies[2*c]
    left = tallies[2*c + 1]
    for i in range(c*size, min((c + 1)*size, n)):
        r = rank(keys[i], R, *how) >> cast(shift, R)
        if r <= last:
            like = r == last
            if not like or left > 0:
                if like:
                    left -= 1
                out[at] = keys[i]
                if PLACES:
                    order[at] = i
                at += 1
