# Every operator on literals at the ends of each type, in a kernel and among a module's constants: Python's value, in the narrowest of int32, int64
# and uint64, or refused where it needs more than 64 bits. Kernels divide integers towards zero.
# RUN: %pyload -I %s %build | FileCheck %s
# CHECK: {{[0-9]+}} values, {{[0-9]+}} refused, 0 differences
import ctypes
import itertools
import os
import re
import sys

INTS = [0, 1, 2, 3, 7, 31, 32, 63, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
INTS += [-1, -2, -3, -7, -(2**31), -(2**31) - 1, -(2**32), -(2**63)]
FLOATS = [0.0, 0.5, -1.5, 3.0, 1e300, -1e-300, 2.0**63]
BINARY = "+ - * / // % ** << >> & | ^".split()
UNARY = ["-", "+", "~", "not "]


class Blob(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("context", ctypes.c_void_p)]


class Library:
    def __init__(self, build):
        self.lib = ctypes.CDLL(os.path.join(build, "lib", "libcpl.so"))
        self.context = ctypes.c_void_p()
        assert self.lib.cpl_context_create(None, ctypes.byref(self.context)) == 0
        self.spec = ctypes.create_string_buffer(1024)
        self.lib.cpl_spec_init(self.spec)

    def ir(self, text):
        module, blob, data = ctypes.c_void_p(), Blob(), text.encode()
        assert not self.lib.cpl_module_from_source(self.context, b"f.py", data, ctypes.c_size_t(len(data)), ctypes.byref(module))
        status = self.lib.cpl_module_emit(module, b"f", self.spec, 3, None, ctypes.byref(blob))
        text = None if status else ctypes.string_at(blob.data, blob.size).decode()
        self.lib.cpl_blob_free(ctypes.byref(blob))
        self.lib.cpl_module_release(module)
        return text


def literal(value):
    return f"({value!r})" if value < 0 else repr(value)


def evaluate(a, op, b, module):
    """The value; None where it is left to run time; OverflowError where it is refused."""
    whole = isinstance(a, int) and isinstance(b, int)
    if op in ("<<", ">>") and not (whole and 0 <= b < 64) or op in ("//", "%") and not whole or op in ("&", "|", "^") and not whole:
        return None
    if op in ("/", "//", "%") and b == 0 or op == "**" and (a == 0 and b < 0 or a < 0 and not isinstance(b, int)):
        return None
    if op == "**" and whole and abs(a) > 1 and b > 64:
        raise OverflowError
    if op == "**" and (not whole or b < 0):
        try:
            return float(a)**float(b)
        except OverflowError:
            return None
    value = eval(f"{literal(a)} {op} {literal(b)}")
    if op == "/" and whole and not module:
        value = abs(a)//abs(b)*(1 if (a < 0) == (b < 0) else -1)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        if op == "<<":
            return None
        raise OverflowError
    return value


def shown(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value!r}:float64"
    return f"{value}:" + ("int32" if -(2**31) <= value < 2**31 else "int64" if value < 2**63 else "uint64")


def as_python(constant):
    """A float of the IR as Python writes it."""
    number, _, kind = constant.partition(":")
    return f"{float(number)!r}:float64" if kind == "float64" else constant


def cases(module):
    pairs = list(itertools.product(INTS, INTS)) + [p for p in itertools.product(FLOATS + INTS[:9], repeat=2) if float in map(type, p)]
    for (a, b), op in itertools.product(pairs, BINARY):
        try:
            value = evaluate(a, op, b, module)
            if value is not None:
                yield f"{literal(a)} {op} {literal(b)}", value
        except OverflowError:
            yield f"{literal(a)} {op} {literal(b)}", None
    for a, op in itertools.product(INTS, UNARY):
        value = eval(f"{op}{literal(a)}")
        yield f"{op}{literal(a)}", value if -(2**63) <= value < 2**64 else None


library = Library(sys.argv[1])
values = refused = bad = 0
for module in (False, True):
    good = [c for c in cases(module) if c[1] is not None]
    if module:
        text = "".join(f"A{k} = {e}\n" for k, (e, _) in enumerate(good)) + "def f():\n" + "".join(f"    v{k} = A{k}\n" for k in range(len(good)))
    else:
        text = "def f():\n" + "".join(f"    v{k} = {e}\n" for k, (e, _) in enumerate(good))
    ir = library.ir(text) or ""
    found = dict(re.findall(r"^  v(\d+) = (.*)", ir, re.M))
    for k, (expression, value) in enumerate(good):
        values += 1
        if as_python(found.get(str(k), "")) != shown(value):
            bad += 1
            if bad < 9:
                print(f"{expression}: {found.get(str(k))}, expected {shown(value)}{' in a module' if module else ''}")
    for expression, value in cases(module):
        if value is None:
            refused += 1
            if library.ir(f"A = {expression}\ndef f():\n    v = A\n" if module else f"def f():\n    v = {expression}\n") is not None:
                bad += 1
                print(f"{expression} is not refused")
print(f"{values} values, {refused} refused, {bad} differences")
