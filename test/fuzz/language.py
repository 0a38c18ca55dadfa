"""Random programs of the language, compared with plain Python on NumPy's scalars, bit for bit.

    language.py FOLDER [--seed S] [--count N] [--targets host,interp,opencl:0] [--print]

Expressions have the types that they have in NumPy 2; what the language has otherwise is not drawn:
signed integers with uint64, integers with float32, quotients of integers, narrow integers, powers
of floats (NumPy takes powf, which is up to 1 ULP off). What is there: numbers of nine types, mixed
signs, complex numbers also with real ones, short vectors and their lanes, structs with methods and
operators, loops of all kinds with jumps and else parts, tuples within tuples, helpers with keywords
and defaults that call others, lambdas and functions as arguments, private arrays, rows, columns,
slices and shapes of two and three dimensions, in both orders. What Python lacks of it stands in
language_values.py. Programs that differ are kept in FOLDER, one a file, and the last line counts
them.
"""
import argparse
import os
import random
import subprocess
import sys

import numpy as np

import language_values
from language_values import VECTORS, lane_names
from language_writer import ARRAYS, COMMON, COMPLEX, INTS, N, ROWS, SIGNED, TYPES, Writer, entry

LEVELS = (0, 1, 0, 3)  # of optimisation, batch by batch
BATCH = 10  # programs in a file
CUBE = (2, 3, 4)  # the shape of t, of float32


def arguments(seed):
    rng = np.random.default_rng(seed)
    made = {ARRAYS[t]: numbers(rng, t, N) for t in TYPES}
    for v, (t, size) in VECTORS.items():
        fields = np.dtype([(name, t) for name in lane_names(size)])
        made[ARRAYS[v]] = numbers(rng, t, N*size).view(fields)
    made["m"] = rng.integers(-9, 9, (2, 3))/4
    made["k"] = rng.integers(-99, 99, (2, 3)).astype("int32")
    made["t"] = (rng.integers(-40, 40, CUBE)/8).astype("float32")
    if seed // BATCH % 2:
        made.update({name: np.asfortranarray(made[name]) for name in "mkt"})
    return made


def numbers(rng, t, n):
    if t == "bool":
        return rng.integers(0, 2, n) == 1
    if t in INTS:
        info = np.iinfo(t)
        x = rng.integers(info.min, info.max, n, t, endpoint=True)
        small = rng.random(n) < 0.6
        x[small] = rng.integers(0, 20, n)[small].astype(t)
        if t in SIGNED:
            x[rng.random(n) < 0.3] *= -1
        return x
    x = (rng.integers(-40, 40, n)/rng.choice([1, 2, 4, 3], n)).astype(t)
    if t in COMPLEX:
        x += (1j*rng.integers(-9, 9, n)/2).astype(t)
    return x


def outputs(count):
    shape = (count*ROWS, N)
    return {"oi": np.zeros(shape, np.int64), "of": np.zeros(shape), "oz": np.zeros(shape, complex)}


def in_python(text, args, count):
    space, out = language_values.run(text), outputs(count)
    args = {name: [language_values.vector(name[2:], v) for v in x] if x.dtype.names else x
            for name, x in args.items()}
    with np.errstate(all="ignore"):
        for i in range(N):
            space["run"](i, **args, **out)
    return out


def in_cplc(text, args, seed, target, folder):
    path = os.path.join(folder, "run.py")
    with open(path, "w") as file:
        file.write("import numpy as np\n\n\n" + text)
    words = ["cplc", "run", f"{path}:run", f"--target={target}", "--option", "precise=1"]
    words.append(f"-O{LEVELS[seed//BATCH % len(LEVELS)]}")
    for name, x in {**args, **outputs(BATCH)}.items():
        np.save(os.path.join(folder, name + ".npy"), x)
        words.append(f"{name}={folder}/{name}.npy" + (f":{name[2:]}" if x.dtype.names else ""))
    for name in ("oi", "of", "oz"):
        words += ["--out", f"{name}={folder}/out-{name}.npy"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return {name: np.load(f"{folder}/out-{name}.npy") for name in ("oi", "of", "oz")}


def differ(expected, found):
    if isinstance(found, str):
        errors = [line for line in found.splitlines() if "error" in line]
        return (errors or [found.strip() or "it crashed"])[0]
    for name, a in expected.items():
        b = found[name]
        same = (a == b) | ((a != a) & (b != b))
        if a.dtype.kind == "c":
            part = lambda x, y: (x == y) | ((x != x) & (y != y))
            same = part(a.real, b.real) & part(a.imag, b.imag)
        if not same.all():
            at = tuple(int(v) for v in np.argwhere(~same)[0])
            return f"{name}{list(at)}: {b[at]!r}, Python has {a[at]!r}"
    return None


def compare(programs, seed, targets, folder):
    """The names of those that differ, each with where and how."""
    text = COMMON + "".join(t for _, t in programs) + entry([n for n, _ in programs])
    args = arguments(seed)
    try:
        expected = in_python(text, args, BATCH)
    except (OverflowError, ZeroDivisionError, ValueError) as e:
        if len(programs) == 1:
            return {programs[0][0]: f"plain Python: {e!r}"}
        expected = None
    why = {}
    if expected:
        why = {t: differ(expected, in_cplc(text, args, seed, t, folder)) for t in targets}
        if not any(why.values()):
            return {}
    if len(programs) == 1:
        return {programs[0][0]: "; ".join(f"{t}: {w}" for t, w in why.items() if w)}
    half = len(programs)//2
    return {**compare(programs[:half], seed, targets, folder),
            **compare(programs[half:], seed, targets, folder)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--targets", default="host,interp")
    parser.add_argument("--print", action="store_true")
    o = parser.parse_args()
    os.makedirs(o.folder, exist_ok=True)
    differing = 0
    for seed in range(o.seed, o.seed + o.count, BATCH):
        rng = random.Random(seed)
        count = min(BATCH, o.seed + o.count - seed)
        programs = [(f"p{j}", Writer(rng, f"p{j}").program(j)) for j in range(count)]
        if o.print:
            print("".join(t for _, t in programs))
            continue
        for name, why in compare(programs, seed, o.targets.split(","), o.folder).items():
            differing += 1
            path = os.path.join(o.folder, f"seed-{seed}-{name}.py")
            with open(path, "w") as file:
                file.write(f"# {why}\n" + dict(programs)[name])
            print(f"{path}: {why}", flush=True)
    if not o.print:
        print(f"{o.count} programs compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
