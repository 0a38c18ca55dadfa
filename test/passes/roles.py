# Each pass by itself keeps what parameters are to a launch, of the entry as of functions that stay functions.
# RUN: %python %s %root
import os
import re
import subprocess
import sys
import tempfile

TEXT = """cir 1
func again(p: float64 global*, k: int64, p_len: int64 length(p), p_stride: int64 stride(p), record: uint8 global* fault) -> float64 {
  var t: float64
  if gt(k, 9:int64) { return load(strided(p, k, p_stride)) }
  t = call again(p, add(k, 1:int64), p_len, p_stride, record)
  return 0.0:float64
}
entry elementwise func f(n: int64, x_len: int64 length(x), record: uint8 global* fault, x: float64 global*, k: int32 global*, x_stride: int64 stride(x), k_len: int64 length(k)) {
  var i: int64
  var t: float64
  parallel for i in (0:int64, n, 1:int64) private(t) {
    t = call again(x, i, x_len, x_stride, record)
    store(elem(k, rem(i, x_len)), convert<int32>(t))
  }
}
"""
SPLIT = """cir 1
entry kernel func again(parts: float64 global* parts, more: int32 global* parts, x: float64 global*, n: int64) {
  store(parts, load(elem(x, rem(n, 3:int64))))
  store(more, 1:int32)
}
entry kernel func f(x: float64 global*, parts: float64 global* parts, more: int32 global* parts, result: float64 global* result, n: int64) after again {
  store(result, load(parts))
}
"""


def header(text, name):
    """The parameters of a function, without what passes find out about pointers."""
    found = re.search(r"func %s\(([^{]*)\) (->[^{]*|after \w+ )?{" % name, text)
    return re.sub(r" (noalias|readonly)", "", found[1]) if found else None


def after(file, *options):
    run = subprocess.run(["cplc", file + ":f", "--emit", "ir", "--facts", "apart,small", "--option", "bounds_check=1", *options],
                         capture_output=True, text=True)
    if run.returncode:
        sys.exit("%s\n%s" % (options, run.stderr))
    return run.stdout


def main():
    with open(os.path.join(sys.argv[1], "passes/pass.def")) as file:
        passes = re.findall(r"^PASS\((\w+)", file.read(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        for text, targets in (TEXT, ["host", "cuda", "opencl"]), (SPLIT, ["cuda", "opencl"]):
            path = os.path.join(folder, "in.cir")
            with open(path, "w") as file:
                file.write(text)
            for target in targets:
                for name in passes + [",".join(passes)]:
                    if name == "legal" or (target == "opencl" and "," in name):
                        continue  # says what the target does not have, here recursion
                    out = after(path, "--target", target, "--passes", name.replace("legal,", ""))
                    for function in ("f", "again"):
                        if header(out, function) != header(text, function):
                            sys.exit("%s on %s:\n%s\ninstead of\n%s" % (name, target, header(out, function), header(text, function)))


main()
