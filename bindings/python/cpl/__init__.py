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
import typing as _typing

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
    SourceError,
    TimedOut,
)
from cpl.arrays import ndarray  # noqa: E402
from cpl.choosing import *  # noqa: E402, F403
from cpl.counting import *  # noqa: E402, F403
from cpl.creation import *  # noqa: E402, F403
from cpl.curves import *  # noqa: E402, F403
from cpl.expressions import *  # noqa: E402, F403
from cpl.grids import *  # noqa: E402, F403
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

if _typing.TYPE_CHECKING:
    from cpl import random as random  # noqa: E402
else:

    def __getattr__(name):
        """cpl.random is there without an import of its own, as NumPy's is, once it is used."""
        if name != "random":
            raise AttributeError(f"module 'cpl' has no attribute {name!r}")
        import importlib

        return importlib.import_module("cpl.random")


# Without those that would hide Python's own, which kernels need: all, any, max, min, round, sum.
__all__ = [
    "ArgumentError", "BoundsError", "CallsTooDeep", "Cancelled", "CompileError", "CompileWarning",
    "Device", "DeviceError", "Error", "Event", "Graph", "KernelAssertionError", "OutOfMemory",
    "Queue", "SourceError", "TimedOut",
    "align", "allclose", "append", "arange", "argmax", "argmin", "argpartition", "argsort",
    "argwhere", "array", "array_equal", "array_equiv", "array_split", "asarray", "atleast_1d",
    "atleast_2d", "atleast_3d", "average", "bincount", "block", "broadcast_arrays", "broadcast_to",
    "choose", "clip", "column_stack", "compress", "concatenate", "config", "convolve", "copies",
    "copyto", "corrcoef", "correlate", "count_nonzero", "cov", "cross", "cumprod", "cumsum",
    "cumulative_prod", "cumulative_sum", "delete", "device", "devices", "diag", "diag_indices_from",
    "diagflat", "diagonal", "diff", "digitize", "dot", "dsplit", "dstack", "ediff1d", "einsum",
    "elementwise", "empty", "empty_like", "evaluate", "expand_dims", "extract", "fill_diagonal",
    "fix", "flatnonzero", "flip", "fliplr", "flipud", "from_dlpack", "full", "full_like",
    "gradient", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hsplit",
    "hstack", "in1d", "inner", "insert", "interp", "intersect1d", "isclose", "iscomplex", "isin",
    "isneginf", "isposinf", "isreal", "ix_", "jit", "kernel", "kron", "lexsort", "linspace",
    "matmul", "matrix_transpose", "matvec", "mean", "median", "merge", "meshgrid", "nan_to_num",
    "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
    "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "ndarray", "nonzero",
    "norm", "ones", "ones_like", "outer", "pad", "partition", "percentile", "piecewise", "place",
    "polyval", "prod", "profile", "ptp", "put_along_axis", "putmask", "quantile",
    "ravel_multi_index", "reduce", "repeat", "resize", "roll", "rollaxis", "rot90", "scan",
    "searchsorted", "select", "setdiff1d", "setxor1d", "sinc", "sort", "sort_by_keys",
    "sort_complex", "split", "stack", "std", "struct", "take", "take_along_axis", "tensordot",
    "tile", "topk", "trace", "trapezoid", "tril", "tril_indices_from", "trim_zeros", "triu",
    "triu_indices_from", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse",
    "unique_values", "unravel_index", "unstack", "unwrap", "vander", "var", "vdot", "vecdot",
    "vecmat", "vsplit", "vstack", "where", "zeros", "zeros_like",
]
