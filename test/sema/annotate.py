# The forms of @annotate; an annotated scalar keeps its type, whatever is passed.
# RUN: cplc %s:var_first --as function --emit types | FileCheck --check-prefix=A %s
# RUN: cplc %s:type_first --as function --emit types | FileCheck --check-prefix=B %s
# RUN: cplc %s:mixed --types 'x=float32 n=int64' --as function --emit types \
# RUN:   | FileCheck --check-prefix=C %s
# RUN: cplc %s:bare --types 'x=float32' --as function --emit types | FileCheck --check-prefix=D %s
# RUN: cplc %s:python --as function --emit types | FileCheck --check-prefix=E %s
# RUN: cplc %s:pointers --as kernel --emit types | FileCheck --check-prefix=F %s
import numpy as np
from compyle.api import annotate

@annotate(i='int', x='doublep', return_='double')
def var_first(i, x):
    return x[i]

@annotate(int='i, j, return_', doublep='x, y', float='single')
def type_first(i, x, j, y, single):
    return i

@annotate(double='x', n='int')
def mixed(x, n):
    return x*n

@annotate
def bare(x):
    return x

def python(a: int, b: float, c: bool, d: 'double', e: np.float64, g: float32, h: "float64[]", k: np.int8) -> 'float':
    return a

@annotate(gdoublep='a, b', uintp='c, d', ldoublep='e', x='float64[]', ulong='g, h')
def pointers(a, b, c, d, e, x, g, h):
    pass

# A: var_first(i: int32, x: float64[]) -> float64
# B: type_first(i: int32, x: float64[], j: int32, y: float64[], single: float32) -> int32
# C: mixed(x: float64, n: int32) -> float64
# D: bare(x: float32) -> float32
# E: python(a: int64, b: float64, c: bool, d: float64, e: float64, g: float32, h: float64[], k: int8) -> float32
# F: pointers(a: float64[], b: float64[], c: uint32[], d: uint32[], e: local float64[], x: float64[], g: uint64, h: uint64) -> void
