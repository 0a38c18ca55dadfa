# Loading, storing and computing with every element type.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t


def copy(i, x, y):
    y[i] = x[i]


def double_it(i, x, y):
    y[i] = x[i] + x[i]


def narrow(i, x, y):
    y[i] = x[i]*2 + 1


def cases(case, np, rng):
    for t in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"):
        x = rng.integers(0, 2, 77).astype(t) if t == "bool" else rng.integers(0, 256, 77*np.dtype(t).itemsize).astype("uint8").view(t)
        if t.startswith("float"):
            x = rng.uniform(-100, 100, 77).astype(t)
        case("copy", {"x": x, "y": np.zeros(77, t)}, expected={"y": x})
        if t == "bool":
            case("double_it", {"x": x, "y": np.zeros(77, "int32")}, expected={"y": x.astype("int32")*2})
            case("double_it", {"x": x, "y": np.zeros(77, t)}, expected={"y": x})
            continue
        with np.errstate(all="ignore"):
            case("double_it", {"x": x, "y": np.zeros(77, t)}, expected={"y": (x + x).astype(t)})
            wide = {"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "float16": "float32"}.get(t, t)
            y = x.astype(wide)*np.array(2, wide) + np.array(1, wide)
            case("narrow", {"x": x, "y": np.zeros(77, wide)}, expected={"y": y}, options=["--option", "precise=1"])
            case("narrow", {"x": x, "y": np.zeros(77, t)}, expected={"y": y.astype(t)}, options=["--option", "precise=1"])
