"""What programs read of a kernel: its functions' own texts under their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import dedent
from typing import Any

from cpl import functions, source

_RULE = "Functions as they are written, callers first, under the types that they were compiled for."


def _blocks(types: str) -> Iterator[tuple[str, str]]:
    """Of the compiler's text of types, each function's name and lines once; an algorithm's kernels
    have many in common."""
    seen = set()
    block: list[str] = []
    for line in [*types.splitlines(), "("]:
        if block and line[:1].strip():
            text = "\n".join(block)
            if text not in seen:
                seen.add(text)
                yield block[0].partition("(")[0], text
            block = []
        if line.strip():
            block.append(line)


def program(title: str, roots: Sequence[Callable[..., Any]], types: str) -> str:
    """All functions that those call, with their types as comments.

    >>> def twice(x):
    ...     y = x + x
    ...     return y
    >>> print(program("a kernel", [twice], "twice(x: float64) -> float64\\n  y: float64\\n"))
    # a kernel
    # Functions as they are written, callers first, under the types that they were compiled for.
    <BLANKLINE>
    # twice(x: float64) -> float64
    #   y: float64
    def twice(x):
        y = x + x
        return y
    <BLANKLINE>
    """
    lines = [f"# {title}", f"# {_RULE}"]
    if roots:
        texts = source.program(roots[0], functions._BUILTINS, tuple(roots[1:])).functions
        blocks = list(_blocks(types))
        for row in functions._rows(texts):
            said = [text for name, text in blocks if name == row[0]]
            comments = [f"# {line}" for text in said for line in text.splitlines()]
            lines += ["", *comments, dedent(row[2]).rstrip()]
    return "\n".join(lines) + "\n"
