import matplotlib.pyplot as plt
import constants
from main import double as main_double, SCALE as MAIN_SCALE

SCALE = 2


@struct
class Particle:
    x: 'double'
    v: 'double'


def double(x):
    return SCALE*x


def half(x):
    return x/float(SCALE)


def advance(x, dt):
    return double(x) + dt*constants.GRAVITY


def energy(p):
    q = declare('Particle*')
    q = p
    return main_double(q.v) + MAIN_SCALE


def later(n):
    if n > 0:
        return back(n - 1)
    return 1


def back(n: int) -> float:
    return n + 0.5


def draw(x):
    plt.plot([k for k in x])


@struct
class Lines:
    a: 'double'
    b: 'text'
