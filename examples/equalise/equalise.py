def present(grey, up_to, n):
    """How many points are up to this grey, if there are any."""
    return up_to[grey] if up_to[grey] > 0 else n


def spread(i, points, up_to, least, n):
    """The new grey of a point: how many of all points are as dark as it, from 0 to 255."""
    if n > least:
        points[i] = (255*int(up_to[points[i]] - least) + (n - least)//2)//(n - least)
