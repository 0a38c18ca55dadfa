"""Parts of a matrix that take each other's values: every two views of one shape, by their begins
and steps along both axes, against NumPy."""

import itertools

import numpy as np
import pytest

import cpl

ROWS = [slice(a, None if a + 2*step < 0 else a + 2*step, step)
        for step in (1, 2, -1, -2) for a in range(5) if 0 <= a + step < 5]
COLUMNS = [slice(a, None if a + 3*step < 0 else a + 3*step, step)
           for step in (1, 2, -1, -2) for a in range(6) if 0 <= a + 2*step < 6]
VIEWS = list(itertools.product(ROWS, COLUMNS))


@pytest.mark.parametrize("way", ["assigned", "added"])
@pytest.mark.parametrize("part", range(8))
def test_views_of_a_matrix(way, part):
    pairs = list(itertools.product(VIEWS, VIEWS))
    for to, source in pairs[part::8*11]:
        a = np.arange(30.0).reshape(5, 6)
        x = cpl.array(a)
        if way == "assigned":
            a[to], x[to] = a[source], x[source]
        else:
            a[to] += a[source]
            x[to] += x[source]
        np.testing.assert_array_equal(x.numpy(), a, f"{to} {source}")
