from math import *
from every_again import *

STARRED = 0.25


def starred(x):
    return x + STARRED
