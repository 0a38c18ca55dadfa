# Every statement of lib/ir/op.def in typed IR: loops of each integer type up to the ends of its range, parallel loops with each
# reduction, forks, calls, faults. Compiled at -O0 and -O3 and interpreted; with a third argument, on that device of harness.DEVICES or GPUS.
# RUN: rm -rf %t && mkdir -p %t && %python %s %root %t

import functools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import harness

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
# A barrier needs work-groups, which the host has not; copies are among the ops of ops.py.
ELSEWHERE = {"BARRIER", "VCOPY"}


class Runner:
    def __init__(self, folder, target):
        self.folder, self.target, self.ok, self.covered = folder, target, True, set()
        self.later = harness.Later()

    def __call__(self, name, text, arrays, expected, rows, scalars=None, stdout=None, options=(), modes=("O0", "O3", "interp")):
        path = os.path.join(self.folder, name + ".cir")
        with open(path, "w") as file:
            file.write("cir 1\n\n" + text)
        for mode in (self.target,) if self.target else modes:
            compare = functools.partial(self.compare, f"{name} {mode}", expected, stdout)
            self.later.run(compare, f"{path}:f", self.folder, arrays, scalars or {}, list(expected),
                           mode, ["--as", "function", "--option", "precise=1", *options],
                           prints=stdout is not None)
        self.covered |= set(rows)

    def compare(self, what, expected, stdout, got):
        for key, value in expected.items():
            self.ok &= harness.same(f"{what}: {key}", got[key], value)
        if stdout is not None and got["stdout"] != stdout:
            print(f"{what}: printed {got['stdout']!r}, expected {stdout!r}")
            self.ok = False


def rounds(t, start, stop, step):
    """The values a for loop takes: Python's range, ended where the next value leaves the type."""
    return list(range(start, stop, step)) if step else []


def counted_loops(run):
    for t in INTS:
        info = np.iinfo(t)
        low, high = int(info.min), int(info.max)
        cases = [(0, 10, 1), (0, 10, 3), (5, 5, 1), (9, 2, 1), (3, 4, 0), (high - 10, high, 3), (high - 2, high, 1), (high - 100, high, 50),
                 (low, low + 7, 2), (high // 2, high, high // 2), (0, high, high), (low, high, high // 3)]
        if low:
            cases += [(10, 0, -1), (10, 0, -3), (low + 5, low, -2), (high, low, -(high // 2)), (high, low, low), (-3, 4, 2), (0, -1, 1)]
        values = [rounds(t, *c) for c in cases]
        bounds = {k: np.array([c[j] for c in cases], dtype=t) for j, k in enumerate(("start", "stop", "step"))}
        arrays = dict(bounds, count=np.zeros(len(cases), "int64"), last=np.zeros(len(cases), t), total=np.zeros(len(cases), t))
        wrap = lambda v: (v - low) % (1 << info.bits) + low
        text = (f"entry func f(n: int64, {', '.join(f'{k}: {t} global*' for k in ('start', 'stop', 'step', 'last', 'total'))}, "
                f"count: int64 global*) {{\n  var k: int64\n  var v: {t}\n"
                "  for k in (0:int64, n, 1:int64) {\n"
                f"    v = 77:{t}\n"
                "    for v in (load(elem(start, k)), load(elem(stop, k)), load(elem(step, k))) {\n"
                "      store(elem(count, k), add(load(elem(count, k)), 1:int64))\n"
                "      store(elem(total, k), add(load(elem(total, k)), v))\n"
                "      if eq(v, 3:" + t + ") { continue }\n"
                "    }\n    store(elem(last, k), v)\n  }\n}\n")
        expected = {"count": np.array([len(v) for v in values], "int64"), "last": np.array([v[-1] if v else 77 for v in values], dtype=t),
                    "total": np.array([wrap(sum(v)) for v in values], dtype=t)}
        run(f"for_{t}", text, arrays, expected, {"FOR", "CONTINUE", "ASSIGN", "STORE", "IF"}, {"n": f"{len(cases)}:int64"})


def parallel_loops(run):
    for t in INTS:
        for schedule in ("static, 0", "static, 3", "dynamic, 2", "guided, 0")[:1 if run.target else 4]:  # threads are the host's
            text = (f"entry func f(seen: int32 global*) {{\n  var v: {t}\n  var half: int64\n"
                    f"  parallel for v in (3:{t}, 100:{t}, 7:{t}) schedule({schedule}) threads(2) private(half) {{\n"
                    "    half = convert<int64>(v)\n"
                    "    store(elem(seen, half), add(load(elem(seen, half)), 1:int32))\n  }\n}\n")
            seen = np.zeros(101, "int32")
            seen[3:100:7] = 1
            run(f"parallel_{t}", text, {"seen": np.zeros(101, "int32")}, {"seen": seen}, {"PARALLEL_FOR"})


def reductions(run):
    start = {"add": 5, "mul": 3, "min": 100, "max": 0, "and": 127, "or": 64, "xor": 9}
    fold = {"add": lambda a, b: a + b, "mul": lambda a, b: a*b, "min": min, "max": max, "and": lambda a, b: a & b,
            "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
    for t in ["int8", "uint32", "int64", "float32"] if run.target else INTS + ["float32", "float64"]:  # loops in order on devices
        for op in start:
            if t in FLOATS and op in ("and", "or", "xor"):
                continue
            x = np.array([1, 2, 1, 1, 2, 1, 1, 1, 2, 1]*5 if op == "mul" else list(range(3, 53)), dtype=t)
            if op == "mul" and t in FLOATS:
                x[25:] = 1
            held = start[op]
            for v in x:
                held = fold[op](held, v.item())
            if t in INTS:
                info = np.iinfo(t)
                held = (held - int(info.min)) % (1 << info.bits) + int(info.min)
            text = (f"entry func f(n: int64, x: {t} global*, r: {t} global*) {{\n  var i: int64\n  var s: {t}\n  s = {start[op]}{'.0' if t in FLOATS else ''}:{t}\n"
                    f"  parallel for i in (0:int64, n, 1:int64) schedule(static, 0) reduce({op} s) {{\n"
                    f"    s = {op}(s, load(elem(x, i)))\n  }}\n  store(r, s)\n}}\n")
            run(f"reduce_{op}_{t}", text, {"x": x, "r": np.zeros(1, t)}, {"r": np.array([held], dtype=t)}, {"PARALLEL_FOR"}, {"n": "50:int64"})


def calls(run):
    for t in ["bool"] + INTS + FLOATS:
        text = (f"func pick(a: {t}, b: {t}, c: bool) -> {t} {{\n  if c {{\n    return a\n  }} else {{\n    return b\n  }}\n}}\n\n"
                f"func put(p: {t} global*, v: {t}) {{\n  store(p, v)\n  return\n}}\n\n"
                f"func depth(n: int64, v: {t}) -> {t} {{\n  var r: {t}\n  if le(n, 0:int64) {{\n    return v\n  }}\n"
                "  r = call depth(sub(n, 1:int64), v)\n  return r\n}\n\n"
                f"entry func f(n: int64, x: {t} global*, y: {t} global*, z: {t} global*) {{\n  var i: int64\n  var v: {t}\n"
                "  for i in (0:int64, n, 1:int64) {\n"
                "    v = call pick(load(elem(x, i)), load(elem(x, 0:int64)), eq(floormod(i, 2:int64), 0:int64))\n"
                "    call put(elem(y, i), v)\n    v = call depth(i, load(elem(x, i)))\n    store(elem(z, i), v)\n  }\n}\n")
        x = np.arange(1, 21).astype(t)
        y = np.where(np.arange(20) % 2 == 0, x, x[0])
        if run.target in ("pocl", "intel", "nvidia"):  # OpenCL has no stack for functions that call themselves
            text = text.replace("r = call depth(sub(n, 1:int64), v)", "r = v")
        run(f"call_{t}", text, {"x": x, "y": np.zeros(20, t), "z": np.zeros(20, t)}, {"y": y, "z": x}, {"CALL", "EVAL", "RETURN", "IF"},
            {"n": "20:int64"})


def control(run):
    text = """entry func f(n: int64, x: int32 global*, r: int32 global*) {
  var k: int32
  var s: int32
  while true {
    k = add(k, 1:int32)
    if gt(k, 100:int32) {
      break
    }
    if eq(floormod(k, 3:int32), 0:int32) {
      continue
    } else {
      s = add(s, k)
    }
    while lt(s, 50:int32) {
      s = add(s, 10:int32)
      if eq(k, 2:int32) {
        break
      }
    }
  }
  fence<seq_cst, device>()
  nanosleep(s)
  assume(ge(n, 0:int64))
  assert(lt(n, 0:int64))
  assert<"never">(false)
  store(r, s)
  store(elem(r, 1:int32), k)
  printf("n %lld s %d%% %g\\n", n, s, 0.5:float64)
}
"""
    k = s = 0
    while True:
        k += 1
        if k > 100:
            break
        if k % 3 == 0:
            continue
        s += k
        while s < 50:
            s += 10
            if k == 2:
                break
    if run.target in ("pocl", "nvidia"):  # OpenCL C 1.2 has fences for the group alone
        text = text.replace("fence<seq_cst, device>", "fence<seq_cst, group>")
    run("control", text, {"x": np.zeros(1, "int32"), "r": np.zeros(2, "int32")}, {"r": np.array([s, k], "int32")},
        {"WHILE", "BREAK", "CONTINUE", "IF", "FENCE", "NANOSLEEP", "ASSUME", "ASSERT", "PRINTF"}, {"n": "5:int64"}, f"n 5 s {s}% 0.5\n")


def forks(run):
    for schedule in ("static, 0", "static, 4", "dynamic, 3", "guided, 0"):
        text = ("func part(captures: uint8*, first: int64, end: int64) {\n  var i: int64\n  var p: int64 global*\n"
                "  p = ptrcast<int64 global*>(captures)\n"
                "  for i in (first, end, 1:int64) {\n    store(elem(p, i), add(load(elem(p, i)), mul(i, i)))\n  }\n}\n\n"
                "entry func f(n: int64, x: int64 global*) {\n"
                f"  fork part(ptrcast<uint8*>(x), n) schedule({schedule}) threads(2)\n}}\n")
        run("fork", text, {"x": np.arange(100)}, {"x": np.arange(100) + np.arange(100)**2}, {"FORK"}, {"n": "100:int64"})


def faults(run):
    """A record takes the first fault only: taken and site in the first word, then index and extent."""
    text = ("entry func f(record: int64 global*, k: int64) {\n"
            "  if gt(k, 3:int64) {\n    fault<1, \"y\">(ptrcast<uint8 global*>(record), k, 3:int64)\n  }\n"
            "  fault<0, \"x\">(ptrcast<uint8 global*>(record), 9:int64, 8:int64)\n}\n")
    for k, first in ((5, [1 + (1 << 32), 5, 3]), (2, [1, 9, 8])):
        run("fault", text, {"record": np.zeros(3, "int64")}, {"record": np.array(first)}, {"FAULT"}, {"k": f"{k}:int64"})


def main(root, folder, target=None):
    run = Runner(folder, target)
    for part in (counted_loops, parallel_loops, reductions, calls, control, faults):
        part(run)
    run.later.finish()
    if target:  # where parallel loops become kernels, not forks
        run.covered.add("FORK")
    else:
        forks(run)
    rows = {r["id"] for r in harness.op_rows(os.path.join(root, "lib", "ir", "op.def"))
            if r["class"] == "STMT" and r["operands"] not in ("pe", "p") or r["id"] == "CALL"}
    missing = rows - run.covered - ELSEWHERE
    if missing:
        print("no case for", ", ".join(sorted(missing)))
    return 0 if run.ok and not missing else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
