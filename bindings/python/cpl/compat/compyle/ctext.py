"""Texts of C, as PyOpenCL's users write them for reductions and scans, in the language's words.

What Python reads is taken as Python: `a + b` and `max(a, b)` are both. What it does not read is
read as C: `a > b ? a : b`, `x && !y`, `1.0f`, `(float)x`, and statements for what a scan writes.
"""

from __future__ import annotations

import ast
import re
from typing import NoReturn

from cpl.errors import CompileError

FILE = "<expression>"  # what the compiler calls such texts

_TOKEN = re.compile(r"""
    (?P<number>0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFuUlL]*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%<>&|^~!?:=()\[\]{},;.])
""", re.VERBOSE)

# What binds two operands, the loosest first.
_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="),
           ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_TRUTHS = {"||": "or", "&&": "and"}
_ASSIGNS = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_TYPES = frozenset(
    "bool char double float int long short signed uchar uint ulong unsigned ushort".split()
)
_ONE_WORD = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int",
             "ulong": "unsigned long", "unsigned": "unsigned int", "signed": "int"}


class _Truth(str):
    """An expression that is true or false, and no number yet."""


def _number(x: str) -> str:
    """The value of an expression, as operands are."""
    return f"(1 if {x} else 0)" if isinstance(x, _Truth) else x


class _Reader:
    """Reads one text of C; every operation gets parentheses of its own."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[tuple[str, str, int]] = []  # kind, text, place
        self.at = 0
        place = 0
        while place < len(text):
            if text[place].isspace():
                place += 1
                continue
            found = _TOKEN.match(text, place)
            if not found:
                self._refuse(f"{text[place]!r} has no meaning in C", place)
            assert found is not None and found.lastgroup is not None
            self.tokens.append((found.lastgroup, found.group(), place))
            place = found.end()
        self.tokens.append(("end", "", len(text)))

    def _refuse(self, message: str, place: int | None = None) -> NoReturn:
        if place is None:
            place = self.tokens[self.at][2]
        before = self.text[:place]
        line = before.count("\n") + 1
        column = place - (before.rfind("\n") + 1) + 1
        shown = (self.text.splitlines() or [""])[line - 1:line]
        error = CompileError(message, (FILE, line, column, shown[0] if shown else ""))
        error.status = "ESYNTAX"
        raise error

    @property
    def _next(self) -> str:
        return self.tokens[self.at][1]

    def _take(self, *texts: str) -> str | None:
        """The next token's text, if it is one of those."""
        kind, text, _ = self.tokens[self.at]
        if kind == "end" or text not in texts:
            return None
        self.at += 1
        return text

    def _expect(self, text: str) -> None:
        if not self._take(text):
            self._refuse(f"{text!r} was expected, not {self._next or 'the end'!r}")

    def end(self) -> None:
        if self.tokens[self.at][0] != "end":
            self._refuse(f"{self._next!r} was not expected here")

    # --- expressions ---

    def expression(self) -> str:
        test = self._binary(0)
        if not self._take("?"):
            return test
        yes = _number(self.expression())
        self._expect(":")
        return f"({yes} if {test} else {_number(self.expression())})"

    def _binary(self, level: int) -> str:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while sign := self._take(*_LEVELS[level]):
            right = self._binary(level + 1)
            if sign in _TRUTHS:
                left = _Truth(f"({left} {_TRUTHS[sign]} {right})")
            else:
                left = f"({_number(left)} {sign} {_number(right)})"
        return left

    def _unary(self) -> str:
        if sign := self._take("+", "-", "~"):
            return f"({sign}{_number(self._unary())})"
        if self._take("!"):
            return _Truth(f"(not {self._unary()})")
        if self._next == "(" and self.tokens[self.at + 1][1] in _TYPES:
            self.at += 1
            words = []
            while self._next in _TYPES:
                words.append(self._next)
                self.at += 1
            self._expect(")")
            name = " ".join(words)
            return f'cast({_number(self._unary())}, "{_ONE_WORD.get(name, name)}")'
        return self._postfix()

    def _postfix(self) -> str:
        value = self._primary()
        while self._take("["):
            value = f"{value}[{_number(self.expression())}]"
            self._expect("]")
        if self._next in (".", "->", "++", "--", "("):
            self._refuse(f"{self._next!r} is not known in expressions of C here")
        return value

    def _primary(self) -> str:
        kind, text, _ = self.tokens[self.at]
        if kind == "number":
            return self._literal()
        if kind == "name":
            self.at += 1
            return self._call(text) if self._take("(") else text
        if not self._take("("):
            self._refuse(f"an expression was expected, not {text or 'the end'!r}")
        inner = self.expression()
        self._expect(")")
        return inner

    def _literal(self) -> str:
        text = self._next
        is_hex = text[:2] in ("0x", "0X")
        number = text.rstrip("uUlL") if is_hex else text.rstrip("fFuUlL")
        if number.isdigit() and len(number) > 1 and number[0] == "0":
            self._refuse(f"{text!r} is octal in C; write it in decimals")
        self.at += 1
        return number

    def _call(self, name: str) -> str:
        given: list[str] = []
        while not self._take(")"):
            if given:
                self._expect(",")
            given.append(_number(self.expression()))
        return f"{name}({', '.join(given)})"

    # --- statements ---

    def statements(self, indent: str) -> list[str]:
        """Lines of Python up to the end, or to a brace that closes."""
        lines: list[str] = []
        while self.tokens[self.at][0] != "end" and self._next != "}":
            lines += self._statement(indent)
        return lines or [f"{indent}pass"]

    def _statement(self, indent: str) -> list[str]:
        if self._take(";"):
            return []
        if self._take("{"):
            lines = self.statements(indent)
            self._expect("}")
            return lines
        if self._take("if"):
            return self._if(indent)
        lines = [indent + self._assignment()]
        if self.tokens[self.at][0] != "end":  # the last one goes without
            self._expect(";")
        return lines

    def _if(self, indent: str) -> list[str]:
        more = indent + "    "
        self._expect("(")
        lines = [f"{indent}if {self.expression()}:"]
        self._expect(")")
        lines += self._statement(more) or [f"{more}pass"]
        if self._take("else"):
            lines += [f"{indent}else:", *(self._statement(more) or [f"{more}pass"])]
        return lines

    def _assignment(self) -> str:
        place = self.tokens[self.at][2]
        target = self._postfix()
        sign = self._take(*_ASSIGNS)
        if sign:
            return f"{target} {sign} {_number(self.expression())}"
        if target.endswith(")"):  # a call
            return target
        self._refuse("a statement of C is an assignment, a call or an if here", place)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def _of_c(text: str) -> bool:
    """Whether a text that is no Python is meant as C."""
    return bool(re.search(r"[?;{}]|&&|\|\||!(?!=)|->|\([a-z ]+\)\s*[\w(.]|\d\.?[fFuUlL]+\b", text))


def expression(text: str) -> str:
    """An expression in the language's words. CompileError, with the place, for what is C and not
    known here; what is neither C nor Python is left for the compiler to tell of.

    >>> expression("a > b && !c ? a : b + 1.0f")
    '(a if ((a > b) and (not c)) else (b + 1.0))'
    """
    if _is_python(text) or not _of_c(text):
        return text
    reader = _Reader(text)
    made = _number(reader.expression())
    reader.end()
    return made


def function(name: str, parameters: tuple[str, ...], text: str, returns: bool) -> str:
    """The text of a function of an expression, or of statements, of C."""
    reader = _Reader(text)
    if returns:
        lines = [f"    return {_number(reader.expression())}"]
    else:
        lines = reader.statements("    ")
    reader.end()
    return "\n".join([f"def {name}({', '.join(parameters)}):", *lines]) + "\n"


_ACROSS = re.compile(r"\bacross_seg_boundary\b")


def within_segments(text: str) -> str:
    """A scan's expression where both operands are of one segment: PyOpenCL's across_seg_boundary is
    false there, and elsewhere its expressions give b, as scans do by themselves."""
    return _ACROSS.sub(lambda found: "0".ljust(len(found.group())), text)


def minds_segments(text: str) -> bool:
    """Whether it is `across_seg_boundary ? b : ...`."""
    bare = text.strip()
    while bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    return re.match(r"across_seg_boundary\s*\?\s*\(?\s*b\s*\)?\s*:", bare) is not None
