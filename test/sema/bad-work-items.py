# Orders that an atomic cannot have, lanes and vectors of the wrong types, and barriers that not all work-items reach.
# RUN: not cplc %s:f --as kernel --types 'x=float64[] s=float64[:] n=int32 k=int64[]' --emit types \
# RUN:   2>&1 | FileCheck %s

def nothing():
    pass

def f(x, s, n, k):
    a = declare('matrix(4)')
    b = declare('matrix((2, 2))')
    c = declare('matrix(3, "Pair")')
    two = declare('matrix(2)')
    eight = declare('matrix(8)')
    sixteen = declare('matrix(16)')
    vload(two, x, 0)
    vload(eight, x, 0)
    vstore(sixteen, a, 0)
    vload(b, x, 0)
    vload(c, x, 0)
    vload(n, x, 0)
    vload(a, n, 0)
    vload(a, k, 0)
    vload(a, s, 0)
    vload(missing, x, 0)
    vload(a, missing, 0)
    vload(a, x, missing)
    atomic_load(x[0], order='release')
    atomic_load(x[0], order='acq_rel')
    atomic_store(x[0], 1, order='acquire')
    atomic_store(x[0], 1, order='acq_rel')
    atomic_store(x[0], 1, order='release')
    fence(order='relaxed')
    fence(order='totally different')
    fence(order=1)
    fence(scope='grup')
    fence(when='now')
    d = shuffle(missing, 1)
    d = shuffle(x[0], missing)
    d = ballot(x)
    if LID_0 == 0:
        local_barrier()
    while lane_id() < 3:
        global_barrier()
    if LID_2 > n:
        local_barrier()
    if GID_0 == 0 and LDIM_1 > 2:
        local_barrier()
    if n + GDIM_2 > 0:
        local_barrier()
    for j in range(LID_1):
        local_barrier()
    e = shuffle(n > 1, 0)
    g = subgroup_add(n > 1)
    h = subgroup_max(x[0])
    o = shuffle(c[0], 1)
    r = declare('Row')
    r = shuffle_up(r, 1)
    o = subgroup_add(c[0])
    launch_bounds(0)
    launch_bounds(1025, 1)
    launch_bounds(256, 33)
    launch_bounds(n)
    bounded()
    return x[0]

def bounded():
    launch_bounds(64)

@struct
class Pair:
    a: 'int'

@struct
class Row:
    p: 'Pair'
    m: 'matrix(3)'

# CHECK: bad-work-items.py:18:11: error: 'vload' needs a matrix of 2, 3, 4, 8 or 16 numbers, found float64[2][2]
# CHECK: hint: m = declare('matrix(4)')
# CHECK: bad-work-items.py:19:11: error: 'vload' needs a matrix of 2, 3, 4, 8 or 16 numbers, found Pair[3]
# CHECK: hint: m = declare('matrix(4)')
# CHECK: bad-work-items.py:20:11: error: 'vload' needs a matrix of 2, 3, 4, 8 or 16 numbers, found int32
# CHECK: hint: m = declare('matrix(4)')
# CHECK: bad-work-items.py:21:14: error: 'vload' needs a contiguous array of float64, found int32
# CHECK: bad-work-items.py:22:14: error: 'vload' needs a contiguous array of float64, found int64[]
# CHECK: bad-work-items.py:23:14: error: 'vload' needs a contiguous array of float64, found float64[:]
# CHECK: bad-work-items.py:24:11: error: undefined name 'missing'
# CHECK: bad-work-items.py:25:14: error: undefined name 'missing'
# CHECK: bad-work-items.py:26:17: error: undefined name 'missing'
# CHECK: bad-work-items.py:27:29: error: 'atomic_load' cannot be release
# CHECK: bad-work-items.py:28:29: error: 'atomic_load' cannot be acq_rel
# CHECK: bad-work-items.py:29:33: error: 'atomic_store' cannot be acquire
# CHECK: bad-work-items.py:30:33: error: 'atomic_store' cannot be acq_rel
# CHECK: bad-work-items.py:32:17: error: 'fence' cannot be relaxed
# CHECK: bad-work-items.py:33:17: error: the order of an atomic is one of 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'
# CHECK: bad-work-items.py:34:17: error: the order of an atomic is one of 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'
# CHECK: bad-work-items.py:35:17: error: the scope of an atomic is one of 'group', 'device', 'system'
# CHECK: hint: did you mean 'group'?
# CHECK: bad-work-items.py:36:11: error: 'fence' has no keyword 'when'
# CHECK: hint: order='acq_rel' and scope='group' can stand here
# CHECK: bad-work-items.py:37:17: error: undefined name 'missing'
# CHECK: bad-work-items.py:38:23: error: undefined name 'missing'
# CHECK: bad-work-items.py:39:16: error: the value of 'ballot' must be a number, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-work-items.py:41:9: warning: this 'local_barrier' depends on the work-item; all work-items of a group must reach it
# CHECK: bad-work-items.py:43:9: warning: this 'global_barrier' depends on the work-item; all work-items of a group must reach it
# CHECK: bad-work-items.py:45:9: warning: this 'local_barrier' depends on the work-item; all work-items of a group must reach it
# CHECK: bad-work-items.py:57:20: error: the value of 'shuffle_up' must be a number or a struct of numbers, found Row
# CHECK: bad-work-items.py:58:22: error: the value of 'subgroup_add' must be a number, found Pair
# CHECK: bad-work-items.py:59:19: error: 'launch_bounds' takes the most work-items of a group, 1 to 1024, as a literal or constant
# CHECK: bad-work-items.py:60:19: error: 'launch_bounds' takes the most work-items of a group, 1 to 1024, as a literal or constant
# CHECK: bad-work-items.py:61:24: error: 'launch_bounds' takes the groups of a multiprocessor, 1 to 32, as a literal or constant
# CHECK: bad-work-items.py:62:19: error: 'launch_bounds' takes the most work-items of a group, 1 to 1024, as a literal or constant
# CHECK: bad-work-items.py:64:5: error: 'f' is a kernel and cannot return a value
# CHECK: hint: store it in an array
# CHECK: bad-work-items.py:67:5: error: 'launch_bounds' stands in the kernel itself, not in a helper
# CHECK-NOT: error:
