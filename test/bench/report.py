"""The tables, and which figures are met."""
import statistics

from peers import BOUNDS, BY_NAME, DEFAULT, FAST, OURS

NOISE = 1.05          # "at least as fast" leaves this much to noise
JULIA = 4.0           # times faster than gcc and Numba
TILED = 1/0.8         # of the same on an OpenCL driver
GATHER = 1/0.9        # of a loop in C
SCAN = 1/1.5          # of a serial loop in C, on two cores or more
COMPACTION = 0.5      # of NumPy's boolean index
RANDOM = 0.5          # of NumPy's Generator(Philox)
PAIRS = 0.2           # of NumPy's argsort and take
# Rows against others of libcpl's, where memory sets the pace: name, the other, at most.
RELATED = [("argmin f64", "min f64", 1.2), ("sum, min, max f64", "sum f64", 1.1),
           *((f"scan {name} f64", "scan f64", 1/0.8) for name in ("max", "segmented", "affine")),
           *((f"sort u32 {name}", "sort u32", NOISE) for name in ("nearly sorted", "few keys"))]
BOUNDS_RATIO = 1.1    # a kernel with bounds_check against the same without
FIRST_MS, DISK_MS, LAUNCH_US, START_MS = 12.0, 0.5, 0.3, 5.0
ALGORITHM = 2.0       # first calls of a reduction and a scan against those of an elementwise kernel with the same line
ONE_US = 0.5          # a reduction of one element
LEAK_SHARE = 1.02     # resident memory at the end against that after a tenth of the compiles


def time_text(ms):
    if ms is None:
        return "-"
    for unit, scale in (("s", 1e-3), ("ms", 1.0), ("us", 1e3)):
        if ms*scale >= 1.0:
            return f"{ms*scale:.4g} {unit}"
    return f"{ms*1e6:.4g} ns"


def best_peer(row):
    times = {who: ms for who, ms in row["ms"].items() if who not in OURS and who != BY_NAME}
    return min(times, key=times.get) if times else None


def ratio(row, ours, other):
    if ours not in row["ms"] or other not in row["ms"]:
        return None
    return row["ms"][ours]/row["ms"][other]


class Figures:
    """What is aimed at: a list of {name, value, limit, met, note}."""

    def __init__(self):
        self.all = []

    def at_most(self, name, value, limit, unit="", note=""):
        met = value is not None and value <= limit and not note
        self.all.append({"name": name, "value": value, "limit": limit, "unit": unit, "met": met, "note": note})
        return met

    def show(self):
        print("\nFigures")
        for f in self.all:
            value = "no value" if f["value"] is None else f"{f['value']:.4g}{f['unit']}"
            note = f" ({f['note']})" if f["note"] else ""
            print(f"{'met    ' if f['met'] else 'NOT met'}  {f['name']}: {value}, at most {f['limit']:g}{f['unit']}{note}")
        print(f"{sum(f['met'] for f in self.all)} of {len(self.all)} figures met")


def missing_note(row, wanted):
    lost = [who for who in [FAST, *wanted] if who not in row["ms"] and row["problems"].get(who) != "not possible"]
    return "without " + ", ".join(lost) if lost else ""


def limit_of(row):
    if row["kernel"].startswith("matrix product "):
        return TILED
    if row["kernel"].startswith(("take ", "align ")):
        return GATHER
    return SCAN if row["kernel"] in ("scan i32", "scan f64") and row["size"] == "memory" else NOISE


def related_figures(figures, rows):
    by_name = {row["kernel"]: row["ms"].get(FAST) for row in rows if row["size"] == "memory"}
    for name, other, limit in RELATED:
        if name in by_name and other in by_name:
            both = by_name[name] is not None and by_name[other] is not None
            figures.at_most(f"{name}, memory, against {other}", by_name[name]/by_name[other] if both else None, limit, "x")


def row_figures(figures, rows, wanted):
    for row in rows:
        name = f"{row['kernel']}, {row['size']}"
        peer = best_peer(row)
        row["best peer"] = peer
        row["ratio"], row["ratio default"] = (ratio(row, who, peer) for who in (FAST, DEFAULT))
        row["met"] = figures.at_most(f"{name}, against {peer or 'the best peer'}", row["ratio"], limit_of(row), "x",
                                     missing_note(row, wanted))
    for row in rows:
        name = f"{row['kernel']}, {row['size']}"
        if row["kernel"] == "Julia set":
            for peer in ("gcc", "gcc fast", "Numba"):
                if peer in wanted:
                    figures.at_most(f"{name}, against {peer}", ratio(row, FAST, peer), 1/JULIA, "x")
        if row["kernel"].startswith("vortex"):
            figures.at_most(f"{name}, default mode (sums in order) against gcc fast", ratio(row, DEFAULT, "gcc fast"), NOISE, "x")
        if row["kernel"] == "compaction f64" and "Numba" in wanted and row["size"] == "memory":
            figures.at_most(f"{name}, against NumPy's boolean index", ratio(row, FAST, "Numba"), COMPACTION, "x")
        if row["kernel"] in ("uniform f64", "normal f64") and "Numba" in wanted and row["size"] == "memory":
            figures.at_most(f"{name}, against NumPy's Philox", ratio(row, FAST, "Numba"), RANDOM, "x")
        if row["kernel"] == "sort u32 with u32" and "Numba" in wanted and row["size"] == "memory":
            figures.at_most(f"{name}, against NumPy's argsort and take", ratio(row, FAST, "Numba"), PAIRS, "x")
        if row["kernel"] == "triad f64":
            figures.at_most(f"{name}, bounds_check against without", ratio(row, BOUNDS, DEFAULT), BOUNDS_RATIO, "x")
    related_figures(figures, rows)


def show_rows(rows, wanted, problems):
    names = [FAST, DEFAULT, *wanted]
    print(f"\n{'kernel':22}{'size':>8}", *(f"{n:>10}" for n in names), f"{'ratio':>7}{'default':>9}  best peer")
    for row in rows:
        cells = [time_text(row["ms"].get(n)) if n in row["ms"] else row["problems"].get(n, "-")[:10] for n in names]
        ratios = ["-" if row[r] is None else f"{row[r]:.2f}" for r in ("ratio", "ratio default")]
        print(f"{row['kernel']:22}{row['size']:>8}", *(f"{c:>10}" for c in cells),
              f"{ratios[0]:>7}{ratios[1]:>9}  {row['best peer'] or 'none'}{'' if row['met'] else ', NOT met'}")
    print("ratio, default: times of cpl fast and of cpl (default mode) to those of the best peer, the fastest of interleaved runs")
    bounds = [f"{r['kernel']}, {r['size']}: {time_text(r['ms'][BOUNDS])}" for r in rows if BOUNDS in r["ms"]]
    if bounds:
        print("with bounds_check:", "; ".join(bounds))
    for who, why in problems.items():
        print(f"{who}: {why}")
    for row in rows:
        for who, why in row["problems"].items():
            if who not in problems and why != "not possible":
                print(f"{row['kernel']}, {row['size']}, {who}: {why}")


def once_figures(figures, once):
    for name, times in once.items():
        times["median"], times["best"] = statistics.median(times["ms"]), min(times["ms"])
    for name, times in once.items():
        kernel = name.split(", ")[1] if name.startswith("first call") else ""
        if kernel in ("reduction", "scan") and times["who"] in (DEFAULT, "cpl, one tier"):
            other = once.get(f"first call, straight, {times['who']}", {}).get("median")
            figures.at_most(f"{name}, against straight, median", other and times["median"]/other, ALGORITHM, "x")
        elif kernel and times["who"] in (DEFAULT, "cpl, one tier"):
            figures.at_most(f"{name}, median", times["median"], FIRST_MS, " ms")
        if times["who"] == "cpl, from disk":
            note = f"{times['compiles']} compiles by LLVM" if times["compiles"] else ""
            figures.at_most(f"{name}, median", times["median"], DISK_MS, " ms", note)
        if name == "cplc --version":
            figures.at_most(name + ", median", times["median"], START_MS, " ms")


def show_once(once, launch, one):
    print(f"\n{'once':44}{'median':>10}{'best':>11}{'of':>5}")
    for name, times in once.items():
        print(f"{name:44}{time_text(times['median']):>10}{time_text(times['best']):>11}{len(times['ms']):>5}")
    for who, ms in launch["ms"].items():
        print(f"{'launch, n = 1, ' + who:44}{'':10}{time_text(ms):>11}")
    print(f"{'reduction, n = 1, cpl':44}{'':10}{time_text(one['ms'].get(DEFAULT)):>11}")
    for who, why in launch["problems"].items():
        print(f"{'launch, n = 1, ' + who:44}{why:>21}")


def launch_figures(figures, launch, one):
    for who, what in ((DEFAULT, "cpl_kernel_launch"), (BY_NAME, "cpl_launch")):
        ms = launch["ms"].get(who)
        figures.at_most(f"launch, n = 1, {what}", None if ms is None else 1e3*ms, LAUNCH_US, " us")
    ms = one["ms"].get(DEFAULT)
    figures.at_most("reduction, n = 1, cpl_reduce", None if ms is None else 1e3*ms, ONE_US, " us")


def leak_figures(figures, points):
    """points: [compiles, KiB]."""
    if not points:
        figures.at_most("resident memory over many compiles", None, LEAK_SHARE, "x")
        return
    total = points[-1][0]
    early = next(p for p in points if p[0] >= total/10)
    print(f"\nresident memory: {early[1]/1024:.1f} MiB after {early[0]} compiles, {points[-1][1]/1024:.1f} MiB after {total}")
    figures.at_most(f"resident memory, {total} compiles against {early[0]}", points[-1][1]/early[1], LEAK_SHARE, "x")
