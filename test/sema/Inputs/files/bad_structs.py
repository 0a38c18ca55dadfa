from held_a import A
from held_b import B as Other
from pairs import Pair as Single


@struct
class Pair:
    x: 'double'


def f(i, x):
    a = declare('A')
    b = declare('Other')
    c = declare('Pair')
    d = declare('Single')
    x[i] = c.x
