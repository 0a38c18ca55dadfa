from compyle.low_level import *


def total(x, out, n, tmp):
    tile = declare('LOCAL_MEM matrix((2, 8), "float")')
    v = declare('matrix(2, "float")')
    i = LID_0 + LDIM_0*GID_0
    tile[0][LID_0] = 0
    if i < n:
        tile[0][LID_0] = x[i]
    local_barrier()
    vload(v, tile[0], LID_0 // 2)
    tmp[LID_0] = v[LID_0 % 2]
    s = subgroup_add(tmp[LID_0])
    if ballot(LID_0 == 0) & 1 and lane_id() == 0:
        out[1 + GID_0] = s
        atomic_add(out[0], s, order='acq_rel', scope='device')


def stuck(x, out, n, tmp):
    if LID_0 + x[0] > 2:
        out[0] = 1
        local_barrier()


def apart(x, out, n, tmp):
    if LID_0 + x[0] > 2:
        out[0] = shuffle(n, 0)
    else:
        out[0] = shuffle(n, 1)
