import os
import steps
import steps as s, constants
from steps import advance, advance as forward, half, Particle as P, later
from shapes import Box
from math import *
from every import *
from relay import passed_on, chain_8

SCALE = 10
G = constants.GRAVITY
TWICE = 2*G
relayed = steps.half


def double(x):
    return SCALE*x


def names(i, x):
    x[i] = advance(x[i], 0.5) + forward(x[i], G) + s.advance(x[i], TWICE)
    x[i] = double(x[i]) + steps.double(x[i]) + relayed(x[i])
    x[i] = steps.SCALE + half(SCALE) + steps.constants.GRAVITY
    x[i] = passed_on(x[i]) + chain_8 + later(3)
    x[i] = starred(x[i]) + STARRED + starred_twice(x[i]) + hypot(x[i], x[i])
    x[i] = tanh(x[i]) + cosh(x[i])


def structs(i, p, b: 'Box[]', x):
    q = declare('P')
    r = declare('steps.Particle*')
    r = address(p[i])
    x[i] = s.energy(address(p[i])) + q.v + b[i].corner.v + r.v


def annotated(p: 'P*', q: steps.Particle, b: Box) -> float:
    return p[0].v + q.v + b.corner.v


def hidden(i, x, steps):
    advance = x[i]
    x[i] = advance + steps
