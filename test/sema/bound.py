# Parameters that stand for functions, types and integers; helpers that get such as arguments.
# RUN: cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=op:a*b x=float64[] r=float64[]' | FileCheck %s --check-prefix=TEXT
# RUN: cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=func:larger x=float32[] r=float32[]' | FileCheck %s --check-prefix=NAME
# RUN: cplc %s:fold --as function --emit types \
# RUN:   --types 'n=int32 op=func:min x=float32[] r=float32[]' | FileCheck %s --check-prefix=OURS
# RUN: cplc %s:sized --emit ir --types 'N=const:2 T=type:float32 x=float64[] y=float64[]' \
# RUN:   | FileCheck %s --check-prefix=SIZED --implicit-check-not='if '
# RUN: cplc %s:sized --emit types --types 'N=const:-1 T=type:int x=float64[] y=float64[]' \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:caller --emit types --types 'x=float64[] y=float64[]' \
# RUN:   | FileCheck %s --check-prefix=CALLER
# RUN: cplc %s:caller --emit ir --types 'x=float64[] y=float64[]' | FileCheck %s --check-prefix=IR
# RUN: cplc %s:twice --emit types --types 'f=op:"lambda t: np.sin(t)*scale" x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=TWICE
# RUN: cplc %s:rounds --emit ir --types 'x=int32[]' | FileCheck %s --check-prefix=ROUNDS
# RUN: cplc %s:kinds --emit types --types 'T=type:float32 x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=KIND
# RUN: cplc %s:kinds --emit types --types 'T=type:int64 x=int64[]' \
# RUN:   | FileCheck %s --check-prefix=OTHER
# RUN: cplc %s:early --emit ir --types 'N=const:4 T=type:float32 x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=EARLY --implicit-check-not=store
# RUN: cplc %s:early --emit ir --types 'N=const:3 T=type:float32 x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=ROUND
# RUN: not cplc %s:early --emit ir --types 'N=const:2 T=type:float32 x=float32[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=BEHIND
# RUN: cplc %s:preset --emit types --types 'x=float64[]' | FileCheck %s --check-prefix=PRESET
SIDE = 2
scale = 0.5

def larger(a, b):
    return a if a > b else b

def fold(n, op, x, r):
    s = x[0]
    for i in range(1, n):
        s = op(s, x[i])
    r[0] = s

# TEXT: op(a: float64, b: float64) -> float64
# TEXT: fold(n: int32, x: float64[], r: float64[]) -> void
# TEXT-NEXT: op = function 'a*b'
# TEXT: s: float64
# NAME: larger(a: float32, b: float32) -> float32
# NAME: fold(n: int32, x: float32[], r: float32[]) -> void
# NAME-NEXT: op = function 'larger'
# OURS-NOT: min(
# OURS: op = function 'min'

def sized(i, N, T, x, y):
    if N > 0:
        w = declare('matrix((2, SIDE), "T")')
        for k in static_range(N):
            w[k][0] = cast(x[i], T) + k
            w[k, 1] = T(2)
        y[i] = w[N - 1][0] if N > 1 else w[0][0]
    elif N == 0:
        y.nothing = undefined
    else:
        y[i] = N

# SIZED: var w: float32[2][2]
# SIZED: 1.0:float32
# SIZED: store(elem(y, i), convert<float64>(load(item(item(addr(w), 1:int32), 0:int32))))
# NONE: N = -1
# NONE-NEXT: T = type int32
# NONE-NOT: w:

def apply(f, t, T):
    s = declare(T)
    s = f(f(t))
    return s

def half(t):
    return 0.5*t

def power(x, n):
    p = x
    for k in static_range(n - 1):
        p *= x
    return p

def caller(i, x, y):
    y[i] = apply(half, x[i], float32) + apply(sqrt, x[i], float32) + apply(half, x[i], float32)
    y[i] += power(x[i], 3) + power(n=SIDE, x=x[i])

# CALLER: apply(t: float64) -> float32
# CALLER-NEXT: f = function 'half'
# CALLER-NEXT: T = type float32
# CALLER: apply.1(t: float64) -> float32
# CALLER-NEXT: f = function 'sqrt'
# CALLER: power(x: float64) -> float64
# CALLER-NEXT: n = 3
# CALLER: power.1(x: float64) -> float64
# CALLER-NEXT: n = 2
# CALLER-NOT: apply.2
# IR: call{{.*}}apply(load(elem(x, i)))

def twice(i, f, x):
    x[i] = f(f(x[i]))

# TWICE: f(t: float64) -> float64
# TWICE: f = function 'lambda t: np.sin(t)*scale'

def rounds(i, x):
    for a in static_range(3, -2, -2):
        for b in static_range(a):
            x[a*4 + b] = a - b
    else:
        x[20] = a
    for c in static_range(4, 4):
        x[30] = c

# ROUNDS: store(elem(x, 12:int32), 3:int32)
# ROUNDS: store(elem(x, 13:int32), 2:int32)
# ROUNDS: store(elem(x, 14:int32), 1:int32)
# ROUNDS: store(elem(x, 4:int32), 1:int32)
# ROUNDS: a = -1:int32
# ROUNDS: store(elem(x, 20:int32), a)
# ROUNDS-NOT: 30:int32

def kinds(i, T, x):
    if T is float32:
        s = 1.5
    elif T == int64 and not T != int64:
        s = 7
    else:
        s = nothing
    x[i] = s if T is not float32 or SIDE == 2 else nothing

# KIND: s: float64
# OTHER: s: int32

def early(i, N, T, x):
    if N > 3:
        if T is float32:
            return
        x[i] = 1
    for k in static_range(N):
        if k == 2:
            x[i] = 2
            return
    else:
        x[i] = nothing
    x[i] = nothing

# EARLY: func early.body
# EARLY-NEXT: return

# ROUND: store(elem(x, i), 2
# ROUND-NEXT: return
# ROUND-NEXT: }

# BEHIND: bound.py:[[@LINE-10]]:16: error: undefined name 'nothing'
# BEHIND: bound.py:[[@LINE-10]]:12: error: undefined name 'nothing'

def preset(i, x, n=2):
    m = declare('matrix(n)')
    m[0] = x[i]
    x[i] = m[0]

# PRESET: n = 2
# PRESET: m: float64[2]
