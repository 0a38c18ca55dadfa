# break and continue that belong to a loop over static_range are refused wherever they stand in it
# behind what is decided at run time; those that are sure to run, and those that belong to a loop
# inside, or around, are not.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} programs, {{[1-9][0-9]*}} refused, 0 wrong
import itertools
import os
import subprocess
import sys

# What may stand around a jump: its lines, and whether what is in it belongs to a loop of its own.
AROUND = {"if": (["if x[i] > 0:", "{}"], False),
          "else": (["if x[i] > 0:", "    x[i] = 1", "else:", "{}"], False),
          "elif": (["if x[i] > 0:", "    pass", "elif x[i] < -5:", "{}"], False),
          "for": (["for j in range(3):", "{}"], True), "while": (["while x[i] > 2:", "{}"], True),
          "for-else": (["for j in range(3):", "    x[i] += 1", "else:", "{}"], False),
          "while-else": (["while x[i] > 2:", "    x[i] -= 1", "else:", "{}"], False),
          "static": (["for m in static_range(2):", "{}"], None),
          "static-else": (["for m in static_range(2):", "    x[i] += 1", "else:", "{}"], False)}


def wrapped(names, jump):
    """The lines of a jump within these, the last innermost; whether it is refused."""
    lines, refused, decided = ["x[i] += 1", jump], None, False
    for depth, name in reversed(list(enumerate(names))):
        form, loops = AROUND[name]
        form = [part.replace(" m ", f" m{depth} ") for part in form]
        if refused is None and loops is not False:
            refused = loops is None and decided
        decided |= loops is False and name != "static-else"
        lines = [line for part in form
                 for line in (["    " + inner for inner in lines] if part == "{}" else [part])]
    return lines, decided if refused is None else refused


def programs():
    for n in range(3):
        for names in itertools.product(AROUND, repeat=n):
            for jump in ("break", "continue"):
                lines, refused = wrapped(names, jump)
                lines = ["for k in static_range(2):"] + ["    " + line for line in lines]
                yield names, jump, lines, refused
    # Around a loop over static_range, a loop that the jump behind that belongs to.
    for jump in ("break", "continue"):
        for head in ("for j in range(3):", "while x[i] < 9:"):
            inner = ["for k in static_range(2):", "    x[i] += k", "else:", f"    {jump}"]
            yield (head,), jump, [head] + ["    " + line for line in inner], False


def main(folder):
    path, rows = os.path.join(folder, "k.py"), list(programs())
    with open(path, "w") as file:
        for k, (_, _, lines, _) in enumerate(rows):
            file.write(f"def f{k}(i, x):\n" + "".join(f"    {line}\n" for line in lines))
    refused = wrong = 0
    for k, (names, jump, _, expected) in enumerate(rows):
        done = subprocess.run(["cplc", f"{path}:f{k}", "--types", "x=int32[]", "--emit", "ir"],
                              capture_output=True, text=True)
        said = f"'{jump}' leaves a loop over static_range" in done.stderr
        refused += expected
        if said != expected or (done.returncode == 0) == expected:
            wrong += 1
            print(f"{jump} in {names}: {'' if expected else 'not '}expected: {done.stderr[:300]}")
    print(f"{len(rows)} programs, {refused} refused, {wrong} wrong")


main(sys.argv[1])
