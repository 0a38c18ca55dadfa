def front(n):
    assert n > 3
    s = 0.0
    for i in prange(n):
        s += i
    return s


def both(n):
    s = 2.0
    for i in prange(n):
        assert i < 3
        s += i
    assert s < 4.0
    return s
