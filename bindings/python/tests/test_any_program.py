"""Random programs of whole arrays, against NumPy: several arrays of one memory, wrapped and as it
is, written by NumPy and by functions of cpl between expressions and their use.
"""

import os

import numpy as np
import pytest
from conftest import numbers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cpl

PLACES = [d.label for d in cpl.devices()]
CASES = int(os.environ.get("CPL_EXPRESSION_CASES", "200"))

TYPES = (np.float64, np.float32, np.int64, np.int16)
SLICES = (np.s_[:], np.s_[::-1], np.s_[1:], np.s_[:-1], np.s_[::2], np.s_[-2::-1], np.s_[1:-1])
BINARY = (np.add, np.subtract, np.multiply, np.minimum, np.maximum)
LAYOUTS = ("apart", "views", "wraps")  # of the second and the third array
STATEMENTS = ("name", "store", "add", "sum", "scan", "index", "numpy", "launch", "out")


@cpl.elementwise
def grow(i, x):
    x[i] += 1


# --- programs ---


@st.composite
def statements(draw):
    """(what, where it goes, an expression): its operands are numbers of arrays, and slices."""
    what = draw(st.sampled_from(STATEMENTS))
    return what, draw(st.integers(0, 2)), draw(st.sampled_from(SLICES)), draw(trees)


leaves = st.one_of(st.tuples(st.integers(0, 6), st.sampled_from(SLICES)), st.integers(-3, 3))
trees = st.recursive(leaves, lambda below: st.one_of(
    st.tuples(st.sampled_from(BINARY), below, below),
    st.tuples(st.just("where"), below, below, below)), max_leaves=5)


class Machine:
    """Three arrays, memory of NumPy's beside them, what was named so far, and what came out."""

    def __init__(self, module, arrays, base, raw):
        self.module = module
        self.arrays, self.named, self.out = list(arrays), [], []
        self.base, self.raw = base, raw

    def value(self, tree, shape):
        if isinstance(tree, int):
            return tree
        if tree[0] == "where":
            c, a, b = (self.value(t, shape) for t in tree[1:])
            return self.module.where(self.full(c, shape) > 0, self.full(a, shape), b)
        if isinstance(tree[0], np.ufunc):
            a, b = (self.value(t, shape) for t in tree[1:])
            return tree[0](self.full(a, shape), b)
        names = self.arrays + self.named + [self.module.operand(self.raw)]
        view = names[tree[0] % len(names)][tree[1]]
        rows = shape[0]
        return view[:rows] if len(view) >= rows else view[:1] if len(view) else 1

    def full(self, x, shape):
        """Never NumPy's own array, of which expressions would be NumPy's."""
        if isinstance(x, int):
            return self.module.full(shape, x, np.int16)
        return self.module.own(x)

    def run(self, what, at, key, tree):
        if what == "numpy":
            self.raw[key] = at + 5
            return
        if what == "launch":
            self.module.grow(self.base, self.arrays)
            return
        target = self.arrays[at][key]
        x = self.value(tree, target.shape)
        if what == "name":
            self.named = (self.named + [self.full(x, target.shape)])[-3:]
        elif what == "store":
            self.arrays[at][key] = x if isinstance(x, int) else x.astype(target.dtype)
        elif what == "add":
            target += x if isinstance(x, int) else x.astype(target.dtype)
        elif what == "index":
            self.arrays[at][at] = 2
        elif what == "out":
            if len(target) == len(self.raw):
                np.add(self.full(x, target.shape), at, out=self.raw)
        elif what == "scan":
            self.out.append(self.full(x, target.shape).cumsum(axis=at % target.ndim))
        else:
            self.out.append(self.full(x, target.shape).sum(axis=at % target.ndim))

    def end(self):
        return [np.array(x) for x in self.arrays + self.named + self.out + [self.raw]]


class Numpy:
    where, full = staticmethod(np.where), staticmethod(np.full)

    def operand(self, raw):
        return raw.copy()

    def own(self, x):
        return x

    def grow(self, base, arrays):
        base += 1


class Beside:
    """cpl, whose new arrays are somewhere."""

    def __init__(self, place):
        self.where = cpl.where
        self._place = place

    def full(self, shape, value, dtype):
        return cpl.full(shape, value, dtype, device=self._place)

    def operand(self, raw):
        return raw if self._place == "host" else cpl.array(raw, device=self._place)

    def own(self, x):
        return cpl.array(x, device=self._place) if isinstance(x, np.ndarray) else x

    def grow(self, base, arrays):
        for x in {id(x): x for x in [base] if x is not None}.values():
            grow(x.reshape(-1))


# --- memory ---


def of_numpy(values, layout):
    """The arrays, and what the second and the third lie in."""
    first, second, third = (v.copy() for v in values)
    if layout == "apart":
        return [first, second, third], second
    base = np.concatenate([second, third.astype(second.dtype)])[:len(second) + 2]
    return [first, base[:-2], base[2:]], base


def of_cpl(values, layout, place):
    (first, second, third), base = of_numpy(values, layout)
    first = cpl.array(first, device=place)
    if layout == "apart":
        second = cpl.array(second, device=place)
        return [first, second, cpl.array(third, device=place)], second
    if layout == "wraps" and place == "host":
        return [first, cpl.asarray(second), cpl.asarray(third)], base
    whole = cpl.array(base, device=place)
    return [first, whole[:-2], whole[2:]], whole


def memory(shape, aligned):
    made = np.zeros(8*int(np.prod(shape)) + 1, np.uint8)[0 if aligned else 1:]
    raw = made[:8*int(np.prod(shape))].view(np.float64).reshape(shape)
    raw[...] = numbers(np.float64, shape, 9) % 4
    return raw


@given(st.tuples(*[st.sampled_from(TYPES)]*3), st.sampled_from([(7,), (4, 3)]),
       st.sampled_from(LAYOUTS), st.booleans(), st.lists(statements(), min_size=1, max_size=6),
       st.sampled_from(PLACES))
@settings(max_examples=CASES, deadline=None, derandomize=CASES <= 200,
          suppress_health_check=[HealthCheck.too_slow])
def test_any_program(types, shape, layout, aligned, program, place):
    values = [numbers(t, shape, seed) % 4 for seed, t in enumerate(types)]
    machines = (Machine(Numpy(), *of_numpy(values, layout), memory(shape, aligned)),
                Machine(Beside(place), *of_cpl(values, layout, place), memory(shape, aligned)))
    with np.errstate(all="ignore"):
        for statement in program:
            for machine in machines:
                machine.run(*statement)
        for expected, found in zip(*(m.end() for m in machines)):
            np.testing.assert_array_equal(found, expected, strict=True)
