# bits: the same bits as another type, NaN's too, and back; what is computed with them.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def wide(i, x, r):
    r[i] = bits(x[i], "uint64")


def narrow(i, x, r):
    r[i] = bits(x[i], "uint32")


def back(i, k, r):
    r[i] = bits(k[i], "float32")


def half(i, x, r):
    r[i] = bits(x[i], "int16")


def to_half(i, k, r):
    r[i] = bits(k[i], "float16")


def ordered(i, x, r):
    b = bits(x[i], "int32")
    r[i] = bits(b ^ ((b >> 31) & 0x7FFFFFFF), "uint32") ^ 0x80000000


def literals(i, r):
    r[i] = bits(1.5, "int64") + bits(-1, "uint32")


def cases(case, np, rng):
    some = [0.0, -0.0, 1.0, -1.5, 1e-40, -1e-40, 3e38, np.inf, -np.inf, 6e-8, 65504.0]
    for name, t, to in (("wide", "float64", "uint64"), ("wide", "int64", "uint64"), ("narrow", "float32", "uint32"),
                        ("narrow", "int32", "uint32"), ("half", "float16", "int16"), ("half", "uint16", "int16")):
        if t[0] == "f":
            with np.errstate(all="ignore"):
                x = np.array(some + [np.nan, -np.nan]*(t != "float16"), t)  # OpenCL C makes another NaN of it
        else:
            x = rng.integers(0, 2**15, 40).astype(t)
        case(name, {"x": x, "r": np.zeros(len(x), to)}, expected={"r": x.view(to)})
    k = rng.integers(0, 2**32, 100, "uint32")
    k = k[~np.isnan(k.view("float32"))]
    case("back", {"k": k, "r": np.zeros(len(k), "float32")}, expected={"r": k.view("float32")})
    h = np.arange(0, 0x7C00, 7, "uint16")
    case("to_half", {"k": h, "r": np.zeros(len(h), "float16")}, expected={"r": h.view("float16")})
    with np.errstate(all="ignore"):
        x = np.array(some, "float32")
    b = x.view("uint32")
    case("ordered", {"x": x, "r": np.zeros(len(x), "uint32")},
         expected={"r": np.where(b >> np.uint32(31), ~b, b | np.uint32(1 << 31)).astype("uint32")})
    case("literals", {"r": np.zeros(3, "int64")}, expected={"r": np.full(3, np.float64(1.5).view("int64") + 0xFFFFFFFF)})
