# Loops over what is no range, with unusable bounds and options, and jumps out of parallel loops.
# RUN: not cplc %s:f --types 'x=float64[] n=int32 k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, n, k):
    for a in x:
        x[a] = 1
    for a, b in enumerate(x):
        x[a] = b
    for c in enumerate(n):
        x[c] = 1
    for c in zip(x, k):
        x[c] = 1
    for d in n:
        x[d] = 1
    for d in range():
        x[d] = 1
    for d in range(1, 2, 3, 4):
        x[d] = 1
    for d in range(1.5):
        x[d] = 1
    for d in range(x[0], 3):
        x[d] = 1
    for d in range(3, step=1):
        x[d] = 1
    for d in range(x):
        x[d] = 1
    for e in prange(n, schedule='fast'):
        x[e] = 1
    for e in prange(n, schedule=1, chunksize=0, num_threads=-1):
        x[e] = 1
    for e in prange(n, chunksize=3000000000, num_threads=2.5, nogil=True, step=2):
        x[e] = 1
    for e in prange(n):
        if x[e] > 0:
            break
        for g in range(3):
            break
        while x[e] < 0:
            break
        continue
    for e in prange(n):
        return 1
    with nogil(1):
        x[0] = 1
    with parallel(2):
        x[0] = 1
    with parallel(threads=2), lock:
        x[0] = 1
    with x[0]:
        x[0] = 1
    with n:
        x[0] = 1
    with parallel(num_threads=0), parallel(num_threads=4), nogil:
        for e in prange(n):
            x[e] = 1
    for h in prange(n):
        h += 1
    m = declare('matrix(3)')
    p = declare('Pair')
    for e in prange(n):
        m[0] = x[e]
        m[1] = x[e]
        p.a = 1
        k[e] += 1
        x[e], q = q, x[e]
    for e in prange(n):
        l: int = 1
        j: int
        l, j = j, l
        s = min(t, x[e])
        s = max(x[e], s)
        u = min(u, x[e])
        w = max(1, 2)
    y = u + l
    x[0] = s
    for m in range(3):
        x[0] = 1
    for v in range(3):
        v = x
    x[v] = 1

@struct
class Pair:
    a: 'int'

# CHECK: bad-loop-kinds.py:6:11: error: an index must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-loop-kinds.py:9:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-loop-kinds.py:11:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-loop-kinds.py:13:14: error: a for loop runs over range(...), prange(...), an array or a list
# CHECK: bad-loop-kinds.py:15:14: error: 'range' takes 1 to 3 arguments, found 0
# CHECK: bad-loop-kinds.py:17:14: error: 'range' takes 1 to 3 arguments, found 4
# CHECK: bad-loop-kinds.py:19:20: error: a bound of the loop must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-loop-kinds.py:21:20: error: a bound of the loop must be an integer, found float64
# CHECK: hint: convert it with int(...)
# CHECK: bad-loop-kinds.py:23:23: error: 'range' takes no keyword arguments, found 'step'
# CHECK: bad-loop-kinds.py:25:20: error: a bound of the loop must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-loop-kinds.py:27:33: error: the schedule is 'static', 'dynamic' or 'guided'
# CHECK: bad-loop-kinds.py:29:33: error: the schedule is 'static', 'dynamic' or 'guided'
# CHECK: bad-loop-kinds.py:29:46: error: 'chunksize' is a positive integer literal
# CHECK: bad-loop-kinds.py:29:61: error: 'num_threads' is a positive integer literal
# CHECK: bad-loop-kinds.py:31:34: error: 'chunksize' is a positive integer literal
# CHECK: bad-loop-kinds.py:31:58: error: 'num_threads' is a positive integer literal
# CHECK: bad-loop-kinds.py:31:75: error: prange has no option 'step'
# CHECK: hint: its options are schedule, chunksize and num_threads
# CHECK: bad-loop-kinds.py:35:13: error: 'break' cannot leave a parallel loop: its rounds run at once, in any order
# CHECK: hint: a loop over range(...) has them in order; to find the first, combine them: first = min(first, i)
# CHECK: bad-loop-kinds.py:42:9: error: 'return' cannot leave a parallel loop: its rounds run at once, in any order
# CHECK: hint: a loop over range(...) has them in order; to find the first, combine them: first = min(first, i)
# CHECK: bad-loop-kinds.py:42:9: warning: the value that 'f' returns is dropped: it runs for each index
# CHECK: bad-loop-kinds.py:43:16: error: 'nogil' takes no such argument
# CHECK: bad-loop-kinds.py:45:19: error: 'parallel' takes no such argument
# CHECK: bad-loop-kinds.py:47:19: error: 'parallel' takes no such argument
# CHECK: bad-loop-kinds.py:47:31: error: 'with' is supported for nogil and parallel() only
# CHECK: bad-loop-kinds.py:49:10: error: 'with' is supported for nogil and parallel() only
# CHECK: bad-loop-kinds.py:51:10: error: 'with' is supported for nogil and parallel() only
# CHECK: bad-loop-kinds.py:53:31: error: 'num_threads' is a positive integer literal
# CHECK: bad-loop-kinds.py:61:9: error: 'm' is shared by the rounds of a parallel loop
# CHECK: hint: declare it inside the loop; rounds may add to a number: s += e
# CHECK: bad-loop-kinds.py:63:9: error: 'p' is shared by the rounds of a parallel loop
# CHECK: hint: declare it inside the loop; rounds may add to a number: s += e
# CHECK: bad-loop-kinds.py:65:19: error: 'q' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-loop-kinds.py:69:16: error: 'j' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-loop-kinds.py:70:17: error: undefined name 't'
# CHECK: bad-loop-kinds.py:72:17: error: 'u' carries a value from one round of a parallel loop to the next
# CHECK: hint: what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, e), s |= e and nothing else with s
# CHECK: bad-loop-kinds.py:74:13: error: 'l' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-loop-kinds.py:67:9: note: 'l' is first assigned here
# CHECK: bad-loop-kinds.py:75:12: error: 's' belongs to the rounds of a parallel loop and has no value behind it
# CHECK: bad-loop-kinds.py:70:9: note: 's' is first assigned here
# CHECK: bad-loop-kinds.py:76:9: error: 'm' is a matrix, which cannot be assigned as a whole
# CHECK: hint: assign its elements
# CHECK: bad-loop-kinds.py:79:13: error: 'v' is float64[] here and int32 elsewhere
# CHECK: bad-loop-kinds.py:78:9: note: 'v' is first assigned here
# CHECK-NOT: error:
