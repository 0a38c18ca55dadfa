# A seed for ./dev fuzz --text source: three files, of which a form feed begins each but the first.
import a
from a import double as twice, Pair as P
from b import *


def f(i, x):
    p = declare("P")
    p.x = twice(x[i]) + a.K
    x[i] = p.x + a.b.half(x[i])

import b
from b import K


@struct
class Pair:
    x: "double"
    n: "matrix(2)"


def double(v):
    return 2*v + b.half(v)

from a import double, K as L

K = 3


def half(v):
    return v/2.0
