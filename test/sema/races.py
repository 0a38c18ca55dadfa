# Elements that rounds at once may update: a warning that names the atomic. None where the loop's own index leads to the element, one round alone does it, or rounds run in order.
# RUN: cplc %s:warned --types 'x=float64[] k=int32[] h=int32[] out=float64[] n=int32 s=float64[:]' \
# RUN:   --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:loops --as function --types 'x=float64[] k=int32[] h=int32[] out=float64[] n=int32' \
# RUN:   --emit types 2>&1 | FileCheck %s --check-prefix=LOOPS
# RUN: cplc %s:grid --types 'x=float64[,] out=float64[] c=float64[,]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=GRID
# RUN: cplc %s:own --types 'x=float64[] k=int32[] h=int32[] out=float64[] n=int32' --emit types \
# RUN:   2>&1 | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:in_order --types 'x=float64[] h=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:calls_in_order --as function --types 'x=float64[] out=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:plain --as function --types 'k=int32[] h=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NONE

def warned(i, x, k, h, out, n, s):
    h[k[i]] += 1
    out[0] += x[i]
    out[n] -= x[i]*2
    b = int(x[i])
    h[b] |= 4
    h[min(b, n - 1)] &= 4
    for j in range(n):
        out[j] += x[i]
        out[i % 10] += 1
        out[(i >> 2) + 1] *= 2
    s[0] += 1
    p = address(h[k[i] + 1])
    p[0] ^= 2
    if x[i] > 0:
        h[3] += 1
    if i == 0:
        h[4] += 1
    elif i != 3:
        h[5] += (1 +
                 k[i])

# CHECK: races.py:18:5: warning: rounds that run at once may update the same element of 'h', and lose what others did
# CHECK-NEXT: h[k[i]] += 1
# CHECK-NEXT: ^~~
# CHECK-NEXT: hint: atomic_add(h[k[i]], 1)
# CHECK: races.py:19:5: warning: rounds that run at once may update the same element of 'out'
# CHECK: hint: atomic_add(out[0], x[i])
# CHECK: races.py:20:5: warning:
# CHECK: hint: atomic_sub(out[n], x[i]*2)
# CHECK: races.py:22:5: warning:
# CHECK: hint: atomic_or(h[b], 4)
# CHECK: races.py:23:5: warning:
# CHECK: hint: atomic_and(h[min(b, n - 1)], 4)
# CHECK: races.py:25:9: warning:
# CHECK: hint: atomic_add(out[j], x[i])
# CHECK: races.py:26:9: warning:
# CHECK: hint: atomic_add(out[i % 10], 1)
# CHECK: races.py:27:9: warning:
# CHECK: hint: sums have atomic_add; a local that the rounds reduce has s *= e too
# CHECK: races.py:28:5: warning: {{.*}} 's'
# CHECK: races.py:30:5: warning: {{.*}} 'p'
# CHECK: hint: atomic_xor(p[0], 2)
# CHECK: races.py:32:9: warning:
# CHECK: races.py:36:9: warning:
# CHECK: hint: atomic_add(h[5], ...)
# CHECK-NOT: warning:

def loops(x, k, h, out, n):
    out[0] += 1
    for i in prange(n):
        h[k[i]] += 1
        out[i] += 1
        for j in range(3):
            out[j] += x[i]
            out[3*i + j] += x[i]
    for r in range(n):
        h[k[r]] += 1
        for c in prange(n):
            h[r] += k[c]

# LOOPS: races.py:68:9: warning:
# LOOPS: hint: atomic_add(h[k[i]], 1)
# LOOPS: races.py:71:13: warning:
# LOOPS: races.py:76:13: warning:
# LOOPS-NOT: warning:

def grid(i, j, x, out, c):
    out[i] += x[i, j]
    c[i, j] += 1
    c[j, 0] += 1
    out[i*x.shape[1] + j] += 1

# GRID: races.py:85:5: warning:
# GRID: races.py:87:5: warning:
# GRID-NOT: warning:

def own(i, x, k, h, out, n):
    out[i] += x[i]
    out[2*i + 1] += x[i]
    r = i // n
    c = i % n
    out[r*n + c] -= 1
    m = declare('matrix(3)')
    m[0] += 1
    m[k[i]] += 1
    for j in range(k[i], k[i + 1]):
        out[j] += 1
    a = i*n
    b = a
    while b < a + n:
        out[b] += 1
        b += 1
    q = address(out[i])
    q[0] += 1
    old = atomic_inc(h[0])
    out[old] += 1
    if i == n - 1 and x[i] > 0:
        out[n] += 1

@serial
def in_order(i, x, h):
    h[0] += 1

def total(x, out):
    for i in prange(len(x)):
        out[0] += x[i]

@serial
def calls_in_order(x, out):
    total(x, out)

def plain(k, h):
    for i in range(len(k)):
        h[k[i]] += 1

# NONE-NOT: warning:

# RUN: cplc %s:spelt_out --types 'x=float64[] k=int32[] h=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=SPELT
def spelt_out(i, x, k, h):
    h[k[i]] = h[k[i]] + 1
    h[k[i]] = 2 | h[k[i]]
    h[0] = h[0] - k[i]
    h[k[i]] = max(h[k[i]], 2)
    h[k[i]] = min(2, h[k[i]])
    x[k[i]] = x[k[i]]*2
    h[0] = k[i] - h[0]
    h[k[i]] = h[k[i] + 1] + 2
    h[i] = h[i] + 2
    if i == 0:
        h[0] = h[0] + 1

# SPELT: races.py:138:5: warning: rounds that run at once may update the same element of 'h'
# SPELT: hint: atomic_add(h[k[i]], 1)
# SPELT: races.py:139:5: warning: rounds that run at once may update the same element of 'h'
# SPELT: hint: atomic_or(h[k[i]], 2)
# SPELT: races.py:140:5: warning: rounds that run at once may update the same element of 'h'
# SPELT: hint: atomic_sub(h[0], k[i])
# SPELT: races.py:141:5: warning: rounds that run at once may update the same element of 'h'
# SPELT: hint: atomic_max(h[k[i]], 2)
# SPELT: races.py:142:5: warning: rounds that run at once may update the same element of 'h'
# SPELT: hint: atomic_min(h[k[i]], 2)
# SPELT: races.py:143:5: warning: rounds that run at once may update the same element of 'x'
# SPELT: hint: sums have atomic_add
# SPELT-NOT: warning

# RUN: cplc %s:by_helpers --types 'x=float64[] k=int32[] h=int32[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=HELPERS
def add(a, at, v):
    a[at] += v

def add_pair(a, r, c, n, v):
    add(a, r*n + c, v)

def add_some(a, first, last, v):
    for j in range(first, last):
        a[j] += v

def largest(a, at, v):
    if v > 0:
        a[at] = max(a[at], v)

def own_total(a):
    t = declare('matrix(3, "int32")')
    add(t, 0, a[0])
    return t[0]

def by_helpers(i, x, k, h, n):
    add(h, k[i], 1)
    add(h, i, 1)
    add(h, i % n, 1)
    add_pair(h, i // n, i % n, n, 1)
    add_pair(x, k[i], 0, n, 1.0)
    add_some(h, k[i], k[i + 1], 1)
    add(address(h[i]), 0, 1)
    largest(h, 0, own_total(k))
    if i == 0:
        add(h, 0, 1)

# HELPERS: races.py:186:5: warning: rounds that run at once may update the same element of 'h', and lose what others did
# HELPERS-NEXT: add(h, k[i], 1)
# HELPERS-NEXT: ^~~
# HELPERS-NEXT: hint: atomic_add(a[at], v)
# HELPERS-NEXT: races.py:167:5: note: it is updated here
# HELPERS: races.py:188:5: warning:
# HELPERS: races.py:190:5: warning: {{.*}} 'x'
# HELPERS: races.py:167:5: note: it is updated here
# HELPERS: races.py:193:5: warning: {{.*}} 'h'
# HELPERS: hint: atomic_max(a[at], v)
# HELPERS-NOT: warning:

# RUN: cplc %s:by_methods --types 'k=int32[] b=Bin[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=METHODS
@struct
class Bin:
    count: int32

    def bump(self):
        self.count += 1

def by_methods(i, k, b):
    own = Bin()
    own.bump()
    b[i].bump()
    b[k[i]].bump()

# METHODS: races.py:[[#@LINE - 2]]:5: warning: rounds that run at once may update the same element of 'b[k[i]]'
# METHODS-NOT: warning:

# One round alone: where that it is has to hold, and nothing else may hold in its place.
# RUN: cplc %s:conditions --types 'x=float64[] h=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=CONDITION
def conditions(i, x, h):
    if i == 0 or x[i] > 0:
        h[0] += 1
    # CONDITION: races.py:[[@LINE-1]]:9: warning:
    if x[i] > 0 or i == 0:
        h[1] += 1
    # CONDITION: races.py:[[@LINE-1]]:9: warning:
    if not i == 0:
        h[2] += 1
    # CONDITION: races.py:[[@LINE-1]]:9: warning:
    if x[i] > 0 and (i == 0 or i == 1):
        h[3] += 1
    # CONDITION: races.py:[[@LINE-1]]:9: warning:
    if i >= 0:
        h[4] += 1
    # CONDITION: races.py:[[@LINE-1]]:9: warning:
    # CONDITION-NOT: warning:
    if i == 0:
        h[5] += 1
    if 0 == i and x[i] > 0:
        h[6] += 1
    if x[i] > 0 and i == 7 and x[i] < 5:
        h[7] += 1

# What threads have for themselves is found by their number, and by what comes from that.
# RUN: cplc %s:of_threads --as function --types 'x=float64[] out=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=THREADS
def of_threads(x, out):
    for i in prange(len(x)):
        out[threadid()] += x[i]
        t = 8*threadid()
        out[t] += x[i]
        out[t + 1] -= x[i]
        out[t % 8] *= x[i]

# THREADS-NOT: warning:
# THREADS: races.py:{{.*}}:9: warning: rounds that run at once may update the same element of 'out'
# THREADS-NEXT: out[t % 8] *= x[i]
# THREADS-NOT: warning:
