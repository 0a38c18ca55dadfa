import steps
import numpy as np
import broken
import nowhere
from steps import gone

def apply(i, f, x):
    x[i] = f(x[i])


def sum(n, f, x):
    s = 0.0
    for i in range(n):
        s = f(s, x[i])
    return s
