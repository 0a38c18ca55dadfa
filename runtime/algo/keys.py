"""Runs of equal keys: where they begin, and where what they come to is written."""


def begins_run(i, STARTS, key, start, *args):
    """STARTS: start says where runs begin; else the key is another one there."""
    if i == 0:
        return True
    if STARTS:
        if start(i, *args):
            return True
        return False
    return key(i, *args) != key(i - 1, *args)


def put_run(k, out, r):
    """Those that have no place are left out."""
    if k >= 0 and k < len(out):
        out[k] = r
