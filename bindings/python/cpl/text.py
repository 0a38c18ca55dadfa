"""Where a function's text stands, and whether it still is the function's.

A text counts as a function's only if the file that it stands in, compiled again, holds the very
code that the function runs. So a file that was edited after its import, or a cache of lines that
belongs to something else, gives an error and never another function's text.
"""

from __future__ import annotations

import __future__

import ast
import itertools
import linecache
import os
import re
import stat
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from cpl.errors import SourceError
from cpl.records import Record

_NESTED = 0x10  # CO_NESTED: the code of a function in another one
_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag & ~_NESTED
_RECENT_CELLS = 100
_RECENT_LINES = 2000
_ATTRIBUTES = ("__cpl_source__", "source")  # where who executes a text may leave it

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Found(Record):
    """A function's definition in the text that holds it."""

    file: str
    lines: tuple[bytes, ...]  # UTF-8, as ast counts columns; without their ends
    node: Definition
    name: str  # a lambda's is the name that it is assigned to, if there is one


def _split(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


class _File:
    """A text, with its definitions and their codes by their first lines."""

    def __init__(self, text: str, tree: ast.Module, code: CodeType) -> None:
        self.lines = tuple(line.encode("utf-8", "replace") for line in _split(text))
        self.codes: defaultdict[int, list[CodeType]] = defaultdict(list)
        self.nodes: defaultdict[int, list[Definition]] = defaultdict(list)
        self.names: dict[ast.expr, str] = {}  # of lambdas, which are assigned to them
        for inner in _codes(code):
            self.codes[inner.co_firstlineno].append(inner)
        for node in ast.walk(tree):
            if isinstance(node, Definition):
                decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
                self.nodes[decorators[0].lineno if decorators else node.lineno].append(node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.names[node.value] = node.targets[0].id

    def name_of(self, node: Definition) -> str:
        return self.names.get(node, "lambda_") if isinstance(node, ast.Lambda) else node.name


@lru_cache(maxsize=64)
def _parsed(text: str, file: str, flags: int) -> _File:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the text, each of which has been shown before
        tree = compile(text, file, "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        code = compile(text, file, "exec", flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return _File(text, tree, code)


def _parse(text: str, code: CodeType) -> _File | None:
    """None: the text is no Python."""
    try:
        return _parsed(text, code.co_filename, code.co_flags & _FUTURES)
    except (SyntaxError, ValueError):
        return None


# ---- code ----


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _constant(value: object) -> object:
    """Equal for equal constants of the same type alone: neither 1 and True nor 0.0 and -0.0."""
    if isinstance(value, CodeType):
        return _content(value)
    if isinstance(value, tuple):
        return tuple(_constant(v) for v in value)
    if isinstance(value, frozenset):
        return frozenset(_constant(v) for v in value)
    return type(value), repr(value)


def _content(code: CodeType) -> tuple[object, ...]:
    """All of a code but where it stands."""
    return (
        code.co_name,
        code.co_argcount,
        code.co_posonlyargcount,
        code.co_kwonlyargcount,
        code.co_flags & ~_NESTED,
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        tuple(_constant(c) for c in code.co_consts),
    )


def _same(code: CodeType) -> Callable[[CodeType], bool]:
    return lambda other: other == code  # lines and columns count too


def _moved(code: CodeType) -> Callable[[CodeType], bool]:
    content = _content(code)
    return lambda other: other.co_qualname == code.co_qualname and _content(other) == content


def _alike(code: CodeType) -> Callable[[CodeType], bool]:
    content = _content(code)
    return lambda other: _content(other) == content


# ---- definitions ----


def _extent(code: CodeType) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Where what a code computes begins and ends; None: it does not know its columns."""
    places = []
    for line, end_line, column, end_column in code.co_positions():
        if line is None or end_line is None or column is None or end_column is None:
            continue
        if (line, column) < (end_line, end_column):
            places.append(((line, column), (end_line, end_column)))
    return (min(p[0] for p in places), max(p[1] for p in places)) if places else None


def _range(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _alone(node: ast.Lambda) -> CodeType:
    """The code of a lambda that closes over nothing."""
    return next(_codes(compile(ast.Expression(node), "lambda", "eval", dont_inherit=True)))


def _without_columns(nodes: list[ast.Lambda], code: CodeType) -> ast.Lambda | None:
    """The only lambda of a line, or one that does the same: Python 3.12 gives constants no columns,
    and PYTHONNODEBUGRANGES nothing."""
    content = _content(code)
    equal = [n for n in nodes if len(nodes) == 1 or _content(_alone(n)) == content]
    if nodes and not equal:
        raise SourceError(
            f"{code.co_filename}:{code.co_firstlineno}: one of several lambdas on a line is not "
            "found without columns (PYTHONNODEBUGRANGES); put each on a line of its own"
        )
    return equal[0] if equal else None


def _lambda(file: _File, code: CodeType) -> ast.Lambda | None:
    nodes = [n for n in file.nodes.get(code.co_firstlineno, []) if isinstance(n, ast.Lambda)]
    extent = _extent(code)
    if extent is None:
        return _without_columns(nodes, code)
    begin, end = extent
    around = [n for n in nodes if _range(n.body)[0] <= begin and end <= _range(n.body)[1]]
    return max(around, key=lambda n: _range(n.body)[0], default=None)  # the innermost one


def _def(file: _File, code: CodeType) -> Definition | None:
    nodes = (n for n in file.nodes.get(code.co_firstlineno, []) if not isinstance(n, ast.Lambda))
    return next((n for n in nodes if n.name == code.co_name), None)


def _find(text: str, code: CodeType, matches: Callable[[CodeType], bool]) -> Found | None:
    """The definition in a text whose code matches, the nearest to where it was."""
    file = _parse(text, code)
    if file is None:
        return None
    line = code.co_firstlineno
    for first in sorted(file.codes, key=lambda at: abs(at - line)):
        for candidate in filter(matches, file.codes[first]):
            is_lambda = candidate.co_name == "<lambda>"
            node = _lambda(file, candidate) if is_lambda else _def(file, candidate)
            if node is not None:
                return Found(code.co_filename, file.lines, node, file.name_of(node))
    return None


_OPENS = re.compile(r"[^\s#)\]}]")  # in the first column: a statement of the module begins


@lru_cache(maxsize=8)
def _lines(text: str) -> tuple[str, ...]:
    return tuple(_split(text))


def _end(lines: tuple[str, ...], first: int) -> int:
    """Behind the statement that begins there."""
    end = first
    if lines[first].startswith("@"):
        while end + 1 < len(lines) and not lines[end].startswith(("def ", "class ", "async ")):
            end += 1
    end += 1
    while end < len(lines) and not _OPENS.match(lines[end]):
        end += 1
    return end


def _around(text: str, code: CodeType) -> str:
    """Of a module the statement that has the line where a code begins, below the imports: calls of
    what is imported have other code. All other lines are empty. A guess by what stands in the first
    column; to compile it is so much less than the whole file that it is tried before."""
    lines = _lines(text)
    first = min(code.co_firstlineno, len(lines)) - 1
    while first > 0 and not _OPENS.match(lines[first]):
        first -= 1
    kept = [""] * first
    for k in range(first):
        if lines[k].startswith(("import ", "from ")):
            end = min(_end(lines, k), first)
            kept[k:end] = lines[k:end]
    return "\n".join([*kept, *lines[first:_end(lines, first)], ""])


def _find_same(text: str, code: CodeType) -> Found | None:
    return _find(_around(text, code), code, _same(code)) or _find(text, code, _same(code))


# ---- texts ----


def _lines_of_code(code: CodeType) -> list[str]:
    """What the interpreter keeps of what is typed in or given by -c, from Python 3.13 on."""
    known: Any = getattr(linecache, "_getlines_from_code", None)
    return list(known(code)) if known else []


def _file_of_input() -> str:
    """What the interpreter reads, where that is a file: python < script.py."""
    try:
        size = os.fstat(0).st_size if stat.S_ISREG(os.fstat(0).st_mode) else 0
        return os.pread(0, size, 0).decode()
    except (OSError, ValueError):
        return ""


def _typed_statements(name: str) -> Iterator[str]:
    """Statements of the lines that were typed in, the last ones first, that have a word in them.
    Lines that are empty, and those like the one before, are not kept by readline."""
    readline: Any = sys.modules.get("readline")
    if readline is None or not hasattr(sys, "ps1"):
        return
    end = readline.get_current_history_length() + 1
    lines = [readline.get_history_item(k) or "" for k in range(max(end - _RECENT_LINES, 1), end)]
    first = last = len(lines)
    while first > 0:
        first -= 1
        text = lines[first:last]
        if not _OPENS.match(text[0]) or (first and lines[first - 1].startswith("@")):
            continue
        if any(name in line for line in text):
            yield "\n".join([*text, ""])
        last = first


def _given_texts(code: CodeType) -> Iterator[str]:
    """What is not kept before Python 3.13, or not at all, and is somewhere else."""
    name = "lambda" if code.co_name == "<lambda>" else code.co_name
    if code.co_filename == "<string>":
        yield from (text for text in sys.orig_argv[1:] if name in text)
    elif code.co_filename == "<stdin>":
        yield _file_of_input()
        yield from _typed_statements(name)


# where %time, %timeit and %prun run what stands behind them or below
_TIMED = frozenset(("<timed exec>", "<timed eval>", "<magic-timeit>", "<string>"))


def _timed_texts() -> Iterator[str]:
    """What stands in cells of a notebook below a line like %%time or behind %time, the last ones
    first: it runs under a name that has no lines."""
    ipython: Any = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython else None
    if shell is None:
        return
    cells: list[str] = shell.history_manager.input_hist_raw
    for cell in reversed(cells[-_RECENT_CELLS:]):
        if cell.startswith("%%"):
            yield shell.transform_cell(cell.partition("\n")[2])
        for line in re.findall(r"%(?:time|timeit|prun)\s((?:.*[^\w])?(?:lambda|def)\b.*)", cell):
            yield re.sub(r"^(-\w+\s+(\d+\s+)?)+", "", line)


def _texts(function: FunctionType) -> Iterator[str]:
    """The texts that may hold a function: as they were read first, then as they are now. An edited
    file whose lines were kept still has the function's text."""
    code = function.__code__
    get = linecache.getlines  # doctest replaces it
    seen = ["".join(get(code.co_filename, function.__globals__))]
    yield seen[0]
    linecache.checkcache(code.co_filename)
    seen.append("".join(get(code.co_filename, function.__globals__)))
    if seen[1] != seen[0]:
        yield seen[1]
    if code.co_filename.startswith("<"):
        yield "".join(_lines_of_code(code))
        yield from _given_texts(code)


def _attached(function: FunctionType) -> Iterator[str]:
    for name in _ATTRIBUTES:
        text = getattr(function, name, None)
        if isinstance(text, str):
            yield text


def _missing(code: CodeType) -> str:
    file, name = code.co_filename, code.co_name
    if file == "<stdin>":
        return (
            f"the text of '{name}' is not known: this interpreter does not keep what it is given so; "
            "write the function to a file, or use IPython or Python 3.13"
        )
    if file.startswith("<"):
        return (
            f"the text of '{name}' is not known: it was made from {file}; give the text to "
            "linecache.cache under the name that it is compiled with, or set it as the function's "
            "__cpl_source__"
        )
    return f"the text of '{name}' is not known: {file} cannot be read"


def find(function: FunctionType) -> Found:
    """The definition of a function. Raises SourceError where no text is known to be its own."""
    code = function.__code__
    texts = [text for text in _texts(function) if text]
    for text in texts:
        found = _find_same(text, code)
        if found:
            return found
    timed = _timed_texts() if code.co_filename in _TIMED else ()
    for text in itertools.chain(_attached(function), timed):
        found = _find(text, code, _alike(code))
        if found:
            return found
    for text in reversed(texts):
        found = _find(text, code, _moved(code))
        if found:
            return found
    if not texts:
        raise SourceError(_missing(code))
    if code.co_filename.startswith("<"):
        raise SourceError(f"{_missing(code)} (what is known as {code.co_filename} is another text)")
    raise SourceError(
        f"the text of '{code.co_name}' in {code.co_filename} has changed since it was imported; "
        f"{_remedy(function)}"
    )


def _remedy(function: FunctionType) -> str:
    if "@pytest_ar" in function.__globals__:
        return "or pytest has rewritten its asserts: put it into a module that is no test"
    return "reload it (an import hook that rewrites functions looks the same)"


# ---- what is handed on ----


def _blank(lines: list[bytes], begin: tuple[int, int], end: tuple[int, int]) -> None:
    """Blanks in place of what stands between two places, so that columns stay."""
    for number in range(begin[0], end[0] + 1):
        line = lines[number - 1]
        first = begin[1] if number == begin[0] else 0
        last = end[1] if number == end[0] else len(line)
        lines[number - 1] = line[:first] + b" " * (last - first) + line[last:]


def _without_annotation(lines: list[bytes], arg: ast.arg) -> None:
    assert arg.end_lineno is not None and arg.end_col_offset is not None
    line = lines[arg.lineno - 1][arg.col_offset:].decode()
    name = re.match(r"\w+", line)
    assert name
    column = arg.col_offset + len(name.group().encode())
    _blank(lines, (arg.lineno, column), (arg.end_lineno, arg.end_col_offset))


def _without_result(lines: list[bytes], returns: ast.expr) -> None:
    (line, column), (end_line, end) = _range(returns)
    text = lines[line - 1]
    arrow = text.rfind(b"->", 0, column)
    if arrow < 0 or line != end_line:
        return  # over several lines in brackets: it stays
    while text[end:end + 1] in (b" ", b")"):
        end += 1
    _blank(lines, (line, arrow), (line, end))


def _arguments(node: ast.arguments) -> list[ast.arg]:
    stars = [a for a in (node.vararg, node.kwarg) if a]
    return node.posonlyargs + node.args + node.kwonlyargs + stars


def _terminal(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return getattr(called, "attr", getattr(called, "id", ""))


def typed_decorators(node: Definition) -> list[ast.expr]:
    """Those which say types, and are read."""
    if isinstance(node, ast.Lambda):
        return []
    return [d for d in node.decorator_list if _terminal(d) == "annotate"]


def _def_text(found: Found, keep: Callable[[ast.expr], bool]) -> tuple[str, int]:
    node = found.node
    assert not isinstance(node, ast.Lambda) and node.end_lineno is not None
    lines = list(found.lines)
    for arg in _arguments(node.args):
        if arg.annotation and not keep(arg.annotation):
            _without_annotation(lines, arg)
    if node.returns and not keep(node.returns):
        _without_result(lines, node.returns)
    kept = typed_decorators(node)
    ends = [d.lineno for d in node.decorator_list[1:]] + [node.lineno]
    for decorator, end in zip(node.decorator_list, ends):
        if decorator not in kept:
            lines[decorator.lineno - 1:end - 1] = [b""] * (end - decorator.lineno)
    first = kept[0].lineno if kept else node.lineno
    return b"\n".join(lines[first - 1:node.end_lineno]).decode() + "\n", first


def _parameter_list(args: ast.arguments) -> str:
    """Of a lambda; defaults are numbers where they are, and None otherwise."""
    plain = ast.parse(f"lambda {ast.unparse(args)}: 0", mode="eval").body
    assert isinstance(plain, ast.Lambda)
    none = ast.Constant(None)
    of = plain.args
    of.defaults = [d if isinstance(d, ast.Constant) else none for d in of.defaults]
    of.kw_defaults = [d if isinstance(d, ast.Constant | None) else none for d in of.kw_defaults]
    return ast.unparse(of)


def _lambda_text(found: Found, name: str) -> tuple[str, int]:
    """A function that returns a lambda's expression. The expression keeps its line, and its column:
    what is put in front of it takes the place of blanks there or, where that is too little, a line
    before. Only on the first line of a file it moves to the right."""
    assert isinstance(found.node, ast.Lambda)
    (line, column), (end_line, end) = _range(found.node.body)
    head = f"def {name}({_parameter_list(found.node.args)}): return ("
    lines = list(found.lines[line - 1:end_line])
    lines[-1] = lines[-1][:end] + b")"
    lines[0] = lines[0][column:]
    body = b"\n".join(lines).decode() + "\n"
    pad = column - len(head.encode())
    if pad >= 0 or line == 1:
        return " " * max(pad, 0) + head + body, line
    return head + "\n" + " " * column + body, line - 1


def text_of(found: Found, keep: Callable[[ast.expr], bool]) -> tuple[str, int]:
    """The text of a definition as kernels are written, and its first line in the file. Decorators
    are left out, but for those that say types, and annotations that keep() has nothing for are
    blank; all the rest stands at the lines and columns where it stands in the file."""
    if isinstance(found.node, ast.Lambda):
        return _lambda_text(found, found.name)
    return _def_text(found, keep)
