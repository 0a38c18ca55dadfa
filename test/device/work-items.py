# What work-items ask and do together, run on the host, in the interpreter, on PoCL (OpenCL C 1.2) and Intel's CPU (OpenCL C 3.0 and SPIR-V 1.3, which have sub-groups) and
# compared with NumPy: places in a grid of three dimensions, barriers, atomics of a whole group, and each op of sub-groups at each type.
# RUN: %python %s %root %t-host host
# RUN: %python %s %root %t-interp interp
# RUN: %if pocl %{ %pocl %python %s %root %t-pocl opencl:c1.2 %}
# RUN: %if intel %{ %intel %python %s %root %t-c opencl:c3.0 %}
# RUN: %if intel %{ %intel %python %s %root %t-spv opencl:spv1.3 %}

import os
import sys

import numpy as np

root, folder, target = sys.argv[1:4]
LANES = int(sys.argv[4]) if sys.argv[4:] else 32  # of a group
sys.path.insert(0, os.path.join(root, "test", "run", "Inputs"))
import harness

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
LOCAL, GROUPS = (4, 3, 2), (3, 2, 5)
rng = np.random.default_rng(3)
covered = set()
failures = 0


def run(name, text, arrays, outputs, group, local):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name + ".cir")
    with open(path, "w") as file:
        file.write("cir 1\n\n" + text)
    words = lambda sizes: ",".join(map(str, sizes))
    harness.MODES["device"] = ["--target", target]
    return harness.run(f"{path}:f", folder, arrays, {}, outputs, "device",
                       ["--as", "kernel", "--global", words(g*s for g, s in zip(group, local)), "--local", words(local)])


def expect(what, got, expected, ulps=0):
    global failures
    failures += not harness.same(what, got, np.asarray(expected), ulps)


def places():
    """Each work-item writes what it asks to its own row."""
    queries = [(op, d) for op in ("local_id", "local_size", "group_id", "group_count") for d in range(3)]
    n = int(np.prod(LOCAL)*np.prod(GROUPS))
    at = ("add(mul(add(add(group_id<0>(), mul(group_id<1>(), group_count<0>())), mul(group_id<2>(), mul(group_count<0>(), group_count<1>()))), "
          f"{int(np.prod(LOCAL))}:int64), convert<int64>(add(local_id<0>(), mul(local_size<0>(), add(local_id<1>(), mul(local_size<1>(), local_id<2>()))))))")
    stores = "\n  ".join(f"store(elem(r, add(mul(at, 12:int64), {k}:int64)), convert<int64>({op}<{d}>()))" for k, (op, d) in enumerate(queries))
    got = run("places", f"entry kernel func f(r: int64 global*) {{\n  var at: int64\n  at = {at}\n  {stores}\n}}\n", {"r": np.zeros(n*12, "int64")}, ["r"],
              GROUPS, LOCAL)["r"].reshape(n, 12)
    group, own = np.divmod(np.arange(n), int(np.prod(LOCAL)))
    def split(index, sizes): return [index % sizes[0], index // sizes[0] % sizes[1], index // sizes[0] // sizes[1]]
    ones = np.ones(n, dtype=int)
    expect("places", got, np.stack(split(own, LOCAL) + [ones*s for s in LOCAL] + split(group, GROUPS) + [ones*s for s in GROUPS], axis=1))
    covered.update(("LOCAL_ID", "LOCAL_SIZE", "GROUP_ID", "GROUP_COUNT"))


def groups():
    """A group turns its part around by way of local memory, and counts itself with atomics of each kind."""
    text = """entry kernel func f(x: int32 global*, y: int32 global*, sums: int64 global*, most: uint32 global*, real: float32 global*) {
  var part: int32[32] local
  var all: int64 local
  var high: uint32 local
  var own: int32
  var at: int64
  own = local_id<0>()
  at = add(mul(group_id<0>(), 32:int64), convert<int64>(own))
  if eq(own, 0:int32) { store(addr(all), 0:int64) store(addr(high), 0:uint32) }
  store(item(addr(part), own), load(elem(x, at)))
  barrier<local>()
  store(elem(y, at), load(item(addr(part), sub(31:int32, own))))
  atomic_add<relaxed, group>(addr(all), convert<int64>(load(elem(x, at))))
  atomic_max<relaxed, group>(addr(high), bits<uint32>(load(elem(x, at))))
  atomic_add<relaxed, device>(real, convert<float32>(load(elem(x, at))))
  fence<acq_rel, group>()
  nanosleep(sub(own, 5:int32))
  barrier<local>()
  if eq(own, 0:int32) { store(elem(sums, group_id<0>()), load(addr(all))) store(elem(most, group_id<0>()), load(addr(high))) }
  barrier<global>()
  if lt(own, 31:int32) { store(elem(x, at), add(load(elem(y, add(at, 1:int64))), 0:int32)) }
}
"""
    x = rng.integers(0, 1000, 7*32).astype("int32")
    arrays = {"x": x, "y": np.zeros_like(x), "sums": np.zeros(7, "int64"), "most": np.zeros(7, "uint32"), "real": np.zeros(1, "float32")}
    got = run("groups", text, arrays, list(arrays), (7,), (32,))
    rows = x.reshape(7, 32)
    after = rows.copy()
    after[:, :31] = rows[:, ::-1][:, 1:]
    for name, expected in (("y", rows[:, ::-1].ravel()), ("sums", rows.sum(1, dtype="int64")), ("most", rows.max(1).astype("uint32")),
                           ("real", np.array([x.sum()], "float32")), ("x", after.ravel())):
        expect("groups " + name, got[name], expected)
    covered.update(("BARRIER", "FENCE", "NANOSLEEP"))


def lanes(t):
    """Each op of sub-groups: which lanes there are comes from the kernel itself."""
    n = LANES
    x = (rng.integers(0, 2, n) if t == "bool" else rng.integers(0, 5, n)).astype(t)
    shuffles = {"shuffle": "5:int32", "shuffle_xor": "1:int32", "shuffle_up": "2:int32", "shuffle_down": "3:int32"}
    folds = {} if t == "bool" else {"subgroup_" + k: k for k in ("add", "min", "max", "scan_add", "scan_min", "scan_max")}
    outs = list(shuffles) + list(folds)
    params = ", ".join(f"r_{k}: {t} global*" for k in outs)
    body = "\n  ".join(f"v = {k}(load(elem(x, i)){', ' + shuffles[k] if k in shuffles else ''}) store(elem(r_{k}, i), v)" for k in outs)
    text = (f"entry kernel func f(x: {t} global*, size: int32 global*, lane: int32 global*, bits: uint64 global*, {params}) {{\n"
            f"  var v: {t}\n  var i: int32\n  var u: uint64\n  i = local_id<0>()\n"
            f"  store(elem(size, i), subgroup_size())\n  store(elem(lane, i), lane())\n  u = ballot(convert<bool>(load(elem(x, i))))\n"
            f"  store(elem(bits, i), u)\n  {body}\n}}\n")
    arrays = {"x": x, "size": np.zeros(n, "int32"), "lane": np.zeros(n, "int32"), "bits": np.zeros(n, "uint64")}
    arrays.update({f"r_{k}": np.zeros(n, t) for k in outs})
    got = run("lanes_" + t, text, arrays, [k for k in arrays if k != "x"], (1,), (n,))
    size = int(got["size"][0])
    expect(f"{t} size", got["size"], np.full(n, size, "int32"))
    expect(f"{t} lane", got["lane"], (np.arange(n) % size).astype("int32"))
    parts = [x[k:k + size] for k in range(0, n, size)]  # the last may be smaller
    collect = lambda f: np.concatenate([np.asarray(f(p)).astype(t) for p in parts])
    def moved(p, to): return np.array([p[k] if 0 <= k < len(p) else p[j] for j, k in enumerate(to(np.arange(len(p))))])
    expect(f"{t} ballot", got["bits"], np.concatenate([[sum(1 << j for j, v in enumerate(p) if v)]*len(p) for p in parts]).astype("uint64"))
    if size > 5 and n % size == 0:
        expect(f"{t} shuffle", got["r_shuffle"], collect(lambda p: p[[5]*len(p)]))
    if n % size == 0:
        expect(f"{t} shuffle_xor", got["r_shuffle_xor"], collect(lambda p: p[np.arange(len(p)) ^ 1]))
    expect(f"{t} shuffle_up", got["r_shuffle_up"], collect(lambda p: moved(p, lambda j: j - 2)))
    expect(f"{t} shuffle_down", got["r_shuffle_down"], collect(lambda p: moved(p, lambda j: j + 3)))
    full = {"subgroup_add": np.sum, "subgroup_min": np.min, "subgroup_max": np.max}
    scans = {"subgroup_scan_add": np.cumsum, "subgroup_scan_min": np.minimum.accumulate, "subgroup_scan_max": np.maximum.accumulate}
    for k in folds:
        expect(f"{t} {k}", got["r_" + k], collect((lambda p: np.full(len(p), full[k](p))) if k in full else scans[k]))
    covered.update(k.upper() for k in outs)
    covered.update(("SUBGROUP_SIZE", "LANE", "BALLOT"))
    return size


places()
groups()
wanted = {"LOCAL_ID", "LOCAL_SIZE", "GROUP_ID", "GROUP_COUNT", "BARRIER", "FENCE", "NANOSLEEP"}
if target != "opencl:c1.2":
    sizes = {lanes(t) for t in ["bool"] + INTS + FLOATS}
    print("sub-groups of", *sizes)
    names = [row["id"] for row in harness.op_rows(os.path.join(root, "lib", "ir", "op.def"))]
    wanted |= set(names[names.index("SUBGROUP_SIZE"):names.index("SUBGROUP_SCAN_MAX") + 1])
for op in wanted - covered:
    print("no case for", op)
sys.exit(bool(failures or wanted - covered))
