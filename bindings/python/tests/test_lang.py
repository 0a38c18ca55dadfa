"""The language's own names as Python has them."""

import builtins
import ctypes
import math
import os

import numpy as np
import pytest

from cpl import lang, random
from cpl.source import program

N = 3


@pytest.fixture(scope="module")
def known():
    """What the C library lists."""
    path = os.environ.get("CPL_LIBRARY")
    if not path:
        pytest.skip("CPL_LIBRARY is not set")
    name_of = ctypes.CDLL(path).cpl_builtin_name
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.c_size_t]
    names = []
    while name := name_of(len(names)):
        names.append(name.decode())
    return names


def test_all_names_can_be_imported(known):
    pythons = {n for n in known if hasattr(builtins, n) or hasattr(math, n)}
    assert set(lang.__all__) | pythons == set(known)
    assert set(lang.__all__) - pythons == set(known) - pythons


def test_numbers_are_those_of_the_library(known):
    numbers = [n for n in known if isinstance(getattr(lang, n, None), float)]
    assert len(numbers) == 19
    assert math.isclose(lang.M_2_SQRTPI, 2 / math.sqrt(math.pi), rel_tol=1e-16)
    assert lang.MAXFLOAT == np.finfo(np.float32).max


def test_names_are_known_by_whatever_name_they_are_imported():
    slot, draw, first = lang.declare, random.uniform, lang.LID_0

    def f(i, x):
        y = slot("double")
        y = draw(5, i)
        x[i] = y + first + lang.LDIM_0 + random.normal(5, i)

    (made,) = program(f, frozenset(["declare", "LID_0"])).functions
    found = {n.name: n.value for n in made.names}
    assert found == {
        "slot": "declare", "draw": "cpl.random.uniform", "first": "LID_0", "lang": "cpl.lang",
        "lang.LDIM_0": "LDIM_0", "random": "cpl.random", "random.normal": "cpl.random.normal",
    }  # fmt: skip


@pytest.mark.parametrize("name", [n for n in lang.__all__ if callable(getattr(lang, n))])
def test_all_say_what_they_do(name):
    value = getattr(lang, name)
    assert len(value.__doc__) > 10 and value.__name__ == name


@pytest.mark.parametrize("use", [
    lambda: lang.local_barrier(), lambda: lang.atomic_add(3, 1), lambda: lang.LID_0 + 1,
    lambda: range(lang.GDIM_0), lambda: 1 << lang.GID_1, lambda: lang.LID_0 == 0,
    lambda: random.normal(1, 2), lambda: lang.address(3), lambda: lang.LID_0(),
])  # fmt: skip
def test_what_needs_a_kernel_says_so(use):
    with pytest.raises(RuntimeError, match=r"^\w+ works in kernels alone: \w"):
        use()


def test_declare():
    assert lang.declare("double") == 0.0 and isinstance(lang.declare("double"), float)
    assert lang.declare("unsigned  int") == 0 and isinstance(lang.declare("uint"), int)
    assert lang.declare("double", 2) == (0.0, 0.0)
    assert lang.declare("Thing") == 0 and lang.declare("double*") == 0
    m = lang.declare('matrix((2, N), "int")')
    assert m.shape == (2, 3) and m.dtype == np.int32 and not m.any()
    assert lang.declare("LOCAL_MEM matrix(4)").dtype == np.float64
    assert isinstance(lang.declare(np.float32), np.float32)
    pair = lang.declare(np.dtype([("a", "f8"), ("b", "i4")]))
    pair.a = 2.5
    assert (pair.a, pair.b) == (2.5, 0)


@pytest.mark.parametrize("value, to, wanted", [
    (300, "uchar", 44), (-1, "ulong", 2**64 - 1), (200, "int8", -56), (2.9, "int", 2),
    (-2.9, "int", -2), (1e30, "int", 2**31 - 1), (-1e30, "long", -2**63),
    (1e30, "ulong", 2**64 - 1), (math.nan, "int", 0), (math.inf, "short", 32767),
    (1 / 3, "float", np.float32(1 / 3)),
    (2, "bool", True), (np.int64(2**40 + 3), np.int32, 3), (3, np.float64, 3.0),
])  # fmt: skip
def test_cast(value, to, wanted):
    got = lang.cast(value, to)
    assert got == wanted and isinstance(got, np.generic)


def test_bits():
    assert lang.bits(1.0, "ulong") == 0x3FF0000000000000
    assert lang.bits(np.uint32(0x3F800000), "float") == 1
    with pytest.raises(TypeError, match="differ in size"):
        lang.bits(1.0, "uint")


def test_loops_and_blocks():
    assert list(lang.static_range(1, 7, 2)) == [1, 3, 5]
    total = 0
    with lang.nogil, lang.parallel():
        for i in lang.prange(4, schedule="static"):
            total += i
    assert total == 6


def test_vectors_of_memory():
    x = np.arange(8.0)
    m = lang.declare("matrix(4)")
    lang.vload(m, x, 1)
    assert m.tolist() == [4, 5, 6, 7]
    lang.vstore(m, x, 0)
    assert x.tolist() == [4, 5, 6, 7, 4, 5, 6, 7]


def test_mathematics(capsys):
    assert lang.rint(2.5) == 2 and lang.fdim(3, 1) == 2 and lang.fdim(1, 3) == 0
    assert lang.fmin(math.nan, 1) == 1 and lang.fmax(math.nan, 1) == 1
    assert lang.fma(1 + 2**-30, 1 - 2**-30, -1) == -(2.0**-60)
    assert lang.fma(math.inf, 1, 0) == math.inf
    assert lang.tgamma(5) == 24
    assert lang.fence(order="seq_cst") is None
    lang.printf("%ld and %g\n", 3, 0.5)
    assert capsys.readouterr().out == "3 and 0.5\n"


def test_random_numbers_have_the_bits_of_kernels():
    assert random.uniform(5, 1) == 0.965726999795003
    w = np.zeros(4, np.uint32)
    random.philox(w, 0, 0)  # the known answers of Random123
    assert [hex(v) for v in w] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    random.philox(w, 2**64 - 1, 2**64 - 1, 2**64 - 1)
    assert [hex(v) for v in w] == ["0x408f276d", "0x41c83b0e", "0xa20bc7c6", "0x6d5451fd"]
    assert random.bits64(7, 0) == int(random.bits32(7, 0)) | int(random.bits32(7, 1)) << 32
    assert random.bits32(7, 3, 2**32 + 1) == random.bits32(7, 3, 1)
    assert random.uniform(7, 3, -1) == random.uniform(7, 3, 2**32 - 1)
    assert random.integers(7, 3, 0, 2**40, 2**32 + 1) == random.integers(7, 3, 0, 2**40, 1)
    assert all(-3 <= random.integers(1, i, -3, 4) < 4 for i in range(50))
    assert {int(random.integers(1, i, -3, 4)) for i in range(99)} == set(range(-3, 4))
    assert 0 <= random.uniform32(3, 4) < 1
