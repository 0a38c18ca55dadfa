from cpl import struct


@struct
class Sums:
    """Of the points of a cluster."""
    red: 'long'
    green: 'long'
    blue: 'long'
    count: 'long'


@struct
class Farthest:
    error: 'long'
    index: 'long'


def distance(i, c, points, centres):
    """The square of that between a point and a centre."""
    red = points[i, 0] - centres[c, 0]
    green = points[i, 1] - centres[c, 1]
    blue = points[i, 2] - centres[c, 2]
    return red*red + green*green + blue*blue


def assign(i, cluster, points, centres):
    """Each point to the nearest centre; of several, to the first."""
    best = 0
    for c in range(1, len(centres)):
        if distance(i, c, points, centres) < distance(i, best, points, centres):
            best = c
    cluster[i] = best


def member(i, cluster, points):
    """What a point adds to the sums of its cluster."""
    s = declare('Sums')
    s.red = points[i, 0]
    s.green = points[i, 1]
    s.blue = points[i, 2]
    s.count = 1
    return s


def add(a, b):
    s = declare('Sums')
    s.red = a.red + b.red
    s.green = a.green + b.green
    s.blue = a.blue + b.blue
    s.count = a.count + b.count
    return s


def nothing():
    """A struct begins with zeros."""
    s = declare('Sums')
    return s


def error(i, cluster, points, centres):
    """The square of the distance of a point from its centre."""
    return distance(i, cluster[i], points, centres)


def far(i, cluster, points, centres):
    f = declare('Farthest')
    f.error = error(i, cluster, points, centres)
    f.index = i
    return f


def farther(a, b):
    """Of two that are equally far the first, since order is kept."""
    return b if b.error > a.error else a


def nowhere():
    f = declare('Farthest')
    f.error = -1
    return f


def paint(i, j, out, cluster, centres):
    out[i, j] = centres[cluster[i], j]
