"""Modules in Cython, which this compiler neither needs nor builds."""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn

from . import beside

__getattr__ = beside.of(__name__)

_WHY = (
    "no module in Cython is built: kernels are compiled in the process, and kept on disk by the "
    "library's own cache"
)


def get_md5(data: str) -> str:
    """The checksum that names a module."""
    return hashlib.md5(data.encode("utf-8"), usedforsecurity=False).hexdigest()


def get_openmp_flags() -> tuple[list[str], list[str]]:
    """A C compiler's flags for OpenMP: none, since none is called."""
    return [], []


class ExtModule:
    """A text in Cython and the name that its module would have."""

    def __init__(
        self, src: str, extension: str = "pyx", root: str | None = None, verbose: bool = False,
        depends: Any = None, **_: Any,
    ) -> None:
        self.code, self.extension, self.root = src, extension, root
        self.verbose, self.depends = verbose, depends
        self.hash = get_md5(src)
        self.name = f"m_{self.hash}"

    def write_source(self) -> NoReturn:
        raise NotImplementedError(_WHY)

    def should_recompile(self) -> NoReturn:
        raise NotImplementedError(_WHY)

    def build(self, force: bool = False) -> NoReturn:
        raise NotImplementedError(_WHY)

    def write_and_build(self) -> NoReturn:
        raise NotImplementedError(_WHY)

    def load(self) -> NoReturn:
        raise NotImplementedError(_WHY)
