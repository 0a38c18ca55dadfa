# Functions inside of functions, with variables of those around them, called and as arguments.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def integrate(f, a, b, n=4):
    h = (b - a)/n
    s = a*0
    for i in range(n):
        s += f(a + (i + 0.5)*h)
    return s*h


def apply(g, v):
    return g(v)


def through(g, v):
    return apply(lambda w: g(w) + v, v)


def again(g, n: int, v: float) -> float:
    return g(v) if n == 0 else again(g, n - 1, v + 1)


def both(f, g, v):
    return apply(f, v) - apply(g=g, v=v)


def called(i, x, y, a):
    square = lambda v: v*v
    scaled = lambda v: a*v

    def step(v, w=1.0):
        """Calls another one, returns from two places."""
        if v > 0:
            return scaled(v) + a
        return w

    def put(j):
        y[j] = step(x[j]) + square(2.0) + i

    def outer(u):
        def inner(t):
            return t*u + a
        return inner(u) + inner(1.0)
    put(i)
    y[i] += (lambda q: q*a)(x[i]) + outer(x[i]) + step(-1.0, w=5.0)


def passed(i, x, y, a):
    def h(v):
        return v*a + i
    g = lambda v: apply(h, v) + a
    y[i] = integrate(lambda t: a*t*t, 0.0, x[i]) + through(lambda q: q + x[i], 3.0)
    y[i] += apply(h, 2.0) + integrate(h, 0.0, 1.0, n=8) + again(h, 3, 1.0)
    y[i] += integrate(f=g, a=0.0, b=1.0) + both(h, lambda v: v - x[i], x[i])


def moving(i, x, y):
    """A variable has the value of when the function is called."""
    k = 1.0
    f = lambda: k + x[i]
    y[i] = f()
    for j in range(3):
        k += j
        y[i] += f()*j


def arrays(i, m, y):
    t = [0.0, 1.0, 2.0]

    def total(p):
        s = 0.0
        for v in p:
            s += v*t[1]
        return s

    def at(r, c):
        return m[r, c] + total(m[r])
    for c in range(m.shape[1]):
        t[1] = at(i, c)
    y[i] = t[1]


def second(v):
    return v[1]


def takes(x, y, sqrt, abs):
    y[:] = sqrt(x) - abs(x)*10 + x[:]


def named_alike(x, y):
    """Parameters that hide functions of numbers, whose functions take an array."""
    takes(x, y, second, lambda v: v[2])


def order_pqr(u, a, b, c):
    p = lambda v: v*a + q(v)
    q = lambda v: v - b*r(v)
    r = lambda v: c + v*v
    return p(u)


def order_prq(u, a, b, c):
    p = lambda v: v*a + q(v)
    r = lambda v: c + v*v
    q = lambda v: v - b*r(v)
    return p(u)


def order_qpr(u, a, b, c):
    q = lambda v: v - b*r(v)
    p = lambda v: v*a + q(v)
    r = lambda v: c + v*v
    return p(u)


def order_qrp(u, a, b, c):
    q = lambda v: v - b*r(v)
    r = lambda v: c + v*v
    p = lambda v: v*a + q(v)
    return p(u)


def order_rpq(u, a, b, c):
    r = lambda v: c + v*v
    p = lambda v: v*a + q(v)
    q = lambda v: v - b*r(v)
    return p(u)


def order_rqp(u, a, b, c):
    r = lambda v: c + v*v
    q = lambda v: v - b*r(v)
    p = lambda v: v*a + q(v)
    return p(u)


def chained(i, x, y, a, b, c):
    """Each calls the next one and uses a variable of its own, written in each order."""
    y[i] = y[i]*0.5 + order_pqr(x[i], a, b, c)
    y[i] = y[i]*0.5 + order_prq(x[i], a, b, c)
    y[i] = y[i]*0.5 + order_qpr(x[i], a, b, c)
    y[i] = y[i]*0.5 + order_qrp(x[i], a, b, c)
    y[i] = y[i]*0.5 + order_rpq(x[i], a, b, c)
    y[i] = y[i]*0.5 + order_rqp(x[i], a, b, c)


def same_names(i, x, y, a):
    """What an inner function calls its own hides what stands around it: parameters, variables and functions in every place."""
    g = lambda v: a*v
    h = lambda g: g + 1.0
    k = lambda a: a*2.0

    def own(v):
        g = v + 3.0
        a = g*g
        return a + g

    def inner(v):
        h = lambda g: g*10.0
        return h(v) + g(v)

    def over(v, k=4.0):
        return k*v

    def given(g, v):
        return g(v) + 1.0

    def chosen(v):
        for g in range(3):
            v += g
        return v

    y[i] = g(1.0) + 2*h(2.0) + 3*k(x[i]) + 5*own(x[i]) + 7*inner(x[i]) + 11*over(3.0)
    y[i] += 13*given(h, x[i]) + 17*given(lambda a: a - 1.0, x[i]) + 23*chosen(x[i]) + g(x[i])
    y[i] += 29*(lambda g: g*g)(3.0) + 31*(lambda h, k: h - k)(x[i], 1.0)


def cases(case, np, rng):
    x, y = rng.integers(-8, 8, 9)/4, np.zeros(9)
    for kernel in ("called", "passed"):
        case(kernel, arrays={"x": x, "y": y}, scalars={"a": 0.5}, expected=None)
    case("moving", arrays={"x": x, "y": y}, expected=None)
    case("chained", arrays={"x": x, "y": y}, scalars={"a": 0.5, "b": 2.0, "c": -1.5}, expected=None)
    m = rng.integers(-8, 8, (3, 2))/4
    case("arrays", arrays={"y": np.zeros(3), "m": m}, n=3, expected=None)
    case("named_alike", arrays={"x": rng.integers(-8, 8, 9)/4, "y": np.zeros(9)}, form="function", expected=None)
    case("same_names", {"x": x, "y": np.zeros(len(x))}, {"a": 2.5}, ulps=4)
