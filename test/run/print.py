# print: what Python prints, of texts, integers, bools and floats, with sep and end.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import contextlib
import io


def kinds(n, u, x, b):
    print("n =", n, "u =", u)
    print(x, b, n > 3, x*4, -x, sep=", ")
    print("100% of", 7, "%d", end=".\n")
    print()
    print("x", 1.0, 2, True, x, 2.0**40, 0.125, 0.625, -3.0, x*1024, n*2 + 1, sep="")
    for k in range(3):
        print(k, k/2.0, end="; ")
    print("")


def special(x):
    print(x[0], x[1], x[2], x[3], x[4], x[5])


def cases(case, np, rng):
    def printed(function, **scalars):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), np.errstate(all="ignore"):
            globals()[function](**scalars)
        return text.getvalue()

    for n, u, x, b in ((-2**40, 4000000000, 2.75, True), (5, 0, -8.0, False)):
        given = {"n": np.int64(n), "u": np.uint32(u), "x": np.float64(x), "b": np.bool_(b)}
        case("kinds", scalars=given, form="function", stdout=printed("kinds", **given))
    lists = [("float64", [0.5, 2.0**-9, -0.0, np.inf, 2.0**53, 2.0**-30])]
    if getattr(case, "target", None) != "pocl":  # whose printf has float32 alone
        lists += [("float64", [0.1, 1/3, -0.7, 1e300, 1e15, 1e-7]), ("float32", [0.1, 1/3, 12345, -np.inf, 0.5, 100])]
    for kind, values in lists:
        x = np.array(values, kind)
        case("special", arrays={"x": x}, form="function", stdout=printed("special", x=x), expected={})
