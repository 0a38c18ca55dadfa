"""The loops of kernels.py and first.py for Numba."""
import math

import numba
import numpy as np
from numba import prange
from numba.core import cgutils, types
from numba.extending import intrinsic

from worker import typed

jit = numba.njit(parallel=True, fastmath=True)


@jit
def axpb(x, y, a, b):
    for i in prange(len(x)):
        y[i] = a*math.sin(x[i]) + b


@jit
def gauss(x, y):
    for i in prange(len(x)):
        y[i] = math.exp(-x[i]*x[i])/math.sqrt(1.0 + x[i]*x[i])


@jit
def saxpy(x, y, a):
    for i in prange(len(x)):
        y[i] += a*x[i]


@jit
def triad(x, y, z, s):
    for i in prange(len(x)):
        x[i] = y[i] + s*z[i]


@jit
def powlog(x, y, a):
    for i in prange(len(x)):
        y[i] = x[i]**a*math.log(x[i] + 1.0)


@jit
def vortex(x, y, strength, u, v, n, core):
    for i in prange(len(x)):
        sum_u = x.dtype.type(0)
        sum_v = x.dtype.type(0)
        for j in range(n):
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            s = strength[j]/(dx*dx + dy*dy + core)
            sum_u -= dy*s
            sum_v += dx*s
        u[i] = sum_u
        v[i] = sum_v


@jit
def julia(z, re, im, cre, cim):
    for i in prange(len(z)):
        x = re[i]
        y = im[i]
        k = 0
        while x*x + y*y < 400.0 and k < 50:
            t = x*x - y*y + cre
            y = 2.0*x*y + cim
            x = t
            k += 1
        z[i] = 1.0 - 0.02*k


@jit
def forces(x, y, start, index, fx, fy):
    for i in prange(len(x)):
        sum_x = 0.0
        sum_y = 0.0
        for k in range(start[i], start[i + 1]):
            j = index[k]
            dx = x[i] - x[j]
            dy = y[i] - y[j]
            r2 = 1.0/(dx*dx + dy*dy)
            r6 = r2*r2*r2
            f = 24.0*r2*r6*(2.0*r6 - 1.0)
            sum_x += f*dx
            sum_y += f*dy
        fx[i] = sum_x
        fy[i] = sum_y


@intrinsic
def atomic_inc(typing, array, index):
    """Numba has no atomics on the CPU; this is LLVM's."""
    def generate(context, builder, signature, values):
        kind = signature.args[0]
        place = cgutils.get_item_pointer(context, builder, kind, context.make_array(kind)(context, builder, values[0]), [values[1]],
                                         wraparound=False)
        builder.atomic_rmw("add", place, context.get_constant(kind.dtype, 1), "monotonic")
        return context.get_dummy_value()
    return types.void(array, types.intp), generate


@jit
def histogram(values, counts):
    for i in prange(len(values)):
        atomic_inc(counts, values[i])


@jit
def sum_f64(x, out):
    s = x.dtype.type(0)
    for i in prange(len(x)):
        s += x[i]
    out[0] = s


@jit
def min_f64(x, out):
    s = np.inf
    for i in prange(len(x)):
        s = min(s, x[i])
    out[0] = s


@jit
def dot_f64(x, y, out):
    s = 0.0
    for i in prange(len(x)):
        s += x[i]*y[i]
    out[0] = s


@jit
def three_f64(x, total, least, most):
    s = 0.0
    low = np.inf
    high = -np.inf
    for i in prange(len(x)):
        s += x[i]
        low = min(low, x[i])
        high = max(high, x[i])
    total[0] = s
    least[0] = low
    most[0] = high


def argmin_f64(x, out):
    """NumPy's, and Numba's own function of that name does no better."""
    out[1] = k = np.argmin(x)
    out[0] = x[k]


@numba.njit
def scan_f64(x, y):
    s = x.dtype.type(0)
    for i in range(len(x)):
        s += x[i]
        y[i] = s


@numba.njit
def scan_max_f64(x, y):
    s = x[0]
    for i in range(len(x)):
        s = max(s, x[i])
        y[i] = s


@numba.njit
def segmented_f64(x, y):
    s = 0.0
    for i in range(len(x)):
        if i % 100 == 0:
            s = 0.0
        s += x[i]
        y[i] = s


@numba.njit
def affine_f64(x, y):
    s = 0.0
    for i in range(len(x)):
        s = 0.5*s + x[i]
        y[i] = s


def compact_f64(x, y, count):
    """NumPy's."""
    found = x[x > 0.5]
    y[:len(found)] = found
    count[0] = len(found)


philox = np.random.Generator(np.random.Philox(2026))


def uniform_f64(x):
    """NumPy's, on one thread, and of 64-bit words."""
    philox.random(out=x)


def normal_f64(x):
    philox.standard_normal(out=x)


def sort_keys(x, y):
    """NumPy's."""
    y[:] = x
    y.sort()


def sort_pairs(k, v, sorted_keys, sorted_values):
    order = np.argsort(k)
    np.take(k, order, out=sorted_keys)
    np.take(v, order, out=sorted_values)


def select_f64(x, y):
    y[:] = np.partition(x, len(y))[:len(y)]
    y.sort()


def take_f64(k, x, y):
    """NumPy's, on one thread."""
    np.take(x, k, out=y, mode="clip")


def align_three(k, a, b, c, x, y, z):
    take_f64(k, a, x)
    take_f64(k, b, y)
    take_f64(k, c, z)


def cells_i32(cells, order, offsets):
    order[:] = np.argsort(cells, kind="stable")
    offsets[0] = 0
    np.cumsum(np.bincount(cells, minlength=len(offsets) - 1), out=offsets[1:])


KERNELS = {f.__name__: f for f in (axpb, gauss, saxpy, triad, powlog, vortex, julia, forces, histogram, sum_f64, min_f64, dot_f64,
                                  three_f64, argmin_f64, scan_f64, scan_max_f64, segmented_f64, affine_f64, compact_f64,
                                  uniform_f64, normal_f64, sort_keys, sort_pairs, select_f64, take_f64, align_three,
                                  cells_i32)}
KERNELS |= {"vortex_f32": vortex, "sum_f32": sum_f64, "scan_i32": scan_f64}

FIRST = {
    "straight": """
def kernel(x, y, n):
    for i in prange(len(x)):
        y[i] = UNIQUE*sin(x[i]) + 1.0
""",
    "loop": """
def kernel(x, y, n):
    for i in prange(len(x)):
        s = 0.0
        for j in range(n):
            d = x[i] - x[j]
            s += d/(d*d + UNIQUE)
        y[i] = s
""",
    "diverge": """
def kernel(x, y, n):
    for i in prange(len(x)):
        re = x[i]
        im = 0.25
        k = 0
        while k < n and re*re + im*im < 4.0:
            t = re*re - im*im - 0.8*UNIQUE
            im = 2.0*re*im + 0.156
            re = t
            k += 1
        y[i] = k
""",
}


def describe():
    axpb(np.ones(2), np.ones(2), 1.0, 1.0)  # the layer is chosen by the first parallel run
    return f"Numba {numba.__version__}, parallel, fastmath, threads of {numba.threading_layer()}"


def prepare(entry, n, arguments):
    if entry not in KERNELS:
        raise NotImplementedError(entry)
    kernel, values = KERNELS[entry], typed(arguments)
    kernel(*values)
    for argument in arguments:
        if argument.is_array():
            argument.fill()
    return lambda: kernel(*values), lambda: [a.value for a in arguments if a.is_output()]


def first(function, number):
    names = {"prange": prange, "sin": math.sin}
    exec(FIRST[function].replace("UNIQUE", repr(number)), names)
    x, y = 1.0/np.arange(1, 257), np.zeros(256)
    numba.njit(parallel=True, fastmath=True)(names["kernel"])(x, y, 16)
    if not 0 < np.dot(y, y) < np.inf:
        raise ArithmeticError("wrong result")
