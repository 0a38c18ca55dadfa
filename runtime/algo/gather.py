# Gathers, by one array of indices: elementwise over those. The first half of args is written, the
# second one read; one of them is indexed, and has m elements.


def index_of(k, m, MODE):
    """MODE 0: indices are known to be right; 1: those from the end have to be, and who checks bounds
    sees it; 2: what is not is the nearest; 3: modulo m; 4: the nearest."""
    i = declare('long')
    i = k
    if MODE == 1:
        if i < 0 and i >= -m:
            i += m
    elif MODE == 2:
        if i < 0:
            i += m
        i = max(0, min(i, m - 1))
    elif MODE == 3:
        i = i % m
    elif MODE == 4:
        i = max(0, min(i, m - 1))
    return i


def take(i, indices, m, MODE, *args):
    """What is at indices[i] comes to i."""
    k = index_of(indices[i], m, MODE)
    for a in static_range(len(args) // 2):
        args[a][i] = args[len(args) // 2 + a][k]


def scatter(i, indices, m, MODE, *args):
    """What is at i comes to indices[i]."""
    k = index_of(indices[i], m, MODE)
    for a in static_range(len(args) // 2):
        args[a][k] = args[len(args) // 2 + a][i]


def copy(i, to, values):
    to[i] = values[i]
