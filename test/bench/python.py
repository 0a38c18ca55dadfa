#!/usr/bin/env python3
"""Figures of the Python package beside others: python.py --build BUILD [--quick] [--json FILE] [--draw FILE] [--readme]

Each figure of calls is taken in turns with its peers in one process, the fastest of several rounds, so that what else the machine
does hits all of them alike; first calls are taken in processes of their own. A peer that is not installed is left out, and said to
be missing. --readme writes the table and the picture that README.md shows.
"""

import argparse
import atexit
import functools
import importlib
import importlib.metadata
import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# --- what each one runs: y = a*sin(x) + b*x over arrays ---

KEEPS = "BENCH_CACHE" in os.environ  # Numba is told in the program to keep what it compiled


def make_cpl():
    import cpl
    import numpy as np

    @cpl.elementwise
    def wave(i, x, y, a, b):
        y[i] = a*np.sin(x[i]) + b*x[i]

    return wave


def make_numba():
    import math

    import numba

    @numba.njit(parallel=True, fastmath=True, cache=KEEPS)
    def wave(x, y, a, b):
        for i in numba.prange(x.shape[0]):
            y[i] = a*math.sin(x[i]) + b*x[i]

    return wave


def make_numba_serial():
    import math

    import numba

    @numba.njit(fastmath=True, cache=KEEPS)
    def wave(x, y, a, b):
        for i in range(x.shape[0]):
            y[i] = a*math.sin(x[i]) + b*x[i]

    return wave


def make_numexpr():
    import numexpr

    def wave(x, y, a, b):
        numexpr.evaluate("a*sin(x) + b*x", out=y)

    return wave


def make_numpy():
    import numpy as np

    def wave(x, y, a, b):
        np.add(a*np.sin(x), b*x, out=y)

    return wave


def make_compyle():
    from math import sin

    from compyle.api import Elementwise, annotate, get_config, wrap

    get_config().use_openmp = True
    get_config().omp_schedule = ("static", None)

    @annotate
    def wave(i, x, y, a, b):
        y[i] = a*sin(x[i]) + b*x[i]

    kernel = Elementwise(wave, backend="cython")  # for the types of its first call
    wrapped = {}

    def call(x, y, a, b):
        arrays = wrapped.get((id(x), id(y)))
        if not arrays:
            arrays = wrapped[id(x), id(y)] = [wrap(v, backend="cython") for v in (x, y)] + [x, y]
        kernel(arrays[0], arrays[1], a, b)

    return call


MAKERS = {
    "cpl": make_cpl, "Numba, parallel": make_numba, "Numba, serial": make_numba_serial,
    "numexpr": make_numexpr, "NumPy": make_numpy, "Compyle": make_compyle,
}
MODULES = {
    "cpl": "cpl", "Numba, parallel": "numba", "Numba, serial": "numba", "numexpr": "numexpr",
    "NumPy": "numpy", "Compyle": "compyle.api",
}
CACHES = {"cpl", "Numba, parallel", "Numba, serial", "Compyle"}  # who keeps kernels for the next process


def there_are():
    """The peers that can be imported, with what is missing said."""
    found = {}
    for name, make in MAKERS.items():
        try:
            found[name] = make()
        except ImportError:
            print(f"{name}: missing", file=sys.stderr)
    return found


# --- figures ---


def seconds(run, count):
    start = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - start)/count


def in_turns(runs, rounds, counts):
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            best[name] = min(best[name], seconds(run, counts[name]))
    return best


def calls(waves, quick):
    """Nanoseconds of a call on one element."""
    import numpy as np

    x, y = np.ones(1), np.ones(1)
    runs = {name: (lambda f=f: f(x, y, 2.0, 1.0)) for name, f in waves.items()}
    runs["empty"] = (lambda f=lambda x, y, a, b: None: f(x, y, 2.0, 1.0))
    counts = {name: 10 if quick else 20_000 for name in runs}
    for name in runs:
        runs[name]()
        slow = seconds(runs[name], 10) > 5e-6
        counts[name] = 10 if quick else 500 if slow else 20_000
    time.sleep(0 if quick else 0.5)  # optimised code is swapped in
    best = in_turns(runs, 3 if quick else 30, counts)
    empty = best.pop("empty")  # what calling a function of four arguments in Python costs
    return {name: (t - empty)*1e9 for name, t in best.items()}


def released(waves, quick):
    """The same of a kernel whose loop may take long, during which the GIL is free."""
    import cpl
    import numpy as np

    @cpl.elementwise
    def steps(i, x, y, a, count):
        for k in range(count):
            y[i] = a*x[i] + k

    x, y = np.ones(1), np.ones(1)
    work = {"cpl": lambda: steps(x, y, 2.0, 0),
            "empty": lambda f=lambda x, y, a, count: None: f(x, y, 2.0, 0)}
    work["cpl"]()
    time.sleep(0 if quick else 0.5)
    best = in_turns(work, 3 if quick else 30, dict.fromkeys(work, 10 if quick else 20_000))
    return {"cpl": (best["cpl"] - best["empty"])*1e9}


def runs(waves, quick):
    """Milliseconds over many elements."""
    import numpy as np

    n = 1000 if quick else 1 << 23
    x, y = np.random.default_rng(0).random(n), np.zeros(n)
    work = {name: (lambda f=f: f(x, y, 2.0, 1.0)) for name, f in waves.items()}
    for run in work.values():
        run()
    best = in_turns(work, 2 if quick else 7, dict.fromkeys(work, 1))
    return {name: t*1e3 for name, t in best.items()}


def assigning(to, x, y, z):
    def run():
        to[:] = x*y + 2.0*z

    return run


def expressions_of(names, n):
    """{name: out = a*b + 2*c over n elements} of those that have expressions of whole arrays, or a loop for them."""
    import numpy as np

    a, b, c, out = (np.random.default_rng(seed).random(n) for seed in range(4))
    made = {}
    if "cpl" in names:
        import cpl

        made["cpl"] = assigning(*(cpl.asarray(v) for v in (out, a, b, c)))
    if "NumPy" in names:
        made["NumPy"] = assigning(out, a, b, c)
    if "numexpr" in names:
        import numexpr

        made["numexpr"] = lambda: numexpr.evaluate("a*b + 2.0*c", {"a": a, "b": b, "c": c}, out=out)
    if "Numba, parallel" in names:
        import numba

        @numba.njit(parallel=True, fastmath=True)
        def combined(a, b, c, out):
            for i in numba.prange(a.shape[0]):
                out[i] = a[i]*b[i] + 2.0*c[i]

        made["Numba, parallel"] = lambda: combined(a, b, c, out)
    for run in made.values():
        run()
    time.sleep(0.5 if n < 1000 else 0)
    return made


def expressions(waves, quick):
    """Milliseconds of an expression of three arrays out of cache."""
    work = expressions_of(waves, 1000 if quick else 1 << 23)
    best = in_turns(work, 2 if quick else 7, dict.fromkeys(work, 1))
    return {name: t*1e3 for name, t in best.items()}


def small_expressions(waves, quick):
    """Nanoseconds of the same over 10 elements."""
    work = expressions_of(waves, 10)
    best = in_turns(work, 3 if quick else 20, dict.fromkeys(work, 10 if quick else 1000))
    return {name: t*1e9 for name, t in best.items()}


FIRST = """
import importlib, importlib.util, sys, time
import numpy as np
x, y = np.ones(1000), np.ones(1000)
spec = importlib.util.spec_from_file_location("bench", sys.argv[1])
bench = sys.modules["bench"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)
importlib.import_module(bench.MODULES[sys.argv[2]])
make = bench.MAKERS[sys.argv[2]]
if sys.argv[3] == "after others": # the compiler is there, for other types
    make()(np.ones(1, np.float32), np.ones(1, np.float32), 1.0, 2.0)
start = time.perf_counter()
wave = make() # held: what nobody has is not optimised
wave(x, y, 2.0, 1.0)
print(time.perf_counter() - start)
if sys.argv[4:]: # code that is optimised beside the first calls is kept when it is done
    time.sleep(1)
"""

IMPORT = "import time, numpy; s = time.perf_counter(); import {}; print(time.perf_counter() - s)"


@functools.cache
def bytecode():
    """A folder for it, as pip leaves some beside what it installs."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return folder.name


def in_process(program, *args, **env):
    env = {**os.environ, "PYTHONPYCACHEPREFIX": bytecode(), **env}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True,
                          env=env, check=False)
    if done.returncode:
        print(f"{' '.join(args[1:])} failed: {done.stderr.splitlines()[-1:]}", file=sys.stderr)
        return float("nan")
    return float(done.stdout.split()[-1])


LONG = 20  # seconds after which one round more is not worth the wait


def least(measure, rounds):
    """The fastest of several rounds, in milliseconds."""
    times = []
    while len(times) < rounds and sum(times) < LONG and not any(map(math.isnan, times)):
        times.append(measure())
    return min(times)*1e3


def caches(folder):
    """Where each one keeps what it compiled, as its environment says it: the last for Compyle."""
    return {"CPL_CACHE_DIR": folder, "NUMBA_CACHE_DIR": folder, "HOME": folder}


def first_call(name, when):
    with tempfile.TemporaryDirectory() as folder:
        return in_process(FIRST, __file__, name, when, CPL_CACHE="0", **caches(folder))


def first_calls(names, quick):
    """Milliseconds to the first result of a new kernel, in a process that has compiled others."""
    return {name: least(lambda: first_call(name, "after others"), 1 if quick else 7)
            for name in names}


def fresh_calls(names, quick):
    """The same in a process that has not compiled anything yet."""
    return {name: least(lambda: first_call(name, "at once"), 1 if quick else 7) for name in names}


def kept_calls(names, quick):
    """The same in a second process, where the first one has kept the kernel."""
    figures = {}
    for name in names:
        if name not in CACHES:
            continue
        with tempfile.TemporaryDirectory() as folder:
            env = dict(caches(folder), BENCH_CACHE="1", CPL_CACHE="1")
            run = lambda *more: in_process(FIRST, __file__, name, "at once", *more, **env)  # noqa: E731
            run("keeps")
            figures[name] = least(run, 1 if quick else 7)
    return figures


def imports(names, quick):
    """Milliseconds that importing takes beyond NumPy's."""
    rounds = 1 if quick else 7
    return {name: least(lambda: in_process(IMPORT.format(MODULES[name])), rounds)
            for name in names if MODULES[name] not in ("numpy",) and name != "Numba, serial"}


TABLE = (
    ("call on one element, ns", calls), ("without the GIL, ns", released), ("2^23 elements, ms", runs),
    ("first call, ms", first_calls), ("first of a process, ms", fresh_calls),
    ("the same, kept, ms", kept_calls), ("import, ms", imports),
    ("expression, 2^23, ms", expressions), ("of 10 elements, ns", small_expressions),
)
CALL, RELEASED, RUN, FIRST_CALL, FRESH, KEPT, LOAD, EXPRESSION, SMALL = (what for what, _ in TABLE)


IN_TURNS = (calls, released, runs, expressions, small_expressions)  # in this process


def judge(figures):
    """The promises, each with what was measured."""
    call, first, load = (figures[k] for k in (CALL, FIRST_CALL, LOAD))
    rows = [("a call, GIL held, of 120 ns", call["cpl"], 120),
            ("a call, GIL released, of 170 ns", figures[RELEASED]["cpl"], 170),
            ("a first call, kept, of 2 ms", figures[KEPT]["cpl"], 2), ("a first call of 5 ms", first["cpl"], 5),
            ("import of 30 ms", load["cpl"], 30)]
    wide = figures[EXPRESSION]
    rows.append(("an expression, of a third of NumPy's", 3*wide["cpl"]/wide["NumPy"], 1))
    rows.append(("one of 10 elements, of three calls", figures[SMALL]["cpl"]/(3*call["cpl"]), 1))
    if "Numba, serial" in call:
        rows.append(("a call, of Numba's", call["cpl"]/call["Numba, serial"], 1))
    for text, value, most in rows:
        print(f"{'met    ' if value <= most else 'NOT met'}  {text}: {value:.3g}")


# --- what README.md shows ---

# Titles of the columns, and nanoseconds of each figure's unit.
COLUMNS = (
    ("first call of a process", FRESH, 1e6), ("found in the cache", KEPT, 1e6),
    ("call on one element", CALL, 1), ("2^23 elements", RUN, 1e6),
)
BEGIN, END = "<!-- bench:python -->", "<!-- /bench:python -->"
PICTURE = "docs/bench_python.svg"


def shown(figures):
    """{column: {name: nanoseconds}} of the figures that are there."""
    return {title: {name: value*unit for name, value in figures[what].items()}
            for title, what, unit in COLUMNS}


def machine():
    """What the figures are of."""
    processor = platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        found = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
        processor = found.group(1) if found else processor
    versions = [f"Python {platform.python_version()}"]
    for name in ("numpy", "numba", "numexpr", "compyle"):
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return f"{processor}, {os.cpu_count()} threads; {', '.join(versions)}."


def markdown(columns):
    from cpl import show

    names = [name for name in MAKERS if any(name in figures for figures in columns.values())]
    lines = ["| | " + " | ".join(columns) + " |", "| --- |" + " ---: |"*len(columns)]
    for name in names:
        cells = (show.duration(f[name]) if name in f else "" for f in columns.values())
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def with_table(text, columns):
    """README's text with the picture, the table and what they are of between the marks."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"the file has no {BEGIN} ... {END}")
    picture = f"![Times of the package beside others, on logarithmic scales]({PICTURE})"
    return f"{before}{BEGIN}\n{picture}\n\n{markdown(columns)}\n{machine()}\n{END}{after}"


def draw(columns, path):
    import picture

    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    Path(path).write_text(picture.dots(columns, "cpl"), encoding="utf-8")


def publish(args, columns):
    if args.draw:
        draw(columns, args.draw)
    if args.readme:
        text = with_table(args.readme.read_text(encoding="utf-8"), columns)
        draw(columns, args.readme.parent/PICTURE)
        args.readme.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true", help="tries all of it in small")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--draw", metavar="FILE", help="the picture, as SVG")
    parser.add_argument("--readme", metavar="FILE", nargs="?", const=ROOT/"README.md", type=Path,
                        help="writes the table and the picture that README.md shows")
    args = parser.parse_args()
    package = os.path.abspath(os.path.join(args.build, "python"))
    sys.path.insert(0, package)
    os.environ["PYTHONPATH"] = package
    home = os.path.join(sys.prefix, "home")
    if os.path.isdir(home):  # of the peers, where Compyle keeps what it compiled
        os.environ["HOME"] = home
    waves = there_are()
    figures = {}
    for what, measure in TABLE:
        taken = measure(waves if measure in IN_TURNS else list(waves), args.quick)
        figures[what] = {name: value for name, value in taken.items() if math.isfinite(value)}
    print(f"{'':18}" + "".join(f"{what:>26}" for what in figures))
    for name in waves:
        cells = (figures[what].get(name) for what in figures)
        print(f"{name:18}" + "".join(f"{c:26.4g}" if c is not None else f"{'':26}" for c in cells))
    judge(figures)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(figures, file, indent=1)
    publish(args, shown(figures))


if __name__ == "__main__":
    main()
