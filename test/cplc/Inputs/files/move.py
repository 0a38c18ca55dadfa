import forces
from forces import damped as slower


def damped(v):
    return v/0.0


def move(i, x, v, dt):
    v[i] = slower(v[i]) + forces.spring(x[i])*dt
    x[i] = x[i] + v[i]*dt
