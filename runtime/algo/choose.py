# Compactions and partitions: pieces count the elements for which the condition holds, one round finds
# where those of each piece go, and pieces move theirs. G. E. Blelloch, Prefix sums and their
# applications, CMU-CS-90-190 (1990), 1.5.1, by pieces.


def holds(i, condition, *args):
    k = declare('long')
    if condition(i, *args):
        k = 1
    return k


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


def keeps(c, out0, out1, out2, out3, in0, in1, in2, in3, order, begun, n, size, count, room, COUNT,
          ORDER, condition, *args):
    """Elementwise over pieces: those of which it holds, as far as there is room. Each element is
    written, and the next one in its place unless it is to stay, so that nothing is guessed."""
    at = begun[c]
    stop = min(begun[c + 1], room)
    for i in range(c*size, min((c + 1)*size, n)):
        if at < stop:
            put(at, i, out0, out1, out2, out3, in0, in1, in2, in3, order, COUNT, ORDER)
        at += holds(i, condition, *args)


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
