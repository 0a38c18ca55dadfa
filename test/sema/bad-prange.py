# What rounds of a parallel loop cannot do with locals outside, and wrong options.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --as function --emit types 2>&1 | FileCheck %s

def f(x, n):
    s = 0.0
    p = 0.0
    q = 0.0
    m = declare('matrix(3)')
    for i in prange(n):
        s = x[i] - s
        p += x[i]
        x[i] = p
        q += 1
        q *= 2
        m[0] = x[i]
        t = x[i]
    x[0] = t
    for i in prange(n, schedule='fast', chunksize=0, speed=3):
        if x[i] > 0:
            break
        return 1
    for i in prange(n):
        pass
    else:
        x[0] = 1
    u = 0.0
    v = 1e9
    for i in prange(n):
        u += x[i]
        v = min(v, u)
    return 2


@struct
class Pair:
    a: 'double'
    b: 'double'

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)


def structs(x, n):
    p = Pair()
    z = 0j
    v = float2(0)
    for i in prange(n):
        p += Pair(x[i], 1)
        z *= x[i]
        v /= v
    x[0] = p.a + z.real + v.x

# CHECK: bad-prange.py:10:20: error: 's' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-prange.py:11:9: error: 'p' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-prange.py:13:9: error: 'q' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-prange.py:15:9: error: 'm' is shared by the rounds of a parallel loop
# CHECK: hint: declare it inside the loop; rounds may add to a number: s += e
# CHECK: bad-prange.py:17:12: error: 't' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-prange.py:16:9: note: 't' is first assigned here
# CHECK: bad-prange.py:18:33: error: the schedule is 'static', 'dynamic' or 'guided'
# CHECK: bad-prange.py:18:51: error: 'chunksize' is a positive integer literal
# CHECK: bad-prange.py:18:54: error: prange has no option 'speed'
# CHECK: hint: its options are schedule, chunksize and num_threads
# CHECK: bad-prange.py:20:13: error: 'break' cannot leave a parallel loop: its rounds run at once, in any order
# CHECK: hint: a loop over range(...) has them in order; to find the first, combine them: first = min(first, i)
# CHECK: bad-prange.py:21:9: error: 'return' cannot leave a parallel loop: its rounds run at once, in any order
# CHECK: hint: a loop over range(...) has them in order; to find the first, combine them: first = min(first, i)
# CHECK: bad-prange.py:25:9: error: a parallel loop has no 'else'
# CHECK-NOT: error:
# CHECK: bad-prange.py:29:9: error: 'u' carries a value from one round of a parallel loop to the next

# RUN: not cplc %s:structs --types 'x=float64[] n=int32' --as function --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=STRUCTS
# STRUCTS: 'p' carries a value from one round of a parallel loop to the next
# STRUCTS: hint: rounds combine numbers, complex numbers and vectors: add up the fields, x += p.x, and make p behind the loop
# STRUCTS: 'z' carries a value from one round of a parallel loop to the next
# STRUCTS: hint: what the rounds may combine of complex numbers: s += e, s -= e, s = s + e and nothing else with s
# STRUCTS: 'v' carries a value from one round of a parallel loop to the next
# STRUCTS: hint: what the rounds may combine of vectors: s += e, s *= e, s = s + e and nothing else with s
