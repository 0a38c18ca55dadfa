# cpl.random in NumPy, written apart from it: arrays of elements in place of one. Of normal and exponential what they approximate, in longdouble.

import numpy as np

M, W = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)
U = np.uint64
PI = np.arctan(np.longdouble(1))*4


def words(seed, counter):
    """Four arrays of uint64 below 2**32 of the counter's four."""
    key = [seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF]
    c = [np.asarray(x, U) for x in counter]
    for _ in range(10):
        p, q = c[0]*U(M[0]), c[2]*U(M[1])
        c = [q >> U(32) ^ c[1] ^ U(key[0]), q & U(0xFFFFFFFF), p >> U(32) ^ c[3] ^ U(key[1]), p & U(0xFFFFFFFF)]
        key = [k + w & 0xFFFFFFFF for k, w in zip(key, W)]
    return c


def blocks(seed, block, draw, what=0):
    zero = np.zeros_like(block)
    return words(seed, (block & U(0xFFFFFFFF), block >> U(32), zero + U(draw), zero + U(what)))


def numbers(i):
    return np.asarray(i).astype(U)


def bits32(seed, i, draw=0):
    i = numbers(i)
    return np.choose((i & U(3)).astype("int64"), blocks(seed, i >> U(2), draw)).astype("uint32")


def bits64(seed, i, draw=0, what=0):
    i = numbers(i)
    w = blocks(seed, i >> U(1), draw, what)
    return np.where(i & U(1), w[2] | w[3] << U(32), w[0] | w[1] << U(32))


def uniform(seed, i, draw=0):
    return (bits64(seed, i, draw) >> U(11)).astype("float64")*2.0**-53


def uniform32(seed, i, draw=0):
    return (bits32(seed, i, draw) >> np.uint32(8)).astype("float32")*np.float32(2.0**-24)


def exponential(seed, i, draw=0):
    return -np.log(1 - uniform(seed, i, draw).astype("longdouble"))


def exponential32(seed, i, draw=0):
    """Of the float32 that is next to 1 - bits/2**32."""
    return -np.log(((~bits32(seed, i, draw)).astype("float32") + np.float32(1)).astype("longdouble")/2**32)


def on_circle(bits, width, odd):
    """The cosine of bits turns of 2**-width, or the sine; exact where it is small: of the angle to the next axis."""
    bits = np.array([int(b) for b in np.atleast_1d(bits)], dtype=object)
    quarter = 1 << width - 2
    q = (bits + quarter//2)//quarter
    r = 2*PI*(np.array([int(b) for b in bits - q*quarter]).astype("longdouble")/np.longdouble(2)**width)
    k = (q.astype("int64") + 3*odd) & 3
    return np.choose(k, [np.cos(r), -np.sin(r), -np.cos(r), np.sin(r)])


def normal(seed, i, draw=0):
    i = numbers(i)
    return np.sqrt(2*exponential(seed, i & ~U(1), draw))*on_circle(bits64(seed, i | U(1), draw) & ~U(511), 64, (i & U(1)).astype("int64"))


def normal32(seed, i, draw=0):
    i = numbers(i)
    return np.sqrt(2*exponential32(seed, i & ~U(1), draw))*on_circle(bits32(seed, i | U(1), draw), 32, (i & U(1)).astype("int64"))


def integers(seed, i, low, high, draw=0):
    """In Python's integers."""
    count = high - low
    first, more = bits64(seed, i, draw), bits64(seed, i, draw, 1)
    if count < 2**32:
        return np.array([low + (int(a)*count >> 64) for a in first])
    return np.array([low + ((int(a) << 64 | int(b))*count >> 128) for a, b in zip(first, more)])


def permutation(seed, i, n, draw=0):
    keys = [int(w) for b in zip(*blocks(seed, np.arange(3, dtype=U), draw, 2)) for w in b]
    bits = max(8, (n - 1).bit_length())
    half = bits//2

    def mixed(x, key):
        h = (x ^ key)*0x9E3779B97F4A7C15 % 2**64
        return (h ^ h >> 32)*0xD6E8FEB86659FD93 % 2**64 >> 32

    def stirred(x):
        a, b = x >> half, x % 2**half
        for r in range(0, 12, 2):
            a ^= mixed(b, keys[r]) % 2**(bits - half)
            b ^= mixed(a, keys[r + 1]) % 2**half
        return a << half | b

    def at(x):
        x = stirred(x)
        while x >= n:
            x = stirred(x)
        return x

    return np.array([at(int(x)) if x < n else x for x in i], "int64")


def philox(w, seed, low, high=0):
    w[:] = [int(x) for x in words(seed, [v >> s & 0xFFFFFFFF for v in (low, high) for s in (0, 32)])]
