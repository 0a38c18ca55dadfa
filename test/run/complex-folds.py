# Sums, products, means and scalar products of complex arrays, of slices and of expressions of them.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def sums(i, z, r):
    r[i] = np.sum(z) + 10*sum(z[:]) + 100*np.sum(z[::2]) + 1000*z[1:].sum()


def products(i, z, r):
    r[i] = np.prod(z[:3]) - np.dot(z, z) + z[i:].prod()*0.25


def means(i, z, r):
    r[i] = z.mean() - np.mean(z[:4])


def expressions(i, z, r):
    r[i] = np.sum(z[:]*z[:] + 1j) - sum(2*z[::-1])


def private(i, z, r):
    p = np.array([1 + 2j, 3j, z[i]])
    s = np.sum(p)
    s += 1
    r[i] = s*np.sum(p[:2])


def truths(i, z, r):
    r[i] = 1j if np.any(z) and not np.all(z[:] == z[i]) else 2


def cases(case, np, rng):
    z = (rng.integers(-3, 4, 8) + 1j*rng.integers(-3, 4, 8)).astype("complex128")
    for f in ("sums", "products", "means", "expressions", "private", "truths"):
        case(f, arrays={"z": z, "r": np.zeros(8, "complex128")})
