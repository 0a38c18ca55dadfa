"""Layers of neural networks, written for pytocl: a matrix product, a layer of sigmoids and a
perceptron of two layers that reads digits.

The digits are scikit-learn's where that is installed, else drawn here and blurred by noise. Weights
are learned with NumPy; both ways then read the digits that were kept back.

    python layers.py
    python layers.py --size 512 --rounds 100 --device opencl
"""

import argparse
import time
from math import exp

import numpy as np
from output import at_least

from cpl.compat.pytocl import CLArgDesc, CLArgType, CLFunc, CLFuncDesc, get_global_id

HIDDEN, DIGITS = 64, 10
GLYPHS = ("0e11131519110e 040c040404040e 0e11010204081f 1f02040201110e 02060a121f0202 1f101e0101110e "
          "0608101e11110e 1f010204080808 0e11110e11110e 0e11110f01020c")


def matrix_product(a, b, i_rows, i_inner, i_columns, out):
    i = get_global_id(0)
    j = get_global_id(1)
    total = 0.0
    for k in range(i_inner):
        total += a[i*i_inner + k]*b[k*i_columns + j]
    out[i*i_columns + j] = total


def sigmoid_layer(x, w, i_rows, i_inner, i_columns, out):
    i = get_global_id(0)
    j = get_global_id(1)
    total = w[i_inner*i_columns + j]
    for k in range(i_inner):
        total += x[i*i_inner + k]*w[k*i_columns + j]
    out[i*i_columns + j] = 1/(1 + exp(-total))


def network(function, shapes, context=None):
    """Layers one behind the other, (rows, inner, columns) each; what is in between is not copied.

    It is called with the input, then weights, three sizes and the output of each layer.
    """
    source = CLArgDesc(CLArgType.float32_array, shapes[0][0]*shapes[0][1])
    layers = []
    for number, (rows, inner, columns) in enumerate(shapes):
        bias = columns if function is sigmoid_layer else 0
        weights = CLArgDesc(CLArgType.float32_array, inner*columns + bias)
        out = CLArgDesc(CLArgType.float32_array, rows*columns)
        layer = CLFuncDesc(function, (rows, columns)).arg(source)
        if number == 0:
            layer.copy_in()
        layer.arg(weights).copy_in()
        for _ in range(3):
            layer.arg(CLArgDesc(CLArgType.int32))
        layer.arg(out, is_readonly=False)
        if number == len(shapes) - 1:
            layer.copy_out()
        layers.append(layer)
        source = out
    return CLFunc(*layers).compile(context)


def sigmoid(x):
    return 1/(1 + np.exp(-x))


def forward(x, layers):
    """The same with NumPy; a layer's last row of weights are its biases."""
    for w in layers:
        x = sigmoid(x @ w[:-1] + w[-1])
    return x


def run(perceptron, x, layers):
    """What the compiled perceptron gives for each row of x."""
    out = np.empty((len(x), layers[-1].shape[1]), np.float32)
    given = [x]
    for number, w in enumerate(layers):
        last = number == len(layers) - 1
        given += [w, len(x), w.shape[0] - 1, w.shape[1], out if last else None]
    perceptron(*given)
    return out


def drawn(count, seed):
    """Digits of 8 by 8 pixels: 5 by 7 glyphs, somewhere, some brighter, all noisy."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, DIGITS, count)
    images = rng.normal(0, 0.15, (count, 8, 8))
    glyphs = [np.array([[int(g[2*r:2*r + 2], 16) >> 4 - c & 1 for c in range(5)] for r in range(7)])
              for g in GLYPHS.split()]
    for image, label in zip(images, labels):
        y, x = rng.integers(0, 2), rng.integers(0, 4)
        image[y:y + 7, x:x + 5] += glyphs[label]*rng.uniform(0.6, 1)
    return images.reshape(count, 64).astype(np.float32), labels


def digits():
    """(where from, images, labels)"""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return "drawn", *drawn(1800, 1)
    found = load_digits()
    order = np.random.default_rng(1).permutation(len(found.target))
    return "scikit-learn's", (found.data[order]/16).astype(np.float32), found.target[order]


def learn(x, labels, rounds=60, rate=0.5, group=32):
    """Weights of two layers, by gradients of groups of images (D. E. Rumelhart and others, Learning
    representations by back-propagating errors, Nature 323, 1986)."""
    rng = np.random.default_rng(2)
    sizes = [x.shape[1], HIDDEN, DIGITS]
    layers = [rng.normal(0, 1/np.sqrt(n), (n + 1, m)).astype(np.float32)
              for n, m in zip(sizes, sizes[1:])]
    wanted = np.eye(DIGITS, dtype=np.float32)[labels]
    for _ in range(rounds):
        for part in np.array_split(rng.permutation(len(x)), len(x)//group):
            hidden = forward(x[part], layers[:1])
            error = forward(hidden, layers[1:]) - wanted[part]
            back = error @ layers[1][:-1].T*hidden*(1 - hidden)
            for w, below, e in ((layers[1], hidden, error), (layers[0], x[part], back)):
                w[:-1] -= rate/len(part)*below.T @ e
                w[-1] -= rate*e.mean(axis=0)
    return layers


def accuracy(out, labels):
    return float(np.mean(out.argmax(axis=1) == labels))


def per_call(f, rounds):
    """Seconds, without the first call, which compiles."""
    f()
    begin = time.perf_counter()
    for _ in range(rounds):
        f()
    return (time.perf_counter() - begin)/rounds


def compare(name, numpy, compiled, rounds):
    slow, fast = per_call(numpy, rounds), per_call(compiled, rounds)
    print(f"{name:<24} NumPy {slow*1e3:8.3f} ms   compiled {fast*1e3:8.3f} ms   {slow/fast:5.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--size", type=at_least(1), default=128, help="rows of the square matrices")
    parser.add_argument("--rounds", type=at_least(1), default=20)
    parser.add_argument("--device", help="host, opencl, cuda:1; without it the host")
    args = parser.parse_args()
    n, rng = args.size, np.random.default_rng(0)
    a, b = (rng.normal(0, 0.1, (n, n)).astype(np.float32) for _ in range(2))
    w = rng.normal(0, 0.1, (n + 1, n)).astype(np.float32)
    out = np.empty((n, n), np.float32)
    product = network(matrix_product, [(n, n, n)], args.device)
    compare("matrix product", lambda: a @ b, lambda: product(a, b, n, n, n, out), args.rounds)
    layer = network(sigmoid_layer, [(n, n, n)], args.device)
    compare("sigmoid layer", lambda: forward(a, [w]), lambda: layer(a, w, n, n, n, out), args.rounds)
    source, images, labels = digits()
    kept = len(images)//4
    layers = learn(images[kept:], labels[kept:])
    x = images[:kept]
    perceptron = network(sigmoid_layer, [(kept, 64, HIDDEN), (kept, HIDDEN, DIGITS)], args.device)
    compare("perceptron", lambda: forward(x, layers), lambda: run(perceptron, x, layers), args.rounds)
    print(f"digits ({source}) read: {accuracy(forward(x, layers), labels[:kept]):.1%} by NumPy, "
          f"{accuracy(run(perceptron, x, layers), labels[:kept]):.1%} compiled")


if __name__ == "__main__":
    main()
