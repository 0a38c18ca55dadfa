# The kernels that are compared with peer.c.
def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b


def saxpy(i, x, y, a):
    y[i] += a*x[i]


def triad(i, x, y, z, s):
    x[i] = y[i] + s*z[i]


def vortex(i, x, y, strength, u, v, n, core):
    sum_u = 0.0
    sum_v = 0.0
    for j in range(n):
        dx = x[i] - x[j]
        dy = y[i] - y[j]
        s = strength[j]/(dx*dx + dy*dy + core)
        sum_u -= dy*s
        sum_v += dx*s
    u[i] = sum_u
    v[i] = sum_v
