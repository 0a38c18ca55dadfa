# Rounds side by side in typed IR, against the interpreter: private places that are chosen, cleared, stepped through or too many; one place that
# several rounds write, the last of them last; undefined operations
# that only masked lanes would do; structs, bytes and pointers, which rounds may also do one after the other.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t
import os
import subprocess
import sys

import numpy as np

folder = sys.argv[1]

# name: (variables, body of the loop over i); x, y: float64, k, l: int32, q: uint8, each of n elements.
BODIES = {
    "choice": ("a: float64, b: float64, j: int32", """
        a = 1.0:float64 b = 2.0:float64
        for j in (0:int32, 3:int32, 1:int32) {
          if lt(load(elem(k, i)), j) { store(cond(gt(j, 1:int32), addr(a), addr(b)), add(convert<float64>(j), a)) }
        }
        store(elem(y, i), add(a, mul(b, 10.0:float64)))"""),
    "chosen_by_lane": ("a: float64, b: float64, j: int32", """
        for j in (0:int32, 4:int32, 1:int32) { store(cond(gt(load(elem(k, i)), j), addr(a), addr(b)), convert<float64>(j)) }
        store(elem(y, i), add(a, mul(b, 10.0:float64)))"""),
    "cleared": ("m: int32[4], s: int32, j: int32", """
        for j in (0:int32, 4:int32, 1:int32) {
          store(item(addr(m), j), add(j, load(elem(k, i))))
          if gt(load(elem(k, i)), j) { clear(addr(m)) }
        }
        s = 0:int32
        for j in (0:int32, 4:int32, 1:int32) { s = add(mul(s, 3:int32), load(item(addr(m), j))) }
        store(elem(l, i), s)"""),
    "stepped": ("m: int32[8], p: int32 private*, j: int32, s: int32", """
        for j in (0:int32, 8:int32, 1:int32) { store(item(addr(m), j), mul(j, j)) }
        p = item(addr(m), and(load(elem(k, i)), 3:int32))
        s = load(elem(p, 2:int32))
        for j in (0:int32, load(elem(k, i)), 1:int32) { s = add(s, load(elem(p, and(j, 3:int32)))) }
        store(elem(l, i), s)"""),
    "large": ("m: float64[3000], j: int32, s: float64", """
        for j in (0:int32, 3:int32, 1:int32) { store(item(addr(m), and(load(elem(k, i)), 2047:int32)), load(elem(x, i))) }
        for j in (0:int32, load(elem(k, i)), 1:int32) { s = load(item(addr(m), and(load(elem(k, i)), 2047:int32))) }
        store(elem(y, i), s)"""),
    "structs": ("p: Pair, j: int32", """
        clear(addr(p))
        for j in (0:int32, 3:int32, 1:int32) {
          if lt(load(elem(k, i)), j) { store(field<second>(addr(p)), add(load(field<second>(addr(p))), load(elem(x, i)))) }
        }
        store(elem(y, i), load(field<second>(addr(p))))"""),
    "values": ("p: Pair, o: Pair, j: int32", """
        store(field<second>(addr(p)), load(elem(x, i)))
        clear(addr(o))
        for j in (0:int32, load(elem(k, i)), 1:int32) { o = p store(field<second>(addr(p)), 2.0:float64) }
        store(elem(y, i), load(field<second>(addr(o))))"""),
    "bytes": ("j: int32, s: float64", """
        for j in (0:int32, load(elem(k, i)), 1:int32) {
          s = add(s, load(strided(x, convert<int64>(and(j, 7:int32)), 8:int64)))
          s = add(s, load(strided(x, i, 8:int64)))
        }
        store(strided(y, i, 8:int64), s)"""),
    "raw": ("j: int32, s: int32, c: bool", """
        s = load(elem(k, i))
        for j in (0:int32, 4:int32, 1:int32) {
          if lt(j, s) { s = add(s, rawshl(j, and(s, 7:int32))) c = gt(rawshr(s, and(j, 3:int32)), 1:int32) }
          if and(c, lt(load(elem(x, i)), 3.0:float64)) { s = add(s, rawconvert<int32>(load(elem(x, i)))) }
          if gt(s, 50:int32) { s = rawdiv(s, load(elem(k, i))) }
        }
        store(elem(l, i), s)"""),
    "narrow": ("j: int32, s: uint8, t: int16", """
        s = load(elem(q, i))
        for j in (0:int32, load(elem(k, i)), 1:int32) {
          s = add(mul(s, 3:uint8), convert<uint8>(j))
          t = convert<int16>(sub(convert<int16>(s), t))
          if gt(t, 99:int16) { t = rawshr(t, 1:int16) }
        }
        store(elem(q, i), s)
        store(elem(l, i), convert<int32>(t))"""),
    "wide": ("j: int32, s: int64, t: uint64", """
        s = convert<int64>(load(elem(k, i)))
        t = convert<uint64>(s)
        for j in (0:int32, load(elem(k, i)), 1:int32) {
          s = add(mul(s, -7:int64), max(s, 5:int64))
          t = add(rawdiv(t, 3:uint64), rawrem(convert<uint64>(s), 1000:uint64))
          s = rawshr(s, 2:int64)
          t = add(t, convert<uint64>(abs(min(s, convert<int64>(load(elem(x, i)))))))
        }
        store(elem(l, i), convert<int32>(add(s, convert<int64>(t))))"""),
    "floats": ("j: int32, s: float64, f: float32", """
        s = load(elem(x, i))
        for j in (0:int32, load(elem(k, i)), 1:int32) {
          f = convert<float32>(s)
          s = add(floor(mul(s, 1.5:float64)), convert<float64>(rint(f)))
          s = copysign(fma(s, 0.25:float64, convert<float64>(trunc(f))), load(elem(x, i)))
          if or(isnan(s), isinf(s)) { s = 1.0:float64 }
          s = div(ceil(s), 2.0:float64)
          if isfinite(f) { s = add(s, convert<float64>(sqrt(abs(f)))) }
        }
        store(elem(y, i), s)"""),
    "bits": ("j: int32, s: int64, c: bool, d: bool", """
        s = bits<int64>(load(elem(x, i)))
        for j in (0:int32, 3:int32, 1:int32) {
          c = xor(c, lt(load(elem(k, i)), j))
          d = or(not(c), and(d, ne(j, 1:int32)))
          if cond(c, d, gt(load(elem(x, i)), 0.0:float64)) { s = xor(s, rawshl(1:int64, convert<int64>(j))) }
        }
        store(elem(y, i), bits<float64>(s))
        store(elem(q, i), convert<uint8>(d))"""),
    "reversed": ("j: int32, s: float64, m: int32", """
        for j in (0:int32, 3:int32, 1:int32) {
          m = sub(6:int32, mul(convert<int32>(i), 2:int32))
          if lt(load(elem(k, i)), add(j, 3:int32)) { s = add(s, load(elem(x, and(sub(0:int32, m), 7:int32)))) }
          s = add(s, load(elem(x, sub(sub(n, 1:int64), i))))
        }
        store(elem(y, sub(sub(n, 1:int64), i)), s)"""),
    "counted_down": ("j: int64, s: int32", """
        for j in (convert<int64>(load(elem(k, i))), -1:int64, -1:int64) {
          if eq(j, 2:int64) { continue }
          s = add(mul(s, 3:int32), convert<int32>(j))
          if gt(s, 1000:int32) { break }
        }
        store(elem(l, i), s)"""),
    "one_place": ("j: int32", """
        store(elem(x, 0:int64), load(elem(x, i)))
        if lt(i, 19:int64) {
          if gt(load(elem(k, i)), 2:int32) { store(elem(y, 0:int64), load(elem(x, i))) store(elem(q, 0:int64), 7:uint8) }
          if lt(load(elem(k, i)), 3:int32) { store(elem(q, 1:int64), convert<uint8>(i)) }
          if gt(load(elem(k, i)), 9:int32) { store(elem(y, 1:int64), 5.0:float64) }
          for j in (0:int32, 4:int32, 1:int32) { if gt(load(elem(k, i)), j) { store(elem(l, j), convert<int32>(i)) } }
        }"""),
    "copies": ("j: int32", """
        for j in (0:int32, load(elem(k, i)), 1:int32) { vcopy<2>(elem(y, and(i, -2:int64)), elem(x, and(i, -2:int64))) }"""),
}
MOST = " ".join(f"if lt(load(elem(k, i)), {c}:int32) {{ s = add(mul(s, {c}:int32), 1:int32) }}" for c in range(500))
BODIES["too_much"] = ("j: int32, s: int32", f"for j in (0:int32, load(elem(k, i)), 1:int32) {{ {MOST} }} store(elem(l, i), s)")


def source(name):
    variables, body = BODIES[name]
    names = [v.split(":")[0] for v in variables.split(", ")]
    declared = "".join(f"  var {v}\n" for v in variables.split(", "))
    start = " ".join(f"{v.split(':')[0]} = 0{'.0' if 'float' in v else ''}:{v.split(': ')[1]}" if "bool" not in v else f"{v.split(':')[0]} = false"
                     for v in variables.split(", ") if not any(c in v for c in "[*P"))
    return ("cir 1\nstruct Pair { first: int32, second: float64 }\nentry func f(x: float64 global*, y: float64 global*, k: int32 global*, "
            f"l: int32 global*, q: uint8 global*, n: int64) {{\n  var i: int64\n{declared}  parallel for i in (0:int64, n, 1:int64) "
            f"private({', '.join(names)}) {{\n        {start} {body}\n  }}\n}}\n")


failed = False
rng = np.random.default_rng(5)
for name in BODIES:
    n = 38
    path = os.path.join(folder, name + ".cir")
    with open(path, "w") as file:
        file.write(source(name))
    arrays = {"x": rng.uniform(-4, 4, n), "y": np.zeros(n), "k": rng.integers(0, 7, n).astype("int32"), "l": np.full(n, -1, "int32"),
              "q": rng.integers(0, 256, n).astype("uint8")}
    results = []
    for target, options in (("interp", []), ("host", ["--option", "simd=2"]), ("host", ["--option", "simd=0"]), ("host", ["--option", "simd=1"])):
        words = ["cplc", "run", path + ":f", "--unchecked", "--as", "function", "--target", target, "--option", "precise=1", f"n={n}:int64", *options]
        for a, values in arrays.items():
            np.save(os.path.join(folder, a + ".npy"), values)
            words += [f"{a}={folder}/{a}.npy", "--out", f"{a}={folder}/out_{a}.npy"]
        run = subprocess.run(words, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{name}: {run.stderr}")
        results.append({a: np.load(os.path.join(folder, f"out_{a}.npy")) for a in arrays})
        if any(results[-1][a].tobytes() != results[0][a].tobytes() for a in arrays):
            print(name, target, options, "differs from the interpreter")
            failed = True
    if all(results[0][a].tobytes() == arrays[a].tobytes() for a in arrays):
        print(name, "changes no array")
        failed = True
sys.exit(failed)
