"""Random numbers of arrays. KIND is cpl_random_kind; T the type that numbers are computed in; GROUP
how many elements a block has. a, b are what a number is scaled by: see cpl/random.h."""
from cpl.random import _below, _bits32, _bits64, _exponential, _normal, _permuted, _uniform


def value(seed, block, k, draw, a, b, KIND, GROUP, T):
    """Element k of a block."""
    if KIND == 0:
        return fma(_uniform(seed, block, k, draw, T), b, a)
    if KIND == 1:
        return fma(_normal(seed, block, k, draw, T), b, a)
    if KIND == 2:
        return _exponential(seed, block, k, draw, T) * b
    if KIND == 3:
        return a + cast(_below(seed, block, k, draw, b), 'int64')
    if GROUP == 2:
        return _bits64(seed, block, k, draw)
    return _bits32(seed, block, k, draw)


def blocks(g, out, seed, draw, a, b, skip, first, KIND, GROUP, T):
    """Elementwise over blocks, those from `first` on, all of whose elements go to out, from `skip`
    on."""
    for k in static_range(GROUP):
        out[skip + g*GROUP + k] = value(seed, cast(first + g, 'uint64'), k, draw, a, b, KIND,
                                        GROUP, T)


def edges(e, out, seed, offset, draw, a, b, skip, whole, KIND, GROUP, T):
    """Elementwise over the elements of other blocks: the first `skip`, and those that have `whole`
    others in between."""
    n = declare('uint64')
    i = e if e < skip else e + whole
    n = offset + i
    out[i] = value(seed, n // GROUP, n % GROUP, draw, a, b, KIND, GROUP, T)


def permutation(i, out, seed, offset, draw, a, b):
    """Elementwise: a + element offset + i of the numbers below b."""
    out[i] = a + _permuted(seed, offset + i, b, draw)
