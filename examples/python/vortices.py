"""Vortices in a plane, which carry each other round: a jet of two rows rolls up.

All pairs, each vortex a little disc so that near ones do not fly apart (R. Krasny,
Desingularization of periodic vortex sheet roll-up, J. Comput. Phys. 65, 1986), in steps of Runge
and Kutta's fourth order.

    python vortices.py --show
    python vortices.py --number 4000 --steps 400 --save jet.png
"""

import math

import numpy as np
from output import arguments, at_least, present, progress

import cpl

RADIUS = 0.1


@cpl.jit
def weight(dx, dy):
    """Of a vortex at that distance, for the velocity it causes."""
    return 1/(2*math.pi*(dx*dx + dy*dy + RADIUS*RADIUS))


@cpl.elementwise
def velocity(i, u, v, x, y, gamma):
    """What all vortices of strengths gamma at x, y do to each of them."""
    su = 0.0
    sv = 0.0
    for k in range(len(x)):
        dx = x[i] - x[k]
        dy = y[i] - y[k]
        w = gamma[k]*weight(dx, dy)
        su -= w*dy
        sv += w*dx
    u[i] = su
    v[i] = sv


@cpl.reduce("a + b")
def energy(i, x, y, gamma):
    """Stays the same while vortices move."""
    s = 0.0
    for k in range(len(x)):
        if k != i:
            dx = x[i] - x[k]
            dy = y[i] - y[k]
            s -= gamma[k]*math.log(dx*dx + dy*dy + RADIUS*RADIUS)
    return s*gamma[i]/(8*math.pi)


def moving(x, y, gamma):
    """The velocities of all, as new arrays."""
    u, v = np.empty_like(x), np.empty_like(y)
    velocity(u, v, x, y, gamma)
    return u, v


def step(x, y, gamma, dt):
    """All vortices, a time dt later."""
    u1, v1 = moving(x, y, gamma)
    u2, v2 = moving(x + dt/2*u1, y + dt/2*v1, gamma)
    u3, v3 = moving(x + dt/2*u2, y + dt/2*v2, gamma)
    u4, v4 = moving(x + dt*u3, y + dt*v3, gamma)
    return x + dt/6*(u1 + 2*u2 + 2*u3 + u4), y + dt/6*(v1 + 2*v2 + 2*v3 + v4)


def jet(number):
    """Two rows of opposite strength, slightly bent: x, y and gamma of each vortex."""
    x = np.tile(np.linspace(-2, 2, number//2), 2)
    y = np.repeat([0.25, -0.25], number//2) + 0.02*np.sin(2*math.pi*x)
    gamma = np.repeat([-1.0, 1.0], number//2)*4/number
    return x, y, gamma


def main():
    parser = arguments(__doc__)
    parser.add_argument("--number", type=at_least(2), default=2000, help="of vortices")
    parser.add_argument("--steps", type=at_least(0), default=200)
    parser.add_argument("--dt", type=float, default=0.05)
    args = parser.parse_args()
    x, y, gamma = jet(args.number)
    before = energy(x, y, gamma)
    for _ in progress(range(args.steps), unit=" steps"):
        x, y = step(x, y, gamma, args.dt)
    change = energy(x, y, gamma)/before - 1
    print(f"{len(x)} vortices, {args.steps} steps, the energy changed by {change:.1e} of it")

    def draw(axes):
        axes.scatter(x, y, s=3, c=gamma, cmap="coolwarm")
        axes.set_aspect("equal")

    present(args, np.stack([x, y]), draw)


if __name__ == "__main__":
    main()
