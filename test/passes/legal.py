# What each target accepts and refuses: every row of passes/legal.def, and the rules of passes/legal.c, on every kind of target.
# RUN: %python %s %root
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run", "Inputs"))
import harness

KERNEL = """cir 1
struct Node { next: float32 global*, value: float32 }
struct Both { first: float32, rest: float64[2] }
struct Nest { tag: int32, inside: Node[2] }
entry kernel func k(x: float32 global*, w: float32 global*, i: int32 global*, l: int64 global*, a: float32, n: int32, b: bool%s) {
  var f: float32
  var j: int32
  var q: int64
  var u: uint64
%s
}
%s"""

ALL = ["host", "cuda", "opencl:spv1.2", "opencl:spv1.3", "opencl:c1.2", "opencl:c3.0", "opencl:c1.2,+subgroups,+ptx"]
OLD_C = ["opencl:c1.2", "opencl:c1.2,+subgroups,+ptx"]
DEVICES = ALL[1:]
NO_F64 = ["cuda,-fp64", "opencl:spv1.2,-fp64", "opencl:c1.2,-fp64"]
NO_F16 = ["cuda,-fp16", "opencl:spv1.2,-fp16"]
NO_A64 = ["cuda,-int64_atomics", "opencl:spv1.2,-int64_atomics", "opencl:c1.2,-int64_atomics"]
NO_SUB = ["cuda,-subgroups", "opencl:spv1.3,-subgroups", "opencl:c3.0,-subgroups"]
OPENCL = ALL[2:]
D = "var d: float64\n"
H = "var h: float16\n"

# (statements, {targets: what is refused}, other parameters, other functions); targets of ALL that are not named accept.
CASES = [
    # values and memory
    ("f = add(load(elem(x, n)), a) store(x, f) vcopy<4>(x, elem(x, n)) clear(addr(f)) f = ldexp(f, n)", {}),
    ("j = and(n, 7:int32) b = isnan(a) b = lt(a, f) f = floor(a)", {}),
    (D + "d = convert<float64>(a)", {t: "does not have float64, which 'd' is of: the device has no float64; use float32" for t in NO_F64[1:]}),
    ("store(x, convert<float32>(convert<float64>(a)))", {t: "does not have float64: the device has no float64" for t in NO_F64[1:]}),
    ("store(x, a)", {t: "does not have float64, which 'y' is of" for t in NO_F64[1:]}, ", y: float64 global*"),
    ("var s: Both\nf = load(field<first>(addr(s)))", {t: "does not have float64, which 's' is of" for t in NO_F64[1:]}),
    ("var s: Node\nvar m: Node[2]\ns = load(item(addr(m), n)) x = load(field<next>(addr(s)))", {}),
    (H + "h = convert<float16>(a)", {t: "does not have float16, which 'h' is of: the device has no float16; use float32" for t in NO_F16[1:]}),
    ("store(x, a)", {t: "does not have float16, which 'y' is of" for t in NO_F16[1:]}, ", y: float16 global*"),
    ("f = load(elem(x, within<0>(n, 3:int32)))", {t: "does not have within: the pass guards drops it" for t in ALL}),
    # calls
    ("f = call half(a)", {}, "", "func half(a: float32) -> float32 { return mul(a, 0.5:float32) }"),
    ("j = call down(n)", {t: "'down' calls itself, for which OpenCL has no stack" for t in OPENCL}, "",
     "func down(n: int32) -> int32 { var r: int32 if gt(n, 0:int32) { r = call down(sub(n, 1:int32)) } return r }"),
    # atomics
    ("j = atomic_xor<relaxed, device>(i, n) atomic_store<relaxed, group>(i, 1:int32)", {}),
    ("q = atomic_add<relaxed, device>(l, 1:int64)", {t: "does not have atomic_add: the device has no 64-bit atomics" for t in NO_A64[1:]}),
    ("f = atomic_cas<relaxed, device>(x, a, a)", {t: "does not have atomic_cas: the pass atomics makes it of others" for t in OPENCL}),
    ("f = atomic_min<relaxed, device>(x, a)", {t: "does not have atomic_min: the pass atomics makes it of others" for t in OPENCL}),
    ("atomic_store<relaxed, device>(y, 1.0:float64)", {t: "does not have atomic_store: the device has no 64-bit atomics" for t in OPENCL},
     ", y: float64 global*"),
    ("atomic_max<relaxed, device>(y, 1.0:float64)", {t: "does not have atomic_max: the device has no 64-bit atomics" for t in OPENCL},
     ", y: float64 global*"),
    ("j = atomic_add<relaxed, device>(c, 1:int32)", {t: "atomic_add: constant memory does not change" for t in DEVICES}, ", c: int32 constant*"),
    ("j = atomic_add<relaxed, system>(i, 1:int32)",
     {t: "atomic_add: OpenCL devices share no memory of scope system" for t in OPENCL}),
    ("j = atomic_add<acq_rel, device>(i, 1:int32)", {"opencl:c1.2": "atomic_add: OpenCL C before 2.0 has no order acq_rel beyond the group"}),
    ("j = atomic_add<acq_rel, group>(i, 1:int32)", {}),
    # work-items and sub-groups
    *((f"{to} = {op}<{k}>()", {"host": f"does not have {op}: work-items exist in kernels, and on the host in no function"})
      for to, op, k in [("j", "local_id", 0), ("j", "local_size", 1), ("q", "group_id", 0), ("q", "group_count", 2)]),
    *((f"{to} = {op}({of})", {t: f"does not have {op}: the target has no sub-groups" for t in ["host", "opencl:c1.2"] + NO_SUB[1:]})
      for to, op, of in [("j", "lane", ""), ("j", "subgroup_size", ""), ("f", "subgroup_add", "f"), ("j", "subgroup_scan_max", "j")]),
    *((f"{to} = {op}({of})", {t: f"does not have {op}: {op.partition('_')[0]}s need sub-groups, and in SPIR-V version 1.3"
                             for t in ["host", "opencl:spv1.2", "opencl:c1.2"] + NO_SUB[1:]})
      for to, op, of in [("f", "shuffle", "f, n"), ("b", "shuffle_down", "b, n"), ("u", "ballot", "b")]),
    # statements
    ("if b { while b { b = false continue } } for j in (0:int32, n, 1:int32) { break } return", {}),
    ("parallel for j in (0:int32, n, 1:int32) schedule(static, 0) { }",
     {t: "does not have parallel for: the pass grid makes loops over the grid of it" for t in DEVICES}),
    ("fork work(ptrcast<uint8*>(addr(j)), 4:int64) schedule(static, 0)",
     {t: "does not have fork: the pass grid" for t in DEVICES}, "", "func work(c: uint8*, first: int64, end: int64) { }"),
    ("q = worker()", {t: "does not have worker: the passes outline and grid make a variable" for t in ["host"] + DEVICES}),
    ("printf(\"%d\\n\", n)", {}),
    ("barrier<local>() barrier<global>()", {}),
    ("fence<acq_rel, group>()", {}),
    ("fence<seq_cst, device>()", {"opencl:c1.2": "does not have fence: OpenCL C before 2.0 has fences of scope group only"}),
    ("fence<seq_cst, system>()", {t: "fence: OpenCL devices share no memory of scope system" for t in OPENCL}),
    ("assert(b) assume(b) fault<0, \"x\">(ptrcast<uint8 global*>(x), l0, l0)".replace("l0", "1:int64"), {}),
    # pointers
    ("f = load(p)", {t: "'p' points to memory of no known space, for which OpenCL C 2.0 is needed" for t in OLD_C}, ", p: float32*"),
    ("f = load(ptrcast<float32*>(x))", {t: "this points to memory of no known space" for t in OLD_C}),
    ("f = load(ptrcast<float32 private*>(x))", {t: "a pointer to global memory does not become one to private memory" for t in DEVICES}),
    ("f = load(load(p))", {t: "the parameter 'p' points to pointers, which OpenCL does not pass to kernels" for t in OPENCL}, ", p: float32 global* global*"),
    ("f = load(load(field<next>(item(field<inside>(p), n))))", {t: "the parameter 'p' points to pointers" for t in OPENCL}, ", p: Nest global*"),
    ("f = load(load(item(p, n)))", {t: "the parameter 'p' points to pointers" for t in OPENCL}, ", p: float32 global*[3] global*"),
    ("f = load(field<first>(p))", {t: "does not have float64" for t in NO_F64[1:]}, ", p: Both global*"),
    ("f = load(load(field<next>(p)))", {t: "the parameter 'p' points to pointers" for t in OPENCL}, ", p: Node global*"),
    ("store(p, a)", {"host": "the parameter 'p' is local memory, which kernels alone have"}, ", p: float32 local*"),
    ("j = 1:int32", {"cuda": "'k' declares 65536 bytes of local memory; at most 49152 can be declared, more be passed"}, "", "", "var big: float32[16384] local"),
    ("j = 1:int32", {}, "", "", "var some: float32[12288] local"),
]
# Functions that are no kernels are for the host, kernels for devices.
KINDS = [("func", "host", None), ("func", "cuda", "'k' is no kernel; the pass grid makes it one"),
         ("func", "opencl:c1.2", "'k' is no kernel; the pass grid makes it one"),
         ("kernel func", "host", "'k' is a kernel; the pass group makes loops of it")]


def compile(folder, text, target):
    path = os.path.join(folder, "k.cir")
    with open(path, "w") as file:
        file.write(text)
    run = subprocess.run(["cplc", path + ":k", "--emit", "ir", "--passes", "legal", "--target", target], capture_output=True, text=True)
    return run.returncode, run.stderr


def check(folder, text, target, expected):
    code, errors = compile(folder, text, target)
    if expected is None:
        return [] if code == 0 else ["%s refuses\n%s\n%s" % (target, text, errors)]
    if code != 1 or expected not in errors or not re.search(r"k\.cir:\d+:\d+: error: " + re.escape(target), errors):
        return ["%s does not refuse, or not with '%s':\n%s\n%s" % (target, expected, text, errors)]
    return []


def module(statements, params="", others="", declarations="", kind="kernel func"):
    found = re.match(r"(var [^\n]*\n)?(.*)", statements, re.S)
    body = "  " + (found.group(1) or "") + "  " + declarations + "\n  " + found.group(2)
    text = KERNEL % (params, body, others)
    return text.replace("entry kernel func", "entry " + kind)


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            statements, refused = case[:2]
            for target in ALL + [t for t in refused if t not in ALL]:
                kind = "func" if target == "host" and "local" not in case[-1] else "kernel func"
                if target == "host" and kind == "kernel func":
                    continue
                failures += check(folder, module(statements, *case[2:], kind=kind), target, refused.get(target))
        for kind, target, expected in KINDS:
            failures += check(folder, module("return", kind=kind), target, expected)
    ops = set(re.findall(r"\b([a-z]\w*)[<(]", " ".join(case[0] for case in CASES)))
    rows = re.findall(r"^(ALLOW|ALLOW_OP)\((\w+), ",
                      harness.table_text(os.path.join(sys.argv[1], "passes/legal.def")), re.M)
    table = harness.op_rows(os.path.join(sys.argv[1], "lib/ir/op.def"))
    for selector, name in rows:
        texts = ["=" if row["text"] == "assign" else row["text"] for row in table if row["kind" if selector == "ALLOW" else "id"] == name]
        if not any(t in ops or any(re.search(r"(?<!\w)%s(?!\w)" % t, case[0]) for case in CASES) for t in texts):
            failures.append("no case for the row of " + name)
    sys.exit("\n".join(failures) or 0)


main()
