# Conditions of loops that lanes leave one by one, of parts that all lanes share and parts that each has its own: every way
# to put them together.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def both(i, x, flag, y):
    v = x[i]
    n = 0
    while flag and v < 3:
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def both_own_first(i, x, flag, y):
    v = x[i]
    n = 0
    while v < 3 and flag > 0:
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def either(i, x, flag, y):
    v = x[i]
    n = 0
    while flag or v < 3:
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def either_own_first(i, x, flag, y):
    v = x[i]
    n = 0
    while v < 3 or flag == 0:
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def implied(i, x, flag, y):
    v = x[i]
    n = 0
    while not flag or v < 3:
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def chosen_or_true(i, x, flag, y):
    v = x[i]
    n = 0
    while (v < 3 if flag else True):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def chosen_or_false(i, x, flag, y):
    v = x[i]
    n = 0
    while (v < 3 if flag else False):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def true_or_chosen(i, x, flag, y):
    v = x[i]
    n = 0
    while (True if flag else v < 3):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def false_or_chosen(i, x, flag, y):
    v = x[i]
    n = 0
    while (False if flag else v < 3):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def chosen_by_own(i, x, flag, y):
    v = x[i]
    n = 0
    while (flag > 0 if v < 1 else v < 3):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def not_both(i, x, flag, y):
    v = x[i]
    n = 0
    while not (flag and v > 2):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def not_either(i, x, flag, y):
    v = x[i]
    n = 0
    while not (flag or v > 2):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def nested(i, x, flag, y):
    v = x[i]
    n = 0
    while (flag != 1 and (v < 3 or flag > 1)) or (flag == 1 and v < 5 and n < 4):
        v += 1
        n += 1
        if n == 7:
            break
    y[i] = v*100 + n


def cases(case, np, rng):
    functions = (both, both_own_first, either, either_own_first, implied, chosen_or_true, chosen_or_false, true_or_chosen,
                 false_or_chosen, chosen_by_own, not_both, not_either, nested)
    x = rng.integers(-6, 6, 67).astype("int32")
    for function in functions:
        for flag in (1, 0, 2):
            case(function.__name__, {"x": x, "y": np.zeros(67, "int32")}, {"flag": flag}, options=["--option", "simd=2"])
