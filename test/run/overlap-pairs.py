# Each two slices of one array, by begins and steps: what is stored from the one to the other is as NumPy has it, or refused, where no order of the
# rounds reads all in time.
# RUN: rm -rf %t && mkdir %t && %python %s %t
import itertools
import subprocess
import sys

import numpy as np

N, LENGTH, STEPS = 12, 60, (1, 2, 3)
folder = sys.argv[1]


def cplc(*words):
    return subprocess.run(["cplc", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def places(begin, step):
    return [begin + step*r for r in range(N)]


def is_ordered(to, of):
    """Whether forwards or backwards no round reads what one in front of it has written."""
    met = [(q, r) for q, r in itertools.product(range(N), repeat=2) if to[q] == of[r]]
    return all(q >= r for q, r in met) or all(q <= r for q, r in met)


pairs = []  # a statement, and the places of both slices
for s, t in itertools.product(STEPS, repeat=2):
    for b, c in itertools.product(range(4), repeat=2):
        pairs.append((f"a[{b}:{b} + {s}*n:{s}] = a[{c}:{c} + {t}*n:{t}]*3 + {len(pairs)}", places(b, s), places(c, t)))
    end = LENGTH - 1
    pairs.append((f"a[:{end} - {s}*n:-{s}] = a[:{end} - {t}*n:-{t}]*3 + {len(pairs)}", places(end, -s), places(end, -t)))
source = "".join(f"def f{k}(a, n):\n    {text}\n\n" for k, (text, *_) in enumerate(pairs))
with open(folder + "/pairs.py", "w", encoding="utf-8") as file:
    file.write(source)
taken = []
for k, (text, to, of) in enumerate(pairs):
    if cplc(f"{folder}/pairs.py:f{k}", "--as", "function", "--types", "a=int64[] n=int64", "--emit", "types").returncode == 0:
        assert is_ordered(to, of), f"{text}: no order of the rounds"
        taken.append(text)
assert len(pairs)//2 < len(taken) < len(pairs), (len(taken), len(pairs))
source = "def all_of_them(a, n):\n" + "".join(f"    {text}\n" for text in taken)
with open(folder + "/taken.py", "w", encoding="utf-8") as file:
    file.write(source)
python = {}
exec(source, python)
a = np.arange(LENGTH)**2
np.save(folder + "/a.npy", a)
python["all_of_them"](a, N)
done = cplc("run", folder + "/taken.py", "--as", "function", f"a={folder}/a.npy", f"n={N}", "--out", f"a={folder}/b.npy")
assert done.returncode == 0, done.stderr
assert (np.load(folder + "/b.npy") == a).all()
