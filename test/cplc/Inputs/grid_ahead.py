from compyle.low_level import *


def turned(x, y, t, u, n):
    # static local memory, two parts that the caller gives, and a number that is kept across barriers
    s = declare('LOCAL_MEM matrix(50, "int")')
    i = LID_0 + LDIM_0*GID_0
    v = x[i] if i < n else 0
    s[LID_0] = v
    t[LID_0] = i
    local_barrier()
    u[LID_0] = s[LDIM_0 - 1 - LID_0]
    v = v*v
    local_barrier()
    if i < n:
        y[i] = u[LID_0] + 2*v + t[(LID_0 + 1) % LDIM_0]
