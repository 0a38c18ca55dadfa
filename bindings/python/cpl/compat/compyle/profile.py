"""Where a program's time goes: calls and seconds by name, nested calls a level deeper."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .config import get_config

Code = Callable[..., Any]
Info = Mapping[int, Mapping[str, Mapping[str, Any]]]

_RULE = "-"*70

_level = 0  # how many of those that are timed are open
_info: defaultdict[int, defaultdict[str, dict[str, Any]]] = defaultdict(
    lambda: defaultdict(lambda: {"calls": 0, "time": 0.0})
)


def _record(name: str, seconds: float) -> None:
    row = _info[_level][name]
    row["calls"] += 1
    row["time"] += seconds


class ProfileContext:
    """Times what comes up to its stop().

    >>> p = ProfileContext("ten squares")
    >>> squares = [k*k for k in range(10)]
    >>> p.stop()
    >>> get_profile_info()[0]["ten squares"]["calls"]
    1
    """

    def __init__(self, name: str) -> None:
        global _level
        self.name = name
        _level += 1
        self.start = time.perf_counter()

    def stop(self) -> None:
        seconds = time.perf_counter() - self.start
        self._leave()
        _record(self.name, seconds)

    def _leave(self) -> None:
        global _level
        _level -= 1


@contextmanager
def profile_ctx(name: str) -> Iterator[float]:
    """Times a block; one that raises is not counted."""
    timed = ProfileContext(name)
    try:
        yield timed.start
    except BaseException:
        timed._leave()
        raise
    timed.stop()


def _name_of(method: Code, args: tuple[Any, ...]) -> str:
    """That of the object whose method it is, if the object has a name, or else its own."""
    owner: Any = args[0] if args else None
    if hasattr(owner, method.__name__) and hasattr(owner, "name"):
        return str(owner.name)
    return getattr(method, "__qualname__", method.__name__)


def profile(method: Code | None = None, name: str | None = None) -> Any:
    """Times each call of a function: `@profile`, or `@profile(name="...")`."""

    def decorate(function: Code) -> Code:
        def timed(*args: Any, **keywords: Any) -> Any:
            global _level
            _level += 1
            start = time.perf_counter()
            try:
                result = function(*args, **keywords)
            except BaseException:
                _level -= 1
                raise
            seconds = time.perf_counter() - start
            _level -= 1
            _record(_name_of(function, args) if name is None else name, seconds)
            return result

        timed.__doc__ = function.__doc__
        return timed

    return decorate if method is None else decorate(method)


def get_profile_info() -> Info:
    """Level, name, and {"calls": ..., "time": seconds} of all that was timed in this process."""
    return _info


def _by_time(rows: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any]]]:
    return sorted(rows.items(), key=lambda row: row[1]["time"], reverse=True)


def print_profile() -> None:
    """Prints the two outermost levels, the slowest first, and the sum of the outermost."""
    print(_RULE)
    if not _info:
        print("No profiling information available")
        print(_RULE)
        return
    print("Profiling info:")
    print(f"{'Level':<6} {'Function':<40} {'N calls':<10} {'Time':<10}")
    for level in range(min(len(_info), 2)):
        for name, row in _by_time(_info[level]):
            print(f"{level:<6} {name:<40} {row['calls']:<10} {row['time']:<10.3g}")
    total = sum(row["time"] for row in _info[0].values())
    print(f"Total profiled time: {total:g} secs")
    print(_RULE)


def profile2csv(fname: str, info: Sequence[Info] | None = None) -> None:
    """Writes rank, level, function, calls and time. info: one mapping for each rank; without it
    this process's alone."""
    with open(fname, "w", encoding="utf-8") as file:
        file.write("rank,level,function,calls,time\n")
        for rank, levels in enumerate([_info] if info is None else info):
            for level in sorted(levels):
                for name, row in _by_time(levels[level]):
                    file.write(f"{rank},{level},{name},{row['calls']},{row['time']}\n")


def profile_kernel(kernel: Code, name: str, backend: str | None = None) -> Code:
    """Times each call of a kernel, if the settings say `profile`. What a call returns is waited
    for, if that can be done."""
    if not get_config().profile:
        return kernel

    def timed(*args: Any, **keywords: Any) -> Any:
        start = time.perf_counter()
        event = kernel(*args, **keywords)
        if hasattr(event, "wait"):
            event.wait()
        _record(name, time.perf_counter() - start)
        return event

    if hasattr(kernel, "get_work_group_info"):
        timed.get_work_group_info = kernel.get_work_group_info  # type: ignore[attr-defined]
    return timed


def named_profile(name: str | None, backend: str | None = None) -> Callable[[Code], Code]:
    """Of a function that makes a kernel: times the kernel's calls, as profile_kernel does."""

    def decorate(maker: Code) -> Code:
        def make(*args: Any, **keywords: Any) -> Code:
            made = maker(*args, **keywords)
            return profile_kernel(made, maker.__name__ if name is None else name, backend)

        return make

    return decorate
