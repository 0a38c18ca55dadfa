# precise wins over what allows other results, each option and all of them: the same code as with precise alone; reproducible over precise and those.
# RUN: %python %s
import os
import subprocess
import sys
import tempfile

KERNEL = """
def f(i, x, y, z):
    s = 0.0
    for j in range(8):
        s += x[8*i + j]*y[8*i + j]
    t = sin(s)*y[i] + x[i]
    if isnan(t) or isinf(t):
        t = 1.0
    z[i] = (t + -0.0)*0.0 + sqrt(abs(t))/t
"""
LOOSE = ("contract", "reassoc", "vector_math", "finite_math", "fast_math")


def code(path, stage, *options):
    words = [word for option in options for word in ("--option", option)]
    return subprocess.run(["cplc", path, "--types", "x=float64[] y=float64[] z=float64[]", "--emit", stage, *words],
                          stdout=subprocess.PIPE, text=True, check=True).stdout


wrong = []
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "k.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(KERNEL)
    for stage in "llvm", "opencl-c", "ptx":
        for wins in "precise=1", "reproducible=1":
            alone = code(path, stage, wins)
            for loose in (*((name,) for name in LOOSE), LOOSE, ("precise",)):
                if code(path, stage, wins, *(name + "=1" for name in loose)) != alone:
                    wrong.append((stage, wins, loose))
    # each of them shows in the code of this kernel, or the above would say nothing
    for name in LOOSE:
        if code(path, "llvm", "contract=0", "vector_math=0", name + "=1") == code(path, "llvm", "precise=1"):
            wrong.append(("nothing shows", name))
print(wrong)
sys.exit(bool(wrong))
