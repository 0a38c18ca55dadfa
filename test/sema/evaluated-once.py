# A call that changes what it counts, in each place of which the compiler makes more than one use: called as often as in Python, or refused.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: 119 places agree, 14 are refused, 0 wrong
import os
import subprocess
import sys
import warnings

import numpy as np

HELPERS = """import math

import numpy as np

PAIR = (2, 3)


def bump(x):
    x[0] += 1
    return x[0]


def twice(v):
    return v + v


"""
VALUES = """m.flat[{}] + m[0, 0]|m.ravel()[{}] + m[0, 0]|m[{}, 1]|m[1][{}]|m[{}][1]|{} in (1, 2)|{} not in (1, 2)|{} in PAIR|{} in x|{} in [0, {}]
1 in (0, {})|divmod({}, 2)[0]|divmod(9, {})[1]|divmod({}, 2)[0] + divmod(9, {})[1]|max({}, 1)|min({}, 9)|max(1, {}, 2)|abs({})|-{}|{}**2|2**{}|{}**0.5|{} // 2|{} % 3|-9 // {}|-9 % {}
round({})|round({}/4.0)|1 < {} < 5|1 < {} < {} < 9|{} == {}|np.sum(m[{}, :])|m[{}].sum()|m[{}, :].max()|np.dot(m[{}], m[1])|np.dot(m[{}], m[{}])
m[{}, :].mean()|np.sum(y[{}:])|np.sum(y[:{}])|np.sum(y[1:{}])|np.max(y[:5:{}])|np.clip({}, 0, 1)|np.clip(5, 0, {})
np.hypot({}, 1)|np.sign({})|np.where({} > 1, 2, 3)|math.gcd({}, 4)|np.heaviside({}, 0.5)|np.maximum({}, 1)|np.square({})|np.floor({}/4.0)|twice({})|(lambda v: v + v)({})
{} or 5|{} and 5|3 if {} else 4|{} if x[0] else {}|int({})|float({})|bool({})|complex({}, 1).imag|abs(complex({}, 1))|np.linalg.norm(m[{}])|math.copysign(1, {})
PAIR[{} - 2]|m.shape[0] + {}|np.float32({})|np.sum(m[:, {}])|sum(m[{}])|min(m[{}])|np.argmax(m[{}])|np.mod({}, 2)|np.fmax({}, 1.0)
np.isclose({}, 2)|np.deg2rad({})|np.cbrt({})|np.sinc({})|np.power({}, 2)|np.floor_divide({}, 2)|np.remainder(-9, {})|np.int32({})|{} ^ 5|~{}|1 << {}|{} >> 1"""
STATEMENTS = """m.flat[{}] = m[0, 1]|m.flat[{}] += m[0, 1]|m[{}] = 1, 2, 3, 4, 5|m[{}, :] = 1.0|m[{}, :] += m[0, :]|m[{}] = m[1]|m[{}, :] *= 2|y[{}] += 1|y[{}] //= 2|y[{}] **= 2|y[{}] %= 2
m[{}, 1] += {}|m[{}, {}] = 1|m[:, {}] = y[1]|y[{}:] = 1.0|y[:{}] = 2.0|y[{}:{}] = 3.0|y[{}::2] = 1|y[1:{}] += y[0]
a = b = {}; r[0] = a + b|a, b = {}, {}; r[0] = a - b|y[{}], y[{}] = y[0], y[1]|y[{}] = y[{}] = 4|t = ({}, 2); r[0] = t[0] + t[0]|p = m[{}]; r[0] = p[0] + p[1]
p = m[{}]; p[0] += p[1]|p = m[:, {}]; r[0] = p[0] + p[1]|c, d, e, g, h = m[{}]; r[0] = c + h|for v in m[{}]: r[0] += v|for k in range({}): r[0] += k|for k in range({}, 5): r[0] += k
for k in range(0, 9, {}): r[0] += k|for k, v in enumerate(m[{}]): r[0] += k*v|for v in ({}, {}): r[0] += v|while {} < 5: r[0] += 1|assert {}|assert {} < {} < 9
d = m[{}] - m[0]; r[0] = np.sum(d*d)|d = m[{}]*2.0; d[0] += 1; r[0] = d[0] + d[1]|d = m[1] - m[0]; d *= {}; r[0] = d[0] + d[1]|s = slice(0, {}); r[0] = np.sum(y[s])
f = lambda: {}; r[0] = f() + f()|a: float = {}; r[0] = a + a|m[{}, 1:3] = y[0], y[1]|m[1:{}, :] = 7.0|r[0] = 1 if (v := {}) > 1 else 2; r[0] += v|m[{}][1] += 1|m[{}][1:] = 2.0"""


def function(number, body):
    return f"def f{number}(x, y, m, r):\n" + "".join(f"    {line}\n" for line in body.replace("{}", "bump(x)").split("; "))


def python(number, text):
    space = {}
    exec(HELPERS + text, space)
    arrays = [a.copy() for a in GIVEN.values()]
    space[f"f{number}"](*arrays)
    return arrays


def cplc(*args):
    return subprocess.run(["cplc", *args], capture_output=True, text=True)


folder = sys.argv[1]
path = os.path.join(folder, "k.py")
warnings.simplefilter("ignore")
GIVEN = {"x": np.array([1, 7]), "y": np.array([3.0, 1.0, 2.0, 5.0, 4.0, 8.0]),
         "m": np.arange(20.0).reshape(4, 5)[:, ::-1].copy(), "r": np.zeros(1)}
bodies = ["r[0] = " + value for value in VALUES.replace("\n", "|").split("|")]
bodies += STATEMENTS.replace("\n", "|").split("|")
texts, agree, wrong, refused = [function(*numbered) for numbered in enumerate(bodies)], [], [], []
for n, text in enumerate(texts):
    with open(path, "w") as f:
        f.write(HELPERS + text)
    said = cplc(f"{path}:f{n}", "--as", "function", "--emit", "types", "--types",
                "x=int64[] y=float64[] m=float64[,] r=float64[]")
    if said.returncode:
        refused.append(f"{bodies[n]}: {said.stderr.splitlines()[0].partition('error: ')[2]}")
    else:
        agree.append(n)


def run(some):
    with open(path, "w") as f:
        f.write(HELPERS + "\n\n".join(texts[n] for n in some) +
                "\n\ndef every(gx, gy, gm, x, y, m, r, ox, oy, om, orr):\n")
        for at, n in enumerate(some):
            f.write(f"    x[:] = gx[:]\n    y[:] = gy[:]\n    m[:, :] = gm[:, :]\n    r[0] = 0\n    f{n}(x, y, m, r)\n"
                    f"    ox[{at}, :] = x[:]\n    oy[{at}, :] = y[:]\n    om[{at}, :, :] = m[:, :]\n    orr[{at}, :] = r[:]\n")
    words = []
    for name, array in GIVEN.items():
        shape = ",".join(map(str, array.shape))
        if name != "r":
            np.save(os.path.join(folder, name + ".npy"), array)
            words.append(f"g{name}=" + os.path.join(folder, name + ".npy"))
        out = "orr" if name == "r" else "o" + name
        words += [f"{name}={array.dtype}[{shape}]", f"{out}={array.dtype}[{len(some)},{shape}]",
                  "--out", f"{out}=" + os.path.join(folder, out + ".npy")]
    done = cplc("run", f"{path}:every", "--as", "function", "--target", "interp", *words)
    if done.returncode:
        sys.exit("\n".join(line for line in done.stderr.splitlines() if 'error' in line)[:2000])
    return [np.load(os.path.join(folder, name + ".npy")) for name in ("ox", "oy", "om", "orr")]


for begin in range(0, len(agree), 20):
    some = agree[begin:begin + 20]
    got = run(some)
    for at, n in enumerate(some):
        expected = python(n, texts[n])
        if not all(np.allclose(a[at], b, 1e-6) for a, b in zip(got, expected)):
            wrong.append(f"{bodies[n]}: {[a[at].tolist() for a in got]}, expected {[a.tolist() for a in expected]}")
print(*refused, "", *wrong, sep="\n")
print(f"{len(agree)} places agree, {len(refused)} are refused, {len(wrong)} wrong")
