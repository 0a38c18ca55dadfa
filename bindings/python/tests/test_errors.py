"""What goes wrong is said with the place in the user's own file."""

import linecache
import subprocess
import sys
import traceback
import warnings

import kernels
import numpy as np
import pytest

import cpl

HERE = __file__


def line_of(mark):
    with open(HERE) as file:
        return next(n for n, line in enumerate(file, 1) if mark in line and "line_of" not in line)


def test_a_compile_error_shows_the_line():
    @cpl.elementwise
    def bad(i, x):
        x[i] = amplitud*x[i]  # noqa: F821 (the wrong name)

    with pytest.raises(cpl.CompileError, match="undefined name 'amplitud'") as error:
        bad(np.zeros(3))
    e = error.value
    assert isinstance(e, SyntaxError) and isinstance(e, cpl.Error)
    assert e.filename == HERE and e.lineno == line_of("(the wrong name)")
    assert e.text[e.offset - 1:e.end_offset - 1] == "amplitud"
    shown = "".join(traceback.format_exception_only(e))
    assert "        x[i] = amplitud*x[i]" in "    " + shown or "^^^^^^^^" in shown
    assert e.status == "ENOTFOUND" and e.diagnostics[0].line == e.lineno


def test_columns_count_characters():
    @cpl.jit
    def bad(x):
        return "größer" + größe  # noqa: F821 (not ASCII)

    with pytest.raises(cpl.CompileError) as error:
        bad(1.0)
    assert error.value.lineno == line_of("(not ASCII)")


@pytest.mark.parametrize("text", ["cpl.jit(lambda größe: größe.q)(1)\n",
                                  "\ncpl.jit(lambda größe: größe.q)(1)\n",
                                  "f = cpl.jit(lambda x: x.q +\n    1); f(1)\n"])
def test_lambdas_of_a_first_line(text):
    """There is less room for what a function has in front of its expression."""
    name = f"<first {len(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    with pytest.raises(cpl.CompileError, match="no field 'q'") as error:
        exec(compile(text, name, "exec"), {"cpl": cpl})
    e = error.value
    assert e.text == text.splitlines(True)[e.lineno - 1]
    assert e.text[e.offset - 1:e.end_offset - 1] == "q" and e.text[e.offset - 2] == "."


IN_IPYTHON = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.colors = "nocolor"
shell.run_cell("import cpl, numpy as np\\n@cpl.jit\\ndef f(x):\\n    return amplitud*x")
shell.run_cell("f(1)")
shell.run_cell("cpl.jit(lambda x: 2 + nothing)(1)")
"""


def test_ipython_shows_the_line_of_the_cell():
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", IN_IPYTHON], capture_output=True, text=True,
                          check=True)
    shown = done.stdout.split("\n")
    for line, mark in [("return amplitud*x", "amplitud"),
                       ("cpl.jit(lambda x: 2 + nothing)(1)", "nothing")]:
        at = max(n for n, text in enumerate(shown) if text.strip() == line)
        assert shown[at + 1].index("^") == shown[at].index(mark), done.stdout
    assert "CompileError: undefined name 'amplitud'" in shown


def test_an_error_in_a_function_that_is_called():
    def helper(v):
        return v.nothing  # (no field)

    @cpl.jit
    def outer(x):
        return helper(x)

    with pytest.raises(cpl.CompileError) as error:
        outer(1.0)
    assert error.value.lineno == line_of("# (no field)")


def test_bounds():
    @cpl.elementwise
    def far(i, x):
        x[i + 1] = 0

    with cpl.config(bounds_check=True):
        with pytest.raises(cpl.BoundsError, match="3") as error:
            far(np.zeros(3))
    assert isinstance(error.value, IndexError)


def test_assertions():
    with cpl.config(bounds_check=True):
        with pytest.raises(cpl.KernelAssertionError):
            kernels.positive(np.array([1.0, -1.0]))


def test_assertions_say_their_text():
    with cpl.config(bounds_check=True):
        with pytest.raises(AssertionError, match="in 'below': assertion failed: x has to be below"):
            kernels.below(np.array([0.0, 7.0]))


def test_the_same_error_comes_again_and_a_good_call_after_it():
    @cpl.jit
    def half(x):
        return x.nothing if x < 0.0 else x/2

    for _ in range(3):
        with pytest.raises(cpl.CompileError):
            half(3.0)


def test_warnings_are_pythons():
    @cpl.elementwise
    def odd(i, x):
        y = 2.0
        x[i] = 1.0

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        odd(np.zeros(2))
    assert all(issubclass(w.category, cpl.CompileWarning) for w in caught)


def test_notes_are_warnings_once_a_place():
    @cpl.jit
    def divide(a, b):
        return a/b  # (a note)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        assert divide(7, 2) == 3 and divide(np.int64(7), 2) == 3
    assert [(w.category, w.filename) for w in caught] == [(cpl.CompileWarning, __file__)]
    assert "'/' on two integers" in str(caught[0].message)
    assert caught[0].lineno == line_of("# (a note)")


def test_notes_of_an_error_are_no_warnings():
    @cpl.jit
    def divide(a, b):
        return a/b + nothing

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(cpl.CompileError, match="nothing"):
            divide(7, 2)


def assigned(i, x, a):
    x[i] = a


@pytest.mark.parametrize("make, arguments", [
    (lambda: cpl.elementwise(assigned), (np.zeros(2, int), 1.5)),
    (lambda: cpl.jit(lambda a, b: a/b), (7, 2)),
    (lambda: cpl.reduce("a + b", lambda i, x: x[i]/2), (np.arange(3),)),
    (lambda: cpl.scan("a + b", lambda i, x: x[i]/2), (np.arange(3),)),
])  # fmt: skip
def test_warnings_that_are_errors_come_until_they_can_be_said(make, arguments):
    f = make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            with pytest.raises(cpl.CompileWarning, match="fraction"):
                f(*arguments)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(*arguments)
        count = len(caught)
        f(*arguments)
    assert len(caught) == count and "fraction" in str(caught[0].message)


def test_settings():
    before = cpl.config.bounds_check
    with cpl.config(bounds_check=1 - before):
        assert cpl.config.bounds_check == 1 - before
    assert cpl.config.bounds_check == before
    with pytest.raises(AttributeError, match="no setting"):
        cpl.config.nothing
    with pytest.raises(AttributeError):
        cpl.config(nothing=1)
    with pytest.raises(cpl.ArgumentError):
        cpl.config(bounds_check=77)
    for wrong, error in ("1", TypeError), (1.5, TypeError), (77, cpl.ArgumentError):
        with pytest.raises(error, match="opt_level"):  # the other one stays as it was
            cpl.config(bounds_check=1 - before, opt_level=wrong)
        assert cpl.config.bounds_check == before
    assert issubclass(cpl.SourceError, cpl.Error) and issubclass(cpl.SourceError, ValueError)
    assert "bounds_check" in dir(cpl.config) and "bounds_check = " in repr(cpl.config)


def test_what_is_no_function():
    with pytest.raises(TypeError, match="a function of Python"):
        cpl.jit(3)
    with pytest.raises(TypeError, match="has to be the index"):
        cpl.elementwise(lambda: 0)
    with pytest.raises(TypeError, match="by name alone"):
        cpl.jit(lambda x, *, y: x)
    for decorator in cpl.elementwise, cpl.kernel:
        with pytest.raises(TypeError, match="a function of Python was expected, not 3"):
            decorator(3)


class Steps:
    @cpl.elementwise
    def of_an_object(self, i, x):
        x[i] = 1


def test_an_index_that_is_forgotten():
    @cpl.elementwise
    def first(x, y):
        y[0] = x

    with pytest.raises(TypeError, match="given 2; of its parameters the first, 'x', is the index"):
        first(np.zeros(3), np.zeros(3))
    with pytest.raises(TypeError, match="given 0$"):
        first()
    with pytest.raises(TypeError, match="not bound to an object: @staticmethod"):
        Steps().of_an_object(np.zeros(3))


def test_operators_that_are_none():
    with pytest.raises(TypeError, match='the operator is an expression of .*"a \\+ b".*3'):
        cpl.reduce(3)
    with pytest.raises(TypeError, match="scan.*a function of two values, not of a, b, c"):
        cpl.scan(lambda a, b, c: a)
    with pytest.raises(TypeError, match='reduce.*the map is a text, as "lambda i, x.*not 3'):
        cpl.reduce("a + b", 3)


def test_operators_of_numpy_take_two_values():
    x = np.array([3, 1, 2])
    assert cpl.reduce(np.add, neutral=0)(x) == 6
    assert cpl.reduce(np.hypot, neutral=0.0)(x*1.0) == pytest.approx(14**0.5)
    assert cpl.reduce(np.logical_or, neutral=False)(x) == 1


def test_sizes_that_are_not_known_are_told_in_words_of_python():
    @cpl.jit
    def made(n):
        r = np.zeros(n)
        return r[0]

    with pytest.raises(cpl.CompileError) as error:
        made(3)
    assert "a variable around the function" in error.value.__notes__[0]
    assert "cplc" not in str(error.value.__notes__)


def test_lambdas_in_messages():
    apply = cpl.jit(lambda f, x: f(x, 2))
    with pytest.raises(cpl.CompileError, match="'<lambda>' takes 1 argument, found 2") as error:
        apply(lambda x: x, 1)
    assert len(set(error.value.__notes__)) == len(error.value.__notes__)


def test_recursion_without_end():
    @cpl.jit
    def count(n: int) -> int:
        return 0 if n == 0 else count(n - 1) + 1

    @cpl.elementwise
    def each(i, x, n):
        x[i] = count(n)

    x = np.zeros(1000, np.int64)
    for _ in range(2):
        with pytest.raises(RecursionError, match="'count' calls itself without end") as error:
            count(-1)
        assert isinstance(error.value, cpl.CallsTooDeep) and error.value.status == "ERECURSION"
        assert error.value.diagnostics[0].file == HERE
        with pytest.raises(cpl.CallsTooDeep):
            each(x, -1)
        each(x, 100)
        assert count(1000) == 1000 and (x == 100).all()


def test_recursion_without_a_way_out():
    @cpl.jit
    def fact(n: int) -> int:
        return n*fact(n - 1)

    with pytest.raises(cpl.CompileError, match="'fact' calls itself on every way through it"):
        fact(3)


@pytest.mark.parametrize("count, said", [(1, r"which has 1 element\b"), (2, r"which has 2 elements\b")])
def test_counts_of_one(count, said):
    @cpl.elementwise
    def behind(i, x):
        x[i + 5] = 1

    with cpl.config(bounds_check=1), pytest.raises(cpl.BoundsError, match=said):
        behind(np.zeros(count))
