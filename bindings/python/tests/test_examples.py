"""The examples for Python: small cases beside what NumPy says, and each as a script."""

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cpl._cpl")

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "python"


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module


# ---- julia ----


def levels_of(julia, size, c, width):
    """The same loop over whole arrays."""
    middle = width*((np.arange(size) + 0.5)/size - 0.5)
    x, y = (v.copy() for v in np.meshgrid(middle, middle))
    n = np.zeros((size, size))
    for _ in range(julia.STEPS):
        inside = x*x + y*y < julia.FAR**2
        n[inside] += 1
        x[inside], y[inside] = (x*x - y*y + c.real)[inside], (2*x*y + c.imag)[inside]
    gone = n < julia.STEPS
    late = np.full((size, size), float(julia.STEPS))
    r2 = (x*x + y*y)[gone]
    late[gone] = n[gone] - np.log2(np.log2(r2)/np.log2(julia.FAR**2))
    return np.maximum((julia.SHADES*late).astype(np.int32), 0)


def test_julia(example):
    julia = example("julia")
    size, c = 60, -0.79 + 0.15j
    levels = np.empty((size, size), np.int32)
    julia.escape(levels, c.real, c.imag, 3.2)
    wanted = levels_of(julia, size, c, 3.2)
    assert len(np.unique(wanted)) > 300
    # where orbits are chaotic the last bit of a product can decide
    assert np.mean(np.abs(levels - wanted) <= 1) > 0.98
    gone = levels < julia.LEVELS
    below = np.cumsum(np.bincount(levels[gone], minlength=julia.LEVELS))
    image = np.where(gone, below[np.minimum(levels, julia.LEVELS - 1)]/below[-1], 0)
    np.testing.assert_allclose(julia.julia(size, c), image, rtol=1e-6)


def test_julia_where_nothing_leaves(example):
    assert not example("julia").julia(20, 0j, width=0.5).any()


# ---- laplace ----


def test_laplace(example):
    laplace = example("laplace")
    size = 17
    u = laplace.plate(size)
    rows = np.eye(size*size)
    for i in range(1, size - 1):
        for j in range(1, size - 1):
            k = i*size + j
            rows[k, [k - 1, k + 1, k - size, k + size]] = -0.25
    edge = np.where(rows.sum(axis=1) == 1, u.ravel(), 0)
    wanted = np.linalg.solve(rows, edge).reshape(size, size)
    assert laplace.solve(u, 1e-12) < 200
    np.testing.assert_allclose(u, wanted, atol=1e-10)
    np.testing.assert_allclose(u, laplace.exact(size), atol=5e-3)


def test_laplace_keeps_edges(example):
    laplace = example("laplace")
    u = np.random.default_rng(1).random((9, 12))
    before = u.copy()
    laplace.relax(u, 0, 1.0)
    black = np.add.outer(np.arange(9), np.arange(12)) % 2 == 1
    edge = np.ones((9, 12), bool)
    edge[1:-1, 1:-1] = False
    np.testing.assert_array_equal(u[black | edge], before[black | edge])
    mean = (before[:-2, 1:-1] + before[2:, 1:-1] + before[1:-1, :-2] + before[1:-1, 2:])/4
    red = ~black[1:-1, 1:-1]
    np.testing.assert_allclose(u[1:-1, 1:-1][red], mean[red], rtol=1e-14)


# ---- vortices ----


def test_vortices(example):
    vortices = example("vortices")
    x, y, gamma = vortices.jet(40)
    dx, dy = np.subtract.outer(x, x), np.subtract.outer(y, y)
    square = dx*dx + dy*dy + vortices.RADIUS**2
    u, v = vortices.moving(x, y, gamma)
    np.testing.assert_allclose(u, -(dy*gamma/square).sum(axis=1)/(2*np.pi), atol=1e-14)
    np.testing.assert_allclose(v, (dx*gamma/square).sum(axis=1)/(2*np.pi), atol=1e-14)
    pairs = np.outer(gamma, gamma)*np.log(square)
    np.fill_diagonal(pairs, 0)
    energy = vortices.energy(x, y, gamma)
    np.testing.assert_allclose(energy, -pairs.sum()/(8*np.pi), rtol=1e-12)
    for _ in range(20):
        x, y = vortices.step(x, y, gamma, 0.05)
    np.testing.assert_allclose(vortices.energy(x, y, gamma), energy, rtol=1e-6)
    np.testing.assert_allclose([(gamma*x).sum(), (gamma*y).sum()], [0, -1], atol=1e-12)


def test_two_vortices_go_round_each_other(example):
    vortices = example("vortices")
    x, y, gamma = np.array([-0.5, 0.5]), np.zeros(2), np.ones(2)
    period = 2*np.pi**2*(1 + vortices.RADIUS**2)
    for _ in range(100):
        x, y = vortices.step(x, y, gamma, period/100)
    np.testing.assert_allclose(x, [-0.5, 0.5], atol=1e-5)
    np.testing.assert_allclose(y, 0, atol=1e-5)


# ---- kmeans ----


def lloyd(pixels, centres):
    """A round of it."""
    square = ((pixels[:, None].astype(np.int64) - centres)**2).sum(axis=2)
    labels = square.argmin(axis=1)
    sums = np.stack([(pixels*(labels == c)[:, None]).sum(axis=0, dtype=np.int64)
                     for c in range(len(centres))])
    counts = np.bincount(labels, minlength=len(centres))[:, None]
    return labels, np.where(counts > 0, sums//np.maximum(counts, 1), centres)


def test_kmeans(example):
    kmeans = example("kmeans")
    pixels = kmeans.sunset(24, 36).reshape(-1, 3)
    centres, labels = kmeans.kmeans(pixels, 5, rounds=100)
    wanted, again = lloyd(pixels, centres)
    np.testing.assert_array_equal(labels, wanted)
    np.testing.assert_array_equal(centres, again)  # they rest
    square = ((pixels.astype(np.int64) - centres[labels])**2).sum()
    assert kmeans.error(labels, pixels, centres) == square
    assert square/len(pixels) < 1000


def test_kmeans_with_a_colour_too_many(example):
    kmeans = example("kmeans")
    pixels = np.repeat(np.array([[0, 0, 0], [255, 255, 255]], np.uint8), 50, axis=0)
    centres, labels = kmeans.kmeans(pixels, 4)
    assert centres.tolist() == [[0, 0, 0], [0, 0, 0], [255, 255, 255], [255, 255, 255]]
    assert labels.tolist() == [0]*50 + [2]*50


# ---- layers ----


def test_layers(example):
    layers = example("layers")
    source, images, labels = layers.digits()
    learned = layers.learn(images[300:], labels[300:])
    x = images[:300]
    perceptron = layers.network(layers.sigmoid_layer, [(300, 64, 64), (300, 64, 10)])
    out = layers.run(perceptron, x, learned)
    np.testing.assert_allclose(out, layers.forward(x, learned), atol=1e-5)
    assert layers.accuracy(out, labels[:300]) > 0.93
    a, b = (np.random.default_rng(s).random((6, 6), np.float32) for s in (1, 2))
    found = np.empty((6, 6), np.float32)
    layers.network(layers.matrix_product, [(6, 6, 6)])(a, b, 6, 6, 6, found)
    np.testing.assert_allclose(found, a @ b, rtol=1e-5)


def test_layers_as_a_script():
    done = subprocess.run([sys.executable, str(FOLDER / "layers.py"), "--size", "16", "--rounds", "1"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "sigmoid layer" in done.stdout and "% compiled" in done.stdout


# ---- as scripts ----


@pytest.mark.parametrize("script, option, least", [
    ("julia.py", "--size", 1), ("julia.py", "--frames", 1), ("laplace.py", "--size", 3),
    ("vortices.py", "--number", 2), ("kmeans.py", "--colours", 1), ("layers.py", "--rounds", 1),
])  # fmt: skip
def test_too_few(example, monkeypatch, capsys, script, option, least):
    module = example(script[:-3])
    for text, said in ((least - 1, f"{least - 1} is less than {least}"), ("many", "many")):
        monkeypatch.setattr(sys, "argv", [script, option, str(text)])
        with pytest.raises(SystemExit):
            module.main()
        assert f"argument {option}: " in (error := capsys.readouterr().err) and said in error


@pytest.mark.parametrize("script, options, said", [
    ("julia.py", ["--size", "32", "--frames", "3"], "3 of 32 x 32 points"),
    ("laplace.py", ["--size", "20"], "20 x 20 points, "),
    ("vortices.py", ["--number", "32", "--steps", "4"], "32 vortices, 4 steps"),
    ("kmeans.py", ["--colours", "4"], "240000 pixels, 4 colours"),
])  # fmt: skip
@pytest.mark.parametrize("suffix", [".npy", ".png"])
def test_scripts(tmp_path, script, options, said, suffix):
    if suffix == ".png":
        pytest.importorskip("matplotlib")
    file = tmp_path / f"result{suffix}"
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), *options, "--save", str(file)],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout and str(file) in done.stdout
    assert file.stat().st_size > 500
    if suffix == ".npy":
        assert np.isfinite(np.load(file)).all()
