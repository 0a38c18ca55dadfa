"""Texts of C in reductions and scans, and scans that are all texts."""

import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest
from conftest import OPENCL

import cpl
from cpl.compat.compyle import ctext
from cpl.compat.compyle.array import to_device, wrap
from cpl.compat.compyle.parallel import Reduction, Scan
from cpl.compat.compyle.types import annotate

pytestmark = pytest.mark.usefixtures("in_double")
X = np.array([1.0, 5.0, 3.0, 7.0, 2.0])

EXPRESSIONS = {
    "a + b": "a + b",
    "a if a > b else b": "a if a > b else b",
    "a > b ? a : b": "(a if (a > b) else b)",
    "a ? b : c ? d : e": "(b if a else (d if c else e))",
    "a && b || !c": "(1 if ((a and b) or (not c)) else 0)",
    "!a + 1 ? 2 : 3": "(2 if ((1 if (not a) else 0) + 1) else 3)",
    "a | b ^ c & d && 1": "(1 if ((a | (b ^ (c & d))) and 1) else 0)",
    "1.5f*a - .5F": "((1.5 * a) - .5)",
    "0x1Fu + 10UL": "(0x1F + 10)",
    "(float)a + b": '(cast(a, "float") + b)',
    "(unsigned int) x[i + 1] ? 1 : 0": '(1 if cast(x[(i + 1)], "unsigned int") else 0)',
    "max(a, b && c)": "max(a, (1 if (b and c) else 0))",
    "a == 1 ? -a : ~b": "((-a) if (a == 1) else (~b))",
    "1 << 2 << a ? 1 : 2": "(1 if ((1 << 2) << a) else 2)",
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_of_c(text):
    assert ctext.expression(text) == EXPRESSIONS[text]


# text, message, line, column from 1
REFUSED = [
    ("a ? b", "':' was expected, not 'the end'", 1, 6),
    ("a->x && b", "'->' is not known", 1, 2),
    ("a.x && b", "'.' is not known", 1, 2),
    ("a ? 017 : b", "'017' is octal", 1, 5),
    ("a && \n @", "'@' has no meaning in C", 2, 2),
    ("a++ ? 1 : 2", r"'\+\+' is not known", 1, 2),
    ("a && b c", "'c' was not expected here", 1, 8),
    ("a && (b", r"'\)' was expected", 1, 8),
    ("a && ", "an expression was expected", 1, 6),
]


@pytest.mark.parametrize("text, message, line, column", REFUSED)
def test_what_else_c_has_is_refused_with_its_place(text, message, line, column):
    with pytest.raises(cpl.CompileError, match=message) as caught:
        ctext.expression(text)
    assert (caught.value.lineno, caught.value.offset) == (line, column)
    assert caught.value.text == text.splitlines()[line - 1]


def test_what_is_no_c_is_left_to_the_compiler():
    assert ctext.expression("a +* b") == "a +* b"
    with pytest.raises(cpl.CompileError, match="starred"):
        Reduction("a +* b", backend="cython")(X)


def test_statements_of_c():
    text = "if (a != b) { x[a - 1] = i; y[0] += 2; } else f(x); if (i == 0) ; x[i] = 1 ? 2 : 3"
    assert ctext.function("f", ("i", "x"), text, False) == dedent("""\
        def f(i, x):
            if (a != b):
                x[(a - 1)] = i
                y[0] += 2
            else:
                f(x)
            if (i == 0):
                pass
            x[i] = (2 if 1 else 3)
        """)
    with pytest.raises(cpl.CompileError, match="an assignment, a call or an if"):
        ctext.function("f", ("i",), "x[i] ? 1 : 2", False)


def test_reductions_take_them(backend):
    x = wrap(X, backend=backend)
    assert Reduction("a > b ? a : b", neutral="-INFINITY", backend=backend)(x) == 7
    assert Reduction("a > b && !(a == 7) ? a : b", neutral="0.0f", backend=backend)(x) >= 2
    with pytest.raises(cpl.CompileError, match="'->'"):
        Reduction("a->b ? 1 : 2", backend=backend)(x)


@annotate
def value(i, x):
    return x[i]


@annotate
def starts(i, x):
    return 1 if x[i] == 3 else 0


@annotate
def store(i, item, y):
    y[i] = item


@pytest.mark.parametrize("op", ["a + b", "across_seg_boundary ? b : a + b",
                                "(across_seg_boundary ? b : (a + b))"])
def test_scans_mind_segments_by_themselves(op, backend):
    x, y = wrap(X, np.zeros(5), backend=backend)
    Scan(value, store, op, is_segment=starts, backend=backend)(x=x, y=y)
    assert y.get().tolist() == [1, 6, 3, 10, 12]


# ---- pyopencl.scan ----


def scan(dtype, arguments, input_expr, output_statement, op="a+b", **more):
    from cpl.compat.compyle.opencl import get_context
    from cpl.compat.compyle.scan_texts import GenericScanKernel

    return GenericScanKernel(get_context(), dtype, arguments=arguments, input_expr=input_expr,
                             scan_expr=op, neutral="0", output_statement=output_statement, **more)


@OPENCL
def test_a_scan_of_texts():
    k = scan(np.int32, "__global int *x, __global const long* y, int n", "y[i] > n ? y[i] : 0",
             "if (i < N - 1) { x[i] = prev_item; } else x[i] = last_item;")
    x, y = to_device(np.zeros(6, np.int32), "opencl"), to_device(np.arange(6), "opencl")
    k(x, y.dev, 1).wait()
    assert x.get().tolist() == [0, 0, 0, 2, 5, 14]
    x.fill(0)
    k(x, y, 1, size=4)
    assert x.get().tolist() == [0, 0, 0, 5, 0, 0]


@OPENCL
def test_a_scan_of_texts_with_segments():
    k = scan(np.float64, "__global double *x", "x[i]", "x[i] = item",
             "across_seg_boundary ? b : a + b", is_segment_start_expr="i % 2 == 0 && i != 2")
    x = to_device(np.ones(6), "opencl")
    k(x)
    assert x.get().tolist() == [1, 2, 3, 4, 1, 2]


@OPENCL
def test_what_scans_of_texts_refuse():
    with pytest.raises(NotImplementedError, match="no preamble"):
        scan(np.int32, "__global int *x", "x[i]", "x[i] = item", preamble="int f(int);")
    with pytest.raises(NotImplementedError, match="across_seg_boundary"):
        scan(np.int32, "__global int *x", "x[i]", "x[i] = item", is_segment_start_expr="i == 2")
    with pytest.raises(ValueError, match="declares no number"):
        scan(np.int32, "__global int **x", "x[i]", "x[i] = item")
    with pytest.raises(cpl.CompileError, match="undefined name 'y'"):
        scan(np.int32, "__global int *x", "y[i]", "x[i] = item")(to_device(np.ones(3), "opencl"))
    with pytest.raises(TypeError, match="takes x, and was given 0"):
        scan(np.int32, "__global int *x", "x[i]", "x[i] = item")()
    from cpl.compat.compyle.scan_texts import GenericScanKernel

    with pytest.raises(TypeError, match="get_context"):
        GenericScanKernel(None, np.int32, "__global int *x", "x[i]", "a+b", "0", "x[i] = item")


PYOPENCL = """
    class GenericScanKernel:
        def __init__(self, ctx, dtype):
            self.ctx = ctx
"""
CHOICE = """
    import cpl, numpy as np
    import cpl.compyle
    from compyle.opencl import get_context
    from pyopencl.scan import GenericScanKernel
    print(type(GenericScanKernel("theirs", np.int32)).__module__,
          type(GenericScanKernel(get_context(), np.int32, "__global int *x", "x[i]", "a+b", "0",
                                 "x[i] = item")).__module__)
"""


@OPENCL
def test_pyopencl_that_is_installed_keeps_its_own(tmp_path):
    (tmp_path / "pyopencl").mkdir()
    (tmp_path / "pyopencl" / "__init__.py").touch()
    (tmp_path / "pyopencl" / "scan.py").write_text(dedent(PYOPENCL))
    (tmp_path / "script.py").write_text(dedent(CHOICE))
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300)
    assert done.stdout == "pyopencl.scan cpl.compat.compyle.scan_texts\n", done.stderr
