# What is decided in rounds of static_range: jumps, sizes, and parts of conditions that are known.
# RUN: cplc %s:jumps --emit ir --types 'N=const:5 x=int32[]' \
# RUN:   | FileCheck %s --check-prefix=JUMPS --implicit-check-not=store
# RUN: cplc %s:jumps --emit ir --types 'N=const:2 x=int32[]' | FileCheck %s --check-prefix=ALL
# RUN: cplc %s:inner --emit ir --types 'x=int32[]' \
# RUN:   | FileCheck %s --check-prefix=INNER --implicit-check-not=store
# RUN: cplc %s:sizes --emit types --types 'x=float64[]' | FileCheck %s --check-prefix=SIZES
# RUN: cplc %s:same --emit types --types 'N=const:3 x=float64[]' \
# RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not='m.1'
# RUN: cplc %s:parts --emit ir --types 'T=type:float32 N=const:0 x=float32[]' \
# RUN:   | FileCheck %s --check-prefix=PARTS
# RUN: not cplc %s:parts --emit ir --types 'T=type:int32 N=const:2 x=int32[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OTHER

def jumps(i, N, x):
    for k in static_range(N):
        if k == 1:
            continue
        if k > 3:
            break
            nothing = nowhere
        x[k] = k
    else:
        x[10] = k

# JUMPS: store(elem(x, 0:int32), 0:int32)
# JUMPS: store(elem(x, 2:int32), 2:int32)
# JUMPS: store(elem(x, 3:int32), 3:int32)
# ALL: store(elem(x, 0:int32), 0:int32)
# ALL: k = 1:int32
# ALL: store(elem(x, 10:int32), k)

def inner(i, x):
    for a in static_range(3):
        for b in static_range(3):
            if b == a:
                break
            x[a*3 + b] = b
        else:
            continue
        if a == 1:
            break
    while x[i] > 0:
        for c in static_range(2):
            if c == 1:
                x[i] -= 1
                continue
        if x[i] == 5:
            break

# INNER: store(elem(x, 3:int32), 0:int32)
# INNER: while
# INNER: store(elem(x, i), sub(
# INNER: break

def sizes(i, x):
    s = 0.0
    for k in static_range(1, 4):
        m = declare('matrix((k, 2), "float")')
        p, q = declare('matrix(k)', 2)
        for j in static_range(k):
            m[j][0] = x[i] + j
            p[j] = q[j]
        s += m[k - 1][0] + p[0]
    x[i] = s

# SIZES: m: float32[1][2]
# SIZES-NEXT: p: float64[1]
# SIZES-NEXT: q: float64[1]
# SIZES: m.1: float32[2][2]
# SIZES-NEXT: p.1: float64[2]
# SIZES-NEXT: q.1: float64[2]
# SIZES: m.2: float32[3][2]

def same(i, N, x):
    for k in static_range(N):
        if k == 2:
            m = declare('matrix(k)')
            m[1] = x[i]
    x[i] = m[1]

# SAME: m: float64[2]

def parts(i, T, N, x):
    if T is float32 and x[i] > 0:
        x[i] = 1
    if not (T is float32) and x[i] < nothing:
        x[i] = nothing
    if x[i] > 2 and (N or T is not float32):
        x[i] = 2
    x[i] = 3 if T is not float32 or x[i] < 4 else 5

# PARTS: if gt(load(elem(x, i)), 0
# PARTS: store(elem(x, i), 1
# PARTS: cond(gt(load(elem(x, i)), 2{{.*}}), false, false)
# PARTS: cond(lt(load(elem(x, i)), 4
# OTHER: bound-rounds.py:[[@LINE-10]]:38: error: undefined name 'nothing'
# OTHER: bound-rounds.py:[[@LINE-10]]:16: error: undefined name 'nothing'
