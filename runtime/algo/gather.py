# Gathers, by one array of indices: elementwise over those. The first half of args is written, the
# second one read; one of them is indexed, and has m elements. index(k, m) is which of those an index
# stands for: gather.c.


def take(i, indices, m, index, *args):
    """What is at indices[i] comes to i."""
    k = index(indices[i], m)
    for a in static_range(len(args) // 2):
        args[a][i] = args[len(args) // 2 + a][k]


def scatter(i, indices, m, index, *args):
    """What is at i comes to indices[i]."""
    k = index(indices[i], m)
    for a in static_range(len(args) // 2):
        args[a][k] = args[len(args) // 2 + a][i]


BLOCK = 1024  # gather.c has it too: this file's kernels have no room for one more parameter


def block(c, indices, m, n, move, index, *args):
    """BLOCK indices from c*BLOCK on. As a rule all are those of elements as they are, and there is
    nothing to work out for each."""
    first = c*BLOCK
    end = min(first + BLOCK, n)
    least = indices[first]
    most = least
    for i in range(first, end):
        least = min(least, indices[i])
        most = max(most, indices[i])
    if least >= 0 and most < m:
        whole = first + (end - first) // 8 * 8
        for i in range(first, whole, 8):
            for j in static_range(8):
                move(i + j, indices, m, lambda k, m: k, *args)
        for i in range(whole, end):
            move(i, indices, m, lambda k, m: k, *args)
    else:
        for i in range(first, end):
            move(i, indices, m, index, *args)


def takes(c, indices, m, n, index, *args):
    """Elementwise over blocks."""
    block(c, indices, m, n, take, index, *args)


def scatters(c, indices, m, n, index, *args):
    block(c, indices, m, n, scatter, index, *args)


def copy(i, to, values):
    to[i] = values[i]
