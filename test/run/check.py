# Runs the cases of one kernel file: check.py FILE FOLDER [TARGET].
#
# A test is a kernel file that also defines `cases(case, np, rng)`, which the compiler never reads and which calls
#
#     case("f", arrays={...}, scalars={...}, expected={...})
#
# for each tuple of arguments. The kernel runs compiled at -O0, at -O3 and with bounds_check, and in the interpreter; each array named in
# expected is compared, bit for bit or within `ulps`. expected=None runs the function itself in plain Python, on NumPy scalars, and compares the arrays
# it changes; of a kernel over a grid (form "kernel") it is the interpreter's that count. Other arguments of case: form ("elementwise", "function" or
# "kernel", with the grid among the options), result (what a function returns, as cplc prints it),
# stdout (what the kernel prints), options (of cplc), n, modes; near ({"a": (values, ulps)}: what the interpreter comes to is within so many ULP of these,
# with their sign where both are zero, and all others have its bits).
#
# Each function's first case runs in all ways and on all devices; of the others -O0 has the even ones and bounds_check the odd ones, Intel's runtime
# the even ones, PoCL and PTX the odd ones. With CPL_TEST_FULL=1, and on GPUs, every case runs everywhere.
#
# With TARGET, one of harness.DEVICES or GPUS, a case runs once on that. Mathematics has the limits of the OpenCL C specification there (7.4), and what
# work-items print comes in any order. A case that differs from another in options of the host's code alone runs once. What refused.txt says that the
# target cannot must fail with the message that stands there.

import functools
import math
import os
import sys
import types
import warnings

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import harness
import philox


def struct(cls):
    """A class of fields: T() has zeros, T(a, b) values for all."""
    def init(self, *values, **named):
        for field, value in zip(cls.__annotations__, values or (0.0,)*len(cls.__annotations__)):
            setattr(self, field, value)
        vars(self).update(named)

    if "__init__" not in vars(cls):
        cls.__init__ = init
    return cls


def language():
    """What a kernel file finds when plain Python runs it."""
    m = types.ModuleType("compyle.api")
    m.annotate = lambda *args, **types_: args[0] if len(args) == 1 and callable(args[0]) else (lambda f: f)
    m.declare = lambda text, count=1: 0 if count == 1 else (0,) * count
    m.cast = lambda value, text: np.dtype({"double": "float64", "float": "float32", "int": "int32", "long": "int64"}
                                          .get(text, text)).type(value)
    m.serial = lambda x: x
    m.struct = struct
    m.prange = m.static_range = range
    for name in ("address", "atomic_inc", "atomic_dec", "nogil", "parallel", "printf", "LID_0", "fence", "threadid",
                 "atomic_add", "atomic_sub"):
        setattr(m, name, None)
    return m


def numba():
    """The names of Numba that stand outside functions."""
    m = types.ModuleType("numba")
    m.cuda = types.ModuleType("numba.cuda")
    m.njit = m.cuda.jit = lambda *args, **options: args[0] if args else (lambda f: f)
    m.prange, m.float32, m.int32 = range, np.float32, np.int32
    return m


def load(path):
    api = language()
    for name in ("compyle", "compyle.api", "compyle.low_level", "compyle.types"):
        sys.modules[name] = api
    sys.modules["numba"] = numba()
    sys.modules["cpl"] = types.ModuleType("cpl")
    sys.modules["cpl.random"] = sys.modules["cpl"].random = philox
    sys.modules["cpl.elementary32"] = types.SimpleNamespace(**vars(math), tgamma=math.gamma)
    space = {k: v for k, v in vars(math).items() if not k.startswith("_")}
    exec(compile(open(path).read(), path, "exec"), space)
    return space


def in_python(f, arrays, scalars, form, n):
    """Runs the kernel as Python on copies; returns those that changed."""
    copies = {k: v.copy() for k, v in arrays.items()}
    code = f.__code__
    names = list(code.co_varnames[:code.co_argcount])
    if code.co_flags & 0x04:  # *NAME: NAME0, NAME1, ...
        star = code.co_varnames[code.co_argcount]
        names += [k for k in (f"{star}{n}" for n in range(len(arrays) + len(scalars))) if k in arrays or k in scalars]
    with np.errstate(all="ignore"):
        if form == "function":
            f(*(copies.get(k, scalars.get(k)) for k in names))
        else:
            for i in range(n):
                f(i, *(copies.get(k, scalars.get(k)) for k in names[1:]))
    return {k: v for k, v in copies.items() if v.tobytes() != arrays[k].tobytes()}


def text_of(value):
    if isinstance(value, np.generic):
        return f"{value.item()!r}:{value.dtype.name}"
    return repr(value) if not isinstance(value, str) else value


def for_devices(options):
    """Options without those that code for devices does not depend on: pairs of --option and NAME=VALUE."""
    hosts = [i for i, word in enumerate(options) if word.startswith(("cpu_level=", "simd="))]
    return tuple(word for i, word in enumerate(options) if i not in hosts and i + 1 not in hosts)


TURNS = {"O0": 0, "checked": 1, "pocl": 1, "intel": 0, "ptx": 1}


def has_turn(mode, case):
    """Whether a mode runs the so-and-so-many-th case of a function."""
    return case == 0 or mode not in TURNS or case % 2 == TURNS[mode] or bool(os.environ.get("CPL_TEST_FULL"))


class Cases:
    def __init__(self, path, folder, target=None):
        self.path, self.folder, self.space, self.target = path, folder, load(path), target
        self.count, self.failed, self.later = 0, 0, harness.Later()
        test = os.path.basename(path).removesuffix(".py")
        self.refused = {f: reason for (name, f), reason in harness.refused(target).items() if name == test}
        self.met, self.seen, self.cases_of, self.interpreted = set(), set(), {}, {}

    def __call__(self, function, arrays=None, scalars=None, expected=None, ulps=0, form="elementwise", result=None, stdout=None,
                 options=(), n=None, modes=harness.HOST, near=None):
        self.count += 1
        arrays, scalars = arrays or {}, scalars or {}
        turn = self.cases_of[function] = self.cases_of.get(function, -1) + 1
        if self.target:
            if function not in self.refused and not has_turn(self.target, turn):
                return
            key = (n, *self.key(function, arrays, scalars, form, options))
            if key in self.seen:
                return
            self.seen.add(key)
        length = n if n is not None else len(next(iter(arrays.values()))) if arrays else 0
        kernel = form == "kernel"
        by_interpreter = expected is None and (kernel or near)
        if by_interpreter:
            expected = self.interpret(function, arrays, scalars, form, options)
            expected = {k: v for k, v in expected.items() if k in arrays and v.tobytes() != arrays[k].tobytes()}
            for name, (values, most) in (near or {}).items():
                what, got, values = f"{function} case {self.count}: {name}", expected[name], values.astype(expected[name].dtype)
                zeros = (got == 0) & (values == 0)  # which have a sign, though they are no ULP apart
                self.failed += not (harness.same(what, got, values, most) and harness.same(what, got[zeros], values[zeros]))
        elif expected is None and result is None and stdout is None:
            expected = in_python(self.space[function], arrays, scalars, form, length)
            if not expected:
                sys.exit(f"{function}: plain Python changes no array")
        options = list(options) + ["--as", form] + (["--n", str(n)] if n is not None else [])
        for mode in (self.target,) if self.target else modes:
            asked = self.target or modes is not harness.HOST
            is_known = by_interpreter and mode == "interp" and result is None and stdout is None
            if not asked and (not has_turn(mode, turn) or is_known):
                continue
            if function in self.refused:
                self.refuse(function, arrays, scalars, mode, options)
                continue
            what = f"{function} case {self.count} {mode}"
            compare = functools.partial(self.compare, what, expected or {}, ulps, arrays, result,
                                        stdout)
            prints = result is not None or stdout is not None or kernel or self.begins()
            self.later.run(compare, f"{self.path}:{function}", self.folder, arrays,
                           {k: text_of(v) for k, v in scalars.items()}, list(expected or {}), mode,
                           options, prints)

    def key(self, function, arrays, scalars, form, options):
        """What a run depends on that has no code of the host's."""
        return (function, form, for_devices(options), *((k, str(v.dtype), v.tobytes()) for k, v in arrays.items()), *map(str, scalars.items()))

    def interpret(self, function, arrays, scalars, form, options):
        """All arrays behind a run by the interpreter, which knows no option of the host's code."""
        key = self.key(function, arrays, scalars, form, options)
        if key not in self.interpreted:
            self.interpreted[key] = harness.run(f"{self.path}:{function}", self.folder, arrays, {k: text_of(v) for k, v in scalars.items()},
                                                list(arrays), "interp", list(options) + ["--as", form])
        return self.interpreted[key]

    def begins(self):
        """Whether the case goes through all of cplc run on PoCL too: the first one, of every third
        file, or with CPL_TEST_FULL=1 of all."""
        chosen = os.environ.get("CPL_TEST_FULL") or sum(map(ord, os.path.basename(self.path))) % 3 == 0
        return self.count == 1 and chosen

    def refuse(self, function, arrays, scalars, mode, options):
        try:
            harness.run(f"{self.path}:{function}", self.folder, arrays, {k: text_of(v) for k, v in scalars.items()}, [], mode, options)
        except harness.Failed as failure:
            if self.refused[function] in str(failure):
                self.met.add(function)
                return
            raise
        print(f"{function} case {self.count}: runs, although refused.txt has it")
        self.failed += 1

    def compare(self, what, expected, ulps, arrays, result, stdout, got):
        if self.target:
            ulps = ulps and max(ulps, 16)
            if stdout is not None:
                stdout, got["stdout"] = ("".join(sorted(text.splitlines(True))) for text in (stdout, got["stdout"]))
        ok = all([harness.same(f"{what}: {k}", got[k], v, ulps, arrays) for k, v in expected.items()])
        if result is not None and f"result = {result}\n" not in got["stdout"]:
            print(f"{what}: printed {got['stdout']!r}, expected result = {result}")
            ok = False
        if stdout is not None and got["stdout"] != stdout:
            print(f"{what}: printed {got['stdout']!r}, expected {stdout!r}")
            ok = False
        self.failed += not ok


def main(path, folder, target=None):
    warnings.simplefilter("ignore")  # of NumPy, about overflow and about metadata that .npy files do not keep
    cases = Cases(path, folder, target)
    cases.space["cases"](cases, np, np.random.default_rng(7))
    cases.later.finish()
    print(f"{os.path.basename(path)}: {cases.count} cases, {cases.failed} runs differ")
    for function in set(cases.refused) - cases.met:
        print(f"{function}: refused.txt has it, and no case")
    return 0 if cases.count and not cases.failed and cases.met == set(cases.refused) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
