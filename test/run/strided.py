# Arrays with a stride, in the kernel and in helpers that get them; functions registered from C, called in order. Through the C API.
# RUN: %pyload %s %build %s


def third(x, k):
    return x[k] + x[3]


def f(i, x, y, s):
    y[i] = x[i]*2 + third(x, i)
    s[0] += len(x) + len(y)


def outer(i, x, y):
    y[i] = note(x[i], 2) + note(x[i] + 1, i)


if __name__ == "__main__":
    import ctypes as c
    import os
    import sys

    import numpy as np

    class Value(c.Union):
        _fields_ = [("i", c.c_int64), ("u", c.c_uint64), ("f", c.c_double)]

    class Arg(c.Structure):
        _fields_ = [("kind", c.c_int), ("dtype", c.c_int), ("record", c.c_void_p), ("value", Value), ("is_unsigned", c.c_bool),
                    ("data", c.c_void_p), ("length", c.c_int64), ("stride", c.c_int64), ("array", c.c_void_p), ("dims", c.c_int),
                    ("shape", c.c_void_p), ("strides", c.c_void_p)]

    ARRAY, FLOAT32, FLOAT64, INT64 = 3, 11, 12, 5
    numbers = {"float32": FLOAT32, "float64": FLOAT64, "int64": INT64}
    lib = c.CDLL(os.path.join(sys.argv[1], "lib", "libcpl.so"))
    context, module = c.c_void_p(), c.c_void_p()

    def must(status):
        assert status == 0, status

    def launch(function, *arrays):
        args = (Arg*len(arrays))()
        for a, x in zip(args, arrays):
            a.kind, a.dtype, a.data, a.length, a.stride = ARRAY, numbers[x.dtype.name], x.ctypes.data, len(x), x.strides[0]
            a.stride = 0 if x.strides[0] == x.itemsize else x.strides[0]
        must(lib.cpl_launch(module, function, None, args, c.c_size_t(len(arrays))))

    class Diag(c.Structure):
        _fields_ = [("size", c.c_size_t), ("severity", c.c_int), ("status", c.c_int), ("message", c.c_char_p)]

    sink = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(Diag))(lambda _, d: d.contents.severity < 2 or print(d.contents.message.decode()))
    must(lib.cpl_context_create(None, c.byref(context)))
    lib.cpl_context_set_sink(context, sink, None)
    noted = []
    kind = c.CFUNCTYPE(c.c_double, c.c_double, c.c_int64)
    callback = kind(lambda v, k: (noted.append((v, k)), v*k)[1])
    must(lib.cpl_extern_register(context, b"note", b"float64(float64, int64)", callback, c.c_bool(False)))
    must(lib.cpl_context_set_option(context, b"in_order", c.c_int64(1))) # for s[0] and noted
    must(lib.cpl_module_from_file(context, sys.argv[2].encode(), c.byref(module)))

    for level in (0, 3):
        for checked in (0, 1):
            must(lib.cpl_context_set_option(context, b"opt_level", c.c_int64(level)))
            must(lib.cpl_context_set_option(context, b"bounds_check", c.c_int64(checked)))
            base = np.arange(60, dtype="float64")
            for x in (base[:20], base[::3], base[10:50:2], base.reshape(20, 3)[:, 1], base[::-1]):
                for y in (np.zeros(len(x)), np.zeros(2*len(x), "float32")[::2]):
                    s = np.zeros(1, "int64")
                    launch(b"f", x, y, s)
                    assert (y == x*3 + x[3]).all() and s[0] == 2*len(x)*len(x), (level, checked, x, y, s)
            x, y = np.array([3.0, 4.0]), np.zeros(2)
            noted.clear()
            launch(b"outer", x, y)
            assert noted == [(3, 2), (4, 0), (4, 2), (5, 1)] and y.tolist() == [6, 13], (noted, y)
    lib.cpl_module_release(module)
    lib.cpl_context_release(context)
