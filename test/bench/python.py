#!/usr/bin/env python3
"""Figures of the Python package beside others: python.py --build BUILD [--quick] [--json FILE] [--draw FILE]

Each figure is taken in turns with its peers in one process, the fastest of several rounds, so that what else the machine does
hits all of them alike. A peer that is not installed is left out, and said to be missing.
"""

import argparse
import json
import os
import subprocess
import sys
import time

# --- what each one runs: y = a*sin(x) + b*x over arrays ---


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

    @numba.njit(parallel=True, fastmath=True)
    def wave(x, y, a, b):
        for i in numba.prange(x.shape[0]):
            y[i] = a*math.sin(x[i]) + b*x[i]

    return wave


def make_numba_serial():
    import math

    import numba

    @numba.njit(fastmath=True)
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


MAKERS = {
    "cpl": make_cpl, "Numba, parallel": make_numba, "Numba, serial": make_numba_serial,
    "numexpr": make_numexpr, "NumPy": make_numpy,
}


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


FIRST = """
import sys, time, importlib.util
import numpy as np
x, y = np.ones(1000), np.ones(1000)
spec = importlib.util.spec_from_file_location("bench", sys.argv[1])
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)
make = bench.MAKERS[sys.argv[2]]
make()(np.ones(1, np.float32), np.ones(1, np.float32), 1.0, 2.0)  # the compiler is there, for other types
start = time.perf_counter()
make()(x, y, 2.0, 1.0)
print(time.perf_counter() - start)
"""

IMPORT = "import time, numpy; s = time.perf_counter(); import {}; print(time.perf_counter() - s)"


def in_process(program, *args, **env):
    done = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True,
                          env={**os.environ, **env}, check=False)
    return float(done.stdout) if not done.returncode else float("nan")


def first_calls(names, quick):
    """Milliseconds to the first result of a new kernel, in a process that has compiled others."""
    rounds = 1 if quick else 7
    return {name: min(in_process(FIRST, __file__, name, CPL_CACHE="0") for _ in range(rounds))*1e3
            for name in names}


def imports(names, quick):
    """Milliseconds that importing takes beyond NumPy's."""
    module = {"cpl": "cpl", "Numba, parallel": "numba", "numexpr": "numexpr"}
    rounds = 1 if quick else 7
    return {name: min(in_process(IMPORT.format(module[name])) for _ in range(rounds))*1e3
            for name in names if name in module}


TABLE = (
    ("call on one element, ns", calls), ("2^23 elements, ms", runs),
    ("first call, ms", first_calls), ("import, ms", imports),
)


def judge(figures):
    """The promises, each with what was measured."""
    call, first, load = (figures[k] for k in (TABLE[0][0], TABLE[2][0], TABLE[3][0]))
    rows = [("a call, GIL held, of 120 ns", call["cpl"], 120), ("a first call of 5 ms", first["cpl"], 5),
            ("import of 30 ms", load["cpl"], 30)]
    if "Numba, serial" in call:
        rows.append(("a call, of Numba's", call["cpl"]/call["Numba, serial"], 1))
    for text, value, most in rows:
        print(f"{'met    ' if value <= most else 'NOT met'}  {text}: {value:.3g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true", help="tries all of it in small")
    parser.add_argument("--json")
    args = parser.parse_args()
    package = os.path.abspath(os.path.join(args.build, "python"))
    sys.path.insert(0, package)
    os.environ["PYTHONPATH"] = package
    waves = there_are()
    figures = {}
    for what, measure in TABLE:
        figures[what] = measure(waves if measure in (calls, runs) else list(waves), args.quick)
    print(f"{'':18}" + "".join(f"{what:>26}" for what in figures))
    for name in waves:
        cells = (figures[what].get(name) for what in figures)
        print(f"{name:18}" + "".join(f"{c:26.4g}" if c is not None else f"{'':26}" for c in cells))
    judge(figures)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
