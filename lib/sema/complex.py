"""Complex numbers: their operators and methods, and Python's cmath. Where a part is infinite or NaN,
or a zero has a sign, results are those of C's Annex G as far as each function says."""
from math import (atan2 as _atan2, copysign as _copysign, cos as _cos, cosh as _cosh, e, exp as _exp, fabs as _fabs, hypot as _hypot,
                  inf, isfinite as _isfinite, isinf as _isinf, isnan as _isnan, log as _log, log1p as _log1p, nan, pi,
                  sin as _sin, sinh as _sinh, sqrt as _sqrt, tan as _tan, tau)

_LN10 = 2.302585092994045684


@struct
class _complex:
    real: 'double'
    imag: 'double'

    def __add__(self, b):
        if isinstance(b, complex):
            return complex(self.real + b.real, self.imag + b.imag)
        return complex(self.real + b, self.imag)

    def __radd__(self, a):
        return complex(a + self.real, self.imag)

    def __sub__(self, b):
        if isinstance(b, complex):
            return complex(self.real - b.real, self.imag - b.imag)
        return complex(self.real - b, self.imag)

    def __rsub__(self, a):
        return complex(a - self.real, -self.imag)

    def __mul__(self, b):
        if isinstance(b, complex):
            return complex(self.real*b.real - self.imag*b.imag, self.real*b.imag + self.imag*b.real)
        return complex(self.real*b, self.imag*b)

    def __rmul__(self, a):
        return complex(a*self.real, a*self.imag)

    def __truediv__(self, b):
        if isinstance(b, complex):
            return _divide(self, b)
        if isinstance(b, int):
            return complex(1.0*self.real/b, 1.0*self.imag/b)
        return complex(self.real/b, self.imag/b)

    def __rtruediv__(self, a):
        return _divide_real(a, self)

    def __pow__(self, n):
        if isinstance(n, int):
            return _integer_power(self, n)
        return _power(self, n)

    def __rpow__(self, a):
        return _power(complex(a, 0*self.real), self)

    def __neg__(self):
        return complex(-self.real, -self.imag)

    def __pos__(self):
        return complex(self.real, self.imag)

    def __eq__(self, b):
        if isinstance(b, complex):
            return self.real == b.real and self.imag == b.imag
        return self.real == b and self.imag == 0

    def __ne__(self, b):
        if isinstance(b, complex):
            return self.real != b.real or self.imag != b.imag
        return self.real != b or self.imag != 0

    def __abs__(self):
        return _hypot(self.real, self.imag)

    def fabs(self):
        return _hypot(self.real, self.imag)

    def conjugate(self):
        return complex(self.real, -self.imag)

    def conj(self):
        return complex(self.real, -self.imag)

    def exp(self):
        return exp(self)

    def log(self):
        return log(self)

    def log10(self):
        return log10(self)

    def sqrt(self):
        return sqrt(self)

    def sin(self):
        return sin(self)

    def cos(self):
        return cos(self)

    def tan(self):
        return tan(self)

    def sinh(self):
        return sinh(self)

    def cosh(self):
        return cosh(self)

    def tanh(self):
        return tanh(self)

    def isnan(self):
        return isnan(self)

    def isinf(self):
        return isinf(self)

    def isfinite(self):
        return isfinite(self)


# Smith's method (Communications of the ACM 5, 1962), which NumPy has too. The divisor's parts have
# the wider type of the two operands', as a variable has that of all that it is assigned.
def _divide(a, b):
    re = im = a.real
    re, im = b.real, b.imag
    if _fabs(re) >= _fabs(im):
        if re == 0 and im == 0:
            return complex(a.real/_fabs(re), a.imag/_fabs(re))
        ratio = im/re
        scale = 1/(re + im*ratio)
        return complex((a.real + a.imag*ratio)*scale, (a.imag - a.real*ratio)*scale)
    ratio = re/im
    scale = 1/(im + re*ratio)
    return complex((a.real*ratio + a.imag)*scale, (a.imag*ratio - a.real)*scale)


def _divide_real(a, b):
    re = im = a
    re, im = b.real, b.imag
    if _fabs(re) >= _fabs(im):
        if re == 0 and im == 0:
            return complex(a/_fabs(re), 0*a/_fabs(re))
        ratio = im/re
        scale = 1/(re + im*ratio)
        return complex(a*scale, -(a*ratio*scale))
    ratio = re/im
    scale = 1/(im + re*ratio)
    return complex(a*ratio*scale, -(a*scale))


def _integer_power(z, n):
    square = z
    result = z
    k = n if n >= 0 else -n
    first = True
    while k > 0:
        if k & 1:
            result = square if first else result*square
            first = False
        k >>= 1
        if k > 0:
            square = square*square
    if n == 0:
        return 1 + 0j
    return 1/result if n < 0 else result


def _power(a, b):
    if b == 0:
        return 1 + 0j
    n = complex(b)
    if a == 0:
        return 0j if n.real > 0 else complex(nan, nan)
    re = im = n.real
    re, im = a.real, a.imag
    return exp(b*log(complex(re, im)))


def phase(a):
    z = complex(a)
    return _atan2(z.imag, z.real)


def polar(a):
    return abs(complex(a)), phase(a)


def rect(r, phi):
    return complex(r*_cos(phi), r*_sin(phi))


# scale*exp(a)*b with b within [-1, 1], where exp(a) alone overflows.
def _grown(a, b, scale):
    if b == 0:
        return b
    h = _exp(0.25*a)
    return b*h*scale*h*h*h


def exp(a):
    z = complex(a)
    r = _exp(z.real)
    if z.imag == 0:
        return complex(r, z.imag)
    if z.real == -inf and not _isfinite(z.imag):
        return complex(0*r, 0*r)
    if _isinf(r) and _isfinite(z.real):
        return complex(_grown(z.real, _cos(z.imag), 1.0), _grown(z.real, _sin(z.imag), 1.0))
    return complex(r*_cos(z.imag), r*_sin(z.imag))


# Near the unit circle log|z| loses all digits: log1p of |z|^2 - 1 keeps them.
def log(a):
    z = complex(a)
    h = _hypot(z.real, z.imag)
    r = _log(h)
    if 0.71 <= h <= 1.73:
        x = _fabs(z.real)
        y = _fabs(z.imag)
        most = max(x, y)
        least = min(x, y)
        r = _log1p((most - 1)*(most + 1) + least*least)*0.5
    elif h == 0 and z.real == 0 and z.imag == 0:
        r = -inf
    return complex(r, _atan2(z.imag, z.real))


def log10(z):
    w = log(z)
    return complex(w.real/_LN10, w.imag/_LN10)


def _larger_root(z, scale, back):
    x = _fabs(z.real)*scale
    return _sqrt((x + _hypot(x, z.imag*scale))*0.5)*back


# Kahan's: no part is lost where the two of z nearly cancel, and halves keep large ones finite.
def sqrt(a):
    z = complex(a)
    if z.real == 0 and z.imag == 0:
        return complex(_fabs(z.real), z.imag)
    if _isinf(z.imag):
        return complex(_fabs(z.imag), z.imag)
    most = max(_fabs(z.real), _fabs(z.imag))
    if most > 1e30:
        s = _larger_root(z, 0.25, 2.0)
    elif most < 1e-30:
        s = _larger_root(z, 16777216.0, 0.000244140625)
    else:
        s = _larger_root(z, 1.0, 1.0)
    t = z.imag/(2*s)
    if z.real >= 0:
        return complex(s, t)
    return complex(_fabs(t), _copysign(s, z.imag))


def sinh(a):
    z = complex(a)
    c = _cosh(z.real)
    if _isinf(c):
        r = _grown(_fabs(z.real), _cos(z.imag), 0.5)
        return complex(_copysign(1.0, z.real)*r, _grown(_fabs(z.real), _sin(z.imag), 0.5))
    return complex(_sinh(z.real)*_cos(z.imag), c*_sin(z.imag))


def cosh(a):
    z = complex(a)
    c = _cosh(z.real)
    if _isinf(c):
        r = _grown(_fabs(z.real), _sin(z.imag), 0.5)
        return complex(_grown(_fabs(z.real), _cos(z.imag), 0.5), _copysign(1.0, z.real)*r)
    return complex(c*_cos(z.imag), _sinh(z.real)*_sin(z.imag))


def sin(a):
    z = complex(a)
    w = sinh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


def cos(a):
    z = complex(a)
    return cosh(complex(-z.imag, z.real))


# As Kahan has it: with t = tan(b), c = cosh(a) and s = sinh(a) the quotient overflows late.
def tanh(a):
    z = complex(a)
    if _fabs(z.real) > 20:
        h = _exp(-_fabs(z.real))
        return complex(_copysign(1.0, z.real), 4*_sin(z.imag)*_cos(z.imag)*h*h)
    t = _tan(z.imag)
    s = _sinh(z.real)
    beta = 1 + t*t
    rho = _sqrt(1 + s*s)
    d = 1 + beta*s*s
    return complex(beta*rho*s/d, t/d)


def tan(a):
    z = complex(a)
    w = tanh(complex(-z.imag, z.real))
    return complex(w.imag, -w.real)


def isnan(a):
    z = complex(a)
    return _isnan(z.real) or _isnan(z.imag)


def isinf(a):
    z = complex(a)
    return _isinf(z.real) or _isinf(z.imag)


def isfinite(a):
    z = complex(a)
    return _isfinite(z.real) and _isfinite(z.imag)
