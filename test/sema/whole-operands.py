# Of which operands a float is whole, and so an index: every function and operator that keeps whole numbers whole, or makes them, with a whole number
# and with one that is none in each place.
# RUN: %python -I %s %t.py
import itertools
import re
import subprocess
import sys

WHOLE, OTHER = "math.floor(y[i])", "y[i]"
KEEPS = ["min(%s, %s)", "max(%s, %s)", "min(%s, %s, %s)", "max(%s, %s, %s)", "abs(%s)", "math.fabs(%s)", "-%s", "+%s", "%s + %s", "%s - %s", "%s*%s", "%s // %s",
         "%s %% %s", "%s if n else %s", "(%s + %s)*%s", "min(%s, -%s)", "%s - (%s if n else %s)"]
MAKES = ["math.floor(%s)", "math.ceil(%s)", "math.trunc(%s)", "round(%s)", "min(math.ceil(%s), 3)",
         "math.floor(%s) - round(%s)"]
NEVER = ["%s/%s", "%s**%s", "math.sqrt(%s)", "math.fmod(%s, %s)", "min(%s, math.sqrt(%s))"]
lines, refused = ["import math", "", "", "def f(i, x, y, n):"], set()
for form in KEEPS + MAKES + NEVER:
    for operands in itertools.product((WHOLE, OTHER), repeat=form.replace("%%", "").count("%s")):
        lines.append(f"    x[{form % operands}] = 1")
        if form in NEVER or form in KEEPS and OTHER in operands:
            refused.add(len(lines))
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\n".join(lines) + "\n")
done = subprocess.run(["cplc", sys.argv[1] + ":f", "--types", "x=float64[], y=float64[], n=int32",
                       "--emit", "types"], capture_output=True, text=True, check=False)
found = {int(k) for k in re.findall(r":(\d+):\d+: error: an index must be an integer, found float64", done.stderr)}
assert found == refused, [lines[k - 1] for k in sorted(found ^ refused)]
assert done.stderr.count("error:") == len(refused), done.stderr
