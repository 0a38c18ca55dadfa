from every import *


def starred_twice(x):
    return starred(starred(x))
