# Histograms by pieces: each has bins of its own, which are taken in piece by piece.
#
# bin(i, *args) is the number of element i's bin; the rest is as in chunks.py, in front.


def tallies(c, part, n, size, bins, T, op, neutral, source, bin, *args):
    """Elementwise over pieces: what the elements of one come to, bin by bin."""
    b = declare('long')
    for k in range(c*bins, (c + 1)*bins):
        part[k] = neutral()
    for i in range(c*size, min((c + 1)*size, n)):
        b = bin(i, *args)
        if b >= 0 and b < bins:
            part[c*bins + b] = op(part[c*bins + b], element(i, T, source, *args))


def join_bins(b, out, part, bins, count, T, op):
    """Elementwise over bins: those of all pieces, in order."""
    r = declare(T)
    r = part[b]
    for p in range(1, count):
        r = op(r, part[p*bins + b])
    out[b] = r
