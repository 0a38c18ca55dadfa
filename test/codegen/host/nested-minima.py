# Minima of minima whose constants are there when loops are unrolled keep what they make of a NaN.
# On devices test/device/faults.py tells who does not.
# RUN: rm -rf %t && mkdir -p %t && %python %S/../../run/check.py %s %t


def nested(i, a, low, high):
    """What both are compared with is a constant in the first round of a loop."""
    u = 0.0
    v = 0.0
    for j in range(3):
        u += max(u + u, max(a[3*i + j], u))
        v += min(v + v, min(a[3*i + j], v))
    high[i] = u
    low[i] = v


def nested_alone(a, low, high):
    """The same on one thread."""
    for i in range(len(high)):
        nested(i, a, low, high)


def cases(case, np, rng):
    lower, higher = (lambda x, y: np.where(y < x, y, x)), (lambda x, y: np.where(y > x, y, x))
    for t in ("float32", "float64"):
        a = rng.choice(np.array([np.nan, 1, -2, 0.0, -0.0, np.inf, 3], t), 120)
        u, v = np.zeros(40, "f8"), np.zeros(40, "f8")
        for k in range(3):
            at = a[k::3].astype("f8")
            u, v = (s + outer(s + s, inner(at, s)) for s, outer, inner in ((u, higher, higher), (v, lower, lower)))
        expected = {"high": u.astype(t), "low": v.astype(t)}
        for options in ([], ["--option", "simd=0"], ["--option", "precise=1"]):
            for f, form in (("nested", "elementwise"), ("nested_alone", "function")):
                case(f, {"a": a, "low": np.zeros(40, t), "high": np.zeros(40, t)}, expected=expected,
                     options=options, form=form, n=40 if form == "elementwise" else None)
