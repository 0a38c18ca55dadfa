"""Elementary functions of float32 in the language itself, for targets whose own are slow. Nothing
wider than float32 is used, as GPUs may have few units for float64, but for angles that are large or
next to a multiple of pi/2, for erfc and for the gamma function. elementary.py has those of float64,
and says what the two share.

Largest errors: below 1 ULP (erf 0.991, the others at most 0.92). Polynomials are
minimax (E. Remez, Sur le calcul effectif des polynomes d'approximation de Tchebichef, Comptes
rendus 199, 1934), their coefficients rounded one by one.
"""

from cpl.elementary import (_log_special, _nearer, _ordered_sum, _quarter, _reduce_far, _sum,
                            _sum_of_multiple, _tangent)
from cpl.elementary import erfc as _wide_erfc, lgamma as _wide_lgamma, tgamma as _wide_tgamma

_INF = float('inf')
_NAN = float('nan')
# 1.5*2**23: the sum with |x| < 2**22 is x rounded to a whole number, in the last bits.
_WHOLE = 12582912.0
_WHOLE_BITS = 0x4B400000

_LOG2_E = 1.4426950216293335
_LOG2_E_LOW = 1.925963033500011e-08
_LOG10_E = 0.4342944920063019
_LOG10_E_LOW = -1.0103049952192578e-08
# Of 15 bits, so that a product with an exponent is exact, and what is missing.
_LN2_SHORT = 0.693145751953125
_LN2_REST = 1.428606765330187e-06
_LN2 = 0.6931471824645996
_LN2_LOW = -1.904654299957768e-09
_LOG10_2_SHORT = 0.301025390625
_LOG10_2_REST = 4.605039066518657e-06
_PI = 3.1415927410125732
_PI_LOW = -8.742277657347586e-08
_HALF_PI = 1.5707963705062866
_HALF_PI_LOW = -4.371138828673793e-08
_TWO_OVER_PI = 0.6366197466850281
_TWO_THIRDS = 0.6666666865348816
_TWO_THIRDS_LOW = -1.9868215517249155e-08

# (e**r - 1 - r)/r**2, |r| <= ln(2)/2
_EXP = (0.5, 0.166665181517601, 0.04166620597243309, 0.00836895126849413, 0.0013950594002380967)
# (ln(1 + f) - f + f**2/2)/f**3, |f| <= 1/3
_LOG = (0.3333333432674408, -0.24999819695949554, 0.1999959796667099, -0.1667957752943039,
        0.14304456114768982, -0.12195786088705063, 0.10754239559173584, -0.1284504532814026,
        0.12007150053977966)
# (2 atanh(s) - 2 s - 2/3 s**3)/s**5 in s**2, |s| <= 0.172
_LOG_LONG = (0.3999999761581421, 0.28571972250938416, 0.22179728746414185, 0.19556406140327454)
# 1/r to 2**-13, 1 + sqrt(1/2) <= r <= 1 + sqrt(2), and to 2**-5, 0.7 <= r <= 1.67
_INVERSE = (1.9703428745269775, -1.4485392570495605, 0.4709429442882538, -0.05713489651679993)
_INVERSE_TANH = (2.7741539478302, -2.4433822631835938, 0.687308669090271)
# (sin(r) - r)/r**3 and (cos(r) - 1 + r**2/2)/r**4 in r**2, |r| <= pi/4
_SIN = (-0.16666655242443085, 0.008332188241183758, -0.00019518153567332774)
_COS = (0.04166664555668831, -0.0013887309469282627, 2.4432425561826676e-05)
# (sinh(r) - r)/r**3 in r**2, |r| <= 0.7
_SINH = (0.16666673123836517, 0.008332551456987858, 0.00020109294564463198)
# (tanh(r) - r)/r**3 in r**2, |r| <= 0.625
_TANH = (-0.3333328366279602, 0.13331490755081177, -0.05374349281191826, 0.020650571212172508,
         -0.005717027932405472)
# (asin(r) - r)/r**3 in r**2, |r| <= 1/2, and (atan(r) - r)/r**3 in r**2, |r| <= 1
_ASIN = (0.16666752099990845, 0.074953094124794, 0.045469146221876144, 0.024184823036193848,
         0.042158182710409164)
_ATAN = (-0.33333298563957214, 0.1999852955341339, -0.1426401436328888, 0.10950861126184464,
         -0.08399205654859543, 0.05787881463766098, -0.031093459576368332, 0.010866220109164715,
         -0.0017821303335949779)
# erf(r)/r - 1 in r**2, |r| <= 1, and -ln(erfc(r)), 1 <= r <= 4
_ERF = (0.12837916612625122, -0.3761262595653534, 0.11283578723669052, -0.026853347197175026,
        0.005187164526432753, -0.0007997884531505406, 7.807045039953664e-05)
_ERFC = (-0.00018803158309310675, 1.1295783519744873, 0.6332200765609741, 0.10841836035251617,
         -0.0252081211656332, 0.004204518627375364, -0.0004413303395267576, 2.1686686523025855e-05)


def _power(k):
    """2**k, -126 <= k <= 127."""
    return bits((k + 127) << 23, 'float32')


def _scale(x, k):
    """x*2**k, rounded once, for a normal x and |k| below 250."""
    half = k >> 1
    return x*_power(half)*_power(k - half)


# Exponentials.

def _exp_reduced(h, l):
    """k, s, t: h + l = k*ln(2) + s + t, t in the last bits of s. |h| is below 150."""
    v = fma(h, _LOG2_E, _WHOLE)
    n = v - _WHOLE
    s, t = _ordered_sum(fma(-n, _LN2_SHORT, h), fma(-n, _LN2_REST, l))
    return bits(v, 'int32') - _WHOLE_BITS, s, t


def _exp_rest(s, t):
    """e**(s + t) - 1 - s, |s| <= ln(2)/2."""
    p = _EXP[4]
    for k in static_range(4):
        p = fma(s, p, _EXP[3 - k])
    return fma(s*s, p, fma(t, s, t))


def _exp_once(h, l):
    """e**(h + l), rounded once."""
    k, s, t = _exp_reduced(h, l)
    p, q = _ordered_sum(1.0, s)
    return _scale(p + (q + _exp_rest(s, t)), k)


def exp(x: 'float32'):
    return _exp_once(min(max(x, -120.0), 120.0), 0.0)


def exp2(x: 'float32'):
    v = min(max(x, -160.0), 160.0)
    w = v + _WHOLE
    r = v - (w - _WHOLE)
    s = r*_LN2
    p, q = _ordered_sum(1.0, s)
    q += _exp_rest(s, fma(r, _LN2_LOW, fma(r, _LN2, -s)))
    return _scale(p + q, bits(w, 'int32') - _WHOLE_BITS)


def _half_exp(a):
    """e**a/2 as 2**k*(p + q), and e**-a/2 as 2**k*r. 0 <= a <= 95."""
    k, s, t = _exp_reduced(a, 0.0)
    p, q = _ordered_sum(1.0, s)
    q += _exp_rest(s, t)
    u = _power(max(-k, -60))
    return k - 1, p, q, u/(p + q)*u


def sinh(x: 'float32'):
    a = abs(x)
    if a < 0.7:
        z = x*x
        p = fma(z, fma(z, _SINH[2], _SINH[1]), _SINH[0])
        return fma(x*z, p, x)
    k, p, q, r = _half_exp(min(a, 95.0))
    s, t = _ordered_sum(p, -r)
    return copysign(_scale(s + (t + q), k), x)


def cosh(x: 'float32'):
    k, p, q, r = _half_exp(min(abs(x), 95.0))
    s, t = _sum(p, r)
    return _scale(s + (t + q), k)


def _tanh_far(a):
    """1 - 2/(e**v + 1), v = 2 a and a >= 0.625: all times 2**-k, the denominator in two words."""
    v = 2.0*min(a, 12.0)
    w = fma(v, _LOG2_E, _WHOLE)
    n = w - _WHOLE
    s = fma(-n, _LN2_REST, fma(-n, _LN2_SHORT, v))
    p = _EXP[4]
    for j in static_range(4):
        p = fma(s, p, _EXP[3 - j])
    u = _power(_WHOLE_BITS - bits(w, 'int32'))
    d, c = _ordered_sum(1.0 + u, fma(s*s, p, s))
    r = _nearer(d, fma(d, fma(d, _INVERSE_TANH[2], _INVERSE_TANH[1]), _INVERSE_TANH[0]))
    return fma(-2.0*u, fma(fma(-c, r, fma(-d, r, 1.0)), r, r), 1.0)


def tanh(x: 'float32'):
    a = abs(x)
    z = a*a
    p = _TANH[4]
    for j in static_range(4):
        p = fma(z, p, _TANH[3 - j])
    return copysign(fma(a*z, p, a) if a < 0.625 else _tanh_far(a), x)


# Logarithms and powers.

def _split(x, least):
    """k and m: x = 2**k*m, m from the number with the bits least to twice of that; any where x is
    not positive and finite."""
    small = x < 1.1754943508222875e-38
    b = bits(x*33554432.0 if small else x, 'int32')
    k = (b - least) >> 23
    return (k - 25 if small else k), bits(b - (k << 23), 'float32')


def _log_near(f):
    """ln(1 + f) in two words, |f| <= 1/3."""
    p = _LOG[8]
    for k in static_range(8):
        p = fma(f, p, _LOG[7 - k])
    z = f*f
    h, l = _ordered_sum(f, -0.5*z)
    return h, fma(z, f*p, fma(-0.5, fma(f, f, -z), l))


def _split_third(x):
    return _split(x, 0x3F2AAAAB)


def log(x: 'float32'):
    good = x > 0.0 and x < _INF
    k, m = _split_third(x)
    n = cast(k, 'float32')
    h, l = _log_near(m - 1.0)
    s, t = _sum_of_multiple(n, _LN2_SHORT, h)
    return s + (t + fma(n, _LN2_REST, l)) if good else _log_special(x)


def log1p(x: 'float32'):
    good = x > -1.0 and x < _INF
    v = x if good else 0.0
    u, c = _sum(1.0, v)
    k, m = _split_third(u)
    c = c*_power(-k) if k < 64 else 0.0
    n = cast(k, 'float32')
    f = m - 1.0
    # ln(m + c) - ln(m)
    c = fma(c, fma(f, f, fma(-0.5, c, -f)), c)
    h, l = _log_near(f)
    s, t = _sum_of_multiple(n, _LN2_SHORT, h)
    r = s + (t + (fma(n, _LN2_REST, l) + c))
    return (x if x == 0.0 else r) if good else _log_special(x + 1.0)


def log2(x: 'float32'):
    good = x > 0.0 and x < _INF
    k, m = _split_third(x)
    h, l = _log_near(m - 1.0)
    p = h*_LOG2_E
    q = fma(h, _LOG2_E, -p) + fma(h, _LOG2_E_LOW, l*_LOG2_E)
    s, t = _ordered_sum(cast(k, 'float32'), p)
    return s + (t + q) if good else _log_special(x)


def log10(x: 'float32'):
    good = x > 0.0 and x < _INF
    k, m = _split_third(x)
    n = cast(k, 'float32')
    h, l = _log_near(m - 1.0)
    p = h*_LOG10_E
    q = fma(h, _LOG10_E, -p) + fma(h, _LOG10_E_LOW, l*_LOG10_E)
    s, t = _sum_of_multiple(n, _LOG10_2_SHORT, p)
    return s + (t + fma(n, _LOG10_2_REST, q)) if good else _log_special(x)


def _log_whole(x):
    """ln(x) in two words, for a positive finite x: 2 atanh(s), s = (m - 1)/(m + 1)."""
    k, m = _split(x, 0x3F3504F3)
    f = m - 1.0
    d, e = _ordered_sum(1.0, m)
    r = _INVERSE[3]
    for j in static_range(3):
        r = fma(d, r, _INVERSE[2 - j])
    r = _nearer(d, r)
    s = f*r
    t = fma(-s, e, fma(-s, d, f))*r
    z = s*s
    y = fma(2.0*s, t, fma(s, s, -z))
    p = _LOG_LONG[3]
    for j in static_range(3):
        p = fma(z, p, _LOG_LONG[2 - j])
    g = z*p
    h, l = _ordered_sum(_TWO_THIRDS, g)
    l += fma(y, p, fma(z, p, -g)) + _TWO_THIRDS_LOW
    a = s*z
    b = fma(s, y, fma(t, z, fma(s, z, -a)))
    p = a*h
    u, v = _sum_of_multiple(s, 2.0, p)
    l = v + fma(2.0, t, fma(a, l, fma(b, h, fma(a, h, -p))))
    n = cast(k, 'float32')
    s, t = _sum_of_multiple(n, _LN2_SHORT, u)
    return _ordered_sum(s, fma(n, _LN2_REST, t + l))


def _pow_special(x, y, r):
    """x**y where x is not positive and finite, or y is not finite; r: |x|**y where both are."""
    a = abs(x)
    whole = abs(y) >= 8388608.0 or rint(y) == y
    odd = whole and abs(y) < 16777216.0 and (cast(y, 'int32') & 1) == 1
    if not (a > 0.0 and a < _INF and abs(y) < _INF):
        grows = (y > 0.0) == (a > 1.0)
        r = _NAN if isnan(x) or isnan(y) else (1.0 if a == 1.0 else (_INF if grows else 0.0))
    elif x < 0.0 and not whole:
        r = _NAN
    r = -r if odd and bits(x, 'int32') < 0 else r
    return 1.0 if x == 1.0 or y == 0.0 else r


def pow(x: 'float32', y: 'float32'):
    h, l = _log_whole(abs(x))
    p = y*h
    q = fma(y, l, fma(y, h, -p))
    r = _exp_once(p, q)
    r = _INF if p > 120.0 else (0.0 if p < -120.0 else r)
    return r if x > 0.0 and x < _INF and abs(y) < _INF else _pow_special(x, y, r)


# Angles.

def _reduce(x):
    """q, and x - q*pi/2 in two words, at most pi/4. What the product with the first word of pi/2
    rounds off goes with the product with the second."""
    v = fma(x, _TWO_OVER_PI, _WHOLE)
    n = v - _WHOLE
    p = n*_HALF_PI
    s = x - p
    r = fma(n, _HALF_PI_LOW, fma(n, _HALF_PI, -p))
    h = s - r
    if abs(x) < 131072.0 and abs(h) >= 16.0*abs(r):
        return bits(v, 'int32') - _WHOLE_BITS, h, (s - h) - r
    if abs(x) < _INF:
        q, a, b = _reduce_far(cast(x, 'float64'))
        h = cast(a, 'float32')
        return q, h, cast((a - h) + b, 'float32')
    return cast(0, 'int32'), _NAN, _NAN


def _sine(h, l):
    """sin(h + l) in two words, |h| <= pi/4 and l in its last bits."""
    z = h*h
    p = fma(z, fma(z, _SIN[2], _SIN[1]), _SIN[0])
    return h, fma(h*z, p, fma(-0.5*z, l, l))


def _cosine(h, l):
    """cos(h + l) likewise."""
    z = h*h
    p = fma(z, fma(z, _COS[2], _COS[1]), _COS[0])
    half = 0.5*z
    w = 1.0 - half
    low = fma(h, l, 0.5*fma(h, h, -z))
    return w, ((1.0 - w) - half) + fma(z*z, p, -low)


def _turned(q, r):
    return -r if q & 2 else r


def sin(x: 'float32'):
    q, h, l = _reduce(x)
    return _turned(q, _quarter(_sine, _cosine, q, h, l))


def cos(x: 'float32'):
    q, h, l = _reduce(x)
    q += 1
    return _turned(q, _quarter(_sine, _cosine, q, h, l))


def tan(x: 'float32'):
    q, h, l = _reduce(x)
    s, t = _sine(h, l)
    c, d = _cosine(h, l)
    return _tangent(x, q, s, t, c, d)


def _angle(a, b):
    """The angle between the first axis and the point (b, a) in two words; both are positive."""
    steep = a > b
    p = b if steep else a
    u = a if steep else b
    r = 1.0/u
    s = p*r
    t = fma(-s, u, p)*r
    z = s*s
    p = _ATAN[8]
    for k in static_range(7):
        p = fma(z, p, _ATAN[7 - k])
    u = z*p
    q, v = _ordered_sum(_ATAN[0], u)
    v += fma(z, p, -u)
    y = s*z
    t = fma(fma(s, z, -y) + s*fma(s, s, -z), q, fma(-0.5*z, t, t))
    t = fma(y, q, fma(y, v, t))
    h, l = _ordered_sum(_HALF_PI, -s)
    return (h, l + (_HALF_PI_LOW - t)) if steep else (s, t)


def atan(x: 'float32'):
    h, l = _angle(min(abs(x), 1073741824.0), 1.0)
    return x if abs(x) < 1e-10 else copysign(h + l, x)


def atan2(y: 'float32', x: 'float32'):
    a = abs(y)
    b = abs(x)
    plain = min(a, b) > 1e-15 and max(a, b) < 1e15
    shallow = upright = False
    s = a
    if not plain:
        if a == _INF or (b == 0.0 and a > 0.0):
            b = 1.0 if b == _INF else 0.0
            a = 1.0
        elif b == _INF or a == 0.0:
            a = 0.0
            b = 1.0
        shallow = a < b*9.313225746154785e-10
        upright = b < a*9.313225746154785e-10
        unit = _power(-64 if max(a, b) > 1.0 else 64)
        if shallow:
            s = a/b
        a = 1.0 if shallow or upright else a*unit
        b = 1.0 if shallow or upright else b*unit
    h, l = _angle(a, b)
    if shallow or upright:
        h = s if shallow else _HALF_PI
        l = 0.0 if shallow else _HALF_PI_LOW
    if bits(x, 'int32') < 0:
        h, t = _sum(_PI, -h)
        l = t + (_PI_LOW - l)
    return x + y if isnan(x) or isnan(y) else copysign(h + l, y)


def _asin_parts(a):
    """asin(s) in two words: s and the rest; s is a up to 1/2, beyond sqrt((1 - a)/2)."""
    z = a*a if a <= 0.5 else 0.5*(1.0 - a)
    s = a if a <= 0.5 else sqrt(z)
    t = 0.0 if a <= 0.5 or s == 0.0 else 0.5*fma(-s, s, z)/s
    p = _ASIN[4]
    for k in static_range(4):
        p = fma(z, p, _ASIN[3 - k])
    return s, fma(s*z, p, t)


def asin(x: 'float32'):
    a = abs(x)
    s, t = _asin_parts(a)
    h, l = _sum(_HALF_PI, -2.0*s)
    r = s + t if a <= 0.5 else h + (l + (_HALF_PI_LOW - 2.0*t))
    return x if x == 0.0 else copysign(r, x) if a <= 1.0 else _NAN


def acos(x: 'float32'):
    a = abs(x)
    s, t = _asin_parts(a)
    if a <= 0.5:
        h, l = _sum(_HALF_PI, -copysign(s, x))
        return h + (l + (_HALF_PI_LOW - copysign(1.0, x)*t))
    h, l = _sum(_PI, -2.0*s)
    r = h + (l + 2.0*(_HALF_PI_LOW - t)) if x < 0.0 else 2.0*(s + t)
    return r if a <= 1.0 else _NAN


# The error functions.

def erf(x: 'float32'):
    a = abs(x)
    z = x*x
    p = _ERF[6]
    for k in static_range(6):
        p = fma(z, p, _ERF[5 - k])
    v = min(a, 4.0)
    q = _ERFC[7]
    for k in static_range(6):
        q = fma(v, q, _ERFC[6 - k])
    s = v*q
    h, l = _ordered_sum(s, _ERFC[0])
    l += fma(v, q, -s)
    return fma(x, p, x) if a < 1.0 else copysign(1.0 - _exp_once(-h, -l), x)


def erfc(x: 'float32'):
    return cast(_wide_erfc(cast(x, 'float64')), 'float32')


# The gamma function.

def tgamma(x: 'float32'):
    return cast(_wide_tgamma(cast(x, 'float64')), 'float32')


def lgamma(x: 'float32'):
    return cast(_wide_lgamma(cast(x, 'float64')), 'float32')
