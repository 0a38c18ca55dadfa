"""Sums of products, against NumPy: on the host, and on OpenCL where it is."""

import numpy as np
import pytest
from conftest import DEVICES, scope_of

import cpl

PLACES = ["host", *DEVICES[:1]]


def whole(*shape, seed=0):
    """Small integers as floats, whose sums are exact."""
    return np.random.default_rng(seed).integers(-5, 5, shape).astype(float)


NAMES = {
    "m": whole(3, 4), "n": whole(4, 3), "b3": whole(2, 3, 4), "b4": whole(5, 1, 4, 3),
    "v": whole(4), "w": whole(3), "sq": whole(3, 3), "cube": whole(3, 3, 3),
    "c": whole(3, 4) + 1j*whole(3, 4, seed=1), "i": np.arange(12).reshape(3, 4),
    "o": np.array([[True, False], [True, True]]), "h": np.ones((2, 2), np.float16),
    "f": np.arange(6, dtype=np.float32).reshape(2, 3),
}

CALLS = [
    "m @ n", "b3 @ n", "b3 @ b4", "n @ m", "m @ v", "v @ n", "b3 @ v", "w @ b3", "b4 @ w", "v @ v",
    "o @ o", "h @ h", "f @ f.T", "c @ n", "i @ i.T", "m[:, :0] @ n[:0]", "np.matmul(b4, sq)",
    "np.dot(b3, n)", "np.dot(b3, v)", "np.dot(b3, b4)", "np.dot(2, m)", "m.dot(2.5)", "m.dot(n)",
    "np.inner(m, m)", "np.inner(v, b3)", "np.inner(b3, b3)", "np.vdot(c, c)", "np.vdot(m, m)",
    "np.tensordot(b3, m, 2)", "np.tensordot(m, n, 1)", "np.tensordot(m, n, 0)",
    "np.tensordot(m, n, ([1, 0], [0, 1]))", "np.tensordot(b3, m, ((1,), (0,)))",
    "np.tensordot(m, n, (1, 0))", "np.kron(m, w)", "np.kron(v, w)", "np.kron(m, n)",
    "np.trace(m)", "np.trace(b3, 0, 1, 2)", "m.trace(-1)", "np.trace(i)", "np.trace(o)",
    "np.diag(v)", "np.diag(v, 2)", "np.diag(v, -1)", "np.diag(m)", "np.diag(m, 1)",
    "np.diag(m, -2)", "np.diag(m, 9)", "np.diagonal(b3, 1, 0, 2)", "b3.diagonal()",
    *[f"np.einsum({text})" for text in (
        "'ij,jk', m, n", "'ij,jk->ki', m, n", "'ij->ji', m", "'ij', m", "'ba', m", "'ii', sq",
        "'ii->i', sq", "'ij->', m", "'ij->i', m", "'ij->j', m", "'i,i', v, v", "'i,j->ij', v, w",
        "'...j,j->...', b3, v", "'...ij,...jk->...ik', b3, b4", "'ij,ij,ij->i', m, m, m",
        "'ij,jk,kl,lm,mn->in', m, n, m, n, sq", "'iii->i', cube", "'iij->j', cube",
        "'ij, jk -> i k', m, n", "',ij', 2.0, m", "'ij,jk->ik', i, i.T", "'ij,jk->ik', c, n",
        "'ij,jk->ik', h, h", "'ij,jk->ik', o, o", "'...ii->...i', cube", "'i...->...', b3",
        "'ij...,jk...->ik...', b3, m", "'...', v", "'i...i', cube", "'i,ij,j', w, m, v",
        "'ij,jk->ik', m, n, optimize=True", "'i,i->', v[:0], v[:0]",
    )],
]
if hasattr(np, "vecdot"):
    CALLS += ["np.vecdot(c, c)", "np.vecdot(m, v)", "np.vecdot(b3, m)"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("call", CALLS)
def test_products(call, place):
    here = scope_of(NAMES, place)
    expected = np.asarray(eval(call, {"np": np, **NAMES}))
    found = eval(call, here)
    assert isinstance(found, cpl.ndarray) and found.place == here["m"].place
    np.testing.assert_array_equal(found.numpy(), expected, strict=True)


@pytest.mark.parametrize("call, error, what", [
    ("m @ m", ValueError, r"shapes \(3, 4\) and \(3, 4\) not aligned: 4 \(dim 1\) != 3 \(dim 0\)"),
    ("v @ 3", ValueError, "an operand has no dimensions"),
    ("np.diag(b3)", ValueError, "1- or 2-d"), ("np.diagonal(v)", ValueError, "two dimensions"),
    ("np.tensordot(m, n, ([0], [0, 1]))", ValueError, "shape-mismatch"),
    ("np.einsum('ij,jk->iz', m, n)", ValueError, "'z' twice, or no operand has it"),
    ("np.einsum('ij->ijj', m)", ValueError, "'j' twice"),
    ("np.einsum('ij,jk', m, m)", ValueError, "there are 4 and 3 elements"),
    ("np.einsum('ijk', m)", ValueError, "'ijk' has 3 letters, and its operand 2 dimensions"),
    ("np.einsum('i', m)", ValueError, "'i' has 1 letters, and its operand 2 dimensions"),
    ("np.einsum('i1', m)", ValueError, "'i1' is no term"),
    ("np.einsum('...i->i', m)", ValueError, r"lacks the '...'"),
    ("np.einsum('ij,jk,kl', m, n)", ValueError, "3 terms, and 2 operands"),
    ("np.einsum(m, [0, 1], n, [1, 2])", TypeError, "in place of a text as 'ij,jk->ik'"),
    ("np.einsum('a,b,c,d,e,f,g,h,i->abcdefghi', *[v]*9)", TypeError, "more than 8 dimensions"),
    ("np.linalg.inv(sq)", TypeError, "numpy.linalg.inv is not there for arrays of cpl"),
])
def test_what_is_no_product(call, error, what):
    here = scope_of(NAMES)
    with pytest.raises(error, match=what):
        eval(call, here)


def test_products_into_arrays():
    m, n = cpl.array(NAMES["m"]), cpl.array(NAMES["n"])
    out = cpl.zeros((3, 3), np.float32)
    for product in (lambda: np.einsum("ij,jk", m, n, out=out), lambda: np.matmul(m, n, out=out),
                    lambda: np.dot(m, n, out)):
        assert product() is out
        np.testing.assert_array_equal(out, NAMES["m"] @ NAMES["n"])
        out.fill(0)


def test_diagonals_are_views():
    there, here = NAMES["sq"].copy(), cpl.array(NAMES["sq"])
    np.einsum("ii->i", there)[1:] = 9
    np.einsum("ii->i", here)[1:] = 9
    here.diagonal(1)[0] = 5
    there[0, 1] = 5
    np.testing.assert_array_equal(here.numpy(), there)
    np.fill_diagonal(here, [1, 2, 3])
    np.fill_diagonal(there, [1, 2, 3])
    np.testing.assert_array_equal(here.numpy(), there)
    with pytest.raises(ValueError, match="equal length"):
        np.fill_diagonal(cpl.zeros((2, 2, 3)), 1)


def test_products_multiply_as_they_sum():
    """One reduction, and no array for the products."""
    x = cpl.ones((40, 50))
    with cpl.profile() as p:
        y = cpl.einsum("ij,kj,j->ik", x, x, x[0])
    assert y.numpy().min() == 50 and len(p.rows) <= 2
