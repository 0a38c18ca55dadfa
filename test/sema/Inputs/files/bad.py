import steps, os
import missing
import broken
import unparsed
from steps import hlf, PLT as plt, Nothing, Lines
from missing import gone, Shape
from broken import fine
from round_a import circle, LOOP
from far_1 import far
from .steps import beside
from package.part import piece
from every_again import *


def names(i, x):
    x[i] = hlf(x[i])
    x[i] = plt
    x[i] = gone
    x[i] = gone(1) + missing.gone(1)
    x[i] = steps.hlf(x[i]) + steps.SCAL
    x[i] = steps
    x[i] = steps(x[i])
    x[i] = circle(x[i])
    x[i] = LOOP
    x[i] = far
    x[i] = beside(x[i])
    x[i] = piece
    x[i] = os.sep


def of_broken(i, x):
    x[i] = fine(x[i]) + broken.fine(x[i]) + fine
    x[i] = other
    x[i] = _private(1)


def types(i, x, a: Shape, b: steps.Partcle, c: 'Lines'):
    p = declare('Nothing')
    q = declare('Lines')
    x[i] = steps.Particle(1)
    r = declare('steps.Nobody')
    s = declare('os.Particle')


def body(i, x):
    x[i] = unparsed.asks(x[i])
    x[i] = unparsed.adds(x)
    x[i] = unparsed.WRONG + undefined
