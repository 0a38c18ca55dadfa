"""Kernels with assertions, which pytest rewrites in its tests' own files."""

import cpl


@cpl.elementwise
def positive(i, x):
    assert x[i] > 0
    x[i] = 0


@cpl.elementwise
def below(i, x):
    assert x[i] < 1, "x has to be below one"
