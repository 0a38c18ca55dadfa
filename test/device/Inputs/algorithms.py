"""Reductions and scans through the C API, on arrays of NumPy: what reduce.py and scan.py share."""
import ctypes as c
import os

import numpy as np

KINDS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
INTEGERS = KINDS[1:9]
DTYPES = {name: k + 1 for k, name in enumerate(KINDS)}
PIECE = 4032  # elements of a scan's piece, and the least of a reduction's
EXCLUSIVE, LAST = 1, 2

# Structs of algorithms_kernels.py by their fields.
STRUCTS = {
    "Affine": np.dtype([("a", "i8"), ("b", "i8")], align=True),
    "Small": np.dtype([("a", "u1"), ("b", "u1")], align=True),
    "Square": np.dtype([("a", "u4"), ("b", "u4"), ("c", "u4"), ("d", "u4")], align=True),
    "Odd": np.dtype([("there", "?"), ("value", "f8"), ("count", "i2")], align=True),
}


class Value(c.Union):
    _fields_ = [("i", c.c_int64), ("u", c.c_uint64), ("f", c.c_double)]


class Arg(c.Structure):
    _fields_ = [("kind", c.c_int), ("dtype", c.c_int), ("record", c.c_void_p), ("value", Value), ("is_unsigned", c.c_bool),
                ("readonly", c.c_bool), ("data", c.c_void_p), ("length", c.c_int64), ("stride", c.c_int64), ("array", c.c_void_p),
                ("dims", c.c_int), ("reserved", c.c_uint32), ("shape", c.c_void_p), ("strides", c.c_void_p)]


class Bind(c.Structure):
    _fields_ = [("kind", c.c_int), ("integer", c.c_int64), ("type", c.c_void_p), ("text", c.c_char_p), ("reserved", c.c_uint64*2)]


class Options(c.Structure):
    _fields_ = [("size", c.c_size_t), ("form", c.c_int), ("n", c.c_int64), ("grid", c.c_int64*6), ("queue", c.c_void_p),
                ("result", c.c_void_p), ("result_type", c.c_void_p), ("event", c.c_void_p), ("kernels", c.c_void_p), ("interpret", c.c_bool)]


class Reduce(c.Structure):
    _fields_ = [("size", c.c_size_t), ("op", Bind), ("map", Bind), ("neutral", Bind), ("type", c.c_void_p)]


class Scan(c.Structure):
    _fields_ = [("size", c.c_size_t), ("op", Bind), ("neutral", Bind), ("input", Bind), ("segment", Bind), ("output", Bind),
                ("type", c.c_void_p), ("flags", c.c_uint64)]


class Diag(c.Structure):
    _fields_ = [("size", c.c_size_t), ("severity", c.c_int), ("status", c.c_int), ("message", c.c_char_p)]


class Refused(Exception):
    pass


def bind(text):
    """A function of the file by its name, else an expression; None: nothing."""
    if text is None:
        return Bind()
    return Bind(kind=3 if text.isidentifier() and len(text) > 1 else 4, text=text.encode())


class Library:
    def __init__(self, build, device, tiles=False):
        self.lib = c.CDLL(os.path.join(build, "lib", "libcpl.so"))
        self.lib.cpl_type_text.restype = c.c_char_p
        self.lib.cpl_device_queue.restype = c.c_void_p
        self.context, self.module, found = c.c_void_p(), c.c_void_p(), c.c_void_p()
        self.said, self.queue, self.types = [], None, {}
        kind = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Diag))
        self.sink = kind(lambda _, d: self.said.append(d.contents.message.decode()))
        self.must(self.lib.cpl_context_create(None, c.byref(self.context)))
        self.lib.cpl_context_set_sink(self.context, self.sink, None)
        kernels = os.path.join(os.path.dirname(os.path.abspath(__file__)), "algorithms_kernels.py")
        self.must(self.lib.cpl_module_from_file(self.context, kernels.encode(), c.byref(self.module)))
        self.option("tiers", 0) # optimised code is what is looked at
        self.option("tiles", 2 if tiles else 0)
        if device != "host":
            self.must(self.lib.cpl_device_find(self.context, device.encode(), c.byref(found)))
            self.queue = c.c_void_p(self.lib.cpl_device_queue(found))
            self.option("automatic", 1)

    def must(self, status):
        said, self.said[:] = "\n".join(self.said), []
        if status:
            raise Refused(f"status {status}: {said}")

    def option(self, name, value):
        self.must(self.lib.cpl_context_set_option(self.context, name.encode(), c.c_int64(value)))

    def type(self, name):
        """Structs are known once the kernels' file has been read."""
        if name not in self.types:
            self.types[name] = c.c_void_p()
            self.must(self.lib.cpl_type_parse(self.context, name.encode(), c.byref(self.types[name])))
        return self.types[name]

    def argument(self, value):
        if isinstance(value, int):
            return Arg(kind=1, value=Value(i=value))
        if isinstance(value, float):
            return Arg(kind=2, value=Value(f=value))
        stride = 0 if value.strides[0] == value.itemsize else value.strides[0]
        a = Arg(kind=3, dtype=DTYPES.get(value.dtype.name, 0), data=value.ctypes.data, length=len(value), stride=stride)
        record = next((name for name, dtype in STRUCTS.items() if dtype == value.dtype), None)
        if record:
            a.record = self.type(record)
        return a

    def arguments(self, values):
        return (Arg*max(len(values), 1))(*map(self.argument, values)), c.c_size_t(len(values))

    def options(self, n):
        o = Options()
        self.lib.cpl_launch_options_init(c.byref(o))
        o.n, o.queue = n, self.queue
        return o

    def reduce(self, op, *values, map=None, neutral=None, type=None, n=-1):
        args, count = self.arguments(values)
        spec = Reduce(size=c.sizeof(Reduce), op=bind(op), map=bind(map), neutral=bind(neutral))
        if type:
            spec.type = self.type(type)
        o, room, found = self.options(n), np.zeros(64, "u1"), c.c_void_p()
        o.result, o.result_type = room.ctypes.data, c.addressof(found)
        self.must(self.lib.cpl_reduce(self.module, c.byref(spec), c.byref(o), None, args, count))
        name = self.lib.cpl_type_text(found).decode()
        return room.view(STRUCTS[name] if name in STRUCTS else name)[0] if name not in STRUCTS else \
            room[:STRUCTS[name].itemsize].view(STRUCTS[name])[0]

    def scan(self, op, *values, input=None, neutral=None, segment=None, output=None, type=None, flags=0, n=-1):
        args, count = self.arguments(values)
        spec = Scan(size=c.sizeof(Scan), op=bind(op), neutral=bind(neutral), input=bind(input), segment=bind(segment),
                    output=bind(output), flags=flags)
        if type:
            spec.type = self.type(type)
        o = self.options(n)
        self.must(self.lib.cpl_scan(self.module, c.byref(spec), c.byref(o), args, count))

    def close(self):
        self.lib.cpl_module_release(self.module)
        self.lib.cpl_context_release(self.context)


# --- what is right, by trees: any order of joining neighbours will do ---

def fields(dtype, **values):
    r = np.zeros(len(next(iter(values.values()))), dtype)
    for name, value in values.items():
        r[name] = value
    return r


def behind(f, g):
    return fields(f.dtype, a=g["a"]*f["a"], b=g["a"]*f["b"] + g["b"])


def product(f, g):
    return fields(f.dtype, a=f["a"]*g["a"] + f["b"]*g["c"], b=f["a"]*g["b"] + f["b"]*g["d"],
                  c=f["c"]*g["a"] + f["d"]*g["c"], d=f["c"]*g["b"] + f["d"]*g["d"])


def first_odd(f, g):
    r = np.where(f["there"], f, g)
    r["count"] = f["count"] + g["count"]
    return r


def reduced(op, x):
    while len(x) > 1:
        even = op(x[:len(x) & ~1:2], x[1::2])
        x = np.concatenate([even, x[-1:]]) if len(x) % 2 else even
    return x[0]


def scanned(op, x):
    if len(x) < 2:
        return x.copy()
    pairs = scanned(op, op(x[:len(x) & ~1:2], x[1::2]))
    r = np.empty_like(x)
    r[0], r[1::2] = x[0], pairs
    r[2::2] = op(pairs[:len(r[2::2])], x[2::2])
    return r


def segmented(op, x, starts):
    """Blelloch's pairs of flag and value."""
    pair = np.dtype([("start", "?"), ("value", x.dtype)])

    def joined(f, g):
        return fields(pair, start=f["start"] | g["start"], value=np.where(g["start"], g["value"], op(f["value"], g["value"])))
    return scanned(joined, fields(pair, start=starts, value=x))["value"]


def numbers(kind, n, rng):
    """Elements of every size; floats whose sums are exact in any order."""
    if kind == "bool":
        return rng.random(n) < 0.5
    if kind.startswith("float"):
        return rng.integers(-1, 2, n).astype(kind)
    return rng.integers(0, 256, n*np.dtype(kind).itemsize, dtype="u1").view(kind)


def affine(n, rng, name="Affine"):
    return fields(STRUCTS[name], a=rng.choice([-1, 0, 1, 3, 5], n, p=[0.2, 0.01, 0.39, 0.2, 0.2]).astype(STRUCTS[name]["a"]),
                  b=rng.integers(0, 100, n))


def squares(n, rng):
    return fields(STRUCTS["Square"], **{k: rng.integers(0, 2**32, n, dtype="u4") for k in "abcd"})


def odds(n, rng):
    """Few are there, so that they stand in any piece."""
    there = rng.random(n) < 3/(n + 1)
    return fields(STRUCTS["Odd"], there=there, value=there*rng.random(n), count=rng.integers(-5, 5, n))


# operator, its neutral element, NumPy's operator, elements
STRUCTURES = {
    "behind": ("still", behind, affine),
    "behind_small": ("still_small", behind, lambda n, rng: affine(n, rng, "Small")),
    "product": ("one", product, squares),
    "first_odd": ("no_odd", first_odd, odds),
}

known = {"a + b": np.add, "a * b": np.multiply, "min(a, b)": np.fmin, "max(a, b)": np.fmax,
         "a & b": np.bitwise_and, "a | b": np.bitwise_or, "a ^ b": np.bitwise_xor}


def operators(kind):
    return [op for op in known if not (kind.startswith("float") and op[2] in "&|^")]


def same(what, got, expected):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.dtype == expected.dtype, f"{what}: {got.dtype}, expected {expected.dtype}"
    if got.dtype.names:
        for name in got.dtype.names:
            same(f"{what}.{name}", got[name], expected[name])
        return
    bad = ~((got == expected) | ((got != got) & (expected != expected)))
    at = np.flatnonzero(bad)
    assert not len(at), f"{what}: at {at[:4]} of {got.size} {got.flat[at[0]]!r}, expected {expected.flat[at[0]]!r}"


def refused(what, call, *parts):
    """The neighbour of what is accepted: an error that says all this."""
    try:
        call()
    except Refused as error:
        assert all(part in str(error) for part in parts), f"{what}: {error}"
        return
    raise AssertionError(f"{what} is accepted")
