"""Texts of functions, what their names mean, and what is refused."""

import __future__

import ast
import contextlib
import doctest
import enum
import functools
import importlib
import linecache
import math
import operator
import os
import pty
import re
import subprocess
import sys
import textwrap
import types
import zipfile
from pathlib import Path

import numpy as np
import pytest

import cpl
from cpl import lang, source
from cpl import text as texts
from cpl.source import Guard, Name, SourceError, program
from cpl.text import find, text_of

BUILTINS = frozenset(
    "abs atan2 atomic_add declare fmin hypot len max min pi pow printf range round sin sqrt "
    "LID_0 local_barrier static_range".split()
)
PACKAGE = Path(cpl.__file__).parents[1]  # with the extension
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE)}


def read(function, *more):
    return program(function, BUILTINS, more)


def text(function):
    return read(function).functions[0].text


def meanings(function):
    return {n.name: (n.kind, n.value) for n in read(function).functions[0].names}


def load(tmp_path, source, name="solver"):
    """A module made of a text, in a file."""
    path = tmp_path / f"{name}.py"
    path.write_bytes(source if isinstance(source, bytes) else textwrap.dedent(source).encode())
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python(*args, source=None, cwd=None, home=Path.home()):
    """What a new interpreter prints."""
    done = subprocess.run(
        [sys.executable, *args], input=source, cwd=cwd, capture_output=True, text=True,
        env={**ENVIRONMENT, "HOME": str(home)}, check=False,
    )
    return done.stdout + done.stderr


# ---- texts ----


def test_a_function_stands_where_it_stands(tmp_path):
    m = load(tmp_path, "\n\ndef f(i, x):\n    # doubles\n    x[i] *= 2\n\ny = 3\n")
    (found,) = read(m.f).functions
    assert found.text == "def f(i, x):\n    # doubles\n    x[i] *= 2\n"
    assert (found.first_line, found.indent, found.name) == (3, 0, "f")
    assert found.file == str(tmp_path / "solver.py")
    assert found.parameters == ("i", "x")


def test_classes_and_functions_keep_the_indent(tmp_path):
    m = load(tmp_path, """
        class Limits:
            class Inner:
                @staticmethod
                def clamp(x):
                    return x

        def make(k):
            def step(x):
                return k*x
            return step
    """)
    (clamp,) = read(m.Limits.Inner.clamp).functions
    assert clamp.text.startswith("        def clamp(x):\n            return")
    assert (clamp.first_line, clamp.name) == (5, "Limits.Inner.clamp")
    (step,) = read(m.make(3)).functions
    assert (step.name, step.first_line) == ("make.step", 9)
    assert step.names == (Name("k", "int", 3),)


def test_a_static_method_itself():
    class Limits:
        @staticmethod
        def clamp(x):
            return x

    assert "def clamp" in text(Limits.__dict__["clamp"])


def test_decorators_of_several_lines_are_left_out(tmp_path):
    m = load(tmp_path, """
        def keep(**_):
            return lambda f: f

        @keep(a=[1,
                 2],
              b=lambda x: x)
        # between
        @keep()
        def f(x):
            return x
    """)
    (found,) = read(m.f).functions
    assert found.text == "def f(x):\n    return x\n"
    assert found.first_line == 10


def test_decorators_that_say_types_stay(tmp_path):
    m = load(tmp_path, """
        import numpy as np
        T = np.float32

        def annotate(**_):
            return lambda f: f

        def keep(f):
            return f

        @keep
        @annotate(x='double',
                  y=T)
        @keep
        def f(x, y):
            return x
    """)
    (found,) = read(m.f).functions
    assert found.text.startswith("@annotate(x='double',\n          y=T)\n\ndef f(x, y)")
    assert found.first_line == 12
    assert found.names == (Name("T", "type", np.dtype("float32")),)


LONG_FILE = """
import functools
from numpy import (
    cos,
    sin as sine,
)
import numpy as np

kept = functools.partial


@kept(
    lambda function: function
)
# a remark
def decorated(i, x):
    x[i] = np.sin(x[i]) + sine(x[i])

    # another
    x[i] = cos.outer(x[i], 2)

class Outer:
    def method(self):
        factor = 2
        def inner(i, x):
            x[i] = factor*x[i]
        return inner
twice = kept(
    lambda v: 2*v
)
if kept:
    def chosen(i, x):
        x[i] = 1
else:
    def chosen(i, x):
        x[i] = 2
"""


def test_little_of_a_long_file_is_compiled(tmp_path, monkeypatch):
    """The statement that a function is in, with the imports, has its very code."""
    rest = "".join(f"v{k} = [{k}, 'a']\n" for k in range(5000))
    m = load(tmp_path, LONG_FILE + rest)
    parsed = []
    real = texts._parsed

    def parse(text, *args):
        parsed.append(text)
        return real(text, *args)

    monkeypatch.setattr(texts, "_parsed", parse)
    for function in (m.decorated, m.Outer().method(), m.twice.func, m.chosen):
        del parsed[:]
        found = texts.find(function)
        assert len(parsed) == 1 and len(parsed[0]) < 2*len(LONG_FILE)
        assert found.node.lineno <= found.node.end_lineno <= len(found.lines)
        line = LONG_FILE.split("\n")[found.node.lineno - 1]
        assert found.lines[found.node.lineno - 1].decode() == line


ODD_FILE = r'''
import numpy
"""
from here on
"""
def f(i, x):
    x[i] = len("""
a text""") + numpy.sin(x[i])
def g(i, x): x[i] = \
numpy.cos(x[i])
'''


def test_what_the_first_column_says_wrongly_is_found_too(tmp_path):
    m = load(tmp_path, ODD_FILE)
    assert text(m.g).endswith("numpy.cos(x[i])\n")
    assert find(m.f).node.end_lineno == 8


def twice(f):
    @functools.wraps(f)
    def doubled(x):
        return 2*f(x)

    return doubled


class Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)

    def __call__(self, x):
        return self.__wrapped__(x)


def test_what_a_decorator_made_is_what_runs():
    @twice
    @twice
    def f(x):
        return x + 1

    @cpl.jit
    def called(x):
        return f(x)

    assert text(f).lstrip().startswith("def doubled(x)")
    assert cpl.jit(f)(1) == called(1) == f(1) == 8


def test_decorators_that_change_nothing_are_looked_through():
    @functools.lru_cache
    @cpl.jit
    def cached(x):
        return x + 1

    @cpl.jit
    def called(x):
        return cached(x)

    assert text(cached).lstrip().startswith("def cached(x)")
    assert text(staticmethod(cached)) == text(cached)
    assert called(1) == 2


def test_decorators_that_kernels_cannot_follow_are_named():
    def named(f):
        @functools.wraps(f)
        def inner(*args, **rest):
            return f(*args, **rest)

        return inner

    with pytest.raises(TypeError, match="lambda.*: .*go by name.*named\\(\\) in .* made of it"):
        cpl.jit(named(lambda x: x))
    with pytest.raises(TypeError, match="class Counted around a function .* the function itself"):
        cpl.jit(Counted(one))

    counted = Counted(one)

    @cpl.jit
    def called(x):
        return counted(x)

    with pytest.raises(cpl.CompileError, match="an object of class Counted around a function"):
        called(1)


def test_functions_that_wrap_themselves():
    def f(x):
        return x + 1

    f.__wrapped__ = f
    assert cpl.jit(f)(1) == 2


def test_equal_names_in_one_file(tmp_path):
    m = load(tmp_path, """
        FAST = True
        if FAST:
            def f(x):
                return x
        else:
            def f(x):
                return x + 1

        first = f

        def f(x):
            return x + 2
    """)
    assert "return x\n" in text(m.first)
    assert "x + 2" in text(m.f)


def test_conditions_choose_the_one_that_runs(tmp_path):
    m = load(tmp_path, "if 0:\n    pass\n\nFAST = 0\nif FAST:\n    def f(x): return 1\n"
                       "else:\n    def f(x): return 2\n")
    assert "return 2" in text(m.f)


@pytest.mark.parametrize("source, wanted", [
    (b"def f(x):\r\n    return x\r\n", "def f(x):\n    return x\n"),
    (b"def f(x):\n\treturn x\n", "def f(x):\n\treturn x\n"),
    (b"x = 1\n\x0c\ndef f(x):\n    return x\n", "def f(x):\n    return x\n"),
    (b"def f(x):\n    return x", "def f(x):\n    return x\n"),
    (b"def f(x): return x; y = 2\n", "def f(x): return x; y = 2\n"),
    (b"def f(x,\n      y):\n    return x + \\\n        y  # sum\n",
     "def f(x,\n      y):\n    return x + \\\n        y  # sum\n"),
    (b"def f(x):\n    # type: (float) -> float\n    return x\n",
     "def f(x):\n    # type: (float) -> float\n    return x\n"),
    ("def f(größe):\n    return 'é', größe\n".encode(),
     "def f(größe):\n    return 'é', größe\n"),
    ("# coding: latin-1\ndef f(x):\n    return 'é'\n".encode("latin-1"),
     "def f(x):\n    return 'é'\n"),
    (b"\xef\xbb\xbfdef f(x):\n    return x\n", "def f(x):\n    return x\n"),
    (b"from __future__ import annotations\ndef f(x: 'double'):\n    return x\n",
     "def f(x: 'double'):\n    return x\n"),
    (b"def f(x):\n    '''a\n  b'''\n    return x\n", "def f(x):\n    '''a\n  b'''\n    return x\n"),
])  # fmt: skip
def test_texts_are_kept_as_they_are(tmp_path, source, wanted):
    assert text(load(tmp_path, source).f) == wanted


@pytest.mark.parametrize("header, wanted", [
    ("x: 'double', y: np.float32", "x: 'double', y: np.float32"),
    ("x: np.ndarray, y", "x            , y"),
    ("x: 'npt.NDArray[np.float64]', y: 'float64[:]'", "x" + " "*27 + ", y: 'float64[:]'"),
    ("x: int, y: 'int' = 3", "x: int, y: 'int' = 3"),
    ("größe: list[int], y: bool", "größe           , y: bool"),
    ("x: (list,\n      int), y", "x        \n          , y"),
    ("*x: list, y", "*x      , y"),
])  # fmt: skip
def test_annotations_for_readers_become_blanks(tmp_path, header, wanted):
    m = load(tmp_path, f"import numpy as np\ndef f({header}):\n    return y\n".encode())
    assert text(m.f) == f"def f({wanted}):\n    return y\n"


@pytest.mark.parametrize("result, wanted", [
    (" -> float:", " -> float:"), (" -> None:", " -> None:"), (" -> 'long':", " -> 'long':"),
    (" -> np.ndarray:", " " * 14 + ":"), (" -> (list):", " " * 10 + ":"),
])  # fmt: skip
def test_results_for_readers_become_blanks(tmp_path, result, wanted):
    m = load(tmp_path, f"import numpy as np\ndef f(x){result}\n    return x\n".encode())
    assert text(m.f) == f"def f(x){wanted}\n    return x\n"


# ---- lambdas ----


def place(function):
    """Line and column, from 0 and in bytes, of what a lambda gives."""
    (found,) = read(function).functions
    before, behind = found.text.split("return (", 1)
    at = (before + "return (").encode()
    if behind.startswith("\n"):
        at += behind[:len(behind) - len(behind.lstrip())].encode()
    return found.first_line + at.count(b"\n"), len(at) - at.rfind(b"\n") - 1


def test_lambdas_become_functions(tmp_path):
    m = load(tmp_path, b"\n\nsquare = lambda x, y=2, *z: x*y\n")
    (found,) = read(m.square).functions
    assert found.name == "square"
    assert found.text == "def square(x, y=2, *z): return (\n" + " " * 28 + "x*y)\n"
    assert place(m.square) == (3, 28)
    assert found.parameters == ("x", "y", "*z")


def test_lambdas_keep_their_columns(tmp_path):
    m = load(tmp_path, "a = [None, None, None, None, lambda x: x + 1]\n"
                       "b = 'é', lambda x: x\n"
                       "c = (lambda x:\n"
                       "  x  # one\n"
                       "  + 1)\n".encode())
    assert place(m.a[-1]) == (1, 39)
    assert place(m.b[1]) == (2, 20)
    assert place(m.c) == (4, 2)
    compile(text(m.c), "c", "exec")
    assert text(m.c).endswith("  x  # one\n  + 1)\n")


def test_lambdas_on_the_first_line_may_move(tmp_path):
    m = load(tmp_path, b"f = lambda x: x\n")
    assert text(m.f) == "def f(x): return (x)\n"


def test_lambdas_of_one_line_are_told_apart(tmp_path):
    m = load(tmp_path, "\nfs = [lambda x: x + 1, lambda x: x + 2, lambda x: x + 1, "
                       "lambda x: lambda y: x + y, lambda x: (lambda y: y)(x)]\n")
    bodies = [text(f).split("return (", 1)[1].strip() for f in m.fs]
    assert bodies == ["x + 1)", "x + 2)", "x + 1)", "lambda y: x + y)", "(lambda y: y)(x))"]
    assert [place(f)[1] for f in m.fs][:3] == [16, 33, 50]
    assert text(m.fs[3](1)).split("return (", 1)[1].strip() == "x + y)"


@pytest.mark.parametrize("body", ["None", "1 if True else 2", "not x", "x if x else -x", "(x)",
                                  "x.shape[0]", "(y := x)", "-1", "(1, 2)", "x and x", "f(x)(x)"])
def test_lambdas_of_all_kinds(tmp_path, body):
    m = load(tmp_path, f"pair = lambda x: {body}, lambda x: [{body}]\n")
    made = ast.parse(text(m.pair[0]).strip()).body[0].body[0].value
    assert ast.dump(made) == ast.dump(ast.parse(f"({body})", mode="eval").body)


def test_defaults_of_lambdas_are_numbers_or_none(tmp_path):
    m = load(tmp_path, b"f = lambda x, y=3, z=[lambda: 0], *, w=2.5: x\n")
    assert text(m.f).lstrip().startswith("def f(x, y=3, z=None, *, w=2.5): return")


def test_lambdas_without_columns(tmp_path):
    (tmp_path / "m.py").write_text(
        "one = lambda x: x\na, b = lambda x: x + 1, lambda x: x + 2\n"
        "def make(k):\n    return lambda x: x*k, lambda x: x + k\nc, d = make(2)\n")
    script = ("import m; from cpl.source import program as p\n"
              "for f in m.one, m.a, m.b, m.c:\n"
              "    print(' '.join(p(f, frozenset()).functions[0].text.split()))\n")
    printed = python("-X", "no_debug_ranges", "-c", script, cwd=tmp_path)
    lines = [line for line in printed.splitlines() if "return (" in line]
    bodies = [line.split("return (")[1].strip() for line in lines]
    assert bodies == ["x)", "x + 1)", "x + 2)"]
    assert "SourceError" in printed and "put each on a line of its own" in printed


# ---- never another text ----


def change(module, old, new):
    path = Path(module.__file__)
    path.write_text(path.read_text().replace(old, new))
    os.utime(path, (1, 1))


@pytest.mark.parametrize("old, new", [
    ("x + 1", "x + 2"), ("x + 1", "x - 1"), ("x + 1", "y + 1"), ("x + 1", "x + 1.0"),
    ("x + 1", "x + True"), ("(x)", "(x, y)"), ("x + 1", "g(x)"), ("def f", "def g"),
    ("def f", "def f("), ("return x + 1", "pass"),
])  # fmt: skip
def test_edited_functions_are_refused(tmp_path, old, new):
    m = load(tmp_path, "def f(x):\n    return x + 1\n")
    change(m, old, new)
    with pytest.raises(SourceError, match=r"'f' in .*solver.py has changed .*; reload it"):
        read(m.f)


def test_what_was_read_before_an_edit_still_serves(tmp_path):
    m = load(tmp_path, "def f(x):\n    return x + 1\n")
    linecache.getlines(m.__file__)
    change(m, "x + 1", "x + 2")
    assert "x + 1" in text(m.f)


def test_functions_may_move(tmp_path):
    m = load(tmp_path, "def f(x):\n    return x + 1\n\ndef g(x):\n    return x + 1\n")
    change(m, "def f", "# one\n# two\ndef f")
    assert read(m.f).functions[0].first_line == 3
    assert read(m.g).functions[0].text.startswith("def g")


def test_rewritten_functions_are_refused():
    def f(x):
        assert x
        return x

    with pytest.raises(SourceError, match="pytest has rewritten its asserts"):
        read(f)


def test_removed_files_are_refused(tmp_path):
    m = load(tmp_path, "def f(x):\n    return x + 1\n")
    Path(m.__file__).unlink()
    with pytest.raises(SourceError, match="solver.py cannot be read"):
        read(m.f)


def test_executed_functions_need_a_text():
    space = {}
    exec("def f(x):\n    return x + 1\n", space)
    with pytest.raises(SourceError, match="made from <string>.*linecache.*__cpl_source__"):
        read(space["f"])


@pytest.mark.parametrize("attribute", ["__cpl_source__", "source"])
def test_executed_functions_may_carry_their_text(attribute):
    space = {}
    source = "def f(x):\n    return x + K\n"
    exec(source, space)
    f = space["f"]
    setattr(f, attribute, source.replace("K", "M"))
    with pytest.raises(SourceError):
        read(f)
    setattr(f, attribute, source)
    f.__globals__["K"] = 3
    (found,) = read(f).functions
    assert found.text == source
    assert found.names == (Name("K", "int", 3),)


def test_executed_functions_with_cached_lines():
    source = "def f(x):\n    return x + 1\n"
    for given, good in ((source, True), (source.replace("1", "2"), False)):
        space = {}
        exec(compile(source, "<made here>", "exec"), space)
        linecache.cache["<made here>"] = (len(given), None, given.splitlines(True), "<made here>")
        if good:
            assert text(space["f"]) == source
        else:
            with pytest.raises(SourceError, match="another text"):
                read(space["f"])
    del linecache.cache["<made here>"]


def test_typed_in_functions(tmp_path):
    script = ("from cpl.source import program\ndef f(x):\n    return x + 1\n\n"
              "print(program(f, frozenset()).functions[0].text)\n")
    printed = python("-i", "-q", source=script, home=tmp_path)
    if sys.version_info >= (3, 13):
        assert "def f(x):\n    return x + 1" in printed
    else:
        assert "does not keep what it is given so; write the function to a file" in printed


def typed(script, home):
    """What an interpreter at a terminal prints, with what it echoes. It keeps its lines at home."""
    primary, secondary = pty.openpty()
    with subprocess.Popen([sys.executable, "-q"], stdin=secondary, stdout=secondary,
                          stderr=secondary,
                          env={**ENVIRONMENT, "TERM": "dumb", "PYTHON_BASIC_REPL": "1",
                               "HOME": str(home)}):
        os.close(secondary)
        os.write(primary, script.encode())
        printed = b""
        with contextlib.suppress(OSError):  # the other end is closed
            while more := os.read(primary, 4096):
                printed += more
    os.close(primary)
    return printed.decode().replace("\r\n", "\n")


def test_typed_in_at_a_terminal(tmp_path):
    printed = typed("import readline\nfrom cpl.source import program\n"
                    "def other(f):\n    return f\n\n"
                    "@other\n@other\ndef f(x):\n    return x + 1\n\n"
                    "def f2(x):\n    return x + 2\n\n"
                    "class C:\n  @staticmethod\n  def h(x):\n    y = x + 5\n    return y\n\n"
                    "fs = [lambda x: x + 3, lambda x: x + 4]\n"
                    "def show(f): print('<' + '<', program(f, frozenset()).functions[0].text, '>>')\n\n"
                    "show(f); show(fs[1]); show(f2); show(C.h)\n"
                    "def f(x):\n    return x + 6\n\n"
                    "show(f)\n"
                    "exec('def f(x):\\n return x + 7'); show(f)\n"
                    "exit()\n", tmp_path)
    found = [line.strip() for text in re.findall("<< (.*?) >>", printed, re.DOTALL)
             for line in text.splitlines() if "x +" in line]
    assert found == ["return x + 1", "def lambda_(x): return (x + 4)", "return x + 2", "y = x + 5", "return x + 6"], printed
    assert "it was made from <string>" in printed


def test_a_file_as_input(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from cpl.source import program\ndef f(x):\n    return x + 1\n\n\n"
                      "print(program(f, frozenset()).functions[0].text)\n")
    with script.open() as stdin:
        done = subprocess.run([sys.executable, "-"], stdin=stdin, capture_output=True, text=True,
                              env=ENVIRONMENT, check=True)
    assert done.stdout == "def f(x):\n    return x + 1\n\n"


def test_commands():
    script = ("from cpl.source import program\ndef f(x):\n    return x + 1\n"
              "g = {}\nexec('def f(x):\\n    return x + 2\\n', g)\n"
              "for h in f, g['f']:\n"
              "    try: print(program(h, frozenset()).functions[0].text)\n"
              "    except Exception as e: print('refused', e)\n")
    printed = python("-c", script)
    assert "def f(x):\n    return x + 2" not in printed
    assert "def f(x):\n    return x + 1" in printed and printed.count("refused") == 1


def test_modules_as_scripts_and_in_zips(tmp_path):
    script = ("from cpl.source import program\ndef f(x):\n    return x + 1\n"
              "if __name__ == '__main__': print(program(f, frozenset()).functions[0].text)\n")
    (tmp_path / "script.py").write_text(script)
    assert "def f(x):\n    return x + 1" in python("-m", "script", cwd=tmp_path)
    assert "def f(x):\n    return x + 1" in python("script.py", cwd=tmp_path)
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as z:
        z.writestr("__main__.py", script)
        z.writestr("inner.py", script)
    assert "def f(x):\n    return x + 1" in python("app.zip", cwd=tmp_path)
    command = ("import sys; sys.path.insert(0, 'app.zip'); import inner; "
               "print(inner.program(inner.f, frozenset()).functions[0].text)")
    assert "def f(x):\n    return x + 1" in python("-c", command, cwd=tmp_path)


def test_doctests():
    example = ">>> def f(x):\n...     return x + K\n>>> K = 3\n>>> read(f).functions[0].text\n" \
              "'def f(x):\\n    return x + K\\n'\n"
    test = doctest.DocTestParser().get_doctest(example, {"read": read}, "texts", "texts.py", 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert runner.tries == 3 and runner.failures == 0


def test_ipython(tmp_path):
    pytest.importorskip("IPython")
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_cell("from cpl.source import program\nx = 1")
    shell.run_cell("from __future__ import annotations")
    shell.run_cell("%time\ndef f(x):\n    return x + K\nK = 4\n\ng = lambda x: x*K\ng(2)")
    for name, wanted in (("f", "def f(x):\n    return x + K\n"), ("g", "return (\n")):
        (found,) = read(shell.user_ns[name]).functions
        assert wanted in found.text
        assert found.names == (Name("K", "int", 4),)
    shell.run_cell("def keep(f):\n    return f\n", store_history=True)
    for sign in "+-":
        cell = f"%%time\n@keep\ndef h(x):\n    return x {sign} K\n!true\nh(2)"
        assert shell.run_cell(cell, store_history=True).success
    assert text(shell.user_ns["h"]) == "def h(x):\n    return x - K\n"
    kept = shell.user_ns["kept"] = []
    for cell in ("%time kept += [lambda x: x*7 + K]",
                 "%%timeit -n1 -r1\nh = lambda x: x*8 + K\nkept.append(h)",
                 "y = 1\n%timeit -n 1 -r 1 kept.append(lambda x: x*9 + K)",
                 "%%prun -q\n@kept.append\ndef h(x):\n    return (x*10 + K)\n"):
        assert shell.run_cell(cell, store_history=True).success
        (wanted,) = re.findall(r"x\*\d+ \+ K", cell)
        assert f"return ({wanted})\n" in text(kept[-1])
    shell.run_cell("exec('h = lambda x: x*11 + K')", store_history=True)
    with pytest.raises(SourceError, match="it was made from <string>"):
        read(shell.user_ns["h"])
    InteractiveShell.clear_instance()


def test_optimised_interpreters(tmp_path):
    (tmp_path / "m.py").write_text("from cpl.source import program\n"
                                   "def f(x):\n    'doc'\n    assert x\n    return x\n"
                                   "print(program(f, frozenset()).functions[0].first_line)\n")
    for flag in ("-B", "-O", "-OO"):
        assert python(flag, "m.py", cwd=tmp_path) == "2\n"


# ---- all of the standard library that is at hand ----


def codes(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from codes(constant)


def functions(module):
    """Those of a module's classes too; of all code that closes over nothing."""
    made = {}
    for code in codes(compile(Path(module.__file__).read_text(), module.__file__, "exec",
                              dont_inherit=True)):
        if code.co_flags & 2 and not code.co_freevars and not code.co_name.startswith("<gen"):
            made[code.co_firstlineno, code.co_name, len(made)] = types.FunctionType(code, {})
    return made


def parsed(text_, first_line):
    """The function in a text, at its lines."""
    indented = text_[0].isspace()
    assert first_line > indented
    return next(n for n in ast.walk(ast.parse(
        "\n"*(first_line - 1 - indented) + "if 1:\n"*indented + text_))
        if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def dump(nodes):
    """With lines and columns."""
    return [ast.dump(n, include_attributes=True) for n in nodes]


@pytest.mark.parametrize("name", ["textwrap", "heapq", "statistics", "fractions", "dataclasses",
                                  "argparse", "pydoc", "tarfile", "inspect", "colorsys", "bdb"])
def test_texts_are_what_stands_there(name):
    module = importlib.import_module(name)
    count = 0
    for (line, own, _), function in functions(module).items():
        if own.startswith("<") and own != "<lambda>":
            continue  # comprehensions
        found = find(function)
        made = parsed(*text_of(found, lambda annotation: False))
        code = function.__code__
        assert tuple(a.arg for a in made.args.posonlyargs + made.args.args) == \
            code.co_varnames[:code.co_argcount]
        if own == "<lambda>":
            assert found.node.lineno == line
            assert dump([made.body[0].value]) == dump([found.node.body])
        else:
            assert dump(made.body) == dump(found.node.body) and made.name == own
            assert made.returns is None
        count += 1
    assert count > 3


# ---- names ----

N = 3
RATE = 0.25
BIG = 2**64 - 1
HUGE = 2**64
INFINITE = math.inf
FLAG = True
THIRD = np.float32(1 / 3)
HALF = np.float64(0.5)
COMPLEX = 1j
NP_COMPLEX = np.complex64(1)
REAL = np.float32
DTYPE = np.dtype("int16")
SWAPPED = np.dtype(">f4")
RECORD = np.dtype([("a", "f8"), ("b", "i4")])
LIST = ["a"]
ARRAY = np.zeros(300, np.float32)
TABLE = np.array([[1, 2]], np.int16)
WEIGHTS = [0.5, [2]]
NOUGHT = np.array(1.0)
TEXT = "double"
WHEN = np.datetime64("2020-01-01")
root = math.sqrt
angle = np.arctan2
lowest = np.minimum
sine = np.sin
rounds = range
LONG = np.longdouble(1)


class Colour(enum.IntEnum):
    RED = 3


class Shape(enum.Enum):
    ROUND = 7


class Limits:
    LOW = -1.0

    @staticmethod
    def clamp(x):
        return max(x, Limits.LOW)

    @property
    def computed(self):
        return 3

    def bound(self):
        return self


class Tight(Limits):
    pass


config = types.SimpleNamespace(size=5, deep=types.SimpleNamespace(rate=0.5))
limits = Limits()
limits.own = 4
tight = Tight()
tools = types.ModuleType("tools")
tools.np, tools.deep = np, types.ModuleType("deep")
tools.deep.math = math


def one(x):
    return x


@pytest.mark.parametrize("expression, wanted", [
    ("N", ("int", 3)), ("RATE", ("float", 0.25)), ("BIG", ("int", 2**64 - 1)),
    ("HUGE", ("other", "an integer of more than 64 bits")),
    ("INFINITE", ("float", math.inf)), ("FLAG", ("scalar", np.True_)),
    ("THIRD", ("scalar", np.float32(1 / 3))), ("HALF", ("scalar", np.float64(0.5))),
    ("COMPLEX", ("complex", 1j)), ("NP_COMPLEX", ("complex", 1 + 0j)),
    ("REAL", ("type", np.dtype("float32"))), ("DTYPE", ("type", np.dtype("int16"))),
    ("SWAPPED", ("other", "a type of NumPy (dtype('>f4'))")),
    ("RECORD", ("type", RECORD)), ("LIST", ("other", "a list")),
    ("ARRAY", ("other", "an array of NumPy (float32, shape (300,))")),
    ("NOUGHT", ("other", "an array of NumPy (float64, shape ())")),
    ("TEXT", ("other", "a text")), ("root", ("builtin", "math.sqrt")),
    ("angle", ("builtin", "numpy.arctan2")), ("lowest", ("builtin", "numpy.minimum")),
    ("sine", ("builtin", "numpy.sin")), ("rounds", ("builtin", "range")),
    ("np", ("module", "numpy")), ("math", ("module", "math")),
    ("Colour", ("other", "the class Colour")), ("limits", ("other", "an object of class Limits")),
    ("lang", ("module", "cpl.lang")), ("os", ("other", "the module os")),
    ("functools", ("other", "the module functools")), ("one", ("function", 1)),
    ("print", None), ("sorted", None), ("unknown", None), ("len", None),
])  # fmt: skip
def test_kinds_of_names(expression, wanted):
    space = {}
    source = f"def f(x):\n    return x + {expression}\n"
    exec(source, globals(), space)
    space["f"].__cpl_source__ = source
    found = meanings(space["f"])
    assert found == ({expression: wanted} if wanted else {})
    if wanted and wanted[0] == "scalar":
        assert type(found[expression][1]) is type(wanted[1])


HAD = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16"]
NOT_HAD = [*(np.dtype(t).newbyteorder("S") for t in HAD if np.dtype(t).itemsize > 1), "S3", "U2", "O", "M8[s]", "m8[s]",
           *(t for t, kept in (("g", "f8"), ("G", "c16")) if np.dtype(t).itemsize > np.dtype(kept).itemsize)]


@pytest.mark.parametrize("given, had", [*((t, True) for t in HAD), *((t, False) for t in NOT_HAD)])
def test_types_as_they_are_and_in_structs(given, had):
    """A type is one that kernels have, as it is and as a field in each place, or none wherever it is."""
    for dtype in (np.dtype(given), np.dtype([("a", "f8"), ("b", given)]), np.dtype([("a", given), ("b", "i4")]),
                  np.dtype([("p", [("x", "f4"), ("y", given)]), ("q", "i1")]), np.dtype([("v", given, 3)]),
                  np.dtype([("v", given, (2, 2)), ("w", "f8")])):
        space = {}
        source = "def f(x):\n    return x + T\n"
        exec(source, {"T": dtype}, space)
        space["f"].__cpl_source__ = source
        found = meanings(space["f"])["T"]
        assert found == ("type", dtype) if had else found[0] == "other", dtype


def test_odd_numbers_of_numpy():
    def f(x):
        return x + WHEN + LONG

    found = meanings(f)
    assert found["WHEN"][0] == found["LONG"][0] == "other"


@pytest.mark.parametrize("expression, wanted", [
    ("Colour.RED", {"Colour.RED": ("int", 3)}),
    ("Shape.ROUND.value", {"Shape.ROUND.value": ("int", 7)}),
    ("Shape.ROUND", {"Shape.ROUND": ("other", "a member of an Enum (Shape.ROUND.value is its "
                                              "number)")}),
    ("Limits.LOW", {"Limits.LOW": ("float", -1.0)}),
    ("Tight.LOW", {"Tight.LOW": ("float", -1.0)}),
    ("Tight.clamp(x)", {"Tight.clamp": ("function", 1)}),
    ("Limits.NONE", {"Limits.NONE": ("other", "unknown (the class Limits has no 'NONE')")}),
    ("config.size", {"config.size": ("int", 5)}),
    ("config.deep.rate", {"config.deep.rate": ("float", 0.5)}),
    ("config.rate", {"config.rate": ("other", "unknown (an object of class SimpleNamespace has "
                                              "no 'rate' of its own)")}),
    ("limits.own", {"limits.own": ("int", 4)}),
    ("limits.LOW", {"limits.LOW": ("float", -1.0)}),
    ("tight.clamp(x) + tight.LOW", {"tight.clamp": ("function", 1), "tight.LOW": ("float", -1.0)}),
    ("limits.bound(x)", {"limits.bound": ("other", "unknown (an object of class Limits has no "
                                                    "'bound' of its own)")}),
    ("limits.computed", {"limits.computed": ("other", "unknown (an object of class Limits has no "
                                                      "'computed' of its own)")}),
    ("np.pi", {"np": ("module", "numpy"), "np.pi": ("float", math.pi)}),
    ("np.sin(x)", {"np": ("module", "numpy")}),
    ("np.linalg.norm(x)", {"np": ("module", "numpy"),
                           "np.linalg.norm": ("other", "the function numpy.linalg.norm")}),
    ("np.nothing(x)", {"np": ("module", "numpy")}),
    ("tools.np.sin(x)", {"tools.np": ("module", "numpy")}),
    ("tools.deep.math.sin(tools.np.pi)", {
        "tools.deep.math": ("module", "math"), "tools.np": ("module", "numpy"),
        "tools.np.pi": ("float", math.pi),
    }),
    ("tools.np.linalg.norm(x)", {
        "tools.np": ("module", "numpy"),
        "tools.np.linalg.norm": ("other", "the function numpy.linalg.norm"),
    }),
    ("np.float32(x)", {"np": ("module", "numpy"), "np.float32": ("type", np.dtype("float32"))}),
    ("lang.atomic_add(x, 1)", {"lang": ("module", "cpl.lang"),
                               "lang.atomic_add": ("builtin", "atomic_add")}),
    ("ARRAY.shape[0]", {"ARRAY": ("other", "an array of NumPy (float32, shape (300,))")}),
    ("TABLE.size + len(WEIGHTS)", {
        "TABLE": ("other", "an array of NumPy (int16, shape (1, 2))"),
        "TABLE.dtype": ("type", np.dtype("i2")),
        "TABLE.0.0": ("scalar", np.int16(1)), "TABLE.0.1": ("scalar", np.int16(2)),
        "WEIGHTS": ("other", "a list"), "WEIGHTS.0": ("float", 0.5), "WEIGHTS.1.0": ("int", 2),
    }),
    ("x.shape[0]", {}), ("x.N.RATE", {}),
    ("textwrap.dedent(x)", {"textwrap.dedent": ("function", 1)}),
    ("declare('matrix((N, 2), \"REAL\")')", {"N": ("int", 3), "REAL": ("type", np.dtype("f4"))}),
    ("declare('LIST')", {}), ("printf('N: %d', 3)", {}),
])  # fmt: skip
def test_names_with_dots(expression, wanted):
    space = {}
    source = f"def f(x):\n    return {expression}\n"
    exec(source, globals(), space)
    space["f"].__cpl_source__ = source
    assert meanings(space["f"]) == wanted


def test_locals_hide():
    def f(N, x):
        LIST = x
        for RATE in range(3):
            LIST += RATE
        return LIST + N

    assert meanings(f) == {}


def test_private_names_are_those_of_the_class(tmp_path):
    m = load(tmp_path, """
        __K = 1
        _Limits__K = 2

        class Limits:
            @staticmethod
            def f(x, __y):
                __z = __y
                return x + __K + __z
    """)
    assert meanings(m.Limits.f) == {"__K": ("int", 2)}


def test_private_attributes_are_those_of_the_class():
    class Grid:
        __step = 3

        def __init__(self):
            self.__origin = (1, 2)

        def kernel(self):
            def f(x):
                return x*Grid.__step + self.__origin[1]
            return f

    found = meanings(Grid().kernel())
    assert found["Grid.__step"] == ("int", 3) and found["self.__origin.1"] == ("int", 2)


def test_closures_come_before_globals():
    N = 7

    def f(x):
        def_ = x + N
        return def_

    assert meanings(f) == {"N": ("int", 7)}


def test_annotations_name_types():
    T = np.int16
    D = np.dtype("f8")

    def f(x: T, y: D, z: REAL, w: "double", v: int) -> np.uint8:
        u: DTYPE = 0
        return u

    assert meanings(f) == {
        "T": ("type", np.dtype("int16")), "D": ("type", np.dtype("f8")),
        "REAL": ("type", np.dtype("f4")), "np.uint8": ("type", np.dtype("u1")),
        "DTYPE": ("type", np.dtype("i2")),
    }  # fmt: skip
    assert "x: T, y: D, z: REAL, w: \"double\", v: int) -> np.uint8:" in text(f)


def test_names_of_an_empty_space_are_the_modules():
    space = {}
    source = "def f(x):\n    return x + RATE\n"
    exec(source, space)
    space["f"].__module__ = __name__
    space["f"].__cpl_source__ = source
    assert meanings(space["f"]) == {"RATE": ("float", 0.25)}


def test_names_of_scipy():
    special = types.ModuleType("scipy.special")
    special.erf = np.frompyfunc(math.erf, 1, 1)
    special.erf = type("ufunc", (), {"__name__": "erf", "__call__": lambda self, x: x})()
    kept = sys.modules.get("scipy.special")
    sys.modules["scipy.special"] = special
    erf = special.erf
    try:
        def f(x):
            return special.erf(x) + erf(x)

        assert meanings(f) == {"special.erf": ("builtin", "erf"), "erf": ("builtin", "erf")}
    finally:
        del sys.modules["scipy.special"]
        if kept:
            sys.modules["scipy.special"] = kept


# ---- programs ----


def even(x):
    return 1 if x == 0 else odd(x - 1)


def odd(x):
    return 0 if x == 0 else even(x - 1)


def test_recursion_ends():
    found = read(even).functions
    assert [f.name for f in found] == ["even", "odd"]
    assert found[0].names == (Name("odd", "function", 1),)
    assert found[1].names == (Name("even", "function", 0),)


def test_more_functions_follow_in_order():
    found = read(odd, even, lambda a, b: a + b, operator.add, np.arctan2, odd).functions
    assert [f.name for f in found[:6]] == [
        "odd", "even", "test_more_functions_follow_in_order.lambda_", "add", "arctan2", "odd_2"]
    assert found[0].names == (Name("even", "function", 1),)
    assert found[3].text == "def add(a, b):\n    return a + b\n"
    assert found[4].names == (Name("built_in", "builtin", "numpy.arctan2"),)
    assert found[4].parameters == ("a", "b")
    assert len(found) == 6


def test_equal_names_get_numbers():
    def make(k):
        def step(x):
            return x*k
        return step

    a, b = make(1), make(2)

    def f(x):
        return a(b(x))

    first, *others = read(f).functions
    assert {o.name for o in others} == {
        "test_equal_names_get_numbers.make.step", "test_equal_names_get_numbers.make.step_2"}
    assert {n.name: others[n.value - 1].names[0].value for n in first.names} == {"a": 1, "b": 2}


def test_operators_and_functions_of_python_in_kernels():
    join = operator.mul

    def f(x):
        return join(x, root(x))

    found = read(f).functions
    assert dict((n.name, n.kind) for n in found[0].names) == {"join": "function",
                                                             "root": "builtin"}
    assert found[1].text == "def mul(a, b):\n    return a * b\n"


@pytest.mark.parametrize("value, message", [
    (functools.partial(one, 1, 2, 3), "no parameter for so many arguments"),
    (limits.bound, "bound to an object of class Limits; make it .* @staticmethod"),
    (Limits.__dict__["computed"], "a property is no function"),
    (Limits, "the class Limits is no function"),
    (3, "no function that kernels are made of"), ("one", "a text is no function"),
    (print, "the function builtins.print is no function that kernels"),
    (np.linalg.norm, "the function numpy.linalg.norm is no"),
    (classmethod(one), "method of a class"),
])  # fmt: skip
def test_what_is_no_function(value, message):
    with pytest.raises(TypeError, match=message):
        read(value)


def test_what_is_built_in_is_a_function():
    (found,) = read(math.sqrt).functions
    assert found.text == "def sqrt(a):\n    return built_in(a)\n"
    assert found.names == (Name("built_in", "builtin", "math.sqrt"),)


# ---- guards ----


CODE = {"__code__", "__defaults__", "__kwdefaults__"}  # of each function


def test_guards_hold_until_something_changes():
    k = 3

    def f(x):
        return one(x)*k + N + config.size + Limits.LOW + os.sep + Tight.clamp(x)

    guards = read(f).guards
    assert len({(id(g.holder), g.key) for g in guards}) == len(guards)
    assert {g.key for g in guards} - CODE == {
        None, "one", "N", "config", "size", "Limits", "LOW", "os", "sep", "Tight", "clamp", "max"}
    assert all(isinstance(g, Guard) and g.holds() for g in guards)
    k = 4
    assert [g.key for g in guards if not g.holds()] == [None]
    config.size = 6
    assert {g.key for g in guards if not g.holds()} == {None, "size"}
    config.size = 5
    Limits.LOW = -2.0
    assert {g.key for g in guards if not g.holds()} == {None, "LOW"}
    Limits.LOW = -1.0


def test_names_in_texts_that_mean_nothing_have_no_guards():
    def f(x):
        printf("LIST one")
        return x

    assert {g.key for g in read(f).guards} == CODE | {"printf"}


def test_guards_see_other_code_and_defaults():
    def helper(x, k=1, *, m=2):
        return x + k + m

    def f(x):
        return helper(x)

    def changed():
        return {g.key for g in guards if not g.holds()}

    guards = read(f).guards
    helper.__code__ = (lambda x, k=1, *, m=2: x - k - m).__code__
    assert changed() == {"__code__"}
    helper.__defaults__ = (3,)
    helper.__kwdefaults__["m"] = 4
    assert changed() == {"__code__", "__defaults__", "m"}
    helper.__kwdefaults__ = {"m": 5}
    assert changed() == CODE | {"m"}


def test_guards_see_names_that_come_in_front():
    def f(x):
        return abs(x) + Tight.LOW + tight.LOW

    def changed():
        return [(g.holder, g.key) for g in guards if not g.holds()]

    guards = read(f).guards
    try:
        globals()["abs"] = one
        assert changed() == [(globals(), "abs")]
    finally:
        del globals()["abs"]
    assert changed() == []
    tight.LOW = 2.0
    assert changed() == [(vars(tight), "LOW")]
    del tight.LOW
    Tight.LOW = 2.0
    assert [key for _, key in changed()] == ["LOW"] and changed()[0][0] == dict(vars(Tight))
    del Tight.LOW
    assert changed() == []


def test_cells_without_a_value():
    def f(x):
        return x + later

    found = meanings(f)
    assert found == {"later": ("other", "not assigned yet")}
    later = 3
    assert meanings(f) == {"later": ("int", 3)}


def test_flags_of_the_future_are_the_functions():
    source = "def f(x: list):\n    return x\n"
    space = {}
    flags = __future__.annotations.compiler_flag
    exec(compile(source, "<future>", "exec", flags), space)
    linecache.cache["<future>"] = (len(source), None, source.splitlines(True), "<future>")
    assert text(space["f"]) == "def f(x      ):\n    return x\n"
    del linecache.cache["<future>"]


# --- NumPy's functions of elements ---

NUMPY_PY = Path(__file__).parents[3] / "lib/sema/numpy.py"


def test_all_of_numpys_functions_are_known():
    if not NUMPY_PY.exists():
        pytest.skip("the library's sources are not beside the package's")
    defined = set(re.findall(r"^def ([a-z]\w*)", NUMPY_PY.read_text(encoding="utf-8"), re.M))
    assert defined <= source._NUMPY_NAMES
    assert all(callable(getattr(np, name)) for name in source._NUMPY_NAMES)


def test_numpys_functions_by_any_name():
    limit, choose = np.clip, np.where

    @cpl.elementwise
    def f(i, x, y):
        y[i] = limit(x[i], 0.0, 1.0) + choose(x[i] > 0, 1, 2) + np.sign(x[i]) + np.round(x[i], 1)

    x, y = np.array([-1.5, 0.25, 3.0]), np.zeros(3)
    f(x, y)
    expected = np.clip(x, 0, 1) + np.where(x > 0, 1, 2) + np.sign(x) + np.round(x, 1)
    np.testing.assert_array_equal(y, expected)
