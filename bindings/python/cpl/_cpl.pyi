from collections.abc import Callable
from typing import Any, Literal

class Function:
    """What the decorators make: `f(...)`, `f[n](...)`, `f[global_size, local_size](...)`."""

    __name__: str
    __qualname__: str
    __wrapped__: Callable[..., Any]
    _decorate: Callable[[Callable[..., Any]], Function]
    parameters: tuple[str, ...]
    types: str | None
    def __init__(
        self, form: int, load: Callable[..., Any], name: str, parameters: tuple[str, ...],
        defaults: tuple[Any, ...], roles: tuple[Any, ...], options: tuple[Any, int], /,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __getitem__(self, sizes: int | tuple[int | tuple[int, ...], ...], /) -> Launcher: ...
    def inspect(
        self,
        stage: Literal["tokens", "ast", "types", "ir", "llvm", "asm", "obj", "header", "ptx",
                       "cubin", "spirv", "opencl-c"],
        /, *arguments: Any,
    ) -> Any: ...
    def source(self, target: Literal["host", "cuda", "opencl"], /, *arguments: Any) -> str: ...

class Launcher:
    """A function with the sizes that it is launched with."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class Module:
    fresh: bool
    def __init__(self, functions: tuple[tuple[Any, ...], ...], /) -> None: ...

def builtin_names() -> list[str]: ...
def version() -> str: ...
def set_option(name: str, value: int, /) -> None: ...
def options() -> dict[str, tuple[int, str]]: ...
