# Checks stay in loops where deciding them in front would take too much: conditions that are too long or too many, sums too deep to follow.
# RUN: %python %s %root
import subprocess
import sys
import tempfile


def versions(params, index, *options):
    """How often the loop is there behind the pass: twice when its check has left it."""
    text = "cir 1\nentry func f(x: float64 global*, " + "".join(f"{p}: int64, " for p in params) + \
        "n: int64, x_len: int64 length(x), cpl_fault_record: uint8 global* fault) {\n  var i: int64\n  for i in (0:int64, n, 1:int64) {\n" + \
        "".join(f"    store(elem(x, {e}), 1.0:float64)\n" for e in index) + "  }\n}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".cir") as file:
        file.write(text)
        file.flush()
        run = subprocess.run(["cplc", file.name, "--passes=bounds", "--option", "bounds_check=1", *options, "--emit", "ir"],
                             capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{text}: {run.stderr}")
    return run.stdout.count("for i in")


def total(terms):
    while len(terms) > 1:
        terms = [f"add({a}, {b})" for a, b in zip(terms[::2], terms[1::2])] + terms[len(terms) & ~1:]
    return terms[0]


def expect(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: the loop is there {got} times, expected {expected}")


names = [f"v{k}" for k in range(150)]
expect("ten terms", versions(names[:10], [total(["i"] + names[:10])]), 2)
expect("a condition of more than a hundred nodes", versions(names[:60], [total(["i"] + names[:60])]), 1)
expect("two hundred conditions: two for each variable", versions(names[:90], names[:90]), 2)
# Those that are found in time leave the loop, the others stay in both copies of it.
expect("more than two hundred", versions(names, names), 2)
expect("a sum of a thousand steps", versions(names[:1], [total(["i"] + ["v0"] * 1200)]), 1)
# A second copy of the loop must fit what a function may hold.
expect("a small limit", versions([], ["i"], "--option", "max_ops=40"), 1)
expect("a larger one", versions([], ["i"], "--option", "max_ops=400"), 2)
