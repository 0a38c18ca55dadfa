# Rounds that read what they stored themselves, in elements that lie apart: strided, backwards, under
# a condition, by another name of the array.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t

from compyle.api import prange


def stored_then_read(i, a, b):
    a[2*i] = 0
    b[i] = 0
    a[2*i + 1] = a[2*i]


def read_twice(i, a, b):
    x = a[2*i] - 200
    a[2*i + 1] = x
    b[i] = a[2*i + 1]


def by_a_name(i, a, b):
    k = 3*i
    a[k] = 1
    b[i] = k % 5
    a[k + 2] = a[k]
    a[k + 1] = a[k + 2] + 1


def below(i, a, b):
    k = 2*i + 2
    a[k - 1] = 5
    b[i] = 0
    a[k] = a[-1 + k]


def under_a_condition(i, a, b):
    if b[i] > 2:
        a[2*i] = 7
    b[i] = a[2*i + 1] - 200
    a[2*i + 1] = a[2*i]


def backwards(i, a, b):
    a[254 - 2*i] = 3
    b[i] = 1
    a[255 - 2*i] = a[254 - 2*i]


def by_rows(i, a, b):
    for k in range(1, 4):
        a[4*i + k] = a[4*i + k - 1] + k
    b[i] = 1


def by_steps(i, a, b):
    k = 0
    while k < 3:
        x = a[4*i + k]
        k += 1
        a[4*i + k] = x + k
    b[i] = k


def by_pairs(i, a, b):
    for j in range(2):
        for k in range(2):
            b[i] += a[4*i + (3*j + k) % 4] % 50
            a[4*i + 2*j + k] = j + 2*k


def another_name(n, a, b):
    p = a
    for i in prange(n):
        p[2*i] = 9
        b[i] = 1
        a[2*i + 1] = a[2*i]


def cases(case, np, rng):
    for size, kind in ((64, "int8"), (67, "int64"), (64, "float32")):
        for a in ("uint8", "int16", "float64"):
            arrays = {"a": np.full(256, 255).astype(a), "b": (np.arange(size) % 7).astype(kind)}
            for f in ("stored_then_read", "read_twice", "by_a_name", "below", "under_a_condition", "backwards"):
                case(f, arrays, n=size)
            for f in ("by_rows", "by_steps", "by_pairs"):
                case(f, arrays, n=min(size, 64))
            case("another_name", arrays, {"n": size}, form="function")
