#!/usr/bin/env python3
"""run.py [--build DIR] [--peers] [--gpu] [--json FILE]: the figures of this machine, as a table and as JSON.

Compiles bench.c against the library in the build folder and peer.c with each compiler there is, and runs them in one process, taking
turns. gcc is always compared with, --peers adds others. What is missing is shown as missing; nothing here fails.
"""
import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
# The figure that is aimed at: libcpl within this many times of gcc -O3; and milliseconds for what is not a comparison.
RATIO = 1.3
LIMITS = {"cplc --version": 5.0, "first call, straight": 40.0, "first call, loop": 40.0, "first call, diverge": 40.0}
PEERS = [
    ("gcc -O3", ["gcc"], ["-O3"], True),
    ("gcc -Ofast", ["gcc"], ["-Ofast"], False),
    ("clang -O3", ["clang-22", "clang"], ["-O3"], False),
]


def run(command, **options):
    return subprocess.run(command, check=True, text=True, **options)


def build_peers(folder, wanted):
    """Command-line words for the bench program, and the names of all peers, those that are missing with a reason."""
    words, names = [], {}
    for name, compilers, flags, always in PEERS:
        if not (always or wanted):
            continue
        compiler = next(filter(shutil.which, compilers), None)
        library = os.path.join(folder, name.replace(" ", "") + ".so")
        names[name] = None if compiler else "missing"
        if not compiler:
            continue
        try:
            run([compiler, *flags, "-march=native", "-fopenmp", "-shared", "-fPIC", "-o", library, f"{here}/peer.c", "-lm"],
                capture_output=True)
            words.append(f"{name}={library}")
        except subprocess.CalledProcessError as error:
            names[name] = "does not compile"
            print(f"bench: {compiler}: {error.stderr.strip().splitlines()[:1]}", file=sys.stderr)
    return words, names


def measure(folder, build, words):
    program = os.path.join(folder, "bench")
    library = os.path.join(build, "lib")
    run(["cc", "-O2", "-D_GNU_SOURCE", "-o", program, f"{here}/bench.c", f"-I{root}/include", f"-L{library}",
         f"-Wl,-rpath,{library}", "-lcpl", "-lm", "-ldl"])
    # Idle threads of one runtime must not keep cores from the other: they spin for a moment, and bench.c waits longer than that
    # between turns. libgomp's own default spins so long that threads which share a core lose whole time slices.
    # Code that an earlier run left on disk is not what is measured.
    environment = dict(os.environ, CPL_CACHE="0", KMP_BLOCKTIME="2", GOMP_SPINCOUNT="10000")
    return run([program, os.path.join(build, "bin", "cplc"), f"{here}/kernels.py", f"{here}/first.py", *words],
               stdout=subprocess.PIPE, env=environment).stdout


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def show(figures, names):
    print(f"\n{'kernel and size':24} {'libcpl':>12}", *(f"{name:>22}" for name in names))
    for case, times in figures["runs"].items():
        cells = []
        for name, problem in names.items():
            other = times.get(name)
            cells.append(f"{problem or 'missing':>22}" if other is None
                         else f"{other:>10.4f} ms, x{times['libcpl']/other:<6.2f}".rjust(22))
        print(f"{case:24} {times['libcpl']:>9.4f} ms", *cells)
    print("xN: libcpl takes N times as long; fastest of interleaved runs\n")
    for case, times in figures["once"].items():
        limit = LIMITS.get(case)
        verdict = "" if limit is None else f"   {'within' if times['best'] <= limit else 'NOT within'} {limit:.0f} ms"
        print(f"{case:24} {times['best']:9.3f} ms best, {times['median']:8.3f} ms median{verdict}")
    worst = {case: times["libcpl"]/times["gcc -O3"] for case, times in figures["runs"].items()
             if "gcc -O3" in times and not case.endswith(" 1")}
    if worst:
        case = max(worst, key=worst.get)
        print(f"\nworst against gcc -O3: x{worst[case]:.2f} ({case}); aimed at: x{RATIO}",
              "met" if worst[case] <= RATIO else "NOT met")
    else:
        print("\ngcc is missing: the comparison is not met")


def main():
    parser = argparse.ArgumentParser(description="Figures of libcpl on this machine.")
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--peers", action="store_true", help="compare with more compilers than gcc")
    parser.add_argument("--gpu", action="store_true", help="run on GPUs too")
    parser.add_argument("--json", help="also write the figures to this file")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    if options.gpu:
        print("bench: there is no GPU target to run on: missing")
    with tempfile.TemporaryDirectory() as folder:
        words, names = build_peers(folder, options.peers)
        try:
            lines = measure(folder, build, words).splitlines()
        except (subprocess.CalledProcessError, OSError) as error:
            print(f"bench: libcpl could not be measured: {error}", file=sys.stderr)
            return
    figures = {"processor": processor(), "cores": len(os.sched_getaffinity(0)), "runs": {}, "once": {}}
    for line in lines:
        group, case, who, ms = line.split("\t")
        if float(ms) != float("inf"):
            figures["runs" if group == "run" else "once"].setdefault(case, {})[who] = float(ms)
    print(f"{figures['processor']}, {figures['cores']} cores")
    show(figures, names)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(figures, file, indent=2)


if __name__ == "__main__":
    main()
