"""Random numbers without a state: each is a function of a seed, the number of an element and the
number of a draw. Philox 4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, Parallel
random numbers: as easy as 1, 2, 3, SC 2011.

    from cpl.random import uniform

In kernels all of them work; in Python those that end in the same bits with integers alone. Arrays
of such numbers are drawn by default_rng().
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cpl.generators import Generator, default_rng
from cpl.lang import Builtin

_WORD = 2**32 - 1
_LONG = 2**64 - 1


def _block(seed: int, low: int, high: int) -> list[int]:
    key = [seed & _WORD, seed >> 32 & _WORD]
    x = [low & _WORD, low >> 32 & _WORD, high & _WORD, high >> 32 & _WORD]
    for _ in range(10):
        p, q = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(q >> 32) ^ x[1] ^ key[0], q & _WORD, (p >> 32) ^ x[3] ^ key[1], p & _WORD]
        key = [(key[0] + 0x9E3779B9) & _WORD, (key[1] + 0xBB67AE85) & _WORD]
    return x


def _philox(w: Any, seed: int, low: int, high: int = 0) -> None:
    w[:4] = _block(int(seed), int(low), int(high))


def _bits32(seed: int, i: int, draw: int = 0) -> np.uint32:
    element = int(i) & _LONG
    return np.uint32(_block(int(seed), element >> 2, int(draw) & _WORD)[element & 3])


def _long(seed: int, i: int, high: int) -> int:
    element = int(i) & _LONG
    words = _block(int(seed), element >> 1, high)
    k = 2 * (element & 1)
    return words[k] | words[k + 1] << 32


def _bits64(seed: int, i: int, draw: int = 0) -> np.uint64:
    return np.uint64(_long(seed, i, int(draw) & _WORD))


def _uniform(seed: int, i: int, draw: int = 0) -> np.float64:
    return np.float64((int(_bits64(seed, i, draw)) >> 11) * 2.0**-53)


def _uniform32(seed: int, i: int, draw: int = 0) -> np.float32:
    return np.float32((int(_bits32(seed, i, draw)) >> 8) * 2.0**-24)


def _integers(seed: int, i: int, low: int, high: int, draw: int = 0) -> np.int64:
    count = (int(high) - int(low)) & _LONG
    fraction, bits = _long(seed, i, int(draw) & _WORD), 64
    if count > _WORD:
        fraction = fraction << 64 | _long(seed, i, int(draw) & _WORD | 2**32)
        bits = 128
    return np.int64(int(low) + (fraction * count >> bits))


def _name(name: str, doc: str, does: Callable[..., Any] | None = None) -> Builtin:
    return Builtin(f"cpl.random.{name}", doc, does)


uniform = _name("uniform", "uniform(seed, i, draw=0): a float64 in [0, 1)", _uniform)
uniform32 = _name("uniform32", "uniform32(seed, i, draw=0): a float32 in [0, 1)", _uniform32)
normal = _name("normal", "normal(seed, i, draw=0): a float64 of mean 0 and variance 1")
normal32 = _name("normal32", "normal32(seed, i, draw=0): a float32 of mean 0 and variance 1")
exponential = _name("exponential", "exponential(seed, i, draw=0): a float64 of mean 1")
exponential32 = _name("exponential32", "exponential32(seed, i, draw=0): a float32 of mean 1")
integers = _name(
    "integers", "integers(seed, i, low, high, draw=0): an int64, low <= k < high", _integers
)
bits32 = _name("bits32", "bits32(seed, i, draw=0): a uint32, any one as likely", _bits32)
bits64 = _name("bits64", "bits64(seed, i, draw=0): a uint64, any one as likely", _bits64)
permutation = _name(
    "permutation", "permutation(seed, i, n, draw=0): element i of 0 to n - 1 in some order"
)
philox = _name("philox", "philox(w, seed, low, high=0): fills w, four of uint32", _philox)

__all__ = ["Generator", "default_rng"]
__all__ += sorted(name for name, value in globals().items() if isinstance(value, Builtin))
