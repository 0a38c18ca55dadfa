def velocity(i, x, y, strength, u, v, n, core):
    """Velocity that n point vortices give vortex i; core is the square of the radius that smooths the singularity."""
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


def advance(i, x, y, u, v, dt):
    x[i] += dt*u[i]
    y[i] += dt*v[i]
