# NumPy's functions of single elements that are written in the language: each against NumPy's own.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np
from numpy import clip as limit, sign


def floats(i, a, b, r):
    r[23*i + 0] = np.add(a[i], b[i])
    r[23*i + 1] = np.subtract(a[i], b[i])
    r[23*i + 2] = np.multiply(a[i], b[i])
    r[23*i + 3] = np.divide(a[i], b[i])
    r[23*i + 4] = np.true_divide(a[i], b[i])
    r[23*i + 5] = np.floor_divide(a[i], b[i])
    r[23*i + 6] = np.mod(a[i], b[i])
    r[23*i + 7] = np.remainder(a[i], b[i])
    r[23*i + 8] = np.negative(a[i])
    r[23*i + 9] = np.positive(a[i])
    r[23*i + 10] = np.square(a[i])
    r[23*i + 11] = np.reciprocal(a[i])
    r[23*i + 12] = sign(a[i])
    r[23*i + 13] = np.heaviside(a[i], 0.5)
    r[23*i + 14] = limit(a[i], -1.5, 1)
    r[23*i + 15] = np.where(a[i] > b[i], a[i], 0)
    r[23*i + 16] = np.round(a[i])
    r[23*i + 17] = np.around(a[i], 2)
    r[23*i + 18] = np.signbit(a[i])
    r[23*i + 19] = np.logical_and(a[i], b[i])
    r[23*i + 20] = np.logical_or(a[i], b[i])
    r[23*i + 21] = np.logical_xor(a[i], b[i])
    r[23*i + 22] = np.logical_not(a[i])


def integers(i, a, b, r):
    r[15*i + 0] = np.floor_divide(a[i], b[i])
    r[15*i + 1] = np.mod(a[i], b[i])
    r[15*i + 2] = np.sign(a[i])
    r[15*i + 3] = np.clip(a[i], -5, 5)
    r[15*i + 4] = np.square(a[i])
    r[15*i + 5] = np.bitwise_and(a[i], b[i])
    r[15*i + 6] = np.bitwise_or(a[i], b[i])
    r[15*i + 7] = np.bitwise_xor(a[i], b[i])
    r[15*i + 8] = np.invert(a[i])
    r[15*i + 9] = np.left_shift(a[i], b[i] & 3)
    r[15*i + 10] = np.right_shift(a[i], b[i] & 3)
    r[15*i + 11] = np.equal(a[i], b[i]) + 2*np.not_equal(a[i], b[i]) + 4*np.less(a[i], b[i]) + 8*np.less_equal(a[i], b[i])
    r[15*i + 12] = np.greater(a[i], b[i]) + 2*np.greater_equal(a[i], b[i])
    r[15*i + 13] = np.where(a[i], b[i], -1)
    r[15*i + 14] = r.size


def divided(i, a, r):
    r[i] = np.divide(a[i], 4)


def near(i, a, b, r, s, u):
    r[i] = np.logaddexp(a[i], b[i])
    s[i] = np.round(a[i], -1)
    u[i] = np.logaddexp2(a[i], b[i])


def digits(i, a, r, s, n):
    r[i] = round(a[i], 2)
    s[i] = round(a[i], ndigits=n[0])


def cases(case, np, rng):
    exact = ["--option", "precise=1"]
    for t in ("float32", "float64"):
        a = np.concatenate([[0.0, -0.0, 0.5, 1.5, -2.5, np.nan, np.inf, -np.inf, 3, 1e-40, -7.125], rng.uniform(-9, 9, 29)]).astype(t)
        b = np.concatenate([rng.uniform(-3, 3, 38), [0.0, np.nan]]).astype(t)
        with np.errstate(all="ignore"):
            rows = [np.add(a, b), np.subtract(a, b), np.multiply(a, b), np.divide(a, b), np.true_divide(a, b), np.floor_divide(a, b),
                    np.mod(a, b), np.remainder(a, b), np.negative(a), np.positive(a), np.square(a), np.reciprocal(a), np.sign(a),
                    np.heaviside(a, np.array(0.5, t)), np.clip(a, np.array(-1.5, t), np.array(1, t)), np.where(a > b, a, np.array(0, t)),
                    np.round(a), np.around(a, 2), np.signbit(a), np.logical_and(a, b), np.logical_or(a, b), np.logical_xor(a, b), np.logical_not(a)]
        case("floats", {"a": a, "b": b, "r": np.zeros(40*len(rows), t)}, expected={"r": np.stack(rows, 1).astype(t).ravel()}, options=exact)
        a, b = rng.uniform(-20, 20, 20).astype(t), rng.uniform(-20, 20, 20).astype(t)
        case("near", {"a": a, "b": b, "r": np.zeros(20, t), "s": np.zeros(20, t), "u": np.zeros(20, t)}, ulps=4,
             expected={"r": np.logaddexp(a.astype("longdouble"), b).astype(t), "s": np.round(a, -1),
                       "u": np.logaddexp2(a.astype("longdouble"), b).astype(t)})
        case("digits", {"a": a, "r": np.zeros(20, t), "s": np.zeros(20, t), "n": np.array([1], "int32")}, ulps=1,
             expected={"r": np.round(a, 2), "s": np.round(a, 1)})
    for t in ("int32", "int64", "uint32", "uint64"):
        low = 0 if t[0] == "u" else -50
        a, b = rng.integers(low, 50, 30).astype(t), rng.integers(low, 50, 30).astype(t)
        b[b == 0] = 7
        three = np.array(3, t)
        rows = [a//b, a % b, np.sign(a), np.clip(a.astype("int64"), -5, 5), a*a, a & b, a | b, a ^ b, ~a, a << (b & three), a >> (b & three),
                (a == b) + 2*(a != b) + 4*(a < b) + 8*(a <= b), (a > b) + 2*(a >= b), np.where(a, b.astype("int64"), -1),
                np.full(30, 30*15)]
        case("integers", {"a": a, "b": b, "r": np.zeros(30*len(rows), t)}, expected={"r": np.stack([r.astype(t) for r in rows], 1).ravel()})
        case("divided", {"a": a, "r": np.zeros(30)}, expected={"r": a/4})
