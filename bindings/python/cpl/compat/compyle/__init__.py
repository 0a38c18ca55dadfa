"""Compyle's interface: programs written for it run unchanged.

    from cpl.compat.compyle.api import Elementwise, annotate, wrap

`python -m cpl.compyle script.py` runs a script whose `import compyle` means this package. The
back end "cython" is the host, "opencl" an OpenCL device and "cuda" a GPU of NVIDIA's.
"""

__version__ = "0.9.1"  # of Compyle's whose interface this is
