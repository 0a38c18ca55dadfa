"""The comparison of Compyle's documentation, y = a sin(x) + b over arrays of 2 to 2^24 doubles, with all
peers: how many times as fast as Compyle's serial loop, or as NumPy where Compyle is missing.

    ./dev bench --axpb [--quick] [--json FILE] [--draw FILE.svg] [--docs]

"cpl, Compyle's program" is the program of that documentation, unchanged, on cpl.compat.compyle. On
OpenCL arrays are on the device, which is a CPU's where there is no other. --docs redraws the
picture of docs/compyle.md and says there what it is of.
"""

import argparse
import json
import math
import os
import sys
import time
from html import escape
from pathlib import Path

from picture import STYLE

COLOURS = ["#0969da", "#54aeff", "#0a7ea4", "#cf222e", "#fb8f44", "#e16f24", "#2da44e", "#7ec699",
           "#8250df", "#8c959f"]
ROOT = Path(__file__).resolve().parents[2]
PAGE, PICTURE = ROOT/"docs/compyle.md", "bench_axpb.svg"
BEGIN, END = "<!-- axpb: ./dev bench --axpb --docs -->", "<!-- end -->"


# --- who is timed ---


def make_cpl():
    import cpl
    import numpy as np

    @cpl.elementwise
    def axpb(i, x, y, a, b):
        y[i] = a[i]*np.sin(x[i]) + b[i]

    return axpb


def _compyle(package, openmp, backend="cython"):
    """Compyle's program, of the package that has its modules: what is called, with which arrays."""
    import importlib
    from math import sin

    api = importlib.import_module(f"{package}.api")
    if backend == "opencl":
        os.environ.setdefault("PYOPENCL_CTX", "0")
        importlib.import_module(f"{package}.opencl").get_queue()  # ImportError, or there is none

    @api.annotate(i="int", doublep="x, y, a, b")
    def axpb(i, x, y, a, b):
        y[i] = a[i]*sin(x[i]) + b[i]

    def wrapped(*arrays):
        with api.use_config(use_double=True):
            return api.wrap(*arrays, backend=backend)

    kernel = api.Elementwise(axpb, backend=backend)
    with api.use_config(use_openmp=openmp, use_double=True):
        kernel(*wrapped(*data(2)))  # takes the settings
    return kernel, wrapped


def make_numba(threads):
    import numba

    @numba.njit(parallel=threads)
    def axpb(x, y, a, b):
        for i in numba.prange(x.shape[0]):
            y[i] = a[i]*math.sin(x[i]) + b[i]

    return axpb


def make_numexpr():
    import numexpr

    return lambda x, y, a, b: numexpr.evaluate("a*sin(x) + b", out=y)


def make_numpy():
    import numpy as np

    return lambda x, y, a, b: np.add(a*np.sin(x), b, out=y)


MAKERS = {
    "cpl": make_cpl,
    "cpl, Compyle's program": lambda: _compyle("cpl.compat.compyle", True),
    "cpl, Compyle's program, OpenCL":
        lambda: _compyle("cpl.compat.compyle", False, "opencl"),
    "Compyle, serial": lambda: _compyle("compyle", False),
    "Compyle, OpenMP": lambda: _compyle("compyle", True),
    "Compyle, OpenCL": lambda: _compyle("compyle", False, "opencl"),
    "Numba, parallel": lambda: make_numba(True),
    "Numba, serial": lambda: make_numba(False),
    "numexpr": make_numexpr,
    "NumPy": make_numpy,
}


def makers():
    """Those that are there, {name: (what is called, what makes its arrays of NumPy's)}; what is
    missing is said."""
    found = {}
    for name, make in MAKERS.items():
        try:
            made = make()
        except Exception as error:  # of a driver, too
            print(f"{name}: missing, {error}", file=sys.stderr)
            continue
        found[name] = made if isinstance(made, tuple) else (made, lambda *arrays: arrays)
    return found


# --- figures ---


def data(n):
    import numpy as np

    x = np.linspace(0, 1, n)
    return x, np.zeros(n), x*x, np.sqrt(x + 1)


def check(call, wrapped, n=1000):
    """A peer that computes something else is not timed."""
    import numpy as np

    x, y, a, b = data(n)
    given = wrapped(x, y, a, b)
    call(*given)
    got = given[1].get() if hasattr(given[1], "get") else given[1]
    np.testing.assert_allclose(got, a*np.sin(x) + b, rtol=1e-12)


def times(calls, n, rounds):
    """The fastest of the rounds, which the peers run in turns: seconds a call."""
    arrays = {name: wrapped(*data(n)) for name, (_, wrapped) in calls.items()}
    count = max(1, min(1000, 200_000//n))
    best = dict.fromkeys(calls, math.inf)
    for _ in range(rounds + 1):
        for name, (call, _) in calls.items():
            start = time.perf_counter()
            for _ in range(count):
                call(*arrays[name])
            best[name] = min(best[name], (time.perf_counter() - start)/count)
    return best


def speedups(sizes, rounds):
    """{peer: one number for each size}, and whose time is one."""
    calls = makers()
    for call, wrapped in calls.values():
        check(call, wrapped)
    taken = [times(calls, n, rounds) for n in sizes]
    one = "Compyle, serial" if "Compyle, serial" in calls else "NumPy"
    return {name: [t[one]/t[name] for t in taken] for name in calls}, one


# --- picture ---


LEFT, TOP, WIDTH, HEIGHT, LEGEND = 52, 40, 520, 300, 240


def draw(figures, sizes, one):
    """Lines over sizes, both scales logarithmic: SVG."""
    values = [v for line in figures.values() for v in line]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    last = math.log2(sizes[-1])
    first = math.log2(sizes[0])

    def x_of(n):
        return LEFT + (math.log2(n) - first)/max(last - first, 1)*WIDTH

    def y_of(v):
        return TOP + (high - math.log10(v))/(high - low)*HEIGHT

    width, height = LEFT + WIDTH + LEGEND, TOP + HEIGHT + 44
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" role="img">', f"<style>{STYLE}</style>",
             f'<text class="title" x="{LEFT}" y="22">y = a sin(x) + b: times as fast as '
             f"{escape(one)}</text>"]
    for power in range(low, high + 1):
        y = y_of(10.0**power)
        lines.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    for n in sizes[::4]:
        lines.append(f'<text x="{x_of(n):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">'
                     f"2^{round(math.log2(n))}</text>")
    for k, (name, line) in enumerate(figures.items()):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join(f"{x_of(n):.1f},{y_of(v):.1f}" for n, v in zip(sizes, line))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{LEFT + WIDTH + 16}" y="{TOP + 14 + 20*k}" style="fill: {colour}">'
                     f"{escape(name)}</text>")
    return "\n".join([*lines, "</svg>", ""])


def with_picture(text, machine):
    """The page with the picture, and what it is of, between its marks."""
    before, rest = text.split(BEGIN)
    shown = f"![a sin(x) + b: cpl, Compyle, Numba, numexpr and NumPy over sizes]({PICTURE})"
    return f"{before}{BEGIN}\n{shown}\n\n{machine}\n{END}{rest.partition(END)[2]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--quick", action="store_true", help="tries all of it in small")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--draw", metavar="FILE", help="the picture, as SVG")
    parser.add_argument("--docs", action="store_true", help="the picture of docs/compyle.md")
    args = parser.parse_args()
    sys.path.insert(0, os.path.abspath(os.path.join(args.build, "python")))
    home = os.path.join(sys.prefix, "home")
    if os.path.isdir(home):  # of the peers, where Compyle keeps what it compiled
        os.environ["HOME"] = home
    sizes = [2**k for k in range(1, 13 if args.quick else 25)]
    figures, one = speedups(sizes, 1 if args.quick else 20)
    print(f"{'times as fast as ' + one:26}" + "".join(f"{n:>10}" for n in sizes))
    for name, line in figures.items():
        print(f"{name:26}" + "".join(f"{v:10.3g}" for v in line))
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"sizes": sizes, "one": one, "speedups": figures}, file)
    picture = draw(figures, sizes, one)
    if args.draw:
        Path(args.draw).write_text(picture, encoding="utf-8")
    if args.docs:
        from python import machine

        (PAGE.parent/PICTURE).write_text(picture, encoding="utf-8")
        PAGE.write_text(with_picture(PAGE.read_text(encoding="utf-8"), machine()), encoding="utf-8")


if __name__ == "__main__":
    main()
