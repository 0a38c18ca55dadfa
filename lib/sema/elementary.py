"""The elementary functions of float64 in the language itself, so that they have the same bits on
every target, in every vector and in the interpreter: nothing but sums, products, quotients, square
roots and fma, which round alike everywhere. The option reproducible computes all mathematics with
them; narrower floats are widened first and rounded once at the end.

Values are carried in two words (h + l, after T. J. Dekker, A floating-point technique for extending
the available precision, Numerische Mathematik 18, 1971) where one would cost the last bit. Largest
errors stay below 0.92 ULP, those of float32 below 0.501; that of lgamma next to its zeros below -2
is as small against its largest term. Zeros, infinities and NaN as C23, annex F.

Polynomials are minimax, by N. Brisebarre and S. Chevillard's fpminimax in Sollya or E. Remez's
exchange; the comment in front names what is approximated and where.
"""

_INF = float('inf')
_NAN = float('nan')
_LOW = 0xFFFFFFFF
# 1.5*2**52: the sum with |x| < 2**51 is x rounded to a whole number, in the last bits.
_WHOLE = 6755399441055744.0
_WHOLE_BITS = 0x4338000000000000

_LOG2_E = 1.4426950408889634
_LOG2_E_LOW = 2.0355273740931033e-17
_LOG10_E = 0.4342944819032518
_LOG10_E_LOW = 1.098319650216765e-17
_LN2 = 0.6931471805599453
_LN2_LOW = 2.3190468138462996e-17
# Of 42 bits, so that a product with an exponent is exact, and what is missing.
_LN2_SHORT = 0.6931471805598903
_LN2_REST = 5.497923018708371e-14
_LOG10_2_SHORT = 0.30102999566395283
_LOG10_2_REST = 2.8363394551044964e-14
_HALF_PI = 1.5707963267948966
_HALF_PI_LOW = 6.123233995736766e-17
_TWO_OVER_PI = 0.6366197723675814
# pi/2: 33 bits, so that a product with a number below 2**20 is exact, and what is missing.
_HALF_PI_1 = 1.5707963267341256
_HALF_PI_2 = 6.077100506506192e-11
# 2/pi: two words of 32 bits in front of the point's, then those behind it.
_TWO_OVER_PI_BITS = (
    0, 0, 2734261102, 1313084713, 4230436817, 4113882560, 3680671129, 1011060801, 4266746795,
    3736847713, 3072618042, 1112396512, 105459434, 164729372, 4263373596, 2972297022, 3900847605,
    784024708, 3919343654, 3026157121, 965858873, 2203269620, 2625920907, 3187222587, 536385535,
    3724908559, 4012839307, 1510632735, 1832287951, 667617719, 1330003814, 2657085997, 1965537991,
    3957715323, 1023883767, 2320667370, 1811636145, 529358088, 1443049542, 4235946923)

# (e**r - 1 - r)/r**2, |r| <= ln(2)/2
_EXP = (0.5, 0.1666666666666667, 0.04166666666666664, 0.008333333333325843, 0.0013888888888909687,
        0.0001984126987568367, 2.4801587261728242e-05, 2.755725441506462e-06,
        2.755733585824149e-07, 2.5105598533665254e-08, 2.0893719371202486e-09)
# (e**r - 1 - r - r**2/2)/r**3, |r| <= 0.3
_EXPM1 = (0.16666666666666666, 0.04166666666666666, 0.008333333333333937, 0.0013888888888901759,
          0.00019841269843941467, 2.480158725432044e-05, 2.75573002708079e-06,
          2.755737795978294e-07, 2.508360090312212e-08, 2.0863783169670426e-09)
# (2 atanh(s) - 2 s - 2/3 s**3 - 2/5 s**5)/s**7 in s**2, |s| <= 0.172
_LOG = (0.2857142857142857, 0.22222222222224763, 0.1818181818062984, 0.15384615634207813,
        0.13333305541612822, 0.11766458811120836, 0.10463589720541513, 0.10701914890978075)
# (2 atanh(s) - 2 s)/s**3 in s**2, likewise
_LOG_ALONE = (0.6666666666666734, 0.39999999999416636, 0.2857142874202823, 0.22222198605208343,
              0.18183562835281408, 0.15314085421140763, 0.14795626359226188)
# 1/r to 2**-13, 1 + sqrt(1/2) <= r <= 1 + sqrt(2)
_INVERSE = (1.9703428497507491, -1.4485391794581663, 0.47094289598243594, -0.057134889824118525)
# The bits of 1/r, 0.35 <= r <= 0.84, to 5 % by those of r: -log(r) as both read them.
_INVERSE_BITS = 0x7FDE620000000000
# (sin(r) - r)/r**3 and (cos(r) - 1 + r**2/2)/r**4 in r**2, |r| <= pi/4
_SIN = (-0.16666666666666666, 0.008333333333332915, -0.00019841269840729033,
        2.7557318923462436e-06, -2.505202681633693e-08, 1.6048297224639511e-10,
        -7.079317499217583e-13)
_COS = (0.041666666666666664, -0.0013888888888887846, 2.4801587300243528e-05,
        -2.7557318480914864e-07, 2.0876556979511775e-09, -1.1444833411461382e-11,
        3.475090278034799e-14)
# (sinh(r) - r)/r**3 in r**2, |r| <= 0.3
_SINH = (0.16666666666666666, 0.00833333333333538, 0.00019841269828595046, 2.7557351254973917e-06,
         2.5016693025556552e-08, 3.030521044905573e-10)
# (tanh(r) - r)/r**3 in r**2, |r| <= 0.7, a quotient of half its parts; and
# (e**(2 r) - 1 - 2 r)/(2 r**2), |r| <= ln(2)/4
_TANH = (-0.16666666666666666, -0.010247614433766174, -9.950995456884701e-05)
_TANH_BELOW = (0.5, 0.23074284330129313, 0.011643286231973147, 0.00010318218992469907)
_EXP_TANH = (1.0000000000000024, 0.666666666666668, 0.33333333333212434, 0.13333333333291564,
             0.04444444463033626, 0.01269841274709484, 0.003174590717707007, 0.0007054647383551117,
             0.00014147207800128823, 2.572067668272089e-05)
# (asin(r) - r)/r**3 in r**2, |r| <= 1/2, and (atan(r) - r)/r**3 in r**2, |r| <= 1
_ASIN = (0.16666666666666669, 0.07499999999998051, 0.04464285714693226, 0.030381944099944262,
         0.02237217434434137, 0.017352361882277557, 0.013971649249311663, 0.011475077541419172,
         0.010348669452202775, 0.005349372346986764, 0.017688507370902384, -0.01529230421571733,
         0.029053344016981765)
_ATAN = (-0.3333333333333307, 0.19999999999951756, -0.14285714282583897, 0.11111111007077168,
         -0.09090907000870448, 0.0769227978507045, -0.06666403408850519, 0.05880522883599959,
         -0.05253492327527133, 0.047222199416567086, -0.042188787281130326, 0.036635180344116294,
         -0.0298922637953086, 0.02196952040274784, -0.013885128680513637, 0.007184896536096819,
         -0.002878601872019293, 0.0008289729321924457, -0.000151626964069128, 1.3169133426146376e-05)
# (asinh(r) - r)/r**3 and (atanh(r) - r)/r**3 in r**2, |r| <= 1/2
_ASINH = (-0.16666666666666666, 0.07499999999998747, -0.04464285714042401, 0.030381944259184366,
          -0.022372151788495793, 0.017352594005733486, -0.013962308583729956, 0.011526752981969864,
          -0.009594049474492713, 0.007630028403237604, -0.005005684627550484, 0.001894821045657104)
_ATANH = (0.3333333333333334, 0.19999999999987506, 0.14285714288460663, 0.11111110874229306,
          0.09090919684992142, 0.07692026561459928, 0.06671434673066458, 0.058285047899527084,
          0.05675511550353574, 0.026259839479123574, 0.11628743340089287, -0.11217592008318862,
          0.1992321994197975)
# r**(1/3), 1 <= r <= 8
_CBRT = (0.6272947085889504, 0.4491937742223548, -0.08377510449449234, 0.009583824054837277,
         -0.0004321011555735151)
# erf(r)/r - 1 in r**2, |r| <= 1
_ERF = (0.1283791670955126, -0.3761263890318386, 0.11283791670957921, -0.026866170645473243,
        0.005223977627777312, -0.0008548327119973009, 0.0001205533545023688,
        -1.4925687275053747e-05, 1.6462334070535936e-06, -1.6363316349475335e-07,
        1.4741326524956392e-08, -1.166988223414056e-09, 6.434572101415691e-11)
# erfc(r)*e**(r**2) in 1/(1 + r/2) - 0.45, 1 <= r <= 6
_ERFC = (0.21501513724964808, 0.7624103866942082, 0.8730283721095476, 0.614448146763557,
         0.11313139162639915, -0.20120487103997087, -0.0964638191376533, 0.1129057914433201,
         0.05315954403139893, -0.09411883349730815, -0.011484697020522064, 0.08550192347534653,
         -0.03427249158611415, -0.061989628440397564, 0.08210472352810011, 0.010690791222734454,
         -0.15529837381005548, 0.057031809904358216, 0.36630432970999594, -0.16443054386226783)
# erfc(1.375 + r)*e**((1.375 + r)**2), |r| <= 0.625
_ERFC_NEAR = (0.3432958898621254, -0.18431546997466777, 0.08986211864695609, -0.04050337122340242,
              0.01708499160746588, -0.006804603105257517, 0.0025762207772073355,
              -0.0009320855815314126, 0.00032365080264588176, -0.00010823683515939632,
              3.4964830202116796e-05, -1.093815722791888e-05, 3.3216861691778625e-06,
              -9.804192080259838e-07, 2.797192349419902e-07, -7.864878793565901e-08,
              2.4495069435379105e-08, -6.432133994656301e-09)
_ERFC_NEAR_LOW = -9.298282402219424e-18
# erfc(r)*e**(r**2)*(1 + 2 r) in (r - 3.75)/(r + 3.75), 2 <= r <= 28
_ERFC_FAR = (1.2375126308378275, -0.14024059858554688, 0.0035854154854661003, 0.08227673849011716,
             -0.10880393014194761, 0.09230432116279716, -0.058693398583396, 0.028362277331931245,
             -0.009746579576845433, 0.0017556273444736799, 0.00029371170850137003,
             -0.0002901654535746159, 5.168025645562093e-05, 2.2401485926024737e-05,
             -1.1599609349827348e-05, -8.067541298901982e-07, 1.863446621685388e-06,
             -4.2179575009922527e-07)
_ERFC_FAR_LOW = 1.0185694106188929e-16
# (ln(gamma(r)) - (r - 1/2)*(ln(r) - 1) - (ln(2 pi) - 1)/2)*r in 1/r**2, r >= 8
_STIRLING = (0.08333333333333333, -0.0027777777777741003, 0.0007936507898355585,
             -0.0005952366071162396, 0.0008414728669380262, -0.0018905408298981376,
             0.005069265392352649)
_STIRLING_END = 0.4189385332046727
_STIRLING_END_LOW = 1.6728209650585413e-17
# (ln(gamma(1 + r)) - r*slope)/r**2 and (ln(gamma(2 + r)) - r*slope)/r**2, |r| <= 1/8
_LGAMMA_1 = (0.8224670334241132, -0.4006856343865282, 0.27058080842776466, -0.20738555103446757,
             0.16955717701542092, -0.14404989380990396, 0.12550966331482094, -0.11133491302074527,
             0.10010048837904896, -0.09088533457976812, 0.08326531383999075, -0.08041541269271728,
             0.07521335319235418)
_LGAMMA_2 = (0.32246703342411326, -0.06735230105319827, 0.02058080842766406, -0.007385551028485305,
             0.00289051039238546, -0.0011927539707732044, 0.0005096584898571176,
             -0.00022314705954243753, 0.0001002630699932784, -4.537155937078249e-05)
_LGAMMA_MOST = 2.5563481638716906e+305
_EULER = 0.5772156649015329
_EULER_LOW = 4.942915152430645e-18
_LN_PI = 1.1447298858494002
_LN_PI_LOW = 1.0265951162707826e-17


def _sum(a, b):
    """a + b in two words."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def _ordered_sum(a, b):
    """The same where a is 0 or not smaller than b."""
    s = a + b
    return s, b - (s - a)


def _sum_of_multiple(n, c, x):
    """n*c + x in two words, n*c exact, and 0 or not smaller than x."""
    s = fma(n, c, x)
    return s, fma(n, c, -s) + x


def _power(k):
    """2**k, -1022 <= k <= 1023."""
    return bits(cast(k + 1023, 'int64') << 52, 'float64')


def _scale(x, k):
    """x*2**k, rounded once, for a normal x and |k| below 2000."""
    half = k >> 1
    return x*_power(half)*_power(k - half)


def _nearest(v):
    """A whole number that was added to _WHOLE, and the same as an integer below 2**31."""
    return v - _WHOLE, cast(bits(v, 'int64'), 'int32')


def _as_float(k):
    """An int32: few vectors convert integers."""
    return bits(_WHOLE_BITS + k, 'float64') - _WHOLE


def _nearer(d, r):
    """1/d from r, whose error relative to it becomes its third power."""
    e = fma(-d, r, 1.0)
    return fma(r, fma(e, e, e), r)


# Exponentials.

def _exp_rest(s, t):
    """e**(s + t) - 1 - s, |s| <= ln(2)/2 and t in its last bits."""
    p = _EXP[10]
    for k in static_range(10):
        p = fma(s, p, _EXP[9 - k])
    return fma(s*s, p, fma(t, s, t))


def _exp_near(s, t):
    """e**(s + t) in two words, the second up to a tenth of the first."""
    h, l = _ordered_sum(1.0, s)
    return h, l + _exp_rest(s, t)


def _exp_reduced(h, l):
    """k, s, t: h + l = k*ln(2) + s + t. |h| is below 1000."""
    n, k = _nearest(fma(h, _LOG2_E, _WHOLE))
    s, t = _ordered_sum(fma(-n, _LN2_SHORT, h), fma(-n, _LN2_REST, l))
    return k, s, t


def _exp_parts(h, l):
    """e**(h + l) as k and two words p, q: 2**k*(p + q). |h| is below 1000."""
    k, s, t = _exp_reduced(h, l)
    p, q = _exp_near(s, t)
    p, q = _ordered_sum(p, q)
    return k, p, q


def _exp_once(h, l):
    """e**(h + l), rounded once."""
    k, s, t = _exp_reduced(h, l)
    p, q = _exp_near(s, t)
    return _scale(p + q, k)


def _clamp(x, most):
    return min(max(x, -most), most)


def exp(x: 'float64'):
    return _exp_once(_clamp(x, 800.0), 0.0)


def exp2(x: 'float64'):
    v = _clamp(x, 1200.0)
    n, k = _nearest(v + _WHOLE)
    r = v - n
    s = r*_LN2
    p, q = _exp_near(s, fma(r, _LN2, -s) + r*_LN2_LOW)
    return _scale(p + q, k)


def expm1(x: 'float64'):
    if abs(x) < 0.3:
        p = _EXPM1[9]
        for k in static_range(9):
            p = fma(x, p, _EXPM1[8 - k])
        return x if x == 0.0 else x + x*x*fma(x, p, 0.5)
    n, p, q = _exp_parts(_clamp(x, 800.0), 0.0)
    one = _power(-n) if abs(n) < 64 else 0.0
    h, l = _sum(p, -one)
    return -1.0 if x < -40.0 else _scale(h + (l + q), n)


def _exp_whole(a):
    """e**a in two words, 0 <= a <= 100."""
    k, p, q = _exp_parts(a, 0.0)
    return p*_power(k), q*_power(k)


def _times(a, b, c, d):
    """(a + b)*(c + d) in two words."""
    p = a*c
    return p, fma(a, c, -p) + fma(a, d, b*c)


def _over(a, b, c, d):
    """(a + b)/(c + d) in two words."""
    q = a/c
    return q, (fma(-q, c, a) + fma(-q, d, b))/c


def _inverse(h, l):
    """1/(h + l) in two words."""
    q = 1.0/h
    return q, (fma(-q, h, 1.0) - q*l)*q


def sinh(x: 'float64'):
    a = abs(x)
    if a < 0.3:
        z = x*x
        p = _SINH[5]
        for k in static_range(5):
            p = fma(z, p, _SINH[4 - k])
        return x if x == 0.0 else x + x*z*p
    if a > 40.0:
        k, p, q = _exp_parts(min(a, 800.0), 0.0)
        return copysign(_scale(p + q, k - 1), x)
    h, l = _exp_whole(a)
    u, v = _inverse(h, l)
    s, t = _sum(h, -u)
    return copysign(0.5*(s + (t + (l - v))), x)


def cosh(x: 'float64'):
    a = abs(x)
    if a > 40.0:
        k, p, q = _exp_parts(min(a, 800.0), 0.0)
        return _scale(p + q, k - 1)
    h, l = _exp_whole(a)
    u, v = _inverse(h, l)
    s, t = _sum(h, u)
    return 0.5*(s + (t + (l + v)))


def _tanh_far(a):
    """1 - 2/(e**(2 a) + 1), a >= 0.7: the quotient's numerator and, in two words, its denominator,
    both times 2**(-k - 1)."""
    m = min(a, 20.0)
    n, k = _nearest(fma(m, 2.0*_LOG2_E, _WHOLE))
    s = fma(-n, 0.5*_LN2_REST, fma(-n, 0.5*_LN2_SHORT, m))
    p = _EXP_TANH[9]
    for j in static_range(9):
        p = fma(s, p, _EXP_TANH[8 - j])
    u = _power(-k)
    d, c = _ordered_sum(fma(0.5, u, 0.5), fma(s*s, p, s))
    return -u, d, c


def tanh(x: 'float64'):
    """The parts below 0.7 and above it share the division: their lanes are next to each other."""
    a = abs(x)
    if a < 0.7:
        z = a*a
        n = a*z*fma(z, fma(z, _TANH[2], _TANH[1]), _TANH[0])
        d = fma(z, fma(z, fma(z, _TANH_BELOW[3], _TANH_BELOW[2]), _TANH_BELOW[1]), _TANH_BELOW[0])
        c = 0.0
        whole = a
    else:
        n, d, c = _tanh_far(a)
        whole = 1.0
    r = _nearer(d, _nearer(d, bits(_INVERSE_BITS - bits(d, 'int64'), 'float64')))
    return copysign(fma(n, fma(fma(-c, r, fma(-d, r, 1.0)), r, r), whole), x)


# Logarithms and powers.

def _split(x):
    """k and m: x = 2**k*m, m from sqrt(1/2) to sqrt(2) but for 2**-20, for a positive finite x; any
    for others."""
    small = x < 2.2250738585072014e-308
    b = bits(x*18014398509481984.0 if small else x, 'int64')
    k = (cast(b >> 32, 'int32') - 0x3FE6A09E) >> 20
    return (k - 54 if small else k), bits(b - (cast(k, 'int64') << 52), 'float64')


def _inverse_of_sum(d):
    """1/d, sqrt(1/2) <= d - 1 <= sqrt(2)."""
    r = _INVERSE[3]
    for k in static_range(3):
        r = fma(d, r, _INVERSE[2 - k])
    r = _nearer(d, r)
    return fma(fma(-d, r, 1.0), r, r)


def _log_words(m, c):
    """ln(m + c), sqrt(1/2) <= m < sqrt(2) and c in its last bits, in two words, the second up to a
    hundredth of the first: 2 atanh(s), s = (m + c - 1)/(m + c + 1)."""
    f = m - 1.0
    d, e = _ordered_sum(1.0, m)
    r = _inverse_of_sum(d)
    s = f*r
    t = (fma(-s, d, f) + (c - s*(e + c)))*r
    z = s*s
    y = fma(2.0*s, t, fma(s, s, -z))
    p = _LOG[7]
    for k in static_range(7):
        p = fma(z, p, _LOG[6 - k])
    u = fma(z, p, 0.4)
    g = z*u
    h, l = _ordered_sum(0.6666666666666666, g)
    l += fma(y, u, fma(z, u, -g)) + 3.700743415417188e-17
    a = s*z
    b = fma(s, y, fma(t, z, fma(s, z, -a)))
    p = a*h
    u, v = _sum_of_multiple(s, 2.0, p)
    return u, v + fma(2.0, t, fma(a, l, fma(b, h, fma(a, h, -p))))


def _log_near(m, c):
    """The same, the second in the last bits of the first."""
    h, l = _log_words(m, c)
    return _ordered_sum(h, l)


def _log_special(x):
    """The logarithm of what is not positive and finite."""
    return x if x > 0.0 else (-_INF if x == 0.0 else _NAN)


def log(x: 'float64'):
    """k ln(2) + f - f**2/2 + s*(f**2/2 + (2 atanh(s) - 2 s)/s), f = m - 1 and s = f/(2 + f)."""
    good = x > 0.0 and x < _INF
    k, m = _split(x)
    n = _as_float(k)
    f = m - 1.0
    d = m + 1.0
    r = _inverse_of_sum(d)
    s = f*r
    z = s*s
    p = _LOG_ALONE[6]
    for k in static_range(6):
        p = fma(z, p, _LOG_ALONE[5 - k])
    half = 0.5*f
    w = fma(s, fma(half, f, z*p), n*_LN2_REST)
    h, l = _sum_of_multiple(n, _LN2_SHORT, f)
    return h + (l + fma(-half, f, w)) if good else _log_special(x)


def log1p(x: 'float64'):
    good = x > -1.0 and x < _INF
    v = x if good else 0.0
    u, c = _sum(1.0, v)
    k, m = _split(u)
    h, l = _log_near(m, c*_power(-k) if k < 64 else 0.0)
    n = _as_float(k)
    s, t = _sum_of_multiple(n, _LN2_SHORT, h)
    r = s + (t + fma(n, _LN2_REST, l))
    return (x if abs(x) < 5e-17 else r) if good else _log_special(x + 1.0)


def log2(x: 'float64'):
    good = x > 0.0 and x < _INF
    k, m = _split(x)
    h, l = _log_near(m, 0.0)
    p = h*_LOG2_E
    q = fma(h, _LOG2_E, -p) + (h*_LOG2_E_LOW + l*_LOG2_E)
    s, t = _ordered_sum(_as_float(k), p)
    return s + (t + q) if good else _log_special(x)


def log10(x: 'float64'):
    good = x > 0.0 and x < _INF
    k, m = _split(x)
    h, l = _log_near(m, 0.0)
    p = h*_LOG10_E
    q = fma(h, _LOG10_E, -p) + (h*_LOG10_E_LOW + l*_LOG10_E)
    n = _as_float(k)
    s, t = _sum_of_multiple(n, _LOG10_2_SHORT, p)
    return s + (t + fma(n, _LOG10_2_REST, q)) if good else _log_special(x)


def _log_scaled(k, m, c):
    """k ln(2) + ln(m + c) in two words, m and c as _log_words has them."""
    h, l = _log_words(m, c)
    n = _as_float(k)
    s, t = _sum_of_multiple(n, _LN2_SHORT, h)
    return _ordered_sum(s, fma(n, _LN2_REST, t + l))


def _log_whole(x):
    """ln(x) in two words, for a positive finite x."""
    k, m = _split(x)
    return _log_scaled(k, m, 0.0)


def _log_sum(x, c, doublings):
    """ln((x + c)*2**doublings) in two words, for a positive finite x and c in its last bits."""
    k, m = _split(x)
    return _log_scaled(k + doublings, m, c*_power(-k) if k < 1000 else 0.0)


def _pow_special(x, y, r):
    """x**y where x is not positive and finite, or y is not finite; r: |x|**y where both are."""
    a = abs(x)
    whole = abs(y) >= 4503599627370496.0 or rint(y) == y
    odd = whole and abs(y) < 9007199254740992.0 and (cast(y, 'int64') & 1) == 1
    if not (a > 0.0 and a < _INF and abs(y) < _INF):
        grows = (y > 0.0) == (a > 1.0)
        r = _NAN if isnan(x) or isnan(y) else (1.0 if a == 1.0 else (_INF if grows else 0.0))
    elif x < 0.0 and not whole:
        r = _NAN
    r = -r if odd and bits(x, 'int64') < 0 else r
    return 1.0 if x == 1.0 or y == 0.0 else r


def pow(x: 'float64', y: 'float64'):
    h, l = _log_whole(abs(x))
    p = y*h
    q = fma(y, l, fma(y, h, -p))
    r = _exp_once(p, q)
    r = _INF if p > 800.0 else (0.0 if p < -800.0 else r)
    return r if x > 0.0 and x < _INF and abs(y) < _INF else _pow_special(x, y, r)


# Trigonometry.

def _reduce_far(x):
    """_reduce for any |x| >= 2**-10: M. H. Payne and R. N. Hanek, Radian reduction for trigonometric
    functions, SIGNUM Newsletter 18 (1983). Of x*2/pi only what counts is multiplied: 224 bits, of
    which the first two are the quadrant."""
    b = bits(abs(x), 'uint64')
    e = cast(b >> 52, 'int64') - 1011
    j = (e - 2) >> 5
    shift = cast(e - 32*j - 2, 'uint64')
    low = b & _LOW
    high = ((b >> 32) & 0xFFFFF) | 0x100000
    a, carry, d, f, p, q, p1, q1, q2 = declare('uint64', 9)
    a = b = d = carry = p1 = q1 = q2 = 0
    for i in static_range(7):
        f = cast(_TWO_OVER_PI_BITS[j + 6 - i], 'uint64')
        p = low*f
        q = high*f
        carry += (p & _LOW) + (p1 >> 32) + (q1 & _LOW) + (q2 >> 32)
        # the last six words of the product, the newest on top
        d = d >> 32 | b << 32
        b = b >> 32 | a << 32
        a = a >> 32 | carry << 32
        carry = carry >> 32
        p1 = p
        q2 = q1
        q1 = q
    a = a << shift | b >> 1 >> (63 - shift)
    b = b << shift | d >> 1 >> (63 - shift)
    quadrant = cast(a >> 62, 'int64')
    t = cast(a << 2 | b >> 62, 'int64')  # the rest, between -1/2 and 1/2
    b = b << 2
    quadrant += 1 if t < 0 else 0
    h, l = _sum((t >> 32)*2.3283064365386963e-10, (t & _LOW)*5.421010862427522e-20)
    l, c = _sum(l, (b >> 32)*1.262177448353619e-29)
    h, l = _sum(h, l)
    l += c + (b & _LOW)*2.938735877055719e-39
    s = h*_HALF_PI
    h, l = _ordered_sum(s, fma(h, _HALF_PI, -s) + (h*_HALF_PI_LOW + l*_HALF_PI))
    return cast(-quadrant if x < 0.0 else quadrant, 'int32'), copysign(1.0, x)*h, copysign(1.0, x)*l


def _reduce(x):
    """q, and x - q*pi/2 in two words, at most pi/4. Below 2**20, and unless that is next to zero, in
    steps of W. J. Cody and W. Waite (Software manual for the elementary functions, 1980), of which
    the first is exact, and what the second rounds off as well."""
    n, q = _nearest(fma(x, _TWO_OVER_PI, _WHOLE))
    s = fma(-n, _HALF_PI_1, x)
    h = fma(-n, _HALF_PI_2, s)
    if abs(x) < 1048576.0 and abs(h) >= 1e-7*abs(n):
        return q, h, fma(-n, _HALF_PI_2, s - h)
    if abs(x) < _INF:
        return _reduce_far(x)
    return cast(0, 'int32'), _NAN, _NAN


def _sine(h, l):
    """sin(h + l) in two words, |h| <= pi/4 and l small against it."""
    z = h*h
    p = _SIN[6]
    for k in static_range(6):
        p = fma(z, p, _SIN[5 - k])
    return h, fma(h*z, p, fma(-0.5*z, l, l))


def _cosine(h, l):
    """cos(h + l) likewise."""
    z = h*h
    p = _COS[6]
    for k in static_range(6):
        p = fma(z, p, _COS[5 - k])
    half = 0.5*z
    w = 1.0 - half
    return w, ((1.0 - w) - half) + fma(z*z, p, -h*l)


def _once(function, h, l):
    s, t = function(h, l)
    return s + t


def _quarter(sine, cosine, q, h, l):
    """sin(q*pi/2 + h + l), but for the sign where q & 2, by functions that give two words. The
    work-items of a warp mostly go one way. That of -0.0 is -0.0."""
    return _once(cosine, h, l) if q & 1 else copysign(_once(sine, h, l), h)


def _turned(q, r):
    return bits(bits(r, 'int64') ^ cast(q & 2, 'int64') << 62, 'float64')


def sin(x: 'float64'):
    q, h, l = _reduce(x)
    return _turned(q, _quarter(_sine, _cosine, q, h, l))


def cos(x: 'float64'):
    q, h, l = _reduce(x)
    q += 1
    return _turned(q, _quarter(_sine, _cosine, q, h, l))


def _tangent(x, q, s, t, c, d):
    """tan(x) of q and sine s + t, cosine c + d of x - q*pi/2."""
    s, t = _ordered_sum(s, t)
    c, d = _ordered_sum(c, d)
    odd = (q & 1) == 1
    a = -c if odd else s
    b = -d if odd else t
    u = s if odd else c
    v = t if odd else d
    w = 1.0/(u + v)
    r = (a + b)*w
    return x if x == 0.0 else r + (fma(-r, u, a) + fma(-r, v, b))*w


def tan(x: 'float64'):
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
    q = _ATAN[19]
    for k in static_range(19):
        q = fma(z, q, _ATAN[18 - k])
    y = s*z
    t = fma(fma(s, z, -y) + s*fma(s, s, -z), q, fma(-0.5*z, t, t))
    t = fma(y, q, t)
    h, l = _ordered_sum(_HALF_PI, -s)
    return (h, l + (_HALF_PI_LOW - t)) if steep else (s, t)


def atan(x: 'float64'):
    h, l = _angle(min(abs(x), 18446744073709551616.0), 1.0)
    return x if abs(x) < 1e-20 else copysign(h + l, x)


def atan2(y: 'float64', x: 'float64'):
    a = abs(y)
    b = abs(x)
    plain = min(a, b) > 1e-150 and max(a, b) < 1e150
    shallow = upright = False
    s = 0.0
    if not plain:
        if a == _INF or (b == 0.0 and a > 0.0):
            b = 1.0 if b == _INF else 0.0
            a = 1.0
        elif b == _INF or a == 0.0:
            a = 0.0
            b = 1.0
        shallow = a < b*5.421010862427522e-20
        upright = b < a*5.421010862427522e-20
        unit = 2.409919865102884e-181 if max(a, b) > 1.0 else 4.149515568880993e+180
        if shallow:
            s = a/b
        a = 1.0 if shallow or upright else a*unit
        b = 1.0 if shallow or upright else b*unit
    h, l = _angle(a, b)
    if shallow or upright:
        h = s if shallow else _HALF_PI
        l = 0.0 if shallow else _HALF_PI_LOW
    if bits(x, 'int64') < 0:
        h, t = _sum(2.0*_HALF_PI, -h)
        l = t + (2.0*_HALF_PI_LOW - l)
    return x + y if isnan(x) or isnan(y) else copysign(h + l, y)


def _asin_parts(a):
    """asin(s) in two words: s and the rest; s is a up to 1/2, beyond sqrt((1 - a)/2)."""
    z = a*a if a <= 0.5 else 0.5*(1.0 - a)
    s = a if a <= 0.5 else sqrt(z)
    t = 0.0 if a <= 0.5 or s == 0.0 else 0.5*fma(-s, s, z)/s
    p = _ASIN[12]
    for k in static_range(12):
        p = fma(z, p, _ASIN[11 - k])
    return s, fma(s*z, p, t)


def asin(x: 'float64'):
    a = abs(x)
    s, t = _asin_parts(a)
    h, l = _sum(_HALF_PI, -2.0*s)
    r = s + t if a <= 0.5 else h + (l + (_HALF_PI_LOW - 2.0*t))
    return x if x == 0.0 else copysign(r, x) if a <= 1.0 else _NAN


def acos(x: 'float64'):
    a = abs(x)
    s, t = _asin_parts(a)
    if a <= 0.5:
        h, l = _sum(_HALF_PI, -copysign(s, x))
        return h + (l + (_HALF_PI_LOW - copysign(1.0, x)*t))
    h, l = _sum(2.0*_HALF_PI, -2.0*s)
    r = h + (l + 2.0*(_HALF_PI_LOW - t)) if x < 0.0 else 2.0*(s + t)
    return r if a <= 1.0 else _NAN


# Inverse hyperbolic functions.

def _odd(x, p):
    """x + x**3*p."""
    return x if x == 0.0 else fma(x*x*x, p, x)


def _root(s, t):
    """sqrt(s + t) in two words, t in the last bits of s."""
    r = sqrt(s)
    return r, 0.5*(fma(-r, r, s) + t)/r if r > 0.0 else 0.0


def _log_with_root(a, one):
    """ln(a + sqrt(a**2 + one)) for a positive a, one 1 or -1; beyond 1e10 that is ln(2 a)."""
    b = min(a, 1e10)
    p = b*b
    s, t = _sum(p, one)
    r, q = _root(s, t + fma(b, b, -p))
    s, t = _sum(r, b)
    far = a > 1e10
    h, l = _log_sum(a if far else s, 0.0 if far else t + q, 1 if far else 0)
    return h + l


def asinh(x: 'float64'):
    a = abs(x)
    if a < 0.5:
        z = x*x
        p = _ASINH[11]
        for k in static_range(11):
            p = fma(z, p, _ASINH[10 - k])
        return _odd(x, p)
    return copysign(_log_with_root(a, 1.0), x) if a < _INF else x


def acosh(x: 'float64'):
    good = x >= 1.0 and x < _INF
    r = _log_with_root(x if good else 1.0, -1.0)
    return r if good else (x if x > 1.0 or isnan(x) else _NAN)


def atanh(x: 'float64'):
    a = abs(x)
    if a < 0.5:
        z = x*x
        p = _ATANH[12]
        for k in static_range(12):
            p = fma(z, p, _ATANH[11 - k])
        return _odd(x, p)
    s, t = _ordered_sum(1.0, a)
    u, v = _over(s, t, 1.0 - a if a < 1.0 else 1.0, 0.0)
    h, l = _log_sum(u, v, 0)
    return copysign(0.5*(h + l), x) if a < 1.0 else (copysign(_INF, x) if a == 1.0 else _NAN)


# Roots and the error functions.

def cbrt(x: 'float64'):
    a = abs(x)
    good = a > 0.0 and a < _INF
    small = a < 2.2250738585072014e-308
    b = bits((a*18014398509481984.0 if small else a) if good else 1.0, 'int64')
    k = ((b >> 52) - 1023) // 3
    m = bits(b - (3*k << 52), 'float64')
    y = _CBRT[4]
    for i in static_range(4):
        y = fma(m, y, _CBRT[3 - i])
    y -= (y*y*y - m)/(3.0*y*y)
    c = y*y*y
    y *= (c + 2.0*m)/(2.0*c + m)  # E. Halley's step
    s = y*y
    c = s*y
    y -= ((c - m) + fma(s, y, -c) + fma(y, y, -s)*y)/(3.0*s)
    return copysign(y*_power(k - 18 if small else k), x) if good else x + x


def hypot(x: 'float64', y: 'float64'):
    a = max(abs(x), abs(y))
    b = min(abs(x), abs(y))
    if abs(x) == _INF or abs(y) == _INF:
        return _INF
    if isnan(x) or isnan(y):
        return _NAN
    if b < a*1e-18 or a == 0.0:
        return a + b
    unit = 2.409919865102884e-181 if a > 1e150 else (4.149515568880993e+180 if a < 1e-150 else 1.0)
    u = a*unit
    v = b*unit
    p = u*u
    q = v*v
    s, t = _sum(p, q)
    t += fma(u, u, -p) + fma(v, v, -q)
    r = sqrt(s)
    return (r + 0.5*(fma(-r, r, s) + t)/r)/unit


def erf(x: 'float64'):
    a = abs(x)
    if a < 1.0:
        z = x*x
        p = _ERF[12]
        for k in static_range(12):
            p = fma(z, p, _ERF[11 - k])
        return x if x == 0.0 else fma(x, p, x)
    v = min(a, 6.0)
    t = 1.0/(1.0 + 0.5*v) - 0.45
    p = _ERFC[19]
    for k in static_range(19):
        p = fma(t, p, _ERFC[18 - k])
    h = v*v
    k, s, t = _exp_parts(-h, -fma(v, v, -h))
    return copysign(fma(-p, (s + t)*_power(k), 1.0), x)


def _from_middle(z, p, a, b):
    """a + b + z*p in two words."""
    y = z*p
    h, l = _ordered_sum(a, y)
    return h, l + (b + fma(z, p, -y))


def erfc(x: 'float64'):
    """1 - erf(x), or e**(-x**2) times e**(x**2)*erfc(x)."""
    a = abs(x)
    if x < 0.75 and a < 1.0:
        z = x*x
        p = _ERF[12]
        for k in static_range(12):
            p = fma(z, p, _ERF[11 - k])
        h, l = _sum(1.0, -x)
        return h + fma(-x, p, l)
    v = min(a, 28.0)
    h = v*v
    k, s, t = _exp_parts(-h, -fma(v, v, -h))
    if v < 2.0:
        z = v - 1.375
        p = _ERFC_NEAR[17]
        for j in static_range(16):
            p = fma(z, p, _ERFC_NEAR[16 - j])
        u, w = _from_middle(z, p, _ERFC_NEAR[0], _ERFC_NEAR_LOW)
    else:
        z = (v - 3.75)/(v + 3.75)
        p = _ERFC_FAR[17]
        for j in static_range(16):
            p = fma(z, p, _ERFC_FAR[16 - j])
        u, w = _from_middle(z, p, _ERFC_FAR[0], _ERFC_FAR_LOW)
        c, d = _ordered_sum(2.0*v, 1.0)
        u, w = _over(u, w, c, d)
    u, w = _times(u, w, s, t)
    r = _scale(u + w, k)
    return 2.0 - r if x < 0.0 else r


# The gamma function.

def _shifted(a):
    """y, c, p, q: a + n = y + c, at least 8, and a*(a + 1)*...*(a + n - 1) = p + q, for an a of at
    least 1e-20."""
    p, y = 1.0, a
    q = c = 0.0
    for j in range(8):
        n = _as_float(cast(j, 'int32'))
        s, t = _sum(a, n)
        if s < 8.0:
            p, q = _times(p, q, s, t)
            y, c = _sum(a, n + 1.0)
    return y, c, p, q


def _stirling(y, c):
    """ln(gamma(y + c)) in two words, y >= 8 and c in its last bits: J. Stirling's series,
    (y - 1/2)*(ln(y) - 1) + (ln(2 pi) - 1)/2 + 1/(12 y) - ..., its end by a polynomial."""
    u = 1.0/y
    z = u*u
    r = _STIRLING[6]
    for k in static_range(6):
        r = fma(z, r, _STIRLING[5 - k])
    h, l = _log_whole(y)
    h, t = _ordered_sum(h, -1.0)
    b, d = _sum(y, -0.5)
    p, q = _times(b, c + d, h, l + t)
    q += fma(-0.5*u, c, c)
    s, t = _sum(p, _STIRLING_END)
    return _ordered_sum(s, q + (t + fma(u, r, _STIRLING_END_LOW)))


def _sine_of_pi(a):
    """sin(pi*a) in two words, a >= 0."""
    b = a - 2.0*floor(0.5*a)
    n = rint(2.0*b)
    r = fma(-0.5, n, b)
    h, l = _times(r, 0.0, 2.0*_HALF_PI, 2.0*_HALF_PI_LOW)
    q = cast(n, 'int32')
    s, t = _sine(h, l)
    c, d = _cosine(h, l)
    s, t = _ordered_sum(c if q & 1 else s, d if q & 1 else t)
    return (-s if q & 2 else s), (-t if q & 2 else t)


def tgamma(x: 'float64'):
    """Below 0 by L. Euler's reflection: gamma(-a) = -pi/(a sin(pi a) gamma(a))."""
    a = abs(x)
    b = min(max(a, 1e-20), 200.0)
    y, c, p, q = _shifted(b)
    h, l = _stirling(y, c)
    k, u, v = _exp_parts(h, l)
    if x < 0.0:
        s, t = _sine_of_pi(a)
        s, t = _times(s, t, b, 0.0)
        s, t = _times(s, t, u, v)
        u, v = _times(p, q, -2.0*_HALF_PI, -2.0*_HALF_PI_LOW)
        p = s
        q = t
        k = -k
    u, v = _over(u, v, p, q)
    r = _scale(u + v, k)
    if a < 1e-20:
        return 1.0/x
    return _NAN if x < 0.0 and floor(x) == x or isnan(x) else r


def _lgamma_near(z, p, slope):
    """ln(gamma(1 + z)) or ln(gamma(2 + z)) in two words, p its terms from the second on."""
    h, l = _times(z, 0.0, slope, _EULER_LOW)
    return h, fma(z*z, p, l)


def _lgamma_of(b):
    """ln(gamma(b)) in two words."""
    if abs(b - 1.0) <= 0.125:
        z = b - 1.0
        p = _LGAMMA_1[12]
        for k in static_range(12):
            p = fma(z, p, _LGAMMA_1[11 - k])
        return _lgamma_near(z, p, -_EULER)
    if abs(b - 2.0) <= 0.125:
        z = b - 2.0
        p = _LGAMMA_2[9]
        for k in static_range(9):
            p = fma(z, p, _LGAMMA_2[8 - k])
        return _lgamma_near(z, p, 1.0 - _EULER)
    y, c, p, q = _shifted(b)
    h, l = _stirling(y, c)
    u, v = _log_sum(p, q, 0)
    h, t = _sum(h, -u)
    return h, l + (t - v)


def lgamma(x: 'float64'):
    """Where it is next to 0 for a negative x, few digits are right, as those of Euler's sum are."""
    a = abs(x)
    b = min(max(a, 1e-20), _LGAMMA_MOST)
    h, l = _lgamma_of(b)
    if x < 0.0:
        s, t = _sine_of_pi(a)
        s, t = _times(abs(s), copysign(1.0, s)*t, b, 0.0)
        u, v = _log_sum(s, t, 0)
        u, w = _sum(_LN_PI, -u)
        h, t = _sum(u, -h)
        l = t + (w + (_LN_PI_LOW - v - l))
    r = h + l
    if a < 1e-20:
        h, l = _log_whole(a)
        r = -h
    whole = x <= 0.0 and floor(x) == x
    return x if isnan(x) else (_INF if whole or a > _LGAMMA_MOST else r)
