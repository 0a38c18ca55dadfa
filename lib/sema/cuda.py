"""What Numba's `cuda` has for single numbers that the language has no name of its own for. Narrow
integers are computed as int32."""


def popc(x):
    """How many bits are set, int32."""
    if isinstance(x, (int64, uint64)):
        return _ones64(cast(x, "uint64"))
    return _ones32(cast(x | 0, "uint32"))


def clz(x):
    """How many bits are 0 above the highest that is set, int32."""
    if isinstance(x, (int64, uint64)):
        v = _filled(cast(x, "uint64"))
        return 64 - _ones64(v | v >> 32)
    return 32 - _ones32(_filled(cast(x | 0, "uint32")))


def ffs(x):
    """Which bit is the lowest that is set, from 1 on, int32; 0 of 0."""
    return popc(x ^ (x - 1)) if x else 0


def brev(x):
    """The bits the other way round, unsigned."""
    if isinstance(x, (int64, uint64)):
        v = cast(x, "uint64")
        low = cast(v, "uint32")
        return cast(_turned32(low), "uint64") << 32 | _turned32(cast(v >> 32, "uint32"))
    return _turned32(cast(x | 0, "uint32"))


def selp(condition, a, b):
    return a if condition else b


def shfl_sync(mask, value, lane):
    """What a lane of the sub-group has; all lanes take part, whatever the mask."""
    return shuffle(value, lane)


def shfl_up_sync(mask, value, n):
    return shuffle_up(value, n)


def shfl_down_sync(mask, value, n):
    return shuffle_down(value, n)


def shfl_xor_sync(mask, value, lanes):
    return shuffle_xor(value, lanes)


def ballot_sync(mask, condition):
    return cast(ballot(condition), "uint32")


def any_sync(mask, condition):
    return ballot(condition) != 0


def all_sync(mask, condition):
    return ballot(not condition) == 0


def _ones32(v):
    v = v - (v >> 1 & 0x55555555)
    v = (v & 0x33333333) + (v >> 2 & 0x33333333)
    return cast((v + (v >> 4) & 0x0f0f0f0f)*0x01010101 >> 24, "int32")


def _ones64(v):
    v = v - (v >> 1 & 0x5555555555555555)
    v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333)
    return cast((v + (v >> 4) & 0x0f0f0f0f0f0f0f0f)*0x0101010101010101 >> 56, "int32")


def _filled(v):
    """All bits below one that is set, as far as 31 below it."""
    v |= v >> 1
    v |= v >> 2
    v |= v >> 4
    v |= v >> 8
    return v | v >> 16


def _turned32(v):
    v = v >> 1 & 0x55555555 | (v & 0x55555555) << 1
    v = v >> 2 & 0x33333333 | (v & 0x33333333) << 2
    v = v >> 4 & 0x0f0f0f0f | (v & 0x0f0f0f0f) << 4
    v = v >> 8 & 0x00ff00ff | (v & 0x00ff00ff) << 8
    return v >> 16 | v << 16
