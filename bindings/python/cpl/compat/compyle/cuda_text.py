"""Functions in CUDA C as the PTX that kernels take: NVIDIA's run-time compiler makes it, which is
in each CUDA toolkit and in a wheel of its own. It needs no GPU."""

from __future__ import annotations

import ctypes
import functools
import glob
import os
import re
import sys
from collections.abc import Iterator

_C_TYPES = {
    "void": "void", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
    "uint16": "unsigned short", "int32": "int", "uint32": "unsigned int", "int64": "long long",
    "uint64": "unsigned long long", "float32": "float", "float64": "double",
}
# What Compyle's texts for devices may say.
_WORDS = (
    "#define WITHIN_KERNEL __device__\n#define GLOBAL_MEM\n#define LOCAL_MEM __shared__\n"
    "typedef unsigned int uint;\ntypedef unsigned long ulong;\n"
    "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"
)
LACKING = ("CUDA C needs NVIDIA's run-time compiler: install a CUDA toolkit, or the wheel "
           "nvidia-cuda-nvrtc; or give PTX behind a comment with the function's prototype")


class CudaTextError(Exception):
    """Why no PTX was made of a text."""


def _candidates() -> Iterator[str]:
    """Where the library may be: what the loader finds, toolkits, wheels."""
    names = ["libnvrtc.so", *(f"libnvrtc.so.{n}" for n in (13, 12, "11.2"))]
    yield from names
    toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for folder in (t for t in toolkits if t):
        yield from (os.path.join(folder, "lib64", name) for name in names)
    for folder in sys.path:
        yield from sorted(glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libnvrtc.so.*")))


@functools.cache
def _library() -> ctypes.CDLL | None:
    for name in _candidates():
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def is_there() -> bool:
    return _library() is not None


def _architecture(library: ctypes.CDLL, wanted: int) -> int:
    """The newest that the compiler knows and the device has."""
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    known = (ctypes.c_int*count.value)()
    library.nvrtcGetSupportedArchs(known)
    return max((a for a in known if a <= wanted), default=min(known, default=wanted))


def _driver() -> int:
    """The version of CUDA that the driver is of, 12040 of 12.4; 0: there is none."""
    version = ctypes.c_int()
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except OSError:
        pass
    return version.value


def _for_driver(library: ctypes.CDLL, ptx: str) -> str:
    """The text, of no version of PTX where the compiler is newer than the driver, which refuses one
    that it does not know: the kernel's own version counts then."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    if not 0 < _driver() < 1000*major.value + 10*minor.value:
        return ptx
    return re.sub(r"^\.version.*\n", "", ptx, flags=re.M)


def _text_of(library: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> str:
    size = ctypes.c_size_t()
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(max(size.value, 1))
    getattr(library, f"nvrtcGet{what}")(program, text)
    return text.value.decode(errors="replace")


def _compile(text: str, name: str, wanted: int) -> str:
    library = _library()
    if library is None:
        raise CudaTextError(LACKING)
    program = ctypes.c_void_p()
    if library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), f"{name}.cu".encode(), 0,
                                  None, None):
        raise CudaTextError("NVIDIA's run-time compiler does not start")
    said = [f"--gpu-architecture=compute_{_architecture(library, wanted)}".encode(),
            b"--relocatable-device-code=true", b"--device-as-default-execution-space"]
    try:
        if library.nvrtcCompileProgram(program, len(said), (ctypes.c_char_p*len(said))(*said)):
            raise CudaTextError(_first_error(_text_of(library, program, "ProgramLog")))
        return _for_driver(library, _text_of(library, program, "PTX"))
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))


def _first_error(log: str) -> str:
    """Of what the compiler says, with the line of the text."""
    lines = [line for line in log.splitlines() if "error" in line]
    return lines[0].strip(" :") if lines else "it does not compile"


# What a text of PTX defines: functions, and numbers in memory.
_DEFINED = re.compile(
    r"^[ \t]*(?:\.visible\s+|\.weak\s+)?"
    r"(?:\.func\s+(?:\([^)]*\)\s*)?|\.(?:global|const)\s(?:\s*\.\w+(?:\s+\d+)?)*\s+)([\w$]+)", re.M
)


def _own_names(ptx: str, name: str) -> str:
    """With names of its own for all that a text defines beside the function: texts of several
    functions go into one kernel."""
    others = {n for n in _DEFINED.findall(ptx) if n != name}
    for other in sorted(others):
        ptx = re.sub(rf"(?<![\w$]){re.escape(other)}(?![\w$])", f"{name}_{other}", ptx)
    return ptx


def _declared(signature: str, name: str) -> tuple[str, list[str]]:
    """What C declares a function of that signature as, and the names of its parameters.

    >>> _declared("float64(float64[], int32)", "f")
    ('double f(double *a0, int a1)', ['a0', 'a1'])
    """
    result, _, rest = signature.rstrip(")").partition("(")
    types = [t.strip() for t in rest.split(",") if t.strip()]
    names = [f"a{k}" for k in range(len(types))]
    given = [f"{_C_TYPES[t.removesuffix('[]')]} {'*' * t.endswith('[]')}{n}"
             for t, n in zip(types, names)]
    return f"{_C_TYPES[result]} {name}({', '.join(given)})", names


@functools.cache
def ptx(text: str, name: str, own: str, signature: str, architecture: int) -> str:
    """PTX that defines `own`, which does what the text's function `name` does; of an empty text
    CUDA's own function. Raises CudaTextError."""
    lines = text.splitlines()
    head = "".join(f"{line}\n" for line in lines if line.lstrip().startswith("#include"))
    rest = "".join("\n" if line.lstrip().startswith("#include") else f"{line}\n" for line in lines)
    declared, names = _declared(signature, own)
    space = f"{own}_text" if text.strip() else ""
    inside = f"namespace {space} {{ namespace {{\n#line 1\n{rest}}} }}\n" if space else ""
    call = f"{'' if declared.startswith('void') else 'return '}{space}::{name}({', '.join(names)});"
    whole = f'{head}{_WORDS}{inside}extern "C" __device__ {declared} {{ {call} }}\n'
    return _own_names(_compile(whole, name, architecture), own)


def is_ptx(text: str) -> bool:
    return re.search(r"^\s*(\.visible\s+|\.weak\s+)?\.func\b", text, re.M) is not None


def renamed(text: str, name: str, own: str) -> str:
    """PTX that somebody wrote, with `own` for the function's name."""
    return _own_names(re.sub(rf"(?<![\w$]){name}(?![\w$])", own, text), own)
