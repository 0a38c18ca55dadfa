"""Random numbers without a state: each is a function of a seed, the number of an element and the
number of a draw. Philox 4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel
random numbers: as easy as 1, 2, 3, SC 2011.

A block is four words of 32 bits: the seed is its key, and its counter has the number of the block
in two words, the draw in the third, and in the last what else the library draws for it: 0 at first.
The words of blocks 0, 1, 2 and so on are one row; the elements of 32 bits are its words, those of
64 bits two words each, the lower one first. What ends in 32 is made of an element of 32 bits and a
float32, the rest of 64 bits.

Nothing but additions, products, quotients, square roots and fma, which round alike everywhere, and
no sum of a product that could be fused or not: the same bits on all targets and in all vectors.
"""

_LOW = 0xFFFFFFFF
_TOP = 0xFFFFFFFFFFFFF800  # as many bits as a float64 has
_LN2 = 0.6931471805599453
_SQRT_HALF = 0.7071067811865476
_TAU = 6.283185307179586
_LEAST_BITS = 8


def philox(w: 'uint32*', seed: 'uint64', low: 'uint64', high: 'uint64' = 0):
    """w[0] to w[3], of uint32: the block at the counter high*2**64 + low, of the key seed."""
    k0, k1 = declare('uint32', 2)
    x0, x1, x2, x3, p, q = declare('uint64', 6)
    k0 = cast(seed, 'uint32')
    k1 = cast(seed >> 32, 'uint32')
    x0 = low
    x1 = low >> 32
    x2 = high
    x3 = high >> 32
    for r in static_range(10):
        p = 0xD2511F53 * (x0 & _LOW)
        q = 0xCD9E8D57 * (x2 & _LOW)
        x0 = (q >> 32) ^ x1 ^ k0
        x1 = q
        x2 = (p >> 32) ^ x3 ^ k1
        x3 = p
        k0 += 0x9E3779B9
        k1 += 0xBB67AE85
    w[0] = cast(x0, 'uint32')
    w[1] = cast(x1, 'uint32')
    w[2] = cast(x2, 'uint32')
    w[3] = cast(x3, 'uint32')


def _bits32(seed, block, k, draw: 'uint64'):
    """Element k of the four of a block."""
    w = declare('matrix(4, "uint32")')
    philox(w, seed, block, draw)
    a = w[1] if k & 1 else w[0]
    b = w[3] if k & 1 else w[2]
    return b if k & 2 else a


def _bits64(seed, block, k, draw: 'uint64'):
    """Element k of the two of a block."""
    w = declare('matrix(4, "uint32")')
    philox(w, seed, block, draw)
    a = w[0] | cast(w[1], 'uint64') << 32
    b = w[2] | cast(w[3], 'uint64') << 32
    return b if k & 1 else a


def bits32(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """uint32, any one as likely."""
    return _bits32(seed, i >> 2, i & 3, draw)


def bits64(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """uint64, any one as likely."""
    return _bits64(seed, i >> 1, i & 1, draw)


def _uniform(seed, block, k, draw, T):
    """As many of its bits as T has, in [0, 1). All conversions of the file are those that vectors
    of any CPU have."""
    if T is float64:
        return cast(_bits64(seed, block, k, draw) & _TOP, 'float64') * 2.0**-64
    if T is float32:
        return cast(_bits32(seed, block, k, draw) >> 8, 'float32') * 2.0**-24
    return cast(_bits32(seed, block, k, draw) >> 21, 'float32') * 2.0**-11


def uniform(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float64, a multiple of 2**-53 in [0, 1)."""
    return _uniform(seed, i >> 1, i & 1, draw, float64)


def uniform32(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float32, a multiple of 2**-24 in [0, 1)."""
    return _uniform(seed, i >> 2, i & 3, draw, float32)


def _fraction(seed, block, k, draw, T):
    """float64, of 53 bits, or float32, next to a number of 32 bits, in (0, 1]."""
    if T is float64:
        return 1 - _uniform(seed, block, k, draw, T)
    return (cast(~_bits32(seed, block, k, draw), 'float32') + 1) * 2.0**-32


def _log_terms(z, T):
    """(2 atanh(s) - 2 s)/s**3 for z = s**2, s**2 <= 0.0295."""
    if T is float64:
        r = fma(z, 0.14796261382999656, 0.15314021086040608)
        r = fma(z, fma(z, r, 0.1818356540907182), 0.22222198553736855)
        r = fma(z, fma(z, r, 0.285714287425628), 0.3999999999941396)
        return fma(z, r, 0.6666666666666734)
    return fma(z, fma(z, fma(z, 0.22222222, 0.28571429), 0.4), 0.66666667)


def _minus_log(f, T):
    """Of f in [2**-53, 1], by K. C. Ng's method (FreeBSD's e_log.c): f = m 2**-e, m in
    [sqrt(1/2), sqrt(2)), and s = (m - 1)/(m + 1)."""
    e = declare(T)
    for k in static_range(6):
        if f < 2.0**-(32 >> k):
            f = f * 2.0**(32 >> k)
            e += 32 >> k
    if f < _SQRT_HALF:
        f = f * 2
        e += 1
    g = f - 1
    s = g / (2 + g)
    z = s * s
    return fma(e, _LN2, -fma(s * z, _log_terms(z, T), s + s))


def _sine(x, z, T):
    """For |x| <= pi/4, z = x**2; FreeBSD's k_sin.c, Cephes's sinf."""
    if T is float64:
        r = fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08)
        r = fma(z, fma(z, r, 2.75573137070700676789e-06), -1.98412698298579493134e-04)
        r = fma(z, fma(z, r, 8.33333333332248946124e-03), -1.66666666666666324348e-01)
        return fma(x * z, r, x)
    r = fma(z, fma(z, -1.9515295891e-4, 8.3321608736e-3), -1.6666654611e-1)
    return fma(x * z, r, x)


def _cosine(z, T):
    """Likewise; FreeBSD's k_cos.c, Cephes's cosf."""
    if T is float64:
        r = fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09)
        r = fma(z, fma(z, r, -2.75573143513906633035e-07), 2.48015872894767294178e-05)
        r = fma(z, fma(z, r, -1.38888888888741095749e-03), 4.16666666666666019037e-02)
        return fma(z, fma(z, r, -0.5), 1.0)
    r = fma(z, fma(z, 2.443315711809948e-5, -1.388731625493765e-3), 4.166664568298827e-2)
    return fma(z, fma(z, r, -0.5), 1.0)


def _circle(quarters, x, odd, T):
    """cos(x + quarters*pi/2), or sin where odd is 1; |x| <= pi/4."""
    k = (quarters + 3 * odd) & 3
    z = x * x
    r = _sine(x, z, T) if k & 1 else _cosine(z, T)
    return -r if (k + 1) & 2 else r


def _direction(seed, block, k, draw, odd, T):
    """The cosine or the sine of an angle of the circle: its bits are the element's, in turns, of a
    float64 55 of them. First the axis that is next, then how far from there."""
    if T is float64:
        b = _bits64(seed, block, k, draw) + 2**61
        x = cast(b << 2 & _TOP, 'float64') * 2.0**-64 - 0.5
        return _circle(cast(b >> 62, 'int32'), x * (_TAU / 4), odd, T)
    c = _bits32(seed, block, k, draw)
    q = (c + 2**29) >> 30
    y = cast(cast(c - (q << 30), 'int32'), 'float32') * (_TAU * 2.0**-32)
    return _circle(cast(q, 'int32'), y, odd, T)


def _normal(seed, block, k, draw, T):
    """G. E. P. Box and M. E. Muller, A note on the generation of random normal deviates, Ann. Math.
    Stat. 29 (1958): two of an element's distance and the next one's angle."""
    e = _minus_log(_fraction(seed, block, k & 2, draw, T), T)
    return sqrt(e + e) * _direction(seed, block, k | 1, draw, cast(k & 1, 'int32'), T)


def normal(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float64 of mean 0 and variance 1, within 8.6 of 0."""
    return _normal(seed, i >> 1, i & 1, draw, float64)


def normal32(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float32 of mean 0 and variance 1, within 6.7 of 0."""
    return _normal(seed, i >> 2, i & 3, draw, float32)


def _exponential(seed, block, k, draw, T):
    return _minus_log(_fraction(seed, block, k, draw, T), T)


def exponential(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float64 of mean 1, 36.8 at most."""
    return _exponential(seed, i >> 1, i & 1, draw, float64)


def exponential32(seed: 'uint64', i: 'uint64', draw: 'uint32' = 0):
    """float32 of mean 1, 22.2 at most."""
    return _exponential(seed, i >> 2, i & 3, draw, float32)


def _product_high(a, b):
    """The upper half of a product of two uint64."""
    low = (a & _LOW) * (b & _LOW)
    left = (a >> 32) * (b & _LOW)
    right = (a & _LOW) * (b >> 32)
    middle = (low >> 32) + (left & _LOW) + (right & _LOW)
    return (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32)


def _below(seed, block, k, draw, count: 'uint64'):
    """In [0, count): the product of count and a fraction of 64 bits, or 128 where count has more
    than 32; D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019), without
    its rejection: no number is likelier than another by more than 2**-32 of it."""
    a = _bits64(seed, block, k, draw)
    if count <= _LOW:
        return ((a >> 32) * count + ((a & _LOW) * count >> 32)) >> 32
    carry = _product_high(_bits64(seed, block, k, draw | 2**32), count)
    low = a * count
    return _product_high(a, count) + (1 if low + carry < low else 0)


def integers(seed: 'uint64', i: 'uint64', low: 'int64', high: 'int64', draw: 'uint32' = 0):
    """int64 in [low, high), which holds one at least."""
    return low + cast(_below(seed, i >> 1, i & 1, draw, high - low), 'int64')


def _mixed(x: 'uint64', key):
    """32 bits of all bits of both."""
    h = (x ^ key) * 0x9E3779B97F4A7C15
    return ((h ^ (h >> 32)) * 0xD6E8FEB86659FD93) >> 32


def _stirred(x: 'uint64', bits: 'uint64', w):
    """A bijection of [0, 2**bits): a Feistel network of two halves of 32 bits at most, that differ
    by one at most, and take turns; w has the keys."""
    right = bits >> 1
    one = cast(1, 'uint64')
    left_bits = (one << (bits - right)) - 1
    right_bits = (one << right) - 1
    a = x >> right
    b = x & right_bits
    for r in static_range(6):
        a ^= _mixed(b, w[2*r]) & left_bits
        b ^= _mixed(a, w[2*r + 1]) & right_bits
    return a << right | b


def _bit_length(m):
    """Of a uint64."""
    n = 0
    for k in static_range(6):
        if m >> (32 >> k):
            m = m >> (32 >> k)
            n += 32 >> k
    return n + (1 if m else 0)


def _permuted(seed, i, n: 'uint64', draw: 'uint64'):
    """Those that are no less than n are sent on; that ends, as i is less. R. Mitchell, D. Stokes,
    E. Frank and G. Holmes, Bandwidth-optimal random shuffling for GPUs, ACM TOPC 9 (2022)."""
    v = declare('matrix(4, "uint32")')
    w = declare('matrix(12, "uint32")')
    x = declare('uint64')
    for k in static_range(3):
        philox(v, seed, k, draw | 2**33)
        for m in static_range(4):
            w[4*k + m] = v[m]
    bits = max(_bit_length(n - 1), _LEAST_BITS)
    x = i
    if i < n:
        x = _stirred(x, bits, w)
        while x >= n:
            x = _stirred(x, bits, w)
    return cast(x, 'int64')


def permutation(seed: 'uint64', i: 'uint64', n: 'uint64', draw: 'uint32' = 0):
    """int64: element i of the numbers from 0 to n - 1 in an order that seed and draw choose; i
    where it is not less than n."""
    return _permuted(seed, i, n, draw)
