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


def copy(i, to, values):
    to[i] = values[i]
