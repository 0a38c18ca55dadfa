"""pytocl's way: descriptors, buffers that stay, and locals that have the types of their names."""

import math
from math import exp

import numpy as np
import pytest

import cpl
from cpl.compat.pytocl import (
    CLArgDesc, CLArgType, CLFunc, CLFuncDesc, func_to_kernel, get_global_id, get_local_id,
    get_local_size,
)

PLACES = [d.label for d in cpl.devices()]
F, I, B = CLArgType.float32_array, CLArgType.int32_array, CLArgType.bool_array


@pytest.fixture(params=PLACES)
def place(request):
    return request.param


def parallel_add(a, b, output):
    i = get_global_id(0)
    output[i] = a[i] + b[i]


def add(kind, n):
    a, b, c = (CLArgDesc(kind, n) for _ in range(3))
    return (CLFuncDesc(parallel_add, (n,)).arg(a).copy_in().arg(b).copy_in()
            .arg(c, is_readonly=False).copy_out())


@pytest.mark.parametrize("kind", [F, I])
def test_vectors_are_added(place, kind):
    a, b = (np.arange(100).astype(kind.dtype)*s for s in (1, 2))
    c = np.zeros(100, kind.dtype)
    CLFunc(add(kind, 100)).compile(place)(a, b, c)
    np.testing.assert_array_equal(c, 3*a)


def test_none_keeps_what_a_buffer_has(place):
    f = CLFunc(add(F, 4)).compile(place)
    c = np.zeros(4, np.float32)
    f(np.full(4, 2, np.float32), np.full(4, 3, np.float32), c)
    before = cpl.copies()["to_device"]
    f(None, np.full(4, 5, np.float32), c)
    assert c.tolist() == [7]*4
    if place != "host":
        assert cpl.copies()["to_device"][0] == before[0] + 1


def twice(x):
    i = get_global_id(0)
    x[i] = x[i]*2


def test_arguments_in_place(place):
    x = CLArgDesc(F, 5)
    f = CLFunc(CLFuncDesc(twice, (5,)).arg(x, is_readonly=False).copy_in().copy_out())
    values = np.arange(5, dtype=np.float32)
    f.compile(place)(values)
    assert values.tolist() == [0, 2, 4, 6, 8]


def test_two_functions_share_a_buffer_that_is_never_copied(place):
    a, b, c, d = (CLArgDesc(F, 3) for _ in range(4))
    first = (CLFuncDesc(parallel_add, (3,)).arg(a).copy_in().arg(b).copy_in()
             .arg(c, is_readonly=False))
    second = CLFuncDesc(parallel_add, (3,)).arg(b).arg(c).arg(d, is_readonly=False).copy_out()
    f = CLFunc(first, second).compile(place)
    out = np.zeros(3, np.float32)
    f(np.full(3, 2, np.float32), np.full(3, 3, np.float32), None, out)
    assert out.tolist() == [8]*3
    f({a: np.full(3, 1, np.float32), d: out})
    assert out.tolist() == [7]*3


def forms(x, n, out):
    i = get_global_id(0)
    k = 2.5
    y = 7
    i_sum = 0
    b_odd = x[i] > 2 and not x[i] == 4
    for m in range(n):
        i_sum += m
    for m in range(1, n):
        i_sum += 1
    for m in range(0, n, 2):
        i_sum += 1
    while i_sum > 100:
        i_sum -= 100
    if b_odd:
        out[i] = y/2 + k
    else:
        out[i] = -exp(0.0) if 0 <= x[i] < 1 else i_sum


def test_locals_are_what_their_names_say(place):
    x, n, out = CLArgDesc(F, 6), CLArgDesc(CLArgType.int32), CLArgDesc(F, 6)
    f = CLFunc(CLFuncDesc(forms, (6,)).arg(x).copy_in().arg(n)
               .arg(out, is_readonly=False).copy_out()).compile(place)
    found = np.zeros(6, np.float32)
    f(np.arange(6, dtype=np.float32), 5, found)
    assert found.tolist() == [-1, 17, 17, 5.5, 17, 5.5]
    assert "kernel void" in func_to_kernel(f._steps[0].desc)


def reversed_in_groups(x, t, out):
    i = get_global_id(0)
    j = get_local_id(0)
    t[j] = x[i]
    cpl.lang.local_barrier()
    out[i] = t[get_local_size(0) - 1 - j]


def outer(x, n, out):
    i = get_global_id(0)
    j = get_global_id(1)
    out[i*n + j] = x[i] - x[j]


def test_grids_of_two_dimensions(place):
    x, n, out = CLArgDesc(F, 5), CLArgDesc(CLArgType.int32), CLArgDesc(F, 25)
    found, given = np.zeros((5, 5), np.float32), np.arange(5, dtype=np.float32)
    for local in (None, (5, 1)):
        desc = (CLFuncDesc(outer, (5, 5), local).arg(x).copy_in().arg(n)
                .arg(out, is_readonly=False).copy_out())
        found[:] = 9
        CLFunc(desc).compile(place)(given, 5, found)
        np.testing.assert_array_equal(found, np.subtract.outer(given, given))


def test_local_arrays(place):
    x, out = CLArgDesc(I, 8), CLArgDesc(I, 8)
    desc = (CLFuncDesc(reversed_in_groups, (8,), (4,)).arg(x).copy_in()
            .local_arg(I, 4).arg(out, is_readonly=False).copy_out())
    found = np.zeros(8, np.int32)
    CLFunc(desc).compile(place)(np.arange(8, dtype=np.int32), found)
    assert found.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


def test_bools_and_scalars(place):
    def chosen(b_on, x, b_out):
        i = get_global_id(0)
        b_out[i] = b_on and x > 1.5

    on, x, out = CLArgDesc(CLArgType.bool), CLArgDesc(CLArgType.float32), CLArgDesc(B, 2)
    f = CLFunc(CLFuncDesc(chosen, (2,)).arg(on).arg(x).arg(out, is_readonly=False).copy_out())
    found = np.zeros(2, np.bool_)
    f.compile(place)(True, 2, found)
    assert found.all()


def test_buffers_of_the_caller(place):
    x = CLArgDesc(F, 3, no_alloc=True)
    own = cpl.array(np.ones(3, np.float32), device=place)
    CLFunc(CLFuncDesc(twice, (3,)).arg(x, is_readonly=False)).compile(place)(own)
    assert own.tolist() == [2, 2, 2]


def returns(x):
    return x[0]


def test_what_is_refused():
    x, y = CLArgDesc(F, 3), CLArgDesc(CLArgType.int32)
    with pytest.raises(SyntaxError, match="returns a value"):
        CLFunc(CLFuncDesc(returns, (3,)).arg(x)).compile()
    with pytest.raises(SyntaxError, match="assigns to 'x'.*is_readonly=False"):
        CLFunc(CLFuncDesc(twice, (3,)).arg(x)).compile()
    with pytest.raises(ValueError, match="1 parameters, and 2 arguments"):
        CLFunc(CLFuncDesc(twice, (3,)).arg(x, False).arg(y)).compile()
    with pytest.raises(ValueError, match="only read"):
        CLFuncDesc(twice, (3,)).arg(x).copy_out()
    with pytest.raises(ValueError, match="not local"):
        CLFuncDesc(twice, (3,)).local_arg(F, 2).copy_in()
    with pytest.raises(ValueError, match="arrays that"):
        CLFuncDesc(twice, (3,)).arg(y).copy_in()
    with pytest.raises(ValueError, match="no_alloc"):
        CLArgDesc(CLArgType.int32, 0, True)
    with pytest.raises(ValueError, match="as many sizes"):
        CLFuncDesc(twice, (3,), (1, 1))
    with pytest.raises(ValueError, match=r"work-groups of \(4,\) do not divide \(6,\)"):
        CLFuncDesc(twice, (6,), (4,))
    f = CLFunc(CLFuncDesc(twice, (3,)).arg(x, False).copy_in().copy_out()).compile()
    with pytest.raises(TypeError, match="float32 was expected, not float64"):
        f(np.zeros(3))
    with pytest.raises(ValueError, match="3 elements"):
        f(np.zeros(4, np.float32))
    with pytest.raises(TypeError, match="was expected, not NoneType"):
        f(None)
    with pytest.raises(TypeError, match="1 arguments are taken"):
        f()


def test_in_python_places_are_minus_one():
    assert get_global_id(0) == -1 and math.isfinite(get_local_size(1))
