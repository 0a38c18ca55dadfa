from every_again import *
from math import *

STARRED = 0.25


def starred(x):
    return x + STARRED


def tanh(x):
    return x
