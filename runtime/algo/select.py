# Selects the least keys: their digits from the highest on say what the last of them is, then all
# that are less, and as many that are like it, come together in the order in which they are there.
# T. Alabi, J. D. Blanchard, B. Gordon and R. Steinbach, Fast k-selection algorithms for graphics
# processing units, ACM JEA 17 (2012).
#
# Names are those of sort.py, in front. state[0]: the digits found of the rank of the last one;
# state[1]: how many are taken of those that have them.


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
