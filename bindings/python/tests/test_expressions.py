"""Expressions of whole arrays: one kernel each, and NumPy's results whatever is written in between."""

import itertools
import os
import subprocess
import sys
import warnings
import weakref

import numpy as np
import pytest
from conftest import numbers

import cpl

PLACES = [d.label for d in cpl.devices()]


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


def launches(do):
    """How many kernels that takes."""
    with cpl.profile() as p:
        do()
    return sum(row.calls for row in p.rows if row.kind == "kernel")


def is_waiting(x):
    return cpl._cpl.expression(x) is not None


def same(found, expected):
    np.testing.assert_array_equal(found.numpy(), expected, strict=True)


# --- what waits, and for whom ---


def test_an_expression_waits_until_it_is_asked_for(place):
    a = numbers(np.float64, 12)
    b = cpl.array(a, device=place)
    x = 0.5*(b[2:] + b[:-2])
    assert is_waiting(x) and (x.shape, x.dtype, x.place, len(x)) == ((10,), np.float64, place, 10)
    assert not is_waiting(b[2:])
    same(x, 0.5*(a[2:] + a[:-2]))
    assert not is_waiting(x)


def test_results_that_nobody_asks_for_are_not_computed():
    b = cpl.array(numbers(np.float64, 12))
    assert launches(lambda: b*2 + 1) == 0


def test_a_write_computes_what_reads_the_memory(place):
    a = numbers(np.int64, 9)
    b, other = cpl.array(a, device=place), cpl.array(a, device=place)
    x, y = b[::2] + 1, other + 1
    b[4] = -5
    assert not is_waiting(x) and is_waiting(y)
    same(x, a[::2] + 1)
    z = b[1:] * 2
    b += 1
    assert not is_waiting(z)


def test_kernels_sorts_and_views_of_numpy_write_too():
    @cpl.elementwise
    def clear(i, x):
        x[i] = 0

    a = numbers(np.float64, 9, seed=3)
    for write in (clear, lambda b: b.sort(), lambda b: b.fill(1), lambda b: b.resize(4),
                  lambda b: np.asarray(b).fill(2), lambda b: memoryview(b),
                  lambda b: np.from_dlpack(b)):
        b = cpl.array(a)
        x = b - 1
        write(b)
        assert not is_waiting(x)
        same(x, a - 1)


def test_two_wraps_of_one_array_are_the_same_memory():
    a = numbers(np.float64, 9)
    x = cpl.asarray(a)[2:] + 1
    expected = a[2:] + 1
    cpl.asarray(a[3:5])[:] = 0
    same(x, expected)


@pytest.mark.parametrize("count", range(1, 6))
def test_evaluate_takes_any_number_of_arrays(count):
    there = np.arange(4.0)
    waiting = [cpl.asarray(there) + k for k in range(5)]
    cpl.evaluate(*waiting[:count])
    assert [is_waiting(x) for x in waiting] == [k >= count for k in range(5)]


def test_evaluate_is_for_what_numpy_writes_behind_its_back():
    a = numbers(np.float64, 9)
    x, y = cpl.asarray(a) + 1, cpl.asarray(a)*2
    cpl.evaluate()
    expected = a + 1
    a[:] = 0
    same(x, expected)
    assert y.sum().item() == 2*(expected - 1).sum()


def test_settings_are_those_of_the_expression():
    a = numbers(np.float64, 9)
    x = cpl.array(a)*3 + 1
    with cpl.config(precise=True):
        assert not is_waiting(x)


def test_errors_come_where_they_are_made(place):
    x = cpl.zeros(3, device=place)
    with pytest.raises(ValueError, match="broadcast"):
        x + cpl.zeros(4, device=place)
    with pytest.raises(ValueError, match="negative integer powers"):
        cpl.ones(3, dtype=int, device=place)**cpl.array([1, -1, 1], device=place)


# --- how many kernels ---


def test_each_statement_is_one_kernel(place):
    a, b = (cpl.array(numbers(np.float64, (20, 30), seed), device=place) for seed in (1, 2))
    total = cpl.empty((), device=place)

    def stencil():
        a[1:-1] = 0.5*(b[2:] + b[:-2])

    def update():
        nonlocal a
        a *= cpl.where(b > 3, b - 1, -b)**2 + 1

    for _ in range(2):  # the first compiles
        counts = launches(stencil), launches(update), launches(lambda: (a[::2]**2).sum(out=total))
    assert counts[:2] == (1, 1)
    assert counts[2] == launches(lambda: a[::2].sum(out=total))


def test_results_into_arrays_are_one_kernel(place):
    """But for operands that the call holds, which wait for what is written: they are computed."""
    a, b = (cpl.array(numbers(np.float64, (20, 30), seed), device=place) for seed in (1, 2))
    out, mask = cpl.zeros((20, 30), device=place), cpl.array(numbers(np.bool_, 30), device=place)

    def assigned():
        a[:] = (a + b)*0.5

    for _ in range(2):  # the first compiles
        counts = [launches(f) for f in (
            lambda: np.multiply(a + b, 0.5, out=out), lambda: np.add(a, b, out=a),
            lambda: np.add(a*b, b, out=out, where=mask), lambda: np.add(a, b, out=a, where=mask),
            assigned, lambda: np.multiply(a + b, 0.5, out=a))]
    assert counts == [1, 1, 1, 1, 1, 2]


def test_dimensions_that_are_kept(place):
    """x - x.mean(1, keepdims=True) is the reduction, and one kernel."""
    a = numbers(np.float64, (4, 6))
    x = cpl.array(a, device=place)

    def centred():
        return cpl.evaluate((x - x.sum(axis=1, keepdims=True))/x.max(1, keepdims=True))

    for _ in range(2):
        count, reductions = launches(centred), launches(lambda: (x.sum(axis=1), x.max(axis=1)))
    assert count == reductions + 1
    same((x - x.sum(axis=1, keepdims=True))/x.max(1, keepdims=True),
         (a - a.sum(axis=1, keepdims=True))/a.max(1, keepdims=True))


def test_a_second_use_keeps_what_was_computed():
    a = numbers(np.float64, 20)
    x = cpl.array(a)
    t = x*2 + 1
    u, v = t + x, t*t
    assert not is_waiting(t)
    same(u, a*2 + 1 + a)
    same(v, (a*2 + 1)**2)


def test_rows_are_not_computed_again_for_each_row():
    a, b = numbers(np.float64, 6), numbers(np.float64, (5, 6))
    row = np.exp(cpl.array(a)/100)
    x = row + cpl.array(b)
    assert not is_waiting(row)
    np.testing.assert_allclose(x, np.exp(a/100) + b)


def test_long_sums_are_cut():
    parts = [numbers(np.int64, 7, seed) for seed in range(60)]
    x = cpl.array(parts[0])
    for p in parts[1:]:
        x = x + cpl.array(p)
    same(x, np.sum(parts, axis=0))
    y = cpl.array(np.ones(3))
    for _ in range(200):
        y = y + 1
    same(y, np.full(3, 201.0))


def test_nothing_is_copied_between_places(place):
    b = cpl.array(numbers(np.float64, 50), device=place)
    a = cpl.zeros(48, device=place)
    before = cpl.copies()
    for _ in range(3):
        a[:] = 0.5*(b[2:] + b[:-2])
        b[1:-1] += a
    after = cpl.copies()
    assert after["to_device"] == before["to_device"] and after["to_host"] == before["to_host"]


def test_powers_are_numpys():
    for kind in (np.float64, np.float32, np.int32):
        a = (np.arange(9) + 0.3).astype(kind)
        x = cpl.array(a)
        with cpl.config(precise=True):
            for exponent in (2, 1):
                same(x**exponent, a**exponent)
        if kind != np.int32:
            same(x**0.5, a**0.5)
            same(x**-1, a**-1)
        x **= 2
        same(x, a**2)


@pytest.mark.parametrize("f", [
    lambda x, i: x**2, lambda x, i: x**0.5, lambda x, i: 2.0**x, lambda x, i: np.sin(x),
    lambda x, i: np.hypot(x, x), lambda x, i: np.where(x > 0, x, 1), lambda x, i: i < i,
    lambda x, i: cpl.where(i, x, i)])
def test_what_types_decide_is_asked_once(f, monkeypatch):
    x, i = cpl.ones(9), cpl.arange(9)
    f(x, i)
    for module in (cpl.arrays, cpl.indexing):
        for name in ("apply", "operands"):
            monkeypatch.setattr(module, name, None, raising=False)
    assert is_waiting(f(x, i))


def test_powers_have_no_modulus():
    with pytest.raises(TypeError, match="unsupported operand"):
        pow(cpl.ones(3), 2, 3)


def test_arrays_that_ended_leave_nothing_to_later_ones():
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    ended = [cpl.asarray(fixed) for _ in range(4)]
    refs = [weakref.ref(x) for x in ended]
    assert all(x.readonly for x in ended)
    del ended
    made = [cpl.ones(2, np.int8) for _ in range(4)]
    assert not any(x.readonly for x in made) and {x.shape for x in made} == {(2,)}
    assert all(r() is None for r in refs) and weakref.ref(made[0])() is made[0]


# --- layouts, and what kernels are kept for ---


@pytest.mark.parametrize("to, of", [
    (np.s_[:4], np.s_[4:8]), (np.s_[::2], np.s_[1::2]), (np.s_[1:], np.s_[:-1]),
    (np.s_[::-1], np.s_[:]), (np.s_[:], np.s_[:]), (np.s_[3:3], np.s_[5:5])])
def test_parts_of_one_array(place, to, of):
    a = numbers(np.float64, 8)
    x = cpl.array(a, device=place)
    for _ in range(2):  # the second finds its kernel
        x[to] = 2*x[of] - x[to]
        a[to] = 2*a[of] - a[to]
        x[to] += x[of]
        a[to] += a[of]
        same(x, a)


@pytest.mark.parametrize("shape, key", [
    ((6, 7), np.s_[1:-1, 1:-1]), ((6, 7), np.s_[::2, ::-3]), ((4, 5, 6), np.s_[1:, 2:, ::2]),
    ((3, 4, 5, 6), np.s_[1:, 1:, 1:, 1:]), ((6, 7), np.s_[2]), ((6, 7), np.s_[..., 3]),
    ((6, 7), np.s_[None, 1:, 2]), ((6, 7), np.s_[2, 3])])
def test_layouts(place, shape, key):
    a, b = numbers(np.float32, shape), numbers(np.float32, shape, seed=1)
    x, y = cpl.array(a, device=place), cpl.array(b, device=place)
    x[key] = 3*y[key] + x[key]
    a[key] = 3*b[key] + a[key]
    same(x, a)
    x.T[:] = y.T - 1
    same(x, b - 1)
    same(x.T + y.T, b.T - 1 + b.T)


def test_an_array_that_grew_is_another(place):
    x = cpl.array(numbers(np.int64, 4), device=place)
    y = x + 1
    x.resize(4000)
    assert not is_waiting(y)
    x[2000:] = 5
    same(x*2 + 1, np.concatenate([numbers(np.int64, 4)*2 + 1, np.full(1996, 1), np.full(2000, 11)]))


def test_kernels_follow_types_places_of_arguments_and_settings():
    a = numbers(np.float32, 6) + np.float32(0.5)
    x, y = cpl.array(a), cpl.array(a + 1)
    for precise in (0, 1, 0):
        with cpl.config(precise=precise):
            same(x*x + y, a*a + (a + 1))
            same(x*y + y, a*(a + 1) + (a + 1))
            same(x*2 + 1.5, a*2 + np.float32(1.5))
            same(x*np.float64(2) + 1, a*np.float64(2) + 1)
    wide, out = cpl.array(a.astype(np.float64)), cpl.zeros(6, np.float32)
    out[:] = wide*2
    same(out, (a.astype(np.float64)*2).astype(np.float32))


@pytest.mark.parametrize("number", [
    2, -3, 300, 2**31, 2**63, 2**70, 0.1, 1e300, -0.0, True, np.True_, np.int8(-3), np.uint16(2**16 - 1),
    np.int32(1 - 2**31), np.uint32(2**32 - 1), np.uint64(2**63), np.int64(2**53 + 1),
    np.float16(0.1), np.float32(0.1), np.float64(0.1), np.float64(1e300)],
    ids=repr)
def test_numbers_are_taken_as_numpy_takes_them(dtype, number):
    def put(x):
        if abs(number) < 1000:  # NumPy leaves it to C what becomes of others
            x[1:3] = number
        return x

    def chosen(x, *of):
        if type(number) is int and x.dtype.kind in "biu":
            info = np.iinfo(x.dtype if x.dtype.kind != "b" else np.int64)
            if not info.min <= number <= info.max:  # NumPy wraps them round
                return x
        return np.where(x > 1, *of)

    a = numbers(dtype, 5)
    for f in (lambda x: x + number, lambda x: number*x, lambda x: x < number, lambda x: number == x,
              lambda x: chosen(x, x, number), lambda x: chosen(x, number, x),
              lambda x: np.maximum(x, number), put, lambda x: x.__iadd__(number)):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                expected = f(a.copy())
            except (TypeError, OverflowError) as error:
                with pytest.raises(type(error).__mro__[-3]):
                    f(cpl.array(a))
            else:
                same(f(cpl.array(a)), expected)


def test_arrays_are_sequences():
    x = cpl.array([1, 2, 3])
    assert [int(v) for v in reversed(x)] == [3, 2, 1] and 3 in x and 4 not in x
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    with pytest.raises(ValueError, match="cannot delete"):
        del x[0]
    with pytest.raises(IndexError):
        x[3]
    assert x.__add__("text") is NotImplemented and x.__eq__(object()) is NotImplemented


# --- switches ---

PROGRAM = """
import sys
import numpy as np, cpl
setattr(cpl.config, sys.argv[1], 1)
for device in cpl.devices():
    a = cpl.array(np.sin(np.arange(40.0)), device=device)
    b = cpl.array(np.cos(np.arange(40.0)), device=device)
    a[1:-1] = 0.1*(b[2:]*a[1:-1] + b[:-2])/3 + a[1:-1]*a[1:-1]
    if sys.argv[1] == "reproducible":
        a = np.sin(a)**3
    total = (a*b + 1).sum()
    assert total.device.label == device.label
    print(device.kind, cpl.config.fuse, device.kind + device.name.replace(" ", ""), a.numpy().tobytes().hex(),
          total.numpy().tobytes().hex())
"""


@pytest.mark.parametrize("option", ["precise", "reproducible"])
def test_switches_change_no_bit(option):
    """Whatever is fused, and wherever it is computed; functions and sums, which every device adds up
    in an order of its own, with `reproducible`."""
    here, found, sums = {d.kind for d in cpl.devices()}, set(), set()
    for switch, value in (("CPL_FUSE", "0"), ("CPL_FUSE", "1"), ("CPL_NO_OPENCL", "1"),
                          ("CPL_NO_OPENCL_GPU", "1")):
        run = subprocess.run([sys.executable, "-c", PROGRAM, option], text=True, check=True,
                             env={**os.environ, switch: value}, capture_output=True)
        kinds, fused, names, values, totals = zip(*map(str.split, run.stdout.splitlines()))
        assert set(fused) == {value if switch == "CPL_FUSE" else "1"}
        assert set(kinds) == here - ({"opencl"} if switch == "CPL_NO_OPENCL" else set())
        found.update(values)
        sums.update(zip(names if option == "precise" else names[:1]*len(names), totals))
    assert len(found) == 1
    assert len(sums) == len(set(name for name, _ in sums))


LAYOUTS = {
    "turned": ((40, 30), lambda a: a.T), "reversed": ((40, 30), lambda a: a[:, ::-1]),
    "gaps": ((3, 9000), lambda a: a[:, ::2]), "long columns": ((9000, 3), lambda a: a.T),
    "moved": ((3, 40, 50), lambda a: a.transpose(1, 2, 0)[::-1]), "row": ((9000,), lambda a: a[::-2]),
}


@pytest.mark.parametrize("tiles", [1, 2])
@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_change_no_bit(place, name, tiles):
    """With `precise`, whether what is taken in was computed before, and of a dense copy."""
    shape, view = LAYOUTS[name]
    values = np.random.default_rng(3).normal(size=shape).astype(np.float32)
    a = cpl.array(values, device=place)
    dense = cpl.array(np.ascontiguousarray(view(values)), device=place)
    row = cpl.array(np.ascontiguousarray(view(values)[..., :1]), device=place)
    some = [(0, 2), (1, 2)] if len(shape) == 3 else []
    for axis in (None, *range(len(shape)), *some):
        with cpl.config(precise=1, tiles=tiles):
            assert view(a).sum(axis).numpy().tobytes() == dense.sum(axis).numpy().tobytes()
            found = [(view(a)*dense + row).sum(axis).numpy().tobytes()]
            with cpl.config(fuse=0):
                found.append((view(a)*dense + row).sum(axis).numpy().tobytes())
        assert found[0] == found[1], axis


WHOLE, SECOND, BACK = np.s_[:], np.s_[::2], np.s_[::-1]


@pytest.mark.parametrize("shape, steps", [
    ((3, 4, 6), (WHOLE, SECOND)), ((2, 30, 40), (WHOLE, BACK)), ((2, 3, 4, 5), (SECOND,)),
    ((9000, 3), (WHOLE, SECOND, BACK)), ((2, 9000, 3), (WHOLE,)),
], ids=str)
def test_no_step_along_axes_changes_a_bit(place, shape, steps):
    """With `precise`, of sums along all axes that there are and in all orders of them in memory."""
    dims = range(len(shape))
    some = [axes for n in range(1, len(shape) + 1) for axes in itertools.combinations(dims, n)]
    layouts = itertools.product(steps, repeat=len(shape))
    for parts, order in itertools.product(layouts, itertools.permutations(dims)):
        values = np.random.default_rng(3).normal(size=[shape[i] for i in order]).astype("f4")
        back = np.argsort(order)
        view = cpl.array(values, device=place).transpose(back)[parts]
        dense = cpl.array(np.ascontiguousarray(values.transpose(back)[parts]), device=place)
        with cpl.config(precise=1):
            for axes in some:
                found = [a.sum(axes).numpy().tobytes() for a in (view, dense, view*1)]
                assert len(set(found)) == 1, (parts, order, axes)
            for axis in dims:
                found = [a.cumsum(axis).numpy().tobytes() for a in (view, dense)]
                assert found[0] == found[1], (parts, order, axis)


def test_statements_in_place_are_kernels_of_their_own():
    a, b, c = (cpl.array(numbers(np.float64, 20)) for _ in range(3))

    def in_place():
        nonlocal a
        a += b
        a *= c

    def at_once():
        a[:] = (a + b)*c

    def shifted():
        a[1:] = a[1:]*2 - b[1:]

    assert launches(in_place) == 2
    assert launches(at_once) == launches(shifted) == 1


def test_what_is_assigned_to_what_it_reads_keeps_its_elements():
    a, b = (cpl.array(numbers(np.float64, 9)) for _ in range(2))
    x, y = a.numpy().copy(), b.numpy().copy()
    sums, expected = a + b, x + y
    a[:] = sums
    same(a, expected)
    a[:] = 0
    same(sums, expected)
    twice, expected = b[1:]*2, y[1:]*2
    thrice = twice*3
    b[:-1] = twice
    same(b[:-1], expected)
    b[:] = 0
    same(twice, expected)
    same(thrice, expected*3)
    turned, expected = b + a*2 + 1, np.ones(9)
    turned[:] = turned*4
    b[::-1] = turned
    same(b[::-1], turned.numpy())
    same(turned, expected*4)


def test_unfused_operations_are_kernels_of_their_own():
    x = cpl.array(numbers(np.float64, 20))
    with cpl.config(fuse=0):
        assert not is_waiting(x*2)
        assert launches(lambda: x*2 + 1) == 2


# --- shapes ---

SHAPES = [(1,), (4,), (1, 4), (3, 1), (3, 4), (1, 1), (2, 1, 4), (2, 3, 1), (1, 3, 4), (0,), (3, 0),
          (100, 4), (100, 1, 4), (300, 100), (300, 1), (100,), (2, 2, 1, 4), ()]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_repeated_arrays(shape, place):
    """Of all pairs of shapes that fit, results and arrays that are written; the others are
    refused."""
    x = numbers(np.float64, shape, 1)
    ours = cpl.array(x, device=place)
    for other in SHAPES:
        y = numbers(np.float64, other, 2)
        theirs = cpl.array(y, device=place)
        try:
            expected = x*2 - y
        except ValueError:
            with pytest.raises(ValueError, match="shape"):
                ours*2 - theirs
            continue
        same(ours*2 - theirs, expected)
        if expected.shape == shape:
            to, into = x.copy(), cpl.array(x, device=place)
            to += y
            into += theirs
            same(into, to)
            to[...] = y
            into[...] = theirs
            same(into, to)
        elif other == expected.shape:
            with pytest.raises(ValueError):
                ours += theirs


def test_what_is_repeated_and_written(place):
    """Rows and columns of the array itself are read before it is written."""
    for index in [np.s_[:1], np.s_[1:2], np.s_[:, 2:3], np.s_[::-1, :1], np.s_[1]]:
        x = numbers(np.int64, (3, 4))
        ours = cpl.array(x, device=place)
        x += x[index]*2
        ours += ours[index]*2
        same(ours, x)
        x[:] = x[index]
        ours[:] = ours[index]
        same(ours, x)


def test_small_repeated_arrays_take_the_short_way(monkeypatch):
    """No step of Python's, as for arrays of one shape."""
    def refuse(*what):
        raise AssertionError("computed by Python")

    monkeypatch.setattr(cpl.expressions, "compute", refuse)
    column, row = cpl.array(np.arange(3.0)[:, None]), cpl.array(np.arange(4.0))
    same(column*row, np.outer(np.arange(3.0), np.arange(4.0)))


@pytest.mark.parametrize("axis", [0, 1])
def test_scans_of_expressions_of_any_number_of_arrays(axis):
    a = np.arange(12.0).reshape(3, 4)
    x, y = cpl.array(a), cpl.array(a[::-1].copy())
    for name in ("cumsum", "cumprod"):
        scan = getattr(np, name)
        for make in (lambda x, y: x, lambda x, y: x*2.0, lambda x, y: x*y + x[0] - 1.5,
                     lambda x, y: x[:, ::-1], lambda x, y: x + 1.5):
            np.testing.assert_allclose(scan(make(x, y), axis=axis).numpy(),
                                       scan(make(a, a[::-1]), axis=axis))
