"""Small functions of Python, compiled for the types that they are called with.

    import numpy as np
    import cpl

    @cpl.elementwise
    def wave(i, x, y, a):
        y[i] = a*np.sin(x[i])

    x = np.linspace(0, 10, 1_000_000)
    y = np.empty_like(x)
    wave(x, y, 2.5)  # on all cores
"""

import os as _os

_own = _os.path.join(_os.path.dirname(__file__), "libomp.so.5")
_openmp = _own if _os.path.exists(_own) else None

from cpl import _cpl  # noqa: E402
from cpl._cpl import (  # noqa: E402
    Device,
    Event,
    Graph,
    Queue,
    copies,
    device,
    devices,
)
from cpl.settings import config  # noqa: E402
from cpl.foreign import from_dlpack  # noqa: E402
from cpl.errors import (  # noqa: E402
    ArgumentError,
    BoundsError,
    CallsTooDeep,
    Cancelled,
    CompileError,
    CompileWarning,
    DeviceError,
    Error,
    KernelAssertionError,
    OutOfMemory,
)
from cpl.arrays import ndarray  # noqa: E402
from cpl.creation import *  # noqa: E402, F403
from cpl.expressions import *  # noqa: E402, F403
from cpl.indexing import *  # noqa: E402, F403
from cpl.products import *  # noqa: E402, F403
from cpl.reductions import *  # noqa: E402, F403
from cpl.shapes import *  # noqa: E402, F403
from cpl.sorting import *  # noqa: E402, F403
from cpl.statistics import *  # noqa: E402, F403
from cpl.classes import struct  # noqa: E402
from cpl.functions import elementwise, jit, kernel, reduce, scan  # noqa: E402
from cpl.profiling import profile  # noqa: E402

__version__ = _cpl.version()

# Without those that would hide Python's own, which kernels need: all, any, max, min, round, sum.
__all__ = [
    "ArgumentError", "BoundsError", "CallsTooDeep", "Cancelled", "CompileError", "CompileWarning",
    "Device", "DeviceError", "Error", "Event", "Graph", "KernelAssertionError", "OutOfMemory",
    "Queue", "align", "allclose", "append", "arange", "argmax", "argmin", "argpartition", "argsort",
    "argwhere", "array", "array_equal", "array_split", "asarray", "atleast_1d", "atleast_2d",
    "average", "broadcast_arrays", "broadcast_to", "clip", "column_stack", "compress",
    "concatenate", "config", "copies", "count_nonzero", "cumprod", "cumsum", "device", "devices",
    "diag", "diagonal", "diff", "dot", "einsum", "elementwise", "empty", "empty_like", "evaluate",
    "expand_dims", "fill_diagonal", "flatnonzero", "flip", "fliplr", "flipud", "from_dlpack",
    "full", "full_like", "hsplit", "hstack", "inner", "intersect1d", "isclose", "jit", "kernel",
    "kron", "linspace", "matmul", "mean", "median", "merge", "nan_to_num", "nanargmax", "nanargmin",
    "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin", "nanpercentile",
    "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "ndarray", "nonzero", "ones",
    "ones_like", "outer", "partition", "percentile", "prod", "profile", "ptp", "quantile", "reduce",
    "repeat", "roll", "scan", "searchsorted", "setdiff1d", "setxor1d", "sort", "sort_by_keys",
    "split", "stack", "std", "struct", "take", "tensordot", "tile", "topk", "trace", "trapezoid",
    "tril", "triu", "union1d", "unique", "var", "vdot", "vecdot", "vsplit", "vstack", "where",
    "zeros", "zeros_like",
]
