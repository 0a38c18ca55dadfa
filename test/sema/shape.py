# How many dimensions a parameter has: by its indices, by x.shape, by the functions that it is passed to; others are flat.
# RUN: cplc %s:f --types 'x=float64[] y=float64[] z=float32[] k=int32[]' --emit types | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[:] y=float64[,] z=float32[:] k=int32[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=STRIDED
# RUN: cplc %s:rounds --as function --types 'x=float64[] y=float64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=ROUNDS
# RUN: cplc %s:matrices --as function --types 'x=float64[] m=float64[2][]' --emit types \
# RUN:   | FileCheck %s --check-prefix=MATRICES
# RUN: cplc %s:pass_on --types 'x=float64[]' --as function --emit types \
# RUN:   | FileCheck %s --check-prefix=MOST

def corner(a, n):
    return a[n, n, 0]

def passes(a):
    return corner(a, 1) + len(a)

def rows(a):
    return a.shape[0]

def columns(grid):
    return grid.shape[1]

def f(i, x, y, z, k):
    y[i][0] = x[i, 1]
    y[i, k[i]] += columns(x)*len(x)
    z[i, 0, 0] = passes(z) + rows(z) + rows(k)

# CHECK: columns(grid: float64[,]) -> int64
# CHECK: corner(a: float32[,,], n: int32) -> float32
# CHECK: passes(a: float32[,,]) -> float32
# CHECK: rows(a: float32[,,]) -> int64
# CHECK: rows.1(a: int32[]) -> int64
# CHECK: f(i: int64, x: float64[,], y: float64[,], z: float32[,,], k: int32[]) -> void
# STRIDED: columns(grid: float64[:,:]) -> int64
# STRIDED: corner(a: float32[:,:,:], n: int32) -> float32
# STRIDED: f(i: int64, x: float64[:,:], y: float64[,], z: float32[:,:,:], k: int32[]) -> void

# A shape taken apart has as many dimensions as there are names.
# RUN: cplc %s:apart --as function --types 'x=float64[] y=float64[] z=float64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=APART
def apart(x, y, z):
    h, w = x.shape
    n, = y.shape
    z[0, 0, 0], a, d = z.shape
    return h + n + a

# APART: apart(x: float64[,], y: float64[], z: float64[,,]) -> int64
# APART-NEXT: h: int64
# APART-NEXT: w: int64
# APART-NEXT: n: int64
# APART-NEXT: a: int64
# APART-NEXT: d: int64

# What only a later round finds out; and functions that call each other.
def last(a, n) -> 'int':
    if n > 0:
        return first(a, n - 1)
    return int(a[0, 1, 2, 3])

def first(a, n) -> 'int':
    return last(a, n)

def rounds(x, y):
    s = len(x)
    s += first(x, 3)
    y[0] = s

# ROUNDS: first(a: float64[,,,], n: int32) -> int32
# ROUNDS: last(a: float64[,,,], n: int32) -> int32
# ROUNDS: rounds(x: float64[,,,], y: float64[]) -> void

# The last indices are those of matrices that the elements are, or that a local array is.
def inner(m):
    return m[1, 2] + m[0][1]

def matrices(x, m):
    c = declare('matrix((2, 3))')
    c[1, 2] = m[3][1] + m[3, 1]
    return inner(c) + x[0]

# MATRICES: inner(m: float64[3] private*) -> float64
# MATRICES: matrices(x: float64[], m: float64[2][]) -> float64

# Eight at most.
def eight(x, i):
    x[i, i, i, i][i, i, i, i] = 1
    return x.shape[7]

def pass_on(x):
    return eight(x, 0)

# MOST: eight(x: float64[,,,,,,,], i: int32) -> int64
# MOST: pass_on(x: float64[,,,,,,,]) -> int64
