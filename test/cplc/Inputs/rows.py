from compyle.low_level import *


def rows(x, n):
    s = declare('LOCAL_MEM matrix(4, "int")')
    assert n > 0
    s[LID_0] = GID_0*LDIM_0 + LID_0
    x[s[LID_0]] = 1
    local_barrier()
    if LID_0 == 0:
        printf("%d of %d\n", GID_0, GDIM_0)


def down(x, n) -> int:
    if n > 0:
        down(x, n - 1)
    local_barrier()
    return 0


def deep(x, n):
    down(x, n)
