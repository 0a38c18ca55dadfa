import tables
import tables as t


def weighted(i, x):
    s = tables.WEIGHTS[1] + len(t.WEIGHTS)
    for w in t.WEIGHTS:
        s += w*tables.WEIGHTS[i % 3]
    x[i] = s + tables.CORNERS[1][i % 2]


def assigned(i, x):
    tables.WEIGHTS[i % 3] = x[i]


def other(i, x):
    x[i] = tables.OTHER[i]
