# What is computed of rows is no array of its own; arrays in it have rows or are of numbers, as is told from the function, and stay as they are.
# RUN: not cplc %s:f --as function --emit types \
# RUN:   --types 'p=float64[] q=float64[] out=float64[]' 2>&1 | FileCheck %s
# RUN: not cplc %s:g --as function --emit types \
# RUN:   --types 'p=float64[] m=float64[] out=float64[]' 2>&1 | FileCheck --check-prefix=FACTOR %s
# RUN: not cplc %s:h --as function --emit types \
# RUN:   --types 'p=float64[]' 2>&1 | FileCheck --check-prefix=WRITTEN %s
# RUN: not cplc %s:changed --as function --emit types \
# RUN:   --types 'p=float64[] k=int32[] out=float64[]' 2>&1 | FileCheck --check-prefix=CHANGED %s
# RUN: cplc %s:kept --as function --emit types \
# RUN:   --types 'p=float64[] k=int32[] out=float64[]' 2>&1 | FileCheck --check-prefix=KEPT %s
# RUN: cplc %s:good --as function --emit types \
# RUN:   --types 'p=float64[] q=float64[] m=float64[] out=float64[]' 2>&1 \
# RUN:   | FileCheck --check-prefix=GOOD %s
# RUN: not cplc %s:flat --as function --emit types \
# RUN:   --types 'p=float64[] out=float64[]' 2>&1 | FileCheck --check-prefix=FLAT %s
import numpy as np


def norm(r):
    return r[0] + r[1]


def f(p, q, out):
    d = p[1] - q[0]
    out[0] = norm(d) + np.sum(d)
# CHECK: bad-row-values.py:[[#@LINE-1]]:19: error: 'd' is computed of rows where it is used, and is no array of its own
# CHECK-NEXT: out[0] = norm(d)
# CHECK-NEXT: ^
# CHECK-NEXT: hint: keep it in one: t = np.zeros(3); t[:] = d


def g(p, m, out):
    d = p[1]*m[1]
    out[0] = np.sum(d)
# FACTOR: bad-row-values.py:[[#@LINE-2]]:9: error: of which arrays 'd' is rows is not known here
# FACTOR: hint: write a row as p[i, :]
    e = out[1]*m[0]
    out[:] = e


def flat(p, out):
    d = 2*p[:]
    out[0] = d[1]
# FLAT: bad-row-values.py:[[#@LINE-2]]:13: error: this slice is not supported here


def h(p):
    d = p[1] - p[0]
    p[0] = p[2]
    p[0, 0] = np.sum(d)
# WRITTEN: bad-row-values.py:[[#@LINE-3]]:9: error: 'd' is computed of rows where it is used, and they are written in between
# WRITTEN-NEXT: d = p[1]
# WRITTEN-NEXT: ^
# WRITTEN-NEXT: hint: keep it in an array of the function's own: t = np.zeros(3); t[:] = p[j] - p[i]


def changed(p, k, out):
    d = p[1] - p[0]
    d[k[0]] -= 0.5
# CHANGED: bad-row-values.py:[[#@LINE-1]]:5: error: float64 cannot be indexed
# CHANGED-NEXT: d[k[0]] -= 0.5
# CHANGED-NEXT: ^
# CHANGED-NEXT: hint: what is changed element by element is an array of the function's own: d = np.zeros(3); d[:] = p[1] - p[0], with rows as p[i, :]
    s = 2.0
    s[0] = 1
# CHANGED: bad-row-values.py:[[#@LINE-1]]:5: error: float64 cannot be indexed
# CHANGED: hint: a number stands without an index
    e = p[1, :]*2.0
    e[0] = 1
    out[0] = np.sum(e[1:])
# CHANGED: bad-row-values.py:[[#@LINE-1]]:21: error: 'e' is computed of rows where it is used, and is no array of its own
    f = p[1, :] - p[0, :]
    f *= 2
    p[0, 0] = 1
    out[1] = np.sum(f)
# CHANGED: bad-row-values.py:[[#@LINE-3]]:5: error: 'f' is computed of rows where it is used, and they are written in between
    t = p[0].copy()
    p[0] = p[1]
    p[1] = t
# CHANGED: bad-row-values.py:[[#@LINE-3]]:9: error: 't' is computed of rows where it is used, and they are written in between


def kept(p, k, out):
    d = np.zeros(3)
    d[:] = p[1, :] - p[0, :]
    d[k[0]] -= 0.5
    e = p[1] - p[0]
    e[0] -= 0.5
    e *= 2
    out[0] = np.sum(d*e)
# KEPT: kept(p: float64[,], k: int32[], out: float64[]) -> void


def good(p, q, m, out):
    d = (p[1] - q[0])*m[1]
    t = np.zeros(2)
    t[:] = d
    out[0] = norm(t) + np.dot(d, d)


# CHECK-NOT: error:
# FACTOR-NOT: error:
# WRITTEN-NOT: error:
# GOOD: good(p: float64[,], q: float64[,], m: float64[], out: float64[]) -> void
