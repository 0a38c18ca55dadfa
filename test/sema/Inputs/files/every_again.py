from every import *


def starred_twice(x):
    return starred(starred(x))


def cosh(x):
    return x


def _private(x):
    return x
