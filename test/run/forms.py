# Forms of Python's that have others in their place: in, :=, ord, reversed, divmod, limits of types, rows of numbers.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math

import numpy as np

PRIMES = (2, 3, 5, 7)


def members(i, k, y):
    near = [i, i + 1]
    y[i] = k[i] in (1, 2, 3)
    y[i] += 2*(k[i] in PRIMES) + 4*(k[i] not in [i, 8 - i]) + 8*(abs(k[i]) in near)
    y[i] += 16*(i in k) + 32*(k[i] in k[:4]) + 64*(not k[i] in (5,))


def named(i, k, y):
    n = 0
    while n < len(k) and (v := k[n]) < 6:
        y[i] += v
        n += 1
    if (d := k[i] - 3) > 0 or (e := n + d) > 2:
        y[i] += d*10
    y[i] += (z := n + 1)*2 + (z if i % 2 else 5)
    y[i] += sum(k[:(m := 2)]) + m


def codes(i, k, y):
    y[i] = (ord('a') + i == ord("b")) + ord('\x7f')*(k[i] == ord('\n')) + ord('µ')


def backwards(i, k, y, n):
    t = [1, 2, 3]
    for v in reversed(range(n)):
        y[i] = y[i]*2 + v
    for v in reversed(range(i, 5)):
        y[i] = y[i]*2 - v
    for j, v in enumerate(reversed(k)):
        y[i] += j*v
    for a, b in zip(reversed(t), k):
        y[i] += a*b
    b, c, d = t
    y[i] += b + 10*c + 100*d


def divided(i, k, y):
    q, r = divmod(k[i], 3)
    s = divmod(k[i] - 9, -4)
    y[i] = q*10 + r + s[0]*100 + s[1]*1000
    y[i] += math.gcd(k[i], 12) + np.gcd(k[i]*2, i) + math.lcm(k[i], 4)


def limits(i, k, y):
    y[i] = np.iinfo(np.int32).max - k[i]
    y[i] += np.iinfo(np.int64).bits + np.iinfo('uint8').max + (np.finfo(np.float64).eps < 1e-15)*1
    y[i] += (np.finfo(np.float32).max > 1e38)*2 + (np.finfo(np.float64).min < -1e308)*4


def rows(i, m, y):
    m[i] = m[i, 1], m[i, 0], 3
    m[i, :] = m[i, 2], m[i, 1] + 1, i
    y[i] = m[i].max() + m[i].dot(m[i]) + m[i, 1:].sum()


def cases(case, np, rng):
    k, y = rng.integers(0, 9, 7), np.zeros(7, int)
    for kernel in ("members", "named", "codes", "divided", "limits"):
        case(kernel, arrays={"k": k, "y": y}, expected=None)
    case("backwards", arrays={"k": k, "y": y}, scalars={"n": 4}, expected=None)
    case("rows", arrays={"m": rng.integers(-8, 8, (5, 3))/4, "y": np.zeros(5)}, expected=None)
