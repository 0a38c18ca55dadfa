"""The loops of kernels.py and first.py for Compyle on its Cython back end with OpenMP."""
import importlib.metadata
import importlib.util
import os
import sys
import tempfile
from math import exp, log, sin, sqrt

import numpy as np
from compyle.api import Elementwise, Reduction, Scan, annotate, declare, get_config, wrap
from compyle.low_level import atomic_inc

from worker import typed

get_config().use_openmp = True
# Its default deals out 64 iterations at a time, which costs more than most of these loops.
get_config().omp_schedule = ("static", None)


@annotate(i="int", x="doublep", y="doublep", a="double", b="double")
def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b


@annotate(i="int", x="doublep", y="doublep")
def gauss(i, x, y):
    y[i] = exp(-x[i]*x[i])/sqrt(1.0 + x[i]*x[i])


@annotate(i="int", x="floatp", y="floatp", a="float")
def saxpy(i, x, y, a):
    y[i] += a*x[i]


@annotate(i="int", x="doublep", y="doublep", z="doublep", s="double")
def triad(i, x, y, z, s):
    x[i] = y[i] + s*z[i]


@annotate(i="int", x="doublep", y="doublep", a="double")
def powlog(i, x, y, a):
    y[i] = pow(x[i], a)*log(x[i] + 1.0)


@annotate(i="int", x="doublep", y="doublep", strength="doublep", u="doublep", v="doublep", n="int", core="double")
def vortex(i, x, y, strength, u, v, n, core):
    j = declare("int")
    sum_u, sum_v, dx, dy, s = declare("double", 5)
    sum_u = 0.0
    sum_v = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        s = strength[j]/(dx*dx + dy*dy + core)
        sum_u -= dy*s
        sum_v += dx*s
    u[i] = sum_u
    v[i] = sum_v


@annotate(i="int", x="floatp", y="floatp", strength="floatp", u="floatp", v="floatp", n="int", core="float")
def vortex_f32(i, x, y, strength, u, v, n, core):
    j = declare("int")
    sum_u, sum_v, dx, dy, s = declare("float", 5)
    sum_u = 0.0
    sum_v = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        s = strength[j]/(dx*dx + dy*dy + core)
        sum_u -= dy*s
        sum_v += dx*s
    u[i] = sum_u
    v[i] = sum_v


@annotate(i="int", z="doublep", re="doublep", im="doublep", cre="double", cim="double")
def julia(i, z, re, im, cre, cim):
    k = declare("int")
    x, y, t = declare("double", 3)
    x = re[i]
    y = im[i]
    k = 0
    while x*x + y*y < 400.0 and k < 50:
        t = x*x - y*y + cre
        y = 2.0*x*y + cim
        x = t
        k += 1
    z[i] = 1.0 - 0.02*k


@annotate(i="int", x="doublep", y="doublep", start="intp", index="intp", fx="doublep", fy="doublep")
def forces(i, x, y, start, index, fx, fy):
    j, k = declare("int", 2)
    sum_x, sum_y, dx, dy, r2, r6, f = declare("double", 7)
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


# Compyle replaces text: atomic_inc is known to it in an assignment, without a comment behind it.
@annotate(i="int", values="intp", counts="intp")
def histogram(i, values, counts):
    k, before = declare("int", 2)
    k = values[i]
    before = atomic_inc(counts[k])


FIRST = {
    "straight": """
@annotate(i="int", x="doublep", y="doublep", n="int")
def kernel(i, x, y, n):
    y[i] = UNIQUE*sin(x[i]) + 1.0
""",
    "loop": """
@annotate(i="int", x="doublep", y="doublep", n="int")
def kernel(i, x, y, n):
    j = declare("int")
    s, d = declare("double", 2)
    s = 0.0
    for j in range(n):
        d = x[i] - x[j]
        s += d/(d*d + UNIQUE)
    y[i] = s
""",
    "diverge": """
@annotate(i="int", x="doublep", y="doublep", n="int")
def kernel(i, x, y, n):
    k = declare("int")
    re, im, t = declare("double", 3)
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

@annotate(i="int", x="doublep", y="doublep")
def product(i, x, y):
    return x[i]*y[i]


@annotate(i="int", x="doublep")
def element(i, x):
    return x[i]


@annotate(i="int", item="double", y="doublep")
def keep(i, item, y):
    y[i] = item


@annotate(i="int", x="intp")
def element_i32(i, x):
    return x[i]


@annotate(i="int", item="int", y="intp")
def keep_i32(i, item, y):
    y[i] = item


# By the entry: how each is made. What is neither here nor a function above is not offered by Compyle.
REDUCTIONS = {
    "sum_f32": lambda: Reduction("a+b", dtype_out=np.float32, backend="cython"),
    "sum_f64": lambda: Reduction("a+b", backend="cython"),
    "min_f64": lambda: Reduction("min(a, b)", neutral="INFINITY", backend="cython"),
    "dot_f64": lambda: Reduction("a+b", map_func=product, backend="cython"),
}
SCANS = {
    "scan_i32": lambda: Scan(element_i32, keep_i32, "a+b", dtype=np.int32, backend="cython"),
    "scan_f64": lambda: Scan(element, keep, "a+b", dtype=np.float64, backend="cython"),
}
ELEMENTWISE = {f.__name__: f for f in (axpb, gauss, saxpy, triad, powlog, vortex, vortex_f32, julia, forces, histogram)}
compiled = {}


def describe():
    return f"Compyle {importlib.metadata.version('compyle')}, Cython, OpenMP, static schedule"


def kernel_of(entry):
    if entry not in compiled:
        if entry in ELEMENTWISE:
            compiled[entry] = Elementwise(ELEMENTWISE[entry], backend="cython")
        elif entry in REDUCTIONS or entry in SCANS:
            compiled[entry] = (REDUCTIONS.get(entry) or SCANS[entry])()
        else:
            raise NotImplementedError(entry)
    return compiled[entry]


def prepare(entry, n, arguments):
    kernel = kernel_of(entry)
    values = [wrap(v, backend="cython") if isinstance(v, np.ndarray) else v for v in typed(arguments)]
    if entry in REDUCTIONS:
        inputs, results = values[:-1], []
        return lambda: results.append(kernel(*inputs)), lambda: [np.array(results[-1:], arguments[-1].dtype)]
    outputs = lambda: [a.value for a in arguments if a.is_output()]
    if entry in SCANS:
        x, y = values
        return lambda: kernel(x=x, y=y), outputs
    return lambda: kernel(*values), outputs


def first(function, number):
    """Compyle reads a kernel from the file that it was imported from."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.py")
        with open(path, "w") as file:
            file.write("from math import sin\nfrom compyle.api import annotate, declare\n"
                       + FIRST[function].replace("UNIQUE", repr(number)))
        spec = importlib.util.spec_from_file_location(f"kernel{len(sys.modules)}", path)
        module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        x, y = 1.0/np.arange(1, 257), np.zeros(256)
        Elementwise(module.kernel, backend="cython")(wrap(x, backend="cython"), wrap(y, backend="cython"), 16)
    if not 0 < np.dot(y, y) < np.inf:
        raise ArithmeticError("wrong result")
