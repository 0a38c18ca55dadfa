"""Symbols from outside that kernels may use: functions of C's on the host, texts on devices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cpl import lang


class Extern:
    """A symbol that a kernel calls by the name that it has in the kernel's module."""

    def link(self, backend: str) -> list[str]:
        """Arguments for a linker, of which none is called."""
        return []

    def code(self, backend: str) -> str:
        """The text that defines the symbol for a back end; NotImplementedError where there is
        none. Subclasses have their own."""
        raise NotImplementedError(f"{type(self).__qualname__} has no code for {backend}")

    def __call__(self, *args: Any, **kw: Any) -> Any:
        """What Python does; subclasses have their own."""
        raise NotImplementedError(f"{type(self).__qualname__} works in kernels alone")


class _Printf(Extern):
    """C's printf, which the language has built in."""

    __cpl_builtin__ = True
    __cpl_name__ = __name__ = "printf"

    def code(self, backend: str) -> str:
        return "from libc.stdio cimport printf" if backend == "cython" else ""

    def __call__(self, *args: Any, **kw: Any) -> None:
        lang.printf(*args)


printf = _Printf()


def get_extern_code(externs: Iterable[Extern], backend: str) -> tuple[list[str], list[str]]:
    """Linkers' arguments and the texts of symbols, without the empty ones."""
    links: list[str] = []
    texts = []
    for extern in externs:
        links += extern.link(backend)
        texts.append(extern.code(backend))
    return links, [t for t in texts if t]
