# A last parameter *NAME: each argument that it takes is a parameter of the specialisation.
# RUN: cplc %s:reduce --as function --emit types \
# RUN:   --types 'k=int32 parts=float64[] op=op:a+b map=func:dot n=int32 args0=float32[] \
# RUN:   args1=float64[:]' \
# RUN:   | FileCheck %s --check-prefix=DOT
# RUN: cplc %s:reduce --as function --emit types \
# RUN:   --types 'k=int32 parts=float64[] op=func:max map=op:"lambda i, *v: len(v)*v[0][i, 2]" \
# RUN:   n=int32 args0=float64[,] args1=int32' \
# RUN:   | FileCheck %s --check-prefix=LAMBDA
# RUN: cplc %s:reduce --as function --emit types \
# RUN:   --types 'k=int32 parts=float64[] op=func:min map=func:itself n=int32' \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:main --emit types --types 'out=float64[] x=float32[] args0=float32 args1=int32' \
# RUN:   | FileCheck %s --check-prefix=MAIN
# RUN: cplc %s:main --emit types --types 'out=float64[] x=float32[] args0=float64' \
# RUN:   | FileCheck %s --check-prefix=ONE
# RUN: cplc %s:bound --emit types \
# RUN:   --types 'out=float64[] v0=func:dot v1=type:float32 v2=const:3 v3=float32[] v4=float32[]' \
# RUN:   | FileCheck %s --check-prefix=BOUND
# RUN: cplc %s:plane --emit types --types 'x=float64[,] rest0=float32[:,:]' \
# RUN:   | FileCheck %s --check-prefix=PLANE
# RUN: cplc %s:plane --emit types --types 'j=int32 x=float64[,] rest0=float32[,]' \
# RUN:   | FileCheck %s --check-prefix=LINE
# RUN: cplc %s:lent --as function --emit ir --types 'x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=NAMES
# RUN: cplc %s:grid --as kernel --emit ir --types 'args0=int32[:] args1=Pair*' \
# RUN:   | FileCheck %s --check-prefix=GRID
# RUN: cplc %s:main --emit ast | FileCheck %s --check-prefix=AST
# RUN: cplc %s:main --types 'out=float64[] x=float32[] args0=float32' -o %t.o --header %t.h
# RUN: FileCheck %s --check-prefix=HEADER < %t.h

def reduce(k, parts, op, map, n, *args):
    s = 0.0
    for i in range(n):
        s = op(s, map(i, *args))
    parts[k] = s

def dot(i, x, y):
    return x[i]*y[i]

def itself(i):
    return i + 0.5

# DOT: dot(i: int32, x: float32[], y: float64[:]) -> float64
# DOT: reduce(k: int32, parts: float64[], n: int32, args0: float32[], args1: float64[:]) -> void
# LAMBDA: map(i: int32, v0: float64[,], v1: int32) -> float64
# LAMBDA: reduce(k: int32, parts: float64[], n: int32, args0: float64[,], args1: int32) -> void
# NONE: itself(i: int32) -> float64
# NONE: reduce(k: int32, parts: float64[], n: int32) -> void

def total(first=0.5, *args):
    s = first
    for k in static_range(len(args)):
        s += args[k]
    return s

def main(i, out, x, *args):
    out[i] = total(*args) + total() + total(x[i], 1, 2.0) + min(1.0, x[i], *args) + total(first=2.0)
    if len(args) > 1:
        out[i] += args[-1] + args[1]

# MAIN: total(first: float32, args0: int32) -> float32
# MAIN: total.1(first: float64) -> float64
# MAIN: total.2(first: float32, args0: int32, args1: float32) -> float32
# MAIN: main(i: int64, out: float64[], x: float32[], args0: float32, args1: int32) -> void
# ONE: main(i: int64, out: float64[], x: float32[], args0: float64) -> void

def size(n):
    m = declare('matrix(n)')
    m[n - 1] = n
    return m[0]

def bound(i, out, *v):
    y = declare(v[1])
    y = v[0](i, *v) if len(v) < 2 else v[0](i, v[3], v[4])
    for k in static_range(2, 3):
        out[i] = y + size(v[k])
    if v[1] is float32 and v[2] == 3:
        out[i] += v[1](0.5)
    else:
        undefined()

# BOUND: dot(i: int64, x: float32[], y: float32[]) -> float32
# BOUND: size() -> float64
# BOUND-NEXT: n = 3
# BOUND: bound(i: int64, out: float64[], v3: float32[], v4: float32[]) -> void
# BOUND-NEXT: v0 = function 'dot'
# BOUND-NEXT: v1 = type float32
# BOUND-NEXT: v2 = 3
# BOUND-NEXT: y: float32

def plane(i, j, x, *rest):
    x[i, j] = rest[0][i, j] + len(rest)*rest[0].shape[1] + len(rest[0])

# PLANE: plane(i: int64, j: int64, x: float64[,], rest0: float32[:,:]) -> void
# LINE: plane(i: int64, j: int32, x: float64[,], rest0: float32[,]) -> void

# Names that the source has are left to it.
def shown(x1, *x):
    x0 = x1
    return x0 + x[0] + x[1]

def lent(x, *more):
    return shown(1, 2.5, x[0])

# NAMES: func shown(x1: int32, x0_1: float64, x1_1: float64) -> float64
# NAMES: entry func lent(x: float64 global*) -> float64

@struct
class Pair:
    a: int32
    b: float64

def grid(*args):
    args[0][GID_0] = args[1].a + atomic_inc(args[0][0])

# GRID: entry kernel func grid(args0: int32 global*, args1: Pair global*, args0_stride: int64 stride(args0))

# AST: param *args
# AST: call
# AST-NEXT: name total
# AST-NEXT: star
# AST-NEXT: name args
# HEADER: void cpl_fn_main(int64_t n, double *out, const float *x, float args0);
