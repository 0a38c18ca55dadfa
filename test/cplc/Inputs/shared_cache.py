# shared_cache.py DIR KERNEL.py: runs the kernel from several processes at once on an empty cache, then with its entry damaged.
import os
import re
import subprocess
import sys

directory, kernel = sys.argv[1:]
environment = dict(os.environ, CPL_CACHE="1", CPL_CACHE_DIR=directory)


def start(number, a=2, dtype="float64"):
    out = f"{directory}.{number}.npy"
    command = ["cplc", "run", kernel, f"x={dtype}[4]", f"a={a}", "--stats", "--out", f"x={out}"]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True), out


def finish(process, out):
    text = process.communicate()[0]
    if process.returncode:
        sys.exit(f"status {process.returncode}")
    with open(out, "rb") as file:
        return int(re.search(r"^compiled (\d+)$", text, re.M).group(1)), file.read()


def entries():
    return sorted(name for name in os.listdir(directory) if re.fullmatch("[0-9a-f]+", name))


results = [finish(*p) for p in [start(i) for i in range(6)]]
right = results[0][1]
count = len(entries())
print(f"at once: {sum(r[1] == right for r in results)} right, {count} {'entry' if count == 1 else 'entries'}")

name = entries()[0]
path = os.path.join(directory, name)
good = open(path, "rb").read()
finish(*start(6, dtype="float32"))
other = open(os.path.join(directory, next(n for n in entries() if n != name)), "rb").read()
middle = len(good)//2
damages = {"empty": b"", "short": good[:-1], "longer": good + b"\0", "one bit": good[:middle] + bytes([good[middle] ^ 1]) + good[middle + 1:],
           "another's": other}
for what, damaged in damages.items():
    with open(path, "wb") as file:
        file.write(damaged)
    first, second = finish(*start(7)), finish(*start(8))
    if first[1] != right or second[1] != right:
        sys.exit(f"{what}: wrong results")
    print(f"{what}: compiled {first[0]}, then {second[0]}")
