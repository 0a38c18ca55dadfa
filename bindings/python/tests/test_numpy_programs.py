"""Programs as NumPy's users write them, of which nothing but what makes their first arrays is other
with cpl: the results are NumPy's."""

import numpy as np
import pytest
from conftest import DEVICES

import cpl


def life(array):
    """The game of life, by rolled arrays and then by slices of a padded one."""
    g = array((np.random.default_rng(0).random((20, 20)) > 0.6).astype(np.int8))
    around = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    for _ in range(3):
        n = sum(np.roll(np.roll(g, i, 0), j, 1) for i, j in around)
        g = ((n == 3) | ((g == 1) & (n == 2))).astype(np.int8)
    p = np.pad(g, 1, mode="wrap")
    n = (p[:-2, :-2] + p[:-2, 1:-1] + p[:-2, 2:] + p[1:-1, :-2] + p[1:-1, 2:] + p[2:, :-2]
         + p[2:, 1:-1] + p[2:, 2:])
    birth = (n == 3) & (p[1:-1, 1:-1] == 0)
    survive = ((n == 2) | (n == 3)) & (p[1:-1, 1:-1] == 1)
    g[...] = 0
    g[birth | survive] = 1
    return g


def mandelbrot(array):
    """In how many steps points leave."""
    x, y = np.meshgrid(array(np.linspace(-2, 1, 30)), array(np.linspace(-1, 1, 20)))
    c = x + 1j*y
    z = np.zeros_like(c)
    steps = np.zeros_like(c, dtype=int)
    for i in range(12):
        z = z**2 + c
        out = np.abs(z) > 2
        steps[out & (steps == 0)] = i + 1
        z[out] = 2
    return steps


def bodies(array):
    """That attract each other, and their energy in the end."""
    r = np.random.default_rng(1)
    pos, vel, mass = array(r.normal(size=(10, 3))), array(np.zeros((10, 3))), array(r.random(10))
    for _ in range(3):
        d = pos[np.newaxis, :, :] - pos[:, np.newaxis, :]
        inv = ((d**2).sum(axis=-1) + 0.01)**-1.5
        np.fill_diagonal(inv, 0)
        vel += (d*inv[:, :, np.newaxis]*mass[np.newaxis, :, np.newaxis]).sum(axis=1)*0.01
        pos += vel*0.01
    return np.append(pos.ravel(), 0.5*np.sum(mass*np.sum(vel**2, axis=1)))


def k_means(array):
    """By distances of all points from all centres."""
    r = np.random.default_rng(2)
    points = array(np.concatenate([r.normal(m, 0.3, (30, 2)) for m in (0, 3, 6)]))
    centres = points[[0, 30, 60]].copy()
    for _ in range(4):
        of = np.argmin(np.linalg.norm(points[:, None] - centres[None], axis=2), axis=1)
        new = np.stack([points[of == k].mean(axis=0) for k in range(3)])
        if np.allclose(new, centres):
            break
        centres = new
    inertia = ((points - centres[of])**2).sum()
    return np.concatenate([centres.ravel(), np.bincount(of, minlength=3), [float(inertia)]])


def heat(array):
    """Of a plate, and how it is bent."""
    u = array(np.zeros((20, 20)))
    u[0, :], u[:, -1] = 100, 50
    for _ in range(20):
        un = u.copy()
        u[1:-1, 1:-1] = un[1:-1, 1:-1] + 0.2*(
            un[2:, 1:-1] - 2*un[1:-1, 1:-1] + un[:-2, 1:-1]
            + un[1:-1, 2:] - 2*un[1:-1, 1:-1] + un[1:-1, :-2])
        if np.max(np.abs(u - un)) < 1e-3:
            break
    return np.vstack([u, np.gradient(np.gradient(u, axis=0), axis=0)])


def picture(array):
    """Made grey, smoothed, with its edges; and equalised."""
    img = array(np.random.default_rng(3).integers(0, 256, (16, 18, 3)).astype(np.uint8))
    gray = img @ array(np.array([0.299, 0.587, 0.114]))
    kernel, p, out = np.ones((3, 3))/9, np.pad(gray, 1, mode="edge"), np.zeros_like(gray)
    for i in range(3):
        for j in range(3):
            out += kernel[i, j]*p[i:i + gray.shape[0], j:j + gray.shape[1]]
    gx, gy = np.zeros_like(out), np.zeros_like(out)
    gx[:, 1:-1] = out[:, 2:] - out[:, :-2]
    gy[1:-1, :] = out[2:, :] - out[:-2, :]
    size = np.hypot(gx, gy)
    edge = np.where(size > np.percentile(size, 75), 255, 0).astype(np.uint8)
    hist, _ = np.histogram(img[..., 0], bins=256, range=(0, 256))
    cdf = hist.cumsum()
    cdf = (cdf - cdf.min())*255/(cdf.max() - cdf.min())
    return np.clip(edge.astype(int) + cdf.astype(np.uint8)[img[..., 0]], 0, 255)


def walks(array):
    """At random: when they come far, how far they are, and how often they turn round."""
    steps = array(np.random.default_rng(4).choice([-1, 1], size=(20, 100)))
    p = np.cumsum(steps, axis=1)
    far = np.abs(p) >= 10
    first = np.where(far.any(axis=1), far.argmax(axis=1), -1)
    crossings = np.sum(np.diff(np.sign(p), axis=1) != 0, axis=1)
    return np.concatenate([first, (p**2).mean(axis=0), crossings, p.max(axis=1) - p.min(axis=1)])


def epidemic(array):
    """Of susceptible, infected and recovered people, by Runge and Kutta's method."""
    y, out = array(np.array([0.99, 0.01, 0.0])), array(np.zeros((30, 3)))

    def rate(y):
        s, i, _ = y
        return np.stack([-0.5*s*i, 0.5*s*i - 0.1*i, 0.1*i])

    for t in range(30):
        out[t] = y
        k1 = rate(y)
        k2 = rate(y + 0.5*k1)
        k3 = rate(y + 0.5*k2)
        y = y + (k1 + 2*k2 + 2*k3 + rate(y + k3))/6
    return np.append(out.ravel(), out[:, 1].argmax())


def primes(array):
    n = 200
    there = array(np.ones(n + 1, dtype=bool))
    there[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if there[i]:
            there[i*i::i] = False
    return np.nonzero(there)[0]


def moving_means(array):
    """Of ten neighbours by sums and by convolution; smoothed and normalised values."""
    x, w = array(np.random.default_rng(5).normal(size=100).cumsum()), 10
    c = np.cumsum(np.insert(x, 0, 0))
    e = np.zeros_like(x)
    e[0] = x[0]
    for i in range(1, 10):
        e[i] = 0.3*x[i] + 0.7*e[i - 1]
    z = (x - x.mean())/x.std(ddof=1)
    by_convolution = np.convolve(x, array(np.ones(w)/w), mode="valid")
    return np.concatenate([(c[w:] - c[:-w])/w, by_convolution, e, z, x[np.abs(z) > 1.5]])


def layer(array):
    """The loss behind a softmax layer."""
    x = array(np.random.default_rng(7).normal(size=(8, 5)))
    e = np.exp(x - x.max(axis=1, keepdims=True))
    p = e/e.sum(axis=1, keepdims=True)
    return np.append(p.ravel(), -np.log(p[np.arange(8), [0, 1, 2, 3, 4, 0, 1, 2]]).mean())


PROGRAMS = [life, mandelbrot, bodies, k_means, heat, picture, walks, epidemic, primes, moving_means,
            layer]


@pytest.mark.parametrize("program, place", [
    *((p, "host") for p in PROGRAMS), *((p, device) for p in (heat, walks) for device in DEVICES)])
def test_programs(program, place):
    expected = program(np.array)
    found = program(lambda values: cpl.array(values, device=place))
    assert isinstance(found, cpl.ndarray) and found.place == cpl.zeros(0, device=place).place
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12, atol=1e-12)
