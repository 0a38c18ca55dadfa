# Velocities that n point vortices give each other, all pairs. `vortex` is elementwise, for any target; in `tiled` the work-items of a group read each
# vortex together, through local memory of one element a work-item:
#
#   cplc run examples/vortex_tiled.py:vortex x=x.npy y=y.npy gamma=gamma.npy u=float64[4096] v=float64[4096] n=4096 --out u=u.npy
#   cplc run examples/vortex_tiled.py:tiled --target cuda --as kernel --global 4096 --local 256 x=x.npy y=y.npy gamma=gamma.npy \
#        u=float64[4096] v=float64[4096] tx=local:256 ty=local:256 tg=local:256 n=4096 --out u=u.npy
from math import pi

from compyle.low_level import GID_0, LDIM_0, LID_0, local_barrier


def vortex(i, x, y, gamma, u, v, n):
    su = 0.0
    sv = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        r2 = dx*dx + dy*dy
        if r2 > 1e-12:
            s = gamma[j]/r2
            su -= s*dy
            sv += s*dx
    u[i] = su/(2.0*pi)
    v[i] = sv/(2.0*pi)


def tiled(x, y, gamma, u, v, tx, ty, tg, n):
    i = GID_0*LDIM_0 + LID_0
    xi = x[i] if i < n else 0.0
    yi = y[i] if i < n else 0.0
    su = 0.0
    sv = 0.0
    for tile in range((n + LDIM_0 - 1) // LDIM_0):
        j = tile*LDIM_0 + LID_0
        tx[LID_0] = x[j] if j < n else 0.0
        ty[LID_0] = y[j] if j < n else 0.0
        tg[LID_0] = gamma[j] if j < n else 0.0
        local_barrier()
        for t in range(LDIM_0):
            dx = xi - tx[t]
            dy = yi - ty[t]
            r2 = dx*dx + dy*dy
            if r2 > 1e-12:
                s = tg[t]/r2
                su -= s*dy
                sv += s*dx
        local_barrier()
    if i < n:
        u[i] = su/(2.0*pi)
        v[i] = sv/(2.0*pi)
