# Several indices of an elementwise function: i, j and k for which nothing is given, over the shape of the first array.
# RUN: cplc %s:two --types 'x=float64[] y=float64[]' --emit types | FileCheck %s --check-prefix=TWO
# RUN: cplc %s:three --types 'x=float32[:]' --emit types | FileCheck %s --check-prefix=THREE
# RUN: cplc %s:two --types 'j=int32 x=float64[] y=float64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=GIVEN
# RUN: cplc %s:typed --types 'x=float64[]' --emit types | FileCheck %s --check-prefix=TYPED
# RUN: cplc %s:helped --types 'f=func:cell a=float64 x=float64[]' --emit types \
# RUN:   | FileCheck %s --check-prefix=HELPED
# RUN: not cplc %s:two --types 'j=int32 x=float64[,,] y=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=THIRD
# RUN: not cplc %s:flat --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=FLAT
# RUN: not cplc %s:none --types 'a=float64' --emit types 2>&1 | FileCheck %s --check-prefix=NONE
# RUN: not cplc %s:named --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=NAMED
# RUN: not cplc %s:two --as function --types 'x=float64[] y=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=FUNCTION

def two(i, j, x, y):
    y[i, j] = x[i, j] + j

def three(i, j, k, x):
    x[i, j][k] = k

def typed(i, j: 'int32', x):
    x[i, j] = j

def cell(x, i, j):
    return x[i, j]

def helped(i, j, f, a, x):
    a = f(x, i, j)

def flat(i, j, x):
    x[i] = j

def none(i, j, a):
    a = j

def named(r, j, x):
    x[r, j] = j

# TWO: two(i: int64, j: int64, x: float64[,], y: float64[,]) -> void
# THREE: three(i: int64, j: int64, k: int64, x: float32[:,:,:]) -> void
# GIVEN: two(i: int64, j: int32, x: float64[,], y: float64[,]) -> void
# TYPED: typed(i: int64, j: int32, x: float64[,]) -> void
# HELPED: helped(i: int64, j: int64, a: float64, x: float64[,]) -> void
# THIRD: indices.py:18:15: error: 'x' has 3 dimensions: 1 index is missing here
# FLAT: indices.py:32:16: error: 'flat' has 2 indices, and 'x', its first array, is float64[]
# FLAT: hint: i and j run over the shape of the first array, which is written x[i, j]
# NONE: indices.py:35:1: error: 'none' has 2 indices and no array
# NAMED: indices.py:38:14: error: no type for parameter 'j' of 'named'
# FUNCTION: error: no type for parameter 'i' of 'two'
