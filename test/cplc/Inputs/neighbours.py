# neighbours.py EXAMPLES FOLDER DEVICE: runs the example of that name, and compares what it prints and draws with NumPy.
import os
import re
import subprocess
import sys

import numpy as np

import png

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../run/Inputs"))
import philox  # noqa: E402

examples, folder, device = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def web(side):
    """The points of examples/neighbours, as whole numbers below 2**32; by the numbers of the even grid."""
    ky, kx = (k.ravel() for k in np.meshgrid(np.arange(17), np.arange(-16, 17), indexing="ij"))
    length2, k = kx*kx + ky*ky, np.arange(17*33)
    used = (length2 > 0) & (length2 <= 256) & ((ky > 0) | (kx > 0))
    far = np.where(used, (philox.uniform(5, k) - 0.5)/np.maximum(length2, 1)**1.25, 0)
    v, u = ((q.ravel() + 0.5)/side for q in np.meshgrid(np.arange(side), np.arange(side), indexing="ij"))
    waves = far[:, None]*np.sin(2*np.pi*(kx[:, None]*u + ky[:, None]*v + philox.uniform(5, k, 1)[:, None]))
    x, y = u + 0.13*(kx @ waves), v + 0.13*(ky @ waves)
    return [((q - np.floor(q))*2**32).astype("i8") for q in (x, y)]


def wrapped(q):
    return (q[:, None] - q + 2**31) % 2**32 - 2**31


def densities(x, y, side):
    """How many others are near each point, and that of the densest point of each dot."""
    radius2 = (2**33//side)**2
    apart2 = wrapped(x)**2 + wrapped(y)**2
    near = (apart2 <= radius2) & ~np.eye(len(x), dtype=bool)
    rho = 1 + np.where(near, (1 - apart2/radius2)**2, 0).sum(axis=1)
    dots = np.zeros((640, 640))
    np.maximum.at(dots, (y*640 >> 32, x*640 >> 32), rho)
    return near.sum(axis=1), dots


# A last bit of a sine may move a point by one of 2**32, and so a pair out of reach, or a point into another dot.
for side in (8, 33) if device == "host" else (33,):
    text = subprocess.check_output([f"{examples}/neighbours", f"{folder}/neighbours.png", device, str(side)], text=True)
    n, across, _, pairs, most, _, same, samples, _ = [int(word) for word in re.findall(r"\d+", text)]
    number, dots = densities(*web(side), side)
    assert (n, across, same) == (side*side, side//2, samples) and samples == min(n, 256), text
    assert abs(pairs - number.sum()) <= 2 and abs(most - number.max()) <= 1, (text, number.sum(), number.max())
    bright = np.log(np.maximum(dots, 1))/np.log(most)
    colours = 255*np.clip(3*bright[:, :, None] - np.arange(3), 0, 1)
    assert (abs(png.read(f"{folder}/neighbours.png") - colours) > 1.01).any(axis=2).sum() <= 4, side
