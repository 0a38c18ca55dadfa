"""Host against device over sizes, and what the option `choose` makes of it, as a picture.

    where.py [--build DIR] [--target cuda:0] [--largest LOG] [--from FIGURES] [--draw FILE.png]

It runs gpu_where (where.c), or takes the lines that it printed on another machine.
"""

import argparse
import os
import subprocess
import sys


def read(lines):
    """{what: {where: {n: us}}, and the device that was chosen under "choices"}"""
    cases = {}
    for line in lines:
        what, n, where, us, _ = line.rstrip("\n").split("\t")
        case = cases.setdefault(what, {"choices": {}})
        if where.startswith("chosen "):
            case["choices"][int(n)] = where[7:]
            where = "chosen"
        case.setdefault(where, {})[int(n)] = float(us)
    return cases


def device_of(case):
    return next(where for where in case if where not in ("host", "chosen", "choices"))


def crossing(choices):
    """Between the last size left on the host and the next, which was not; None: there is none."""
    sizes = sorted(choices)
    on_host = [n for n in sizes if choices[n] == "host"]
    if not on_host or on_host[-1] == sizes[-1]:
        return None
    return (on_host[-1]*sizes[sizes.index(on_host[-1]) + 1])**0.5


def lost(case):
    """The most that a choice took by the time of the better one."""
    device = device_of(case)
    return max(us/min(case["host"][n], case[device][n]) for n, us in case["chosen"].items())


def panel(axes, what, case):
    for where, style in (("host", "o-"), ("device", "s-"), ("chosen", "k--")):
        key = where if where in case else device_of(case)
        sizes = sorted(case[key])
        axes.loglog(sizes, [case[key][n] for n in sizes], style, label=key, markersize=4)
    at = crossing(case["choices"])
    if at:
        axes.axvline(at, color="grey", linewidth=1)
        axes.annotate("chosen: host | device", (at, axes.get_ylim()[0]), rotation=90, va="bottom",
                      ha="right", fontsize=8)
    axes.set_title(what, fontsize=9)
    axes.set_xlabel("elements")
    axes.set_ylabel("microseconds")
    axes.legend(fontsize=8)


def draw(cases, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(cases), figsize=(4*len(cases), 4), squeeze=False)
    for axes, (what, case) in zip(panels[0], cases.items()):
        panel(axes, what, case)
    figure.tight_layout()
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--target", default="cuda:0")
    parser.add_argument("--largest", default="26")
    parser.add_argument("--from", dest="figures")
    parser.add_argument("--draw")
    options = parser.parse_args()
    if options.figures:
        with open(options.figures) as file:
            lines = file.readlines()
    else:
        command = [os.path.join(options.build, "bin", "gpu_where"), options.target, options.largest]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        if done.returncode:  # it said why
            return done.returncode
        lines = done.stdout.splitlines()
    cases = read(lines)
    for what, case in cases.items():
        at = crossing(case["choices"])
        told = f"device from {at:.0f} elements on" if at else "no crossing"
        print(f"{what}: {told}; at most {lost(case):.2f} times the better one")
    if options.draw:
        draw(cases, options.draw)
        print(f"drawn: {options.draw}")


if __name__ == "__main__":
    sys.exit(main())
