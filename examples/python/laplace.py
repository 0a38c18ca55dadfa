"""The temperature of a plate whose edges are kept warm and cold: Laplace's equation.

Gauss and Seidel's method in red and black: points of one colour have neighbours of the other one
alone, so all of a colour are computed at once, in place. Relaxation makes steps longer than they
are (D. M. Young, Iterative methods for solving partial difference equations, 1954).

    python laplace.py --show
    python laplace.py --size 2000 --save plate.png
"""

import math

import numpy as np
from output import arguments, at_least, present, progress

import cpl


@cpl.elementwise
def relax(i, j, u, colour, omega):
    """One step of the points of a colour, 0 or 1, towards the mean of their neighbours."""
    rows, columns = u.shape
    inside = 0 < i and i < rows - 1 and 0 < j and j < columns - 1
    if inside and (i + j) % 2 == colour:
        mean = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])/4
        u[i, j] += omega*(mean - u[i, j])


@cpl.elementwise
def defect(i, j, r, u):
    """How far each point is from the mean of its neighbours."""
    rows, columns = u.shape
    if 0 < i and i < rows - 1 and 0 < j and j < columns - 1:
        r[i, j] = (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])/4 - u[i, j]
    else:
        r[i, j] = 0.0


@cpl.reduce("max(a, b)", neutral=0.0)
def largest(i, r):
    return abs(r[i])


def plate(size):
    """Warm above, cold elsewhere."""
    u = np.zeros((size, size))
    u[0, :] = np.sin(np.linspace(0, math.pi, size))
    return u


def solve(u, tolerance=1e-6, most=10_000):
    """Changes u until no point is further than that from the mean of its neighbours; returns how
    many rounds that took."""
    omega = 2/(1 + math.sin(math.pi/(len(u) - 1)))
    r = np.empty_like(u)
    for n in progress(range(most), unit=" rounds"):
        relax(u, 0, omega)
        relax(u, 1, omega)
        if n % 10 == 9:
            defect(r, u)
            if largest(r) < tolerance:
                return n + 1
    return most


def exact(size):
    """For an edge that is a sine there is a formula."""
    y, x = np.mgrid[0:size, 0:size]/(size - 1)
    return np.sin(math.pi*x)*np.sinh(math.pi*(1 - y))/math.sinh(math.pi)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--size", type=at_least(3), default=500, help="points along each side")
    parser.add_argument("--tolerance", type=float, default=1e-7)
    args = parser.parse_args()
    u = plate(args.size)
    rounds = solve(u, args.tolerance)
    error = np.abs(u - exact(args.size)).max()
    print(f"{args.size} x {args.size} points, {rounds} rounds, off by {error:.1e} at most")

    def draw(axes):
        axes.imshow(u, cmap="inferno")
        axes.contour(u, levels=12, colors="white", linewidths=0.5)

    present(args, u, draw)


if __name__ == "__main__":
    main()
