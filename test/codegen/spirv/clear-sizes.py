# Arrays of structs of arrays are cleared in SPIR-V, one by one and in loops, in each other too.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import itertools
import subprocess
import sys

folder = sys.argv[1]
for outer, inner, deep in itertools.product((1, 8, 9, 20), (1, 8, 9, 20), (False, True)):
    path = f"{folder}/{outer}-{inner}-{deep}.cir"
    rest = f", h: float32[{inner}]" if deep else ""
    with open(path, "w") as file:
        file.write(f"""cir 1

struct S {{ f: int32[{inner}], g: int32{rest} }}

entry elementwise func k(n: int64, y: int32 global*) {{
  var i: int64
  var v: S[{outer}]
  parallel for i in (0:int64, n, 1:int64) schedule(static, 0) private(v) {{
    clear(addr(v))
    store(item(field<f>(item(addr(v), and(i, {outer - 1}:int64))), 0:int64), 5:int32)
    store(elem(y, i), add(load(item(field<f>(item(addr(v), {outer - 1}:int64)), {inner - 1}:int64)), load(field<g>(item(addr(v), 0:int64)))))
  }}
}}
""")
    for level in ("-O0", "-O3"):
        subprocess.check_call(["cplc", path, "--emit", "llvm", level, "--target", "opencl:spv1.2",
                               "-o", f"{folder}/out.ll"])
        subprocess.check_call(["opt", "-passes=verify", "-disable-output", f"{folder}/out.ll"])
    subprocess.check_call(["cplc", path, "--emit", "spirv", "--target", "opencl:spv1.2", "-o", f"{folder}/out"])
