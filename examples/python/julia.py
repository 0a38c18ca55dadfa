"""Julia sets: how fast z*z + c leaves the plane, from each point of a square.

A kernel over two indices finds how long each point stays; a scan over how many points stay how long
spreads the colours evenly.

    python julia.py --show
    python julia.py --size 4000 -c -0.8 0.156 --save julia.png
"""

import numpy as np
from output import arguments, at_least, present, progress

import cpl
from cpl.lang import atomic_add

STEPS = 500
SHADES = 32  # to each step, by how far away a point is then
FAR = 256.0
LEVELS = SHADES*STEPS


@cpl.elementwise
def escape(i, j, levels, cx, cy, width):
    """How long a point stays, in parts of a step; LEVELS if it does not leave."""
    rows, columns = levels.shape
    x = width*((j + 0.5)/columns - 0.5)
    y = width*((i + 0.5)/rows - 0.5)
    n = 0
    while n < STEPS and x*x + y*y < FAR*FAR:
        t = x*x - y*y + cx
        y = 2*x*y + cy
        x = t
        n += 1
    late = n - np.log2(np.log2(x*x + y*y)/np.log2(FAR*FAR)) if n < STEPS else STEPS
    levels[i, j] = max(int(SHADES*late), 0)


@cpl.elementwise
def count(i, levels, counts):
    """How many points stay how long, of those that leave."""
    if levels[i] < LEVELS:
        atomic_add(counts[levels[i]], 1)


running_total = cpl.scan("a + b")


@cpl.elementwise
def shade(i, levels, image, below, points):
    """A point is as bright as the part of the points that leave no later."""
    image[i] = below[levels[i]]/points if levels[i] < LEVELS else 0


def julia(size, c, width=3.2):
    """A picture of size*size points, numbers from 0 to 1."""
    levels = np.empty((size, size), np.int32)
    escape(levels, c.real, c.imag, width)
    counts = np.zeros(LEVELS, np.int64)
    count(levels, counts)
    below = running_total(counts)
    image = np.empty((size, size), np.float32)
    shade(levels, image, below, float(max(below[-1], 1)))  # kernels divide integers as C does
    return image


def main():
    parser = arguments(__doc__)
    parser.add_argument("--size", type=at_least(1), default=1000, help="points along each side")
    parser.add_argument("-c", type=float, nargs=2, default=(-0.79, 0.15), metavar=("RE", "IM"))
    parser.add_argument("--frames", type=at_least(1), default=1,
                        help="as c goes round a circle")
    args = parser.parse_args()
    c = complex(*args.c)
    turns = np.exp(2j*np.pi*np.arange(args.frames)/args.frames)
    frames = [julia(args.size, c*turn) for turn in progress(turns, unit=" frames")]
    side = int(np.ceil(np.sqrt(args.frames)))
    frames += [np.zeros_like(frames[0])]*(side*side - len(frames))
    picture = np.block([frames[k*side:(k + 1)*side] for k in range(side)])
    print(f"{args.frames} of {args.size} x {args.size} points, "
          f"{100*np.mean(picture > 0):.1f} % of them leave")
    present(args, picture, lambda axes: axes.imshow(picture, cmap="inferno"))


if __name__ == "__main__":
    main()
