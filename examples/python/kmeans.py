"""A picture with few colours: k-means of its pixels (S. P. Lloyd, Least squares quantization in
PCM, IEEE Trans. Inf. Theory 28, 1982).

Sums are of integers, so the order in which they are taken makes no difference: the result is the
same on any number of cores.

    python kmeans.py --show
    python kmeans.py --colours 24 --image photo.png --save poster.png
"""

import numpy as np
from output import arguments, at_least, present, progress

import cpl
from cpl.lang import atomic_add


@cpl.jit
def distance(pixels, i, centres, c):
    """The square of that between a pixel and a centre."""
    red = pixels[i, 0] - centres[c, 0]
    green = pixels[i, 1] - centres[c, 1]
    blue = pixels[i, 2] - centres[c, 2]
    return red*red + green*green + blue*blue


@cpl.elementwise
def assign(i, labels, pixels, centres):
    """Each pixel to the nearest centre; of several, to the first."""
    best = 0
    for c in range(1, len(centres)):
        if distance(pixels, i, centres, c) < distance(pixels, i, centres, best):
            best = c
    labels[i] = best


@cpl.elementwise
def collect(i, labels, pixels, sums, counts):
    """The sum of the pixels of each centre, and how many they are."""
    for k in range(3):
        atomic_add(sums[labels[i], k], pixels[i, k])
    atomic_add(counts[labels[i]], 1)


@cpl.reduce("a + b")
def error(i, labels, pixels, centres):
    return distance(pixels, i, centres, labels[i])


@cpl.elementwise
def paint(i, j, picture, labels, centres):
    picture[i, j] = centres[labels[i], j]


def kmeans(pixels, k, rounds=30):
    """Centres (k, 3) and the label of each of the pixels (n, 3), all integers."""
    order = np.argsort(pixels.sum(axis=1, dtype=np.int64), kind="stable")
    centres = pixels[order[(2*np.arange(k) + 1)*len(pixels)//(2*k)]].astype(np.int64)
    labels = np.zeros(len(pixels), np.int32)
    for _ in progress(range(rounds), unit=" rounds"):
        assign(labels, pixels, centres)
        sums, counts = np.zeros((k, 3), np.int64), np.zeros(k, np.int64)
        collect(labels, pixels, sums, counts)
        moved = np.where(counts[:, None] > 0, sums//np.maximum(counts, 1)[:, None], centres)
        if (moved == centres).all():
            break
        centres = moved
    assign(labels, pixels, centres)
    return centres, labels


def sunset(height=400, width=600):
    """A picture to begin with: uint8, three colours a pixel."""
    y, x = np.mgrid[0:height, 0:width]/height
    sky = np.stack([0.95 - 0.5*y, 0.35 + 0.3*y, 0.25 + 0.5*(1 - y)**2], axis=-1)
    glow = np.exp(-12*((x - 0.9)**2 + (y - 0.55)**2))[..., None]
    picture = sky*(1 - glow) + np.array([1.0, 0.9, 0.5])*glow
    for k, shade in enumerate((0.35, 0.2, 0.08)):
        hill = 0.6 + 0.12*k + 0.06*np.sin((5 - k)*x + 2*k)
        picture = np.where((y > hill)[..., None], shade*np.array([0.5, 0.6, 0.9]), picture)
    return np.round(255*np.clip(picture, 0, 1)).astype(np.uint8)


def read(path):
    """A picture of a file, as matplotlib reads them."""
    from matplotlib import pyplot

    picture = pyplot.imread(path)[..., :3]
    return picture if picture.dtype == np.uint8 else np.round(255*picture).astype(np.uint8)


def main():
    parser = arguments(__doc__)
    parser.add_argument("--image", help="a file (needs matplotlib); without it a sunset")
    parser.add_argument("--colours", type=at_least(1), default=12)
    args = parser.parse_args()
    picture = read(args.image) if args.image else sunset()
    pixels = picture.reshape(-1, 3)
    centres, labels = kmeans(pixels, args.colours)
    poster = np.empty_like(pixels)
    paint(poster, labels, centres)
    off = np.sqrt(error(labels, pixels, centres)/len(pixels))
    print(f"{len(pixels)} pixels, {args.colours} colours, off by {off:.1f} of 255")
    poster = poster.reshape(picture.shape)
    present(args, poster, lambda axes: axes.imshow(poster))


if __name__ == "__main__":
    main()
