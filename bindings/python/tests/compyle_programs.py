"""Small programs in Compyle's style, over all that it offers to users.

Each takes a back end and returns what it computed and what NumPy or Python have for it, a pair of
lists. They run with whatever `import compyle` means:

    python compyle_programs.py RESULTS.json cython [--openmp]

writes down what each one computed, or its exception; compyle_compare.py compares two such files.
"""

import contextlib
import io
import json
import os
import sys
import tempfile
from math import cos, exp, floor, sin, sqrt

import numpy as np

import compyle.array as carr
from compyle import parallel as PAR
from compyle import types as T
from compyle.api import (
    ArgumentParser, Array, Config, Cython, Elementwise, Extern, Kernel, KnownType, LocalMem,
    ProfileContext, Reduction, Scan, annotate, declare, detect_type, elementwise, get_assigned,
    get_config, get_func_definition, get_profile_info, get_symbols, get_unknown_names_and_calls,
    has_node, has_return, named_profile, ocl_detect_type, print_profile, profile, profile2csv,
    profile_ctx, profile_kernel, set_config, use_config, wrap,
)
from compyle.extern import get_extern_code, printf
from compyle.low_level import (
    GDIM_0, GID_0, LDIM_0, LID_0, address, atomic_dec, atomic_inc, cast, local_barrier, nogil, parallel,
    prange,
)
from compyle.parallel import serial
from compyle.sort import radix_sort
from compyle.template import Template
from compyle.utils import getsource, getsourcelines

PROGRAMS = {}
HOST, DEVICES = ("cython",), ("opencl", "cuda")


def program(*backends):
    """Registers a program; for some back ends alone, if they are named."""

    def register(function):
        PROGRAMS[function.__name__] = function, backends or HOST + DEVICES
        return function

    return register


def reals(n=100):
    return np.linspace(0.1, 3.0, n)


def ints(n=100):
    return (np.arange(n)*7919 % 101).astype(np.int32)


def host(*arrays):
    """What arrays of a back end hold."""
    return [np.array(a.get()[:len(a)]) if isinstance(a, Array) else a for a in arrays]


# --- elementwise, with types ---


@program()
def axpb_typed(backend):
    @annotate(i="int", doublep="x, y", double="a, b")
    def axpb(i, x, y, a, b):
        y[i] = a*sin(x[i]) + b

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(axpb, backend=backend)(x, y, 2.0, 3.0)
    return host(y), [2*np.sin(reals()) + 3]


@program()
def axpb_with_annotations_of_python(backend):
    def axpb(i: T.int_, x: T.doublep, y: T.doublep, a: T.double):
        y[i] = a*x[i]

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(axpb, backend=backend)(x, y, 2.0)
    return host(y), [2*reals()]


@program()
def one_known_type_for_a_parameter(backend):
    @annotate(i=KnownType("int"), x=KnownType("double*", "double"), n="int")
    def add(i, x, n):
        x[i] += n

    x = wrap(reals(), backend=backend)
    Elementwise(add, backend=backend)(x, 3)
    return host(x), [reals() + 3]


@program()
def integers_typed(backend):
    @annotate(int="i, n", intp="x, y")
    def mix(i, x, y, n):
        y[i] = (x[i] << 2) + n

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Elementwise(mix, backend=backend)(x, y, 5)
    return host(y), [ints()*4 + 5]


@program()
def unsigned_and_long(backend):
    @annotate(i="int", x="uintp", y="longp")
    def spread(i, x, y):
        y[i] = x[i]
        y[i] = y[i]*100000

    x = ints().astype(np.uint32)*1000
    a, b = wrap(x, np.zeros(100, np.int64), backend=backend)
    Elementwise(spread, backend=backend)(a, b)
    return host(b), [x.astype(np.int64)*100000]


@annotate(double="x, return_")
def twice(x):
    return 2.0*x


@annotate(double="x, return_")
def twice_and_one(x):
    return twice(x) + 1.0


@program()
def helpers_of_helpers(backend):
    @annotate(i="int", doublep="x, y")
    def apply(i, x, y):
        y[i] = twice_and_one(x[i])

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    return host(y), [2*reals() + 1]


# --- elementwise, types by the arguments ---


@annotate
def scaled(a, b):
    return a*b + 1


@annotate
def scaled_twice(a, b):
    c = scaled(a, b)
    return c + scaled(b, c)


@program()
def helpers_called_with_two_types(backend):
    @annotate
    def kernel(i, x, y, k):
        y[i] = scaled_twice(x[i], k)

    a = reals()
    x, y = wrap(a, np.zeros(len(a)), backend=backend)
    Elementwise(kernel, backend=backend)(x, y, 2)
    c = 2*a + 1
    return host(y), [c + 2*c + 1]


@program()
def axpb_decorated(backend):
    @elementwise(backend=backend)
    @annotate
    def axpb(i, x, y, a, b):
        y[i] = a*sin(x[i]) + b

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    axpb(x, y, 2.0, 3.0)
    return host(y), [2*np.sin(reals()) + 3]


@program()
def one_object_for_two_back_ends(backend):
    @elementwise
    @annotate
    def double_it(i, x):
        x[i] = 2.0*x[i]

    x = wrap(reals(), backend=backend)
    double_it.set_backend(backend)
    double_it(x)
    y = wrap(reals(), backend="cython")
    double_it.set_backend("cython")
    double_it(y)
    return host(x, y), [2*reals(), 2*reals()]


@annotate
def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x


@program()
def helper_that_returns_early(backend):
    @annotate
    def apply(i, x, y):
        y[i] = clamp(x[i], 0.5, 2.0)

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    return host(y), [np.clip(reals(), 0.5, 2.0)]


@annotate
def store(i, x, value):
    x[i] = value


@program()
def helper_that_writes(backend):
    @annotate
    def apply(i, x, a):
        store(i, x, a + x[i])

    x = wrap(reals(), backend=backend)
    Elementwise(apply, backend=backend)(x, 1.5)
    return host(x), [reals() + 1.5]


LIMIT, FACTOR = 42, 0.5


@program()
def constants_of_the_module(backend):
    @annotate
    def fill(i, x):
        x[i] = x[i]*FACTOR + LIMIT

    x = wrap(reals(), backend=backend)
    Elementwise(fill, backend=backend)(x)
    return host(x), [reals()*0.5 + 42]


@annotate
def counted_to(i, x, y):
    total = 0
    for k in range(20):
        if k % 3 == 0:
            continue
        if k > x[i]:
            break
        total += k
    y[i] = total


@program()
def loops_and_conditions(backend):
    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Elementwise(counted_to, backend=backend)(x, y)

    def expect(v):
        return sum(k for k in range(20) if k % 3 and k <= v)

    return host(y), [np.array([expect(v) for v in ints()])]


@annotate
def collatz(i, x, y):
    n = x[i] + 1
    steps = 0
    while n > 1:
        if n % 2 == 0:
            n = n >> 1
        else:
            n = 3*n + 1
        steps += 1
    y[i] = steps


@program()
def while_loops(backend):
    def expect(n):
        steps = 0
        while n > 1:
            n, steps = (n//2 if n % 2 == 0 else 3*n + 1), steps + 1
        return steps

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Elementwise(collatz, backend=backend)(x, y)
    return host(y), [np.array([expect(int(v) + 1) for v in ints()])]


@annotate
def added_in_steps(i, x, y):
    s = 0
    for k in range(10, 0, -3):
        s += k*x[i]
    for k in range(2, 9, 2):
        s -= k
    y[i] = s


@program()
def ranges_with_steps(backend):
    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Elementwise(added_in_steps, backend=backend)(x, y)
    return host(y), [ints()*22 - 20]


@annotate
def divided(i, x, y, z):
    a = x[i] + 1
    y[i] = a/7
    z[i] = a % 7


@program()
def division_and_remainder_of_integers(backend):
    x, y, z = wrap(ints(), *np.zeros((2, 100), np.int32), backend=backend)
    Elementwise(divided, backend=backend)(x, y, z)
    return host(y, z), [(ints() + 1)//7, (ints() + 1) % 7]


@program()
def bits_of_integers(backend):
    @annotate
    def mix(i, x, y):
        y[i] = ((x[i] & 12) | (x[i] ^ 5)) >> 1

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Elementwise(mix, backend=backend)(x, y)
    return host(y), [((ints() & 12) | (ints() ^ 5)) >> 1]


@program()
def conditional_expressions(backend):
    @annotate
    def choose(i, x, y):
        y[i] = x[i] if x[i] > 1.0 and x[i] < 2.0 else -1.0

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(choose, backend=backend)(x, y)
    return host(y), [np.where((reals() > 1) & (reals() < 2), reals(), -1)]


@program()
def functions_of_mathematics(backend):
    @annotate
    def evaluate(i, x, y):
        y[i] = exp(-x[i]) + sqrt(x[i])*cos(x[i]) + floor(x[i]) + abs(x[i] - 1.0)**1.5

    @annotate(i="int", doublep="x, y")
    def typed(i, x, y):
        y[i] = exp(-x[i]) + sqrt(x[i])*cos(x[i]) + floor(x[i]) + x[i]**2.0

    x, y, z = wrap(reals(), *np.zeros((2, 100)), backend=backend)
    v = reals()
    same = np.exp(-v) + np.sqrt(v)*np.cos(v) + np.floor(v)
    Elementwise(typed, backend=backend)(x, z)
    if backend != "cython":  # OpenCL's compiler finds no abs for floats in Compyle
        return host(z), [same + v**2]
    Elementwise(evaluate, backend=backend)(x, y)
    return host(y, z), [same + np.abs(v - 1)**1.5, same + v**2]


@program("cython")
def least_and_greatest(backend):
    @annotate
    def limit(i, x, y):
        y[i] = max(min(x[i], 2.0), 0.5)

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(limit, backend=backend)(x, y)
    return host(y), [np.clip(reals(), 0.5, 2.0)]


@program()
def single_precision(backend):
    @annotate
    def scale(i, x, y, a):
        y[i] = x[i]*a

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    with use_config():  # without use_double devices have floats
        x, y = wrap(reals().astype(np.float32), np.zeros(100, np.float32), backend=backend)
        Elementwise(scale, backend=backend)(x, y, 2.0)
    return host(y), [reals().astype(np.float32)*np.float32(2)]


@annotate
def mean_of_all(i, x, y, n):
    total = 0.0
    for k in range(n):
        total += x[k]
    y[i] = total/n


@program()
def sums_in_double_of_singles(backend):
    x = (reals() + 1000).astype(np.float32)
    a, b = wrap(x, np.zeros(100, np.float32), backend=backend)
    if backend != "cython":
        a, b = wrap(x.astype(np.float64), np.zeros(100), backend=backend)
    Elementwise(mean_of_all, backend=backend)(a, b, 100)
    return host(b), [np.full(100, x.astype(np.float64).mean())]


@program()
def numbers_of_numpy_as_arguments(backend):
    @annotate
    def add(i, x, n, a):
        x[i] = x[i] + n*a

    x = wrap(reals(), backend=backend)
    Elementwise(add, backend=backend)(x, np.int32(3), np.float64(0.5))
    return host(x), [reals() + 1.5]


@program()
def large_integers_as_arguments(backend):
    @annotate
    def add(i, x, n):
        x[i] = x[i] + n

    x = wrap(np.arange(100), backend=backend)
    Elementwise(add, backend=backend)(x, 10**10)
    return host(x), [np.arange(100) + 10**10]


@annotate
def product_of_sums(i, x, y):
    m = declare("matrix((2, 2))")
    v = declare("matrix(2)")
    m[0][0] = x[i]
    m[0][1] = 1.0
    m[1][0] = 2.0
    m[1][1] = x[i]
    for k in range(2):
        v[k] = m[k][0] + m[k][1]
    y[i] = v[0]*v[1]


@program()
def matrices_of_locals(backend):
    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(product_of_sums, backend=backend)(x, y)
    return host(y), [(reals() + 1)*(reals() + 2)]


@annotate(x="int", m="doublep")
def fill_matrix(x, m):
    i = declare("int")
    for i in range(3):
        m[i] = x + i


@program()
def matrices_for_helpers(backend):
    @annotate(i="int", x="intp", y="doublep")
    def apply(i, x, y):
        m = declare("matrix(3)")
        fill_matrix(x[i], m)
        y[i] = m[0] + m[1] + m[2]

    x, y = wrap(ints(), np.zeros(100), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    return host(y), [3.0*ints() + 3]


@program()
def declared_locals(backend):
    @annotate(i="int", doublep="x, y")
    def apply(i, x, y):
        j, k = declare("int", 2)
        u = declare("unsigned int")
        j = i % 3
        k = j + 1
        u = 7
        y[i] = x[k]*j + u

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    j = np.arange(100) % 3
    return host(y), [reals()[j + 1]*j + 7]


@program()
def casts(backend):
    @annotate
    def bins(i, x, k):
        b = declare("int")
        b = cast(floor(x[i]/0.25), "int")
        k[i] = b

    x, k = wrap(reals(), np.zeros(100, np.int32), backend=backend)
    Elementwise(bins, backend=backend)(x, k)
    return host(k), [np.floor(reals()/0.25).astype(np.int32)]


@program()
def atomic_counts(backend):
    @annotate
    def count(i, x, up, down):
        k = declare("int")
        j = declare("int")
        k = atomic_inc(up[x[i] % 4])
        j = atomic_dec(down[0])

    x, up, down = wrap(ints(1000), np.zeros(4, np.int32), np.zeros(1, np.int32), backend=backend)
    Elementwise(count, backend=backend)(x, up, down)
    return host(up, down), [np.bincount(ints(1000) % 4), np.array([-1000])]


@program()
def places_by_atomics(backend):
    @serial
    @annotate
    def place(i, keys, counts, out):
        k = declare("int")
        k = atomic_inc(counts[keys[i] % 8])
        out[i] = k

    keys, counts, out = wrap(
        ints(), np.zeros(8, np.int32), np.zeros(100, np.int32), backend=backend)
    Elementwise(place, backend=backend)(keys, counts, out)
    (places,) = host(out)
    groups = [np.sort(places[ints() % 8 == k]) for k in range(8)]
    return groups, [np.arange((ints() % 8 == k).sum()) for k in range(8)]


@program("cython")
def serial_kernels_run_in_order(backend):
    @serial
    @annotate(i="int", x="doublep")
    def running(i, x):
        if i > 0:
            x[i] += x[i - 1]

    x = wrap(reals(), backend=backend)
    Elementwise(running, backend=backend)(x)
    return host(x), [np.cumsum(reals())]


@program("cython")
def addresses_of_elements(backend):
    @annotate(i="int", doublep="x, y")
    def shift(i, x, y):
        p = declare("double*")
        p = address(x[i])
        y[i] = p[1]

    x, y = wrap(reals(101), np.zeros(100), backend=backend)

    @annotate(i="int", doublep="y, x")
    def turned(i, y, x):
        p = declare("double*")
        p = address(x[i])
        y[i] = p[1]

    Elementwise(turned, backend=backend)(y, x)
    return host(y), [reals(101)[1:]]


@annotate
def shadowing(i, x, y):
    np = x[i]
    y[i] = np*np


@program()
def names_that_modules_have_too(backend):
    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(shadowing, backend=backend)(x, y)
    return host(y), [reals()**2]


@program()
def later_arrays_may_be_longer(backend):
    @annotate
    def neighbours(i, y, x):
        y[i] = x[i] + x[i + 1]

    y, x = wrap(np.zeros(99), reals(), backend=backend)
    Elementwise(neighbours, backend=backend)(y, x)
    return host(y), [reals()[:-1] + reals()[1:]]


@program()
def sources_are_texts(backend):
    @annotate
    def fill(i, x, a):
        x[i] = a

    e = Elementwise(fill, backend=backend)
    e(wrap(reals(), backend=backend), 1.0)
    same = [len(e.source) > 100, len(e.all_source) >= len(e.source)]
    return [np.array(same)], [np.array([True, True])]


THREE = 3


@annotate
def halved_in_double(i, x, a, b, c):
    t = max(x[i], 2)
    a[i] = t/2
    u = abs(x[i])
    b[i] = u/2
    v = THREE*i
    c[i] = v/2


@program()
def locals_that_are_double_there(backend):
    x = np.array([5, 9, 3], np.int32)
    given = wrap(x, np.zeros(3), np.zeros(3), np.zeros(3), backend=backend)
    Elementwise(halved_in_double, backend=backend)(*given)
    return host(*given[1:]), [x/2, x/2, np.array([0, 1.5, 3])]


@program("cython")
def floats_for_integers_typed(backend):
    @annotate(i="int", y="doublep", n="int")
    def f(i, y, n):
        y[i] = n

    got = []
    for n in (3.0, np.float64(3), np.float32(3.7)):
        y = np.zeros(2)
        Elementwise(f, backend=backend)(y, n)
        got.append(y)
    return got, [np.full(2, 3.0)]*3


# --- reductions ---


@program()
def a_reduction_wraps_in_its_own_type(backend):
    x = wrap(np.full(5, 2**30, np.int32), backend=backend)
    return [Reduction("a+b", dtype_out=np.int32, backend=backend)(x),
            Reduction("a+b", map_func=input_of, dtype_out=np.int32, backend=backend)(x)], [2**30]*2


@program()
def sum_of_an_array(backend):
    r = Reduction("a+b", backend=backend)
    return [r(wrap(reals(), backend=backend))], [reals().sum()]


@program()
def least_of_an_array(backend):
    r = Reduction("min(a, b)", neutral="INFINITY", backend=backend)
    return [r(wrap(np.cos(reals()), backend=backend))], [np.cos(reals()).min()]


@program()
def greatest_of_an_array(backend):
    r = Reduction("max(a, b)", neutral="-INFINITY", backend=backend)
    return [r(wrap(np.sin(reals()), backend=backend))], [np.sin(reals()).max()]


@program()
def product_of_an_array(backend):
    r = Reduction("a*b", neutral="1.0", backend=backend)
    x = 1 + reals(20)/10
    return [r(wrap(x, backend=backend))], [x.prod()]


@program()
def sum_of_integers(backend):
    r = Reduction("a+b", dtype_out=np.int32, backend=backend)
    return [r(wrap(ints(), backend=backend))], [ints().sum()]


@program()
def mapped_sum_typed(backend):
    @annotate(i="int", doublep="x, y")
    def inner(i=0, x=[0.0], y=[0.0]):
        return cos(x[i])*sin(y[i])

    r = Reduction("a+b", map_func=inner, backend=backend)
    x, y = wrap(reals(), reals()*2, backend=backend)
    return [r(x, y)], [(np.cos(reals())*np.sin(2*reals())).sum()]


@program()
def mapped_sum_with_a_number(backend):
    @annotate
    def weighted(i, x, a):
        return a*x[i]*x[i]

    r = Reduction("a+b", map_func=weighted, backend=backend)
    return [r(wrap(reals(), backend=backend), 0.5)], [(0.5*reals()**2).sum()]


@annotate(x="int", return_="int")
def same(x):
    return x


@program()
def mapped_sum_of_integers_by_a_helper(backend):
    @annotate(int="i, return_", x="intp")
    def value(i, x):
        return same(x[i])

    r = Reduction("a+b", map_func=value, backend=backend)
    x = wrap(np.arange(1000, dtype=np.int32), backend=backend)
    return [r(x)], [499500.0]


@program()
def mapped_least_with_conditions(backend):
    @annotate
    def far(i, x):
        if x[i] > 1.0:
            return x[i]
        return 1000.0

    r = Reduction("min(a, b)", map_func=far, neutral="INFINITY", backend=backend)
    return [r(wrap(reals(), backend=backend))], [reals()[reals() > 1].min()]


# --- scans ---


@program()
def a_scan_wraps_in_its_own_type(backend):
    @annotate(int="i, item", y="longp")
    def store(i, item, y):
        y[i] = item

    x, y = wrap(np.full(5, 2**30, np.int32), np.zeros(5, np.int64), backend=backend)
    Scan(input_of, store, "a+b", dtype=np.int32, backend=backend)(x=x, y=y)
    return host(y), [np.cumsum(np.full(5, 2**30, np.int32), dtype=np.int32).astype(np.int64)]


@program()
def the_count_in_every_function_of_a_scan(backend):
    @annotate
    def value(i, N, x):
        return x[N - 1 - i]

    @annotate
    def store(i, item, N, y):
        y[i] = item + N

    x, y = wrap(np.arange(5), np.zeros(5, np.int64), backend=backend)
    Scan(value, store, "a+b", dtype=np.int64, backend=backend)(x=x, y=y)
    return host(y), [np.cumsum(np.arange(5)[::-1]) + 5]


@annotate(i="int", x="intp", return_="int")
def input_of(i, x):
    return x[i]


@program()
def running_sum(backend):
    @annotate(int="i, item", x="intp")
    def output(i, item, x):
        x[i] = item

    x = wrap(ints(), backend=backend)
    Scan(input_of, output, "a+b", dtype=np.int32, backend=backend)(x=x)
    return host(x), [np.cumsum(ints())]


@program()
def running_sum_of_doubles(backend):
    @annotate
    def value(i, x):
        return x[i]*2.0

    @annotate
    def output(i, item, y):
        y[i] = item

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Scan(value, output, "a+b", dtype=np.float64, backend=backend)(x=x, y=y)
    return host(y), [np.cumsum(2*reals())]


@program()
def running_greatest(backend):
    @annotate
    def value(i, x):
        return x[i]

    @annotate
    def output(i, item, y):
        y[i] = item

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    s = Scan(value, output, "max(a, b)", dtype=np.int32, neutral="-1", backend=backend)
    s(x=x, y=y)
    return host(y), [np.maximum.accumulate(ints())]


@program()
def exclusive_sum(backend):
    @annotate(int="i, prev_item", y="intp")
    def output(i, prev_item, y):
        y[i] = prev_item

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Scan(input_of, output, "a+b", dtype=np.int32, backend=backend)(x=x, y=y)
    return host(y), [np.cumsum(ints()) - ints()]


@program()
def sum_and_total(backend):
    @annotate(int="i, last_item, item", y="intp")
    def output(i, last_item, item, y):
        y[i] = item + last_item

    x, y = wrap(ints(), np.zeros(100, np.int32), backend=backend)
    Scan(output=output, scan_expr="a+b", dtype=np.int32, backend=backend)(input=x, y=y)
    return host(y), [np.cumsum(ints()) + ints().sum()]


@program()
def unique_values(backend):
    @annotate(i="int", x="intp", return_="int")
    def is_new(i, x):
        if i == 0 or x[i] != x[i - 1]:
            return 1
        else:
            return 0

    @annotate(int="i, prev_item, item, N", x="intp", unique="intp", count="intp")
    def output(i, prev_item, item, N, x, unique, count):
        if item != prev_item:
            unique[item - 1] = x[i]
        if i == N - 1:
            count[0] = item

    keys = np.sort(ints())
    x, unique, count = wrap(keys, np.zeros(100, np.int32), np.zeros(1, np.int32), backend=backend)
    s = Scan(is_new, output, "a+b", dtype=np.int32, backend=backend)
    s(x=x, unique=unique, count=count)
    found, n = host(unique, count)
    return [found[:n[0]]], [np.unique(keys)]


@program()
def sums_of_segments(backend):
    @annotate(i="int", flags="intp", return_="int")
    def begins(i, flags):
        return flags[i]

    @annotate(int="i, item", y="intp")
    def output(i, item, y):
        y[i] = item

    flags = (np.arange(100) % 13 == 5).astype(np.int32)
    x, f, y = wrap(ints(), flags, np.zeros(100, np.int32), backend=backend)
    s = Scan(input_of, output, "a+b", is_segment=begins, dtype=np.int32, backend=backend)
    s(x=x, flags=f, y=y)
    parts = np.split(ints(), np.flatnonzero(flags))
    return host(y), [np.concatenate([np.cumsum(p) for p in parts])]


@program()
def selection_by_a_scan(backend):
    @annotate(i="int", x="intp", return_="int")
    def small(i, x):
        if x[i] < 50:
            return 1
        return 0

    @annotate(int="i, item, prev_item", x="intp", y="intp", count="intp")
    def output(i, item, prev_item, x, y, count):
        if item != prev_item:
            y[item - 1] = x[i]
        count[0] = 0

    x, y, count = wrap(ints(), *np.zeros((2, 100), np.int32), backend=backend)
    s = Scan(small, output, "a+b", dtype=np.int32, complex_map=True, backend=backend)
    s(x=x, y=y, count=count)
    return [host(y)[0][:(ints() < 50).sum()]], [ints()[ints() < 50]]


# --- kernels over a grid, which Compyle has for devices alone; functions of the host ---


@program()
def kernels_over_a_grid(backend):
    @annotate(gdoublep="x, y", a="float", size="int")
    def scale(x, y, a, size):
        i = declare("int")
        i = GID_0*LDIM_0 + LID_0
        if i < size:
            y[i] = x[i]*a

    x, y = wrap(reals(1000), np.zeros(1000), backend=backend)
    Kernel(scale, backend=backend)(x, y, 21.0, 1000)
    return host(y), [reals(1000)*21]


@program()
def grids_that_are_known(backend):
    @annotate(gintp="x, y")
    def place(x, y):
        i = declare("int")
        i = GID_0*LDIM_0 + LID_0
        x[i] = GDIM_0
        y[i] = LDIM_0

    x, y = wrap(*np.zeros((2, 128), np.int32), backend=backend)
    Kernel(place, backend=backend)(x, y, global_size=(128,), local_size=(32,))
    return host(x, y), [np.full(128, 4), np.full(128, 32)]


@program()
def output_that_never_comes(backend):
    @annotate(i="int", x="intp")
    def told(i, x):
        if x[i] < 0:
            printf("%d\\n", x[i])
        x[i] += 1

    x = wrap(ints(), backend=backend)
    Elementwise(told, backend=backend)(x)
    return host(x), [ints() + 1]


@program()
def kernels_with_local_memory(backend):
    @annotate(gdoublep="x, y", xc="ldoublep")
    def turn(x, y, xc):
        i, lid = declare("int", 2)
        lid = LID_0
        i = GID_0*LDIM_0 + lid
        xc[lid] = x[i]
        local_barrier()
        y[i] = xc[LDIM_0 - 1 - lid]

    x, y = wrap(reals(1024), np.zeros(1024), backend=backend)
    k = Kernel(turn, backend=backend)
    k(x, y, LocalMem(1, backend=backend), local_size=(64,))
    return host(y), [reals(1024).reshape(-1, 64)[:, ::-1].ravel()]


@annotate(double="x, y, a", return_="double")
def weight(x, y, a):
    return x*y*a


@program("cython")
def functions_that_return(backend):
    @annotate(doublep="x, y", a="double", n="int", return_="double")
    def total(x, y, a, n):
        i = declare("int")
        s = declare("double")
        s = 0.0
        for i in range(n):
            s += weight(x[i], y[i], a)
        return s

    return [Cython(total)(reals(), reals(), 2.0, 100)], [(2*reals()**2).sum()]


@annotate(int="n, return_")
def factorial(n):
    if n == 0:
        return 1
    else:
        return n*factorial(n - 1)


@program("cython")
def functions_that_call_themselves(backend):
    return [Cython(factorial)(k) for k in (0, 1, 5)], [1, 1, 120]


@program("cython")
def parallel_loops(backend):
    @annotate(n="int", doublep="x, y", a="double")
    def scale(x, y, a, n):
        i = declare("int")
        with nogil, parallel():
            for i in prange(n):
                y[i] = x[i]*a

    y = np.zeros(100)
    with use_config(use_openmp=True):
        Cython(scale)(reals(), y, 2.0, 100)
    return [y], [2*reals()]


# --- arrays ---


@program()
def arrays_that_grow(backend):
    a = Array(np.int32, n=16, backend=backend)
    a.fill(3)
    a.append(5)
    sizes = [len(a), a.alloc]
    a.resize(40)
    a.reserve(64)
    sizes += [len(a), a.alloc]
    a.resize(17)
    a.squeeze()
    sizes += [len(a), a.alloc]
    return host(a) + [np.array(sizes)], [np.array([3]*16 + [5]), [17, 32, 40, 64, 17, 17]]


@program()
def arrays_that_are_changed(backend):
    a = wrap(ints(10), backend=backend)
    b = a.copy()
    a.remove(wrap(np.array([1, 3], np.int32), backend=backend))
    c = a.align(wrap(np.array([2, 0], np.int32), backend=backend))
    b.extend(c)
    a.set(np.array([9, 8], np.int32))
    kept = np.delete(ints(10), [1, 3])
    return host(a, b, c), [[9, 8], np.append(ints(10), kept[[2, 0]]), kept[[2, 0]]]


@program()
def views_and_elements(backend):
    a = wrap(ints(10), backend=backend)
    a[2] = 77
    view = a.get_view(2, 4)
    part = a[1:4]
    found = [int(a[0]), int(a[2]), len(view), len(part)]
    expect = ints(10)
    expect[2] = 77
    return host(view, part) + [found], [
        expect[2:6], expect[1:4], [expect[0], 77, 4, 3]]


@program()
def copies_of_values(backend):
    a = wrap(reals(10), backend=backend)
    b = carr.zeros(10, np.float64, backend=backend)
    a.copy_values(wrap(np.array([3, 5], np.int32), backend=backend), b)
    return host(b), [np.append(reals(10)[[3, 5]], np.zeros(8))]


@program()
def sums_of_arrays(backend):
    a, b = wrap(reals(10), reals(10)**2, backend=backend)
    return host(a + b, a - b, 2.0 + a), [
        reals(10) + reals(10)**2, reals(10) - reals(10)**2, 2 + reals(10)]


@program()
def comparisons_of_arrays(backend):
    a = wrap(ints(10), backend=backend)
    v = ints(10)
    got = host(a > 50, a < 50, a >= 38, a <= 38, a == 38, a != 38)
    return got, [v > 50, v < 50, v >= 38, v <= 38, v == 38, v != 38]


@program()
def new_arrays(backend):
    a = carr.arange(2, 20, 3, np.int32, backend=backend)
    b = carr.linspace(0, 1, 11, np.float64, backend=backend)
    c = carr.ones(3, np.float64, backend=backend)
    d = carr.zeros_like(a)
    e = carr.ones_like(b)
    return host(a, b, c, d, e), [
        np.arange(2, 20, 3), np.linspace(0, 1, 11), np.ones(3), np.zeros(6), np.ones(11)]


@program()
def numbers_of_arrays(backend):
    a = wrap(ints(), backend=backend)
    a.update_min_max()
    got = [carr.minimum(a), carr.maximum(a), carr.sum(a), carr.dot(a, a), a.minimum, a.maximum]
    v = ints()
    return [float(g) for g in got], [v.min(), v.max(), v.sum(), v @ v, v.min(), v.max()]


@program()
def sums_and_differences_along_arrays(backend):
    a = wrap(ints().astype(np.int64), backend=backend)
    y, x = wrap(reals(10)**2, reals(10), backend=backend)
    v = ints().astype(np.int64)
    area = ((reals(10)[1:] - reals(10)[:-1])*(reals(10)[1:]**2 + reals(10)[:-1]**2)/2).sum()
    return host(carr.cumsum(a), carr.diff(a, 1), carr.diff(a, 2)) + [float(carr.trapz(y, x))], [
        np.cumsum(v), np.diff(v), np.diff(v, 2), area]


@program()
def choices_among_arrays(backend):
    a = wrap(ints(), backend=backend)
    b = carr.zeros_like(a)
    picked = carr.take_bool(a, a > 50)
    chosen = carr.where(a > 50, a, b)
    order = wrap(np.array([5, 0, 7], np.int32), backend=backend)
    v = ints()
    return host(picked, chosen, carr.take(a, order)), [
        v[v > 50], np.where(v > 50, v, 0), v[[5, 0, 7]]]


@program()
def arrays_in_one_order(backend):
    order = wrap(np.array([5, 0, 7], np.int32), backend=backend)
    a, b = wrap(ints(10), reals(10), backend=backend)
    return host(*carr.align([a, b], order)), [ints(10)[[5, 0, 7]], reals(10)[[5, 0, 7]]]


@program()
def arrays_sorted_by_keys(backend):
    keys = np.random.default_rng(1).permutation(50).astype(np.int32)
    a, b = wrap(keys, reals(50), backend=backend)
    sorted_keys, values = carr.sort_by_keys([a, b])
    return host(sorted_keys, values), [np.arange(50), reals(50)[np.argsort(keys)]]


@program()
def arrays_sorted_by_bits(backend):
    keys = np.random.default_rng(2).integers(0, 16, 50).astype(np.int32)
    a, b = wrap(keys, np.arange(50, dtype=np.int32), backend=backend)
    (sorted_keys, order), _ = radix_sort([a, b], max_key_bits=4)
    return host(sorted_keys, order), [np.sort(keys), np.argsort(keys, kind="stable")]


# --- as codes of particles have them ---


@annotate(double="r, h, return_")
def spline(r=0.0, h=1.0):
    fac = 10.0/(7.0*M_PI*h*h)
    q = r/h
    rest = 2. - q
    if q > 2.0:
        val = 0.0
    elif q > 1.0:
        val = 0.25*rest*rest*rest
    else:
        val = 1 - 1.5*q*q*(1 - 0.5*q)
    return val*fac


@annotate(double="xij, yij, r, h", grad="doublep")
def gradient(xij, yij, r, h, grad):
    tmp = 0.0
    if r > 1e-12:
        tmp = -1.0/(r*h)
    grad[0] = tmp*xij
    grad[1] = tmp*yij


def spline_of_numpy(r, h):
    q = r/h
    inner, outer = 1 - 1.5*q*q*(1 - 0.5*q), 0.25*(2 - q)**3
    return np.where(q > 2, 0, np.where(q > 1, outer, inner))*10/(7*np.pi*h*h)


@program()
def densities_of_particles(backend):
    @annotate(int="i, n", doublep="x, y, m, rho, au, av", h="double")
    def density(i, x, y, m, rho, au, av, h, n):
        j = declare("int")
        xij, yij, r = declare("double", 3)
        g = declare("matrix(2)")
        rho[i] = 0.0
        au[i] = 0.0
        av[i] = 0.0
        for j in range(n):
            xij = x[i] - x[j]
            yij = y[i] - y[j]
            r = sqrt(xij*xij + yij*yij)
            rho[i] += m[j]*spline(r, h)
            gradient(xij, yij, r, h, g)
            au[i] += m[j]*g[0]
            av[i] += m[j]*g[1]

    n, h = 40, 0.3
    px, py = np.random.default_rng(1).random((2, n))
    x, y, m, *out = wrap(px, py, np.ones(n)/n, *np.zeros((3, n)), backend=backend)
    Elementwise(density, backend=backend)(x, y, m, *out, h, n)
    dx, dy = px[:, None] - px, py[:, None] - py
    r = np.hypot(dx, dy)
    f = np.divide(-1, r*h, out=np.zeros_like(r), where=r > 1e-12)/n
    return host(*out), [spline_of_numpy(r, h).sum(1)/n, (f*dx).sum(1), (f*dy).sum(1)]


@annotate
def flattened(x, y, ncx):
    return x + ncx*y


@annotate
def cell_of(x, y, h, low, c):
    c[0] = cast(floor((x - low)/h), "int")
    c[1] = cast(floor((y - low)/h), "int")


@annotate
def begins_cell(i, keys):
    return 1 if i == 0 or keys[i] != keys[i - 1] else 0


@annotate(int="i, item, prev_item, N", gintp="keys, start, cells, total")
def begin_of_cell(i, item, prev_item, N, keys, start, cells, total):
    if item != prev_item:
        start[item - 1] = i
        cells[item - 1] = keys[i]
    if i == N - 1:
        total[0] = item


@program()
def particles_in_cells(backend):
    @annotate
    def fill_keys(i, x, y, h, low, ncx, keys, order):
        c = declare('matrix(2, "int")')
        cell_of(x[i], y[i], h, low, c)
        keys[i] = flattened(c[0], c[1], ncx)
        order[i] = i

    n = 60
    px, py = np.random.default_rng(7).random((2, n))
    x, y, *two = wrap(px, py, *np.zeros((2, n), np.int32), backend=backend)
    Elementwise(fill_keys, backend=backend)(x, y, 0.25, 0.0, 4, *two)
    keys, order = carr.sort_by_keys(two, use_radix_sort=backend == "cython")
    start, cells = (carr.zeros(n, np.int32, backend=backend) for _ in range(2))
    total = carr.zeros(1, np.int32, backend=backend)
    find = Scan(begins_cell, begin_of_cell, "a+b", dtype=np.int32, backend=backend)
    find(keys=keys, start=start, cells=cells, total=total)
    known = (px//0.25 + 4*(py//0.25)).astype(np.int32)
    right, first = np.unique(known, return_index=True)
    first = np.searchsorted(np.sort(known), right)
    (count,) = host(total)[0]
    return host(keys, order, start[:count], cells[:count]), [
        np.sort(known), np.argsort(known, kind="stable"), first, right]


@annotate(i="int", doublep="x, f", k="double")
def spring(i, x, f, k):
    f[i] = -k*(x[i] - 0.5)


@annotate(i="int", doublep="x, v, f", dt="double", n="int")
def integrate(i, x, v, f, dt, n):
    v[i] += f[i]*dt
    x[i] += v[i]*dt
    if i == 0 or i == n - 1:
        v[i] = 0.0


@annotate(i="int", v="doublep", m="double", return_="double")
def kinetic(i, v, m):
    return 0.5*m*v[i]*v[i]


class Springs:
    """Holds its arrays and kernels."""

    def __init__(self, n, backend):
        self.x, self.v = wrap(np.linspace(0, 1, n), np.zeros(n), backend=backend)
        self.f = carr.zeros_like(self.x)
        self.force = Elementwise(spring, backend=backend)
        self.move = Elementwise(integrate, backend=backend)
        self.energy = Reduction("a+b", map_func=kinetic, backend=backend)

    @profile
    def step(self, dt):
        self.force(self.x, self.f, 4.0)
        self.move(self.x, self.v, self.f, dt, self.x.length)


@program()
def objects_that_hold_their_kernels(backend):
    s = Springs(20, backend)
    x, v = np.linspace(0, 1, 20), np.zeros(20)
    for _ in range(25):
        s.step(0.01)
        v -= 0.04*(x - 0.5)
        x += 0.01*v
        v[[0, -1]] = 0.0
    info = get_profile_info()
    counts = [info[0]["Springs.step"]["calls"], info[1]["elwise_spring"]["calls"]]
    return [*host(s.x, s.v), float(s.energy(s.v, 2.0)), counts], [x, v, (v*v).sum(), [25, 25]]


@annotate(x="gintp", int="n, v, return_")
def lower_bound(x, n, v):
    lo, hi, mid = declare("int", 3)
    lo = 0
    hi = n
    while lo < hi:
        mid = (lo + hi) >> 1
        if x[mid] < v:
            lo = mid + 1
        else:
            hi = mid
    return lo


@program()
def searches_in_sorted_arrays(backend):
    @annotate(int="i, n", intp="q, x, out")
    def search(i, q, x, out, n):
        out[i] = lower_bound(x, n, q[i])

    among = np.arange(0, 300, 3, dtype=np.int32)
    q, x, out = wrap(ints(), among, np.zeros(100, np.int32), backend=backend)
    Elementwise(search, backend=backend)(q, x, out, 100)
    return host(out), [np.searchsorted(among, ints())]


@annotate(i="int", key="gintp", return_="int")
def other_key(i, key):
    if i == 0:
        return 1
    if key[i] != key[i - 1]:
        return 1
    return 0


@program()
def sums_by_keys(backend):
    keys = np.sort(ints() % 7)
    key, x, y = wrap(keys, reals(), np.zeros(100), backend=backend)
    s = Scan(element_of, item_into, "a+b", is_segment=other_key, backend=backend)
    s(x=x, key=key, y=y)
    parts = np.split(reals(), np.flatnonzero(np.diff(keys)) + 1)
    return host(y), [np.concatenate([np.cumsum(p) for p in parts])]


@program()
def scans_divided_by_their_last(backend):
    @annotate
    def square(i, x):
        return x[i]*x[i]

    @annotate
    def store(i, item, prev_item, last_item, out):
        out[i] = item/last_item + prev_item

    x, out = wrap(reals(), np.zeros(100), backend=backend)
    Scan(square, store, "a+b", dtype=np.float64, backend=backend)(x=x, out=out)
    sums = np.cumsum(reals()**2)
    return host(out), [sums/sums[-1] + sums - reals()**2]


# --- as its documentation has them: names of C and of Compyle that no module imports ---


@annotate(i="int", x="doublep", y="doublep", double="a,b")
def of_no_imports(i, x, y, a, b):
    u, v = declare("matrix(2)", 2)
    u[0] = atan2(x[i], 2.0)  # noqa: F821
    v[1] = log(x[i]) + fabs(-x[i])  # noqa: F821
    y[i] = a*u[0] + b*v[1] + M_E


@program()
def names_that_nobody_imports(backend):
    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(of_no_imports, backend=backend)(x, y, 2.0, 3.0)
    v = reals()
    return host(y), [2*np.arctan2(v, 2) + 3*(np.log(v) + v) + np.e]


@annotate
def magnitude(i, x):
    y = declare("int")
    y = abs(x[i])
    return y


@program()
def results_of_a_declared_type(backend):
    @annotate
    def apply(i, x, y):
        y[i] = magnitude(i, x)/2

    x, y = wrap(ints() - 50, np.zeros(100, np.int32), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    return host(y), [np.abs(ints() - 50)//2]


@program()
def views_in_kernels(backend):
    @annotate(i="int", x="doublep", a="double")
    def change(i, x, a):
        x[i] = x[i]*a + i

    x = wrap(reals(10), backend=backend)
    view = x.get_view(3, 4)
    Elementwise(change, backend=backend)(view, 2.0)
    expect = reals(10)
    expect[3:7] = expect[3:7]*2 + np.arange(4)
    return host(x, x[2:5]), [expect, expect[2:5]]


@program()
def numbers_of_all_kinds(backend):
    @annotate(i="int", x="doublep", n="int", u="uint", m="long", f="double")
    def take(i, x, n, u, m, f):
        x[i] = f + n + u + m

    got = []
    for args in ((1, 2, 3, 4.0), (True, 2, 3, 4), (-1, 2, -3, -4.5),
                 (np.int64(1), np.uint8(2), np.int32(3), np.float32(0.5))):
        x = wrap(np.zeros(2), backend=backend)
        Elementwise(take, backend=backend)(x, *args)
        got += host(x)
    return got, [np.full(2, v) for v in (10, 10, -6.5, 6.5)]


# --- around kernels ---


@program()
def settings_for_a_block(backend):
    outside = get_config()
    with use_config(use_openmp=True) as inside:
        seen = [get_config() is inside, inside.use_double, inside.omp_schedule == ("dynamic", 64)]
    return [np.array([*seen, get_config() is outside])], [np.array([True, False, True, True])]


@program()
def times_of_kernels(backend):
    @annotate
    def profiled_fill(i, x, a):
        x[i] = a

    @profile(name="all of it")
    def run():
        with profile_ctx("block"):
            e(x, 2.0)

    x = wrap(reals(), backend=backend)
    e = Elementwise(profiled_fill, backend=backend)
    run()
    run()
    info = get_profile_info()
    got = [info[0]["all of it"]["calls"], info[1]["block"]["calls"],
           info[2]["elwise_profiled_fill"]["calls"]]
    return [np.array(got)], [np.array([2, 2, 2])]


@program()
def kernels_as_functions_of_python(backend):
    @annotate(i="int", doublep="x, y")
    def add(i, x, y):
        k = declare("int")
        k = cast(1.7, "int")
        y[i] = x[i] + k

    y = np.zeros(100)
    for i in range(100):
        add(i, reals(), y)
    return [y, twice_and_one(2.0), clamp(9, 1, 5)], [reals() + 1, 5.0, 5]


def raised(function, *args, **keywords):
    """The name of the exception that a call ends with."""
    try:
        function(*args, **keywords)
    except Exception as error:
        return type(error).__name__
    return "nothing"


# --- arrays: what else they have ---


@program()
def arrays_of_numpys(backend):
    a = carr.to_device(reals(5), backend=backend)
    b = carr.wrap_array(reals(5), backend)
    c, d = carr.empty(4, np.int32, backend=backend), carr.empty_like(b)
    c.fill(7)
    d.fill(0.5)
    said = [carr.get_backend(backend) == backend, carr.get_backend() == "cython",
            wrap(a, backend=backend) is a, len(wrap(reals(), ints(), backend=backend)), len(wrap())]
    return host(a, b, c, d) + [said], [
        reals(5), reals(5), np.full(4, 7), np.full(5, 0.5), [True, True, True, 2, 0]]


@program()
def memory_of_arrays(backend):
    a = Array(np.int32, n=4, backend=backend)
    a.fill(1)
    a.reserve(9)
    sizes = [a.length, a.alloc, len(a.get_array())]
    b = wrap(ints(6), backend=backend)
    b.set_data(carr.to_device(ints(3), backend=backend))
    c = wrap(ints(6), backend=backend)
    c[0] = 50
    c.pull()
    before = c.data.copy()
    c.data[:] = 4
    c.push()
    return host(a, b, c) + [sizes, before], [
        np.ones(4), ints(3), np.full(6, 4), [4, 9, 4], np.append(50, ints(6)[1:])]


@program("cython")
def raw_views_of_arrays(backend):
    a = wrap(ints(10), backend=backend)
    return [a.get_buff(2, 3), a.get_buff(7), a.get_data(), np.array(a), list(a)], [
        ints(10)[2:5], ints(10)[7:], ints(10), ints(10), ints(10)]


@program()
def limits_of_several_arrays(backend):
    a, b = wrap(ints(), reals(), backend=backend)
    carr.update_minmax_gpu([a, b], backend=backend)
    wrong = raised(carr.update_minmax_gpu, [a], only_min=True, only_max=True, backend=backend)
    return [float(a.minimum), float(a.maximum), float(b.minimum), float(b.maximum), wrong], [
        ints().min(), ints().max(), reals().min(), reals().max(), "ValueError"]


@program()
def numbers_from_the_left(backend):
    a = wrap(reals(5), backend=backend)
    return host(2.0 - a, 2.0 + a) + [raised(lambda: a + 1.0), raised(hash, a)], [
        2 - reals(5), 2 + reals(5), "TypeError", "TypeError"]


@program()
def what_arrays_refuse(backend):
    a, b = wrap(reals(6), ints(6), backend=backend)
    one = carr.ones(1, np.int32, backend=backend)
    got = [
        raised(carr.where, b, a, b), raised(carr.diff, a, -1), raised(carr.diff, a, 9),
        raised(carr.linspace, 0, 1, 0, backend=backend),
        raised(carr.linspace, 0, 1, np.int64(5), backend=backend),
        raised(wrap, [1.0], backend=backend), raised(a.copy_values, [1], a),
        raised(lambda: a == None), raised(one.remove, b),  # noqa: E711
    ]
    return [got], [["TypeError", "ValueError", "ValueError", "ValueError", "TypeError",
                    "AttributeError", "TypeError", "KeyError", "ValueError"]]


@program("cython")
def orders_of_arrays(backend):
    keys = np.random.default_rng(3).permutation(20).astype(np.int32)
    a = wrap(keys.copy(), backend=backend)
    order = carr.argsort(a)
    b, c = wrap(keys.copy(), reals(20), backend=backend)
    out = [carr.zeros(20, np.int32, backend=backend), carr.zeros(20, np.float64, backend=backend)]
    carr.sort_by_keys([b, c], out_list=out)
    d = carr.sort_by_keys([wrap(keys.copy(), backend=backend)], use_radix_sort=True)
    right = np.argsort(keys)
    return host(order, a, *out, *d), [right, np.arange(20), np.arange(20), reals(20)[right],
                                      np.arange(20)]


@program()
def areas_below_arrays(backend):
    y = wrap(reals(10)**2, backend=backend)
    v = reals(10)**2
    between = (v[1:] + v[:-1]).sum()/2
    return [float(carr.trapz(y)), float(carr.trapz(y, dx=0.5))], [between, between/2]


# --- what algorithms are made of, texts, templates, externs ---


@annotate(i="int", x="doublep", return_="double")
def element_of(i, x):
    return x[i]


@annotate(i="int", item="double", y="doublep")
def item_into(i, item, y):
    y[i] = item


@program()
def algorithms_for_a_back_end(backend):
    @annotate(i="int", doublep="x, y")
    def twofold(i, x, y):
        y[i] = 2*x[i]

    x, y, z = wrap(reals(), *np.zeros((2, 100)), backend=backend)
    PAR.ElementwiseBase(twofold, backend=backend)(x, y)
    total = PAR.ReductionBase("a+b", element_of, backend=backend)(x)
    PAR.ScanBase(element_of, item_into, "a+b", backend=backend)(x=x, y=z)
    return [*host(y, z), float(total)], [2*reals(), np.cumsum(reals()), reals().sum()]


@program()
def what_a_scan_lacks(backend):
    def plain(i: T.int_, x: T.doublep) -> T.double:
        return x[i]

    def kept(i: T.int_, item: T.double, y: T.doublep):
        y[i] = item

    @annotate
    def inferred(i, x):
        return x[i]

    x = wrap(reals(), backend=backend)
    got = [
        raised(Scan(element_of, item_into, backend=backend), x=x),
        raised(Scan(inferred, item_into, backend=backend), x=x),
        raised(Scan(plain, kept, backend=backend), x=x),
        raised(Scan(output=item_into, backend=backend), y=x),
        raised(Scan(element_of, item_into, backend=backend), x),
    ]
    return [got], [["ValueError", "ValueError", "KeyError", "KeyError", "TypeError"]]


@program()
def back_ends_chosen_late(backend):
    e, r = Elementwise(double_all), Reduction("a+b")
    before = [e.elementwise is None, r.reduction is None]
    e.set_backend(backend)
    r.set_backend(backend)
    x = wrap(reals(), backend=backend)
    e(x)
    total = r(x)
    after = [e.backend == backend, e.name == "elwise_double_all", r.name == "reduce",
             type(e.elementwise).__name__ == "ElementwiseJIT",
             type(r.reduction).__name__ == "ReductionBase"]
    return [float(total), before + after], [2*reals().sum(), [True]*7]


@annotate
def double_all(i, x):
    x[i] = 2.0*x[i]


class Polynomial(Template):
    """y is a polynomial of x."""

    def __init__(self, name, factors):
        super().__init__(name)
        self.factors = factors

    def extra_args(self):
        return ["by"], {"by": "double"}

    def template(self, i: T.int_, x: T.doublep, y: T.doublep):
        """Evaluates it."""
        '''
        y[i] = 0.0
        % for k in obj.factors:
        y[i] = y[i]*x[i] + by*${k}
        % endfor
        '''


def three_lines(a):
    """Not this."""
    a += 1
    return a


@program()
def functions_by_templates(backend):
    t = Polynomial("cubic", [1.0, 0.5, -2.0, 3.0])
    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(t.function, backend=backend)(x, y, 2.0)
    text = t.inject(three_lines, 2)
    told = [t.function is t.function, t.function.__name__ == "cubic", "by*0.5" in t.function.source,
            t.function.__doc__.strip() == "Evaluates it.", t.render("${obj.name}") == "cubic",
            text == "        a += 1\n        return a\n", not t.function.is_jit]
    return host(y) + [told], [2*np.polyval([1.0, 0.5, -2.0, 3.0], reals()), [True]*7]


class Remainder(Extern):
    """That of C."""

    def link(self, backend):
        return []

    def code(self, backend):
        return "from libc.math cimport fmod" if backend == "cython" else ""

    def __call__(self, x, y):
        return np.fmod(x, y)


fmod = Remainder()


@annotate(double="x, return_")
def wrapped_angle(x):
    return fmod(x, 0.7)


@program()
def functions_from_outside(backend):
    @annotate(i="int", doublep="x, y")
    def apply(i, x, y):
        y[i] = wrapped_angle(x[i])

    x, y = wrap(reals(), np.zeros(100), backend=backend)
    Elementwise(apply, backend=backend)(x, y)
    _, code = get_extern_code([fmod], backend)
    told = [len(code) == (backend == "cython")]  # OpenCL has it
    return host(y) + [told, raised(Extern().code, backend)], [
        np.fmod(reals(), 0.7), [True], "NotImplementedError"]


# --- settings, types, times, texts of functions ---


@program("cython")
def settings_by_their_names(backend):
    outside = get_config()
    names_of = ("use_openmp", "use_opencl", "use_cuda", "use_double", "profile",
                "use_local_memory", "suppress_warnings")
    c = Config()
    defaults = [getattr(c, name) for name in names_of] + [c.wgs]
    c.set_omp_schedule("guided,20")
    parts = [*c.omp_schedule]
    c.omp_schedule = ("static", 5)
    wrong = [raised(setattr, c, "omp_schedule", "x"), raised(c.set_omp_schedule, "other,3")]
    set_config(c)
    mine = get_config() is c
    set_config(None)
    other = get_config() is not c
    set_config(outside)
    with use_config(use_opencl=True, other=3) as inside:
        seen = [carr.get_backend(), inside.other, inside.use_double]
    return [defaults, [*map(str, parts)], wrong, [mine, other], [*map(str, seen)]], [
        [False]*7 + [32], ["guided", "20"], ["ValueError"]*2, [True, True],
        ["opencl", "3", "False"]]


@program("cython")
def settings_by_arguments(backend):
    outside, parser = get_config(), ArgumentParser()
    set_config(Config())
    parser.add_argument("-n", type=int, default=3)
    said = parser.parse_args(["-b", "cython", "--openmp", "--use-double", "-n", "5"])
    first = [said.backend == "cython", said.n == 5, get_config().use_openmp,
             get_config().use_double]
    said, rest = parser.parse_known_args(["--more", "-b", "opencl"])
    second = [rest == ["--more"], said.backend == "opencl", not get_config().use_openmp]
    set_config(outside)
    return [first + second], [[True]*7]


@program("cython")
def types_by_their_names(backend):
    got = [
        str(T.get_declare_info('matrix((2, 3), "int")')),
        str(T.get_declare_info("LOCAL_MEM double")), T.dtype_to_ctype(np.uint32),
        str(np.dtype(T.ctype_to_dtype("long"))), T.knowntype_to_ctype("guintp"),
        T.dtype_to_knowntype(np.float32, address="local"),
        raised(T.knowntype_to_ctype, "none"), raised(T.dtype_to_knowntype, np.int32, address="x"),
        ", ".join(sorted(T.kwtype_to_annotation({"int": "i, return_", "x": "doublep"}))),
        raised(annotate, x="none"), str(isinstance(T.Undefined(), T.Undefined)),
        str(KnownType("int*", "int") == KnownType("int*", "int")), repr(KnownType("int")),
        str(declare("int")), str(declare("double", 2)), str(declare("matrix((2, 2))").shape),
    ]
    return [got], [[
        "('matrix', '', 'int', (2, 3))", "('primitive', 'LOCAL_MEM', 'double', None)",
        "unsigned int", "int64", "GLOBAL_MEM unsigned int*", "lfloatp", "ValueError",
        "ValueError", "i, return, x", "TypeError", "True", "True", 'KnownType("int")', "0",
        "(0.0, 0.0)", "(2, 2)"]]


@program("cython")
def types_of_values(backend):
    got = [detect_type("x", 1), detect_type("x", 1.5), detect_type("d_x", None),
           detect_type("x", [1.0]), detect_type("x", True), ocl_detect_type("x", 1),
           ocl_detect_type("d_x", None), raised(detect_type, "x", "text")]
    return [got], [["long", "double", "double*", "double*", "int", "long", "GLOBAL_MEM double*",
                    "CodeGenerationError"]]


@program()
def times_by_name(backend):
    p = ProfileContext("open one")
    p.stop()
    with use_config(profile=True):
        counted = profile_kernel(lambda x: Done(), "a kernel", backend=backend)

        @named_profile("another", backend=backend)
        def maker():
            return lambda x: Done()

        counted(1)
        maker()(1)
    plain = profile_kernel(len, "none", backend=backend)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        print_profile()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "times.csv")
        profile2csv(path)
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    info = get_profile_info()[0]
    calls = [info[n]["calls"] for n in ("open one", "a kernel", "another")]
    told = [plain is len, "open one" in said.getvalue(), "Total profiled time" in said.getvalue(),
            lines[0] == "rank,level,function,calls,time", any("open one" in x for x in lines)]
    return [calls, told], [[1, 1, 1], [True]*5]


class Done:
    """What pyopencl's kernels return."""

    def wait(self):
        return None


@program("cython")
def texts_of_functions(backend):
    text = "def f(x, y):\n    z = x + g(y)\n    for k in range(3):\n        z += K*k\n    return z\n"
    unknown, calls = get_unknown_names_and_calls(text)
    head, body = get_func_definition(["def f(x,", "      y):", "    return x"])
    import ast

    got = [" ".join(sorted(get_symbols(text))), " ".join(sorted(get_assigned(text))),
           " ".join(sorted(unknown)), " ".join(sorted(calls)), str(has_return(text)),
           str(has_node(text, (ast.For,))), str(has_node(text, (ast.While,))),
           str(len(head)), str(len(body)), getsource(three_lines).splitlines()[0],
           getsourcelines(three_lines)[0][0].strip()]
    return [got], [["K g k range x y z", "z", "K k", "g range", "True", "True", "False", "2", "1",
                    "def three_lines(a):", "def three_lines(a):"]]


# --- all of them ---


def run(name, backend):
    """What a program computed, and what is right."""
    function, _ = PROGRAMS[name]
    get_config().use_double = True
    got, expected = function(backend)
    assert len(got) == len(expected)
    return [np.asarray(g) for g in got], [np.asarray(e) for e in expected]


def names(backend):
    return [name for name, (_, backends) in PROGRAMS.items() if backend in backends]


def main(path, backend, *options):
    results = {}
    for name in names(backend):
        get_config().use_openmp = "--openmp" in options
        try:
            got, _ = run(name, backend)
            results[name] = [g.tolist() for g in got]
        except (Exception, SystemExit) as error:
            results[name] = f"{type(error).__name__}: {str(error).splitlines()[:1]}"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(results, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
