"""peer.cl, and first.py in OpenCL C, on a CPU's OpenCL driver: the one that OCL_ICD_VENDORS leads to."""
import os

import numpy as np
import pyopencl as cl

from worker import typed

GRIDS = ["matmul"]  # by work-items, of a square of n in groups of 16 x 16
OPTIONS = ["-cl-unsafe-math-optimizations", "-cl-finite-math-only"]
platform = cl.get_platforms()[0]
device = platform.get_devices(cl.device_type.CPU)[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "peer.cl")) as source:
    program = cl.Program(context, source.read()).build(OPTIONS)

FIRST = {
    "straight": "y[i] = UNIQUE*sin(x[i]) + 1.0;",
    "loop": """
    double s = 0;
    for (int j = 0; j < n; j++) {
        double d = x[i] - x[j];
        s += d/(d*d + UNIQUE);
    }
    y[i] = s;
""",
    "diverge": """
    double re = x[i], im = 0.25;
    int k = 0;
    while (k < n && re*re + im*im < 4.0) {
        double t = re*re - im*im - 0.8*UNIQUE;
        im = 2.0*re*im + 0.156;
        re = t;
        k++;
    }
    y[i] = k;
""",
}
HEAD = "kernel void f(global const double *restrict x, global double *restrict y, int n)\n{\nlong i = get_global_id(0);\n"


def describe():
    return f"{platform.name} {platform.version}, {' '.join(OPTIONS)}".replace("(R)", "")


def buffer(array):
    return cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=array)


def prepare(entry, n, arguments):
    if entry not in program.kernel_names.split(";"):
        raise NotImplementedError(entry)
    kernel = cl.Kernel(program, entry)
    side = int(n**0.5)
    space = ((side, side), (16, 16)) if entry in GRIDS else ((n,), None)
    values = [buffer(v) if isinstance(v, np.ndarray) else v for v in typed(arguments)]
    kernel.set_args(*values)

    def run():
        cl.enqueue_nd_range_kernel(queue, kernel, *space)
        queue.finish()

    def outputs():
        for argument, value in zip(arguments, values, strict=True):
            if argument.is_output():
                cl.enqueue_copy(queue, argument.value, value)
        return [a.value for a in arguments if a.is_output()]
    return run, outputs


def first(function, number):
    text = HEAD + FIRST[function].replace("UNIQUE", repr(number)) + "}\n"
    kernel = cl.Kernel(cl.Program(context, text).build(OPTIONS), "f")
    x, y = 1.0/np.arange(1, 257), np.zeros(256)
    place = buffer(y)
    kernel(queue, (256,), None, buffer(x), place, np.int32(16))
    cl.enqueue_copy(queue, y, place)
    if not 0 < np.dot(y, y) < np.inf:
        raise ArithmeticError("wrong result")
