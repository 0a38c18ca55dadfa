# pictures.py EXAMPLES FOLDER DEVICE: runs the examples that make pictures, and compares what they print and draw with NumPy.
import os
import re
import subprocess
import sys

import numpy as np

import png

examples, folder, device = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def run(*words):
    """What an example prints: its numbers, and the colours that it lists."""
    text = subprocess.check_output([f"{examples}/{words[0]}", *words[1:]], text=True)
    numbers = [float(word) for word in re.findall(r"[\d.]+(?:e[-+]\d+)?", text.splitlines()[0])]
    return numbers, [[int(line[k:k + 2], 16) for k in (1, 3, 5)] for line in text.splitlines()[1:]]


def mean(u):
    return 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def laplace(size):
    """Over-relaxation as in examples/laplace, fifty sweeps at a time; returns sweeps, change and solution."""
    y, x = np.meshgrid(*[2*np.arange(size)/(size - 1) - 1]*2, indexing="ij")
    r = np.hypot(x, y)
    ring = (abs(r - 0.6) < 0.03) & ((x < 0) | (abs(y) > 0.2))
    u = np.where(ring, 1.0, np.where(r < 0.15, -1.0, 0.0))
    free = ~(ring | (r < 0.15))[1:-1, 1:-1]
    colours = np.add.outer(np.arange(1, size - 1), np.arange(1, size - 1)) % 2
    omega, sweeps, change = 2/(1 + np.sin(np.pi/size)), 0, 1
    while change > 1e-7:
        for k in range(100):
            u[1:-1, 1:-1] += np.where(free & (colours == k % 2), omega*(mean(u) - u[1:-1, 1:-1]), 0)
        sweeps += 50
        change = abs(mean(u) - u[1:-1, 1:-1])[free].max()
    return sweeps, change, u


def bands(u):
    v = np.round(10*u)/10
    pale = np.floor(255*(1 - abs(v)) + 0.5).astype("u1")
    return np.stack([np.where(v < 0, pale, 255), pale, np.where(v > 0, pale, 255)], axis=2).astype("u1")


def error(points, centres):
    return ((points[:, None, :] - centres)**2).sum(axis=2)


def kmeans(points, count):
    """Whole numbers as in examples/kmeans, so that all of it is the same."""
    centres = np.tile(points[0], (count, 1))
    for k in range(1, count):
        centres[k:] = points[error(points, centres).min(axis=1).argmax()]
    for rounds in range(1, 200):
        cluster, before = error(points, centres).argmin(axis=1), centres.copy()
        for k in range(count):
            members = points[cluster == k]
            if len(members):
                centres[k] = (members.sum(axis=0) + len(members)//2)//len(members)
        if (centres == before).all():
            return rounds, centres, cluster


def equalised(points):
    up_to = np.bincount(points.ravel(), minlength=256).cumsum()
    least = up_to[points.min()]
    return ((255*(up_to[points] - least) + (points.size - least)//2)//max(points.size - least, 1)).astype("u1")


(_, size, sweeps, change, _), _ = run("laplace", f"{folder}/laplace.png", device, "33")
expected_sweeps, expected_change, u = laplace(33)
assert size == 33 and sweeps == expected_sweeps and abs(change - expected_change) < 0.1*expected_change, (sweeps, change, expected_change)
# where a band begins a last bit decides
assert (png.read(f"{folder}/laplace.png") != bands(u)).any(axis=2).mean() < 0.001

rng = np.random.default_rng(5)
spots = rng.integers(0, 256, (5, 3))
colours = np.clip(spots[rng.integers(0, 5, (90, 110))] + rng.normal(0, 12, (90, 110, 3)), 0, 255).astype("u1")
png.write(f"{folder}/colours.png", colours)
(count, rounds, total, _), centres = run("kmeans", f"{folder}/colours.png", f"{folder}/kmeans.png", device, "5")
flat = colours.reshape(-1, 3).astype(int)
expected_rounds, expected, cluster = kmeans(flat, 5)
assert (count, rounds) == (5, expected_rounds) and centres == expected.tolist(), (rounds, centres, expected)
assert total == error(flat, expected).min(axis=1).sum()
assert (png.read(f"{folder}/kmeans.png") == expected[cluster].reshape(colours.shape)).all()

dark = (40 + 20*rng.beta(2, 5, (83, 121))).astype("u1")
for name, points in {"dark": dark, "one": np.full((3, 5), 7, "u1")}.items():
    png.write(f"{folder}/{name}.png", points)
    assert run("equalise", f"{folder}/{name}.png", f"{folder}/equalised.png", device)[0][:2] == [points.shape[1], points.shape[0]]
    assert (png.read(f"{folder}/equalised.png") == (equalised(points) if name == "dark" else points)).all(), name
