"""Where the time goes: how often kernels ran and for how long, and what was copied."""

from __future__ import annotations

import os
import threading
from typing import Any, NamedTuple

from cpl import _cpl, show

# In the order of cpl_profile_what and of cpl_profile_format.
_KINDS = ("kernel", "to device", "to host", "on device", "compile", "choice")
_CSV, _JSON, _TRACE = range(3)


class Row(NamedTuple):
    """All runs of a kernel on a device, or all copies of a direction."""

    kind: str  # "kernel", "choice", or "to device", "to host" and "on device" of copies
    name: str
    device: str
    calls: int  # 0: it was compiled, maybe for a call before on a thread beside
    device_ns: int  # sum over all runs
    fastest_ns: int
    slowest_ns: int
    bytes: int  # of all arguments that are arrays, summed over the runs; bytes copied
    compile_ns: int  # 0: it was compiled before
    why: str = ""  # of a choice of a device, the last one: what was expected of each

    @property
    def mean_ns(self) -> float:
        return self.device_ns/self.calls if self.calls else 0.0

    @property
    def gb_per_s(self) -> float:
        return self.bytes/self.device_ns if self.device_ns else 0.0


class Span(NamedTuple):
    """One run, copy or compilation. Times count from the first profile of the process."""

    kind: str
    name: str
    device: str
    queue: int  # 0: the calling thread
    begin_ns: int
    end_ns: int
    bytes: int


class Copies(NamedTuple):
    """How often bytes were copied in a direction, and how many."""

    calls: int
    bytes: int


def _sum(a: Row, b: Row) -> Row:
    """Both in one; of rows without runs there is no fastest."""
    fastest = min((r.fastest_ns for r in (a, b) if r.calls), default=0)
    return Row(a.kind, a.name, a.device, a.calls + b.calls, a.device_ns + b.device_ns, fastest,
               max(a.slowest_ns, b.slowest_ns), a.bytes + b.bytes, a.compile_ns + b.compile_ns,
               b.why or a.why)


def _format(path: str) -> int:
    name = os.path.basename(path)
    if name.endswith(".csv"):
        return _CSV
    if name.endswith(".trace.json") or name == "trace.json":
        return _TRACE
    if name.endswith(".json"):
        return _JSON
    raise ValueError(f"{path}: the name has to end in .csv, .json or .trace.json")


_HEADS = ("kernel", "device", "calls", "total", "mean", "min", "max", "bytes", "GB/s", "compile")


def _cells(row: Row) -> tuple[str, ...]:
    times = (row.device_ns, row.mean_ns, row.fastest_ns, row.slowest_ns)
    return (
        row.name, row.device, str(row.calls), *map(show.duration, times), show.size(row.bytes),
        show.rate(row.gb_per_s), show.duration(row.compile_ns) if row.compile_ns else "",
    )


class Profile:
    """What ran in the block that it stands for, with `with`, in all threads of the process.

    A block within another, or beside it in another thread, is one of its own: what runs in both
    is in both profiles. Used again, a profile begins anew.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._rows: dict[tuple[str, str, str], Row] = {}
        self._spans: list[Span] = []
        self._before: tuple[tuple[int, int], ...] = ((0, 0),)*3
        self._after: tuple[tuple[int, int], ...] = self._before

    def _add(self, rows: list[Row], spans: list[Span]) -> None:
        for row in rows:
            key = row[:3]
            known = self._rows.get(key)
            self._rows[key] = _sum(known, row) if known else row
        self._spans += spans

    def __enter__(self) -> Profile:
        with _lock:
            if self in _running:
                raise RuntimeError("this profile runs already: make another one")
            _hand_out()
            self._begin()
            self._before = self._after = tuple(_cpl.copies().values())
            _cpl.profile_enable(True)
            _running.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        with _lock:
            if self not in _running:
                return  # this process is a child of the one that it runs in
            try:
                if len(_running) == 1:
                    _cpl.profile_enable(False)
                _hand_out()
            finally:
                _running.remove(self)

    @property
    def rows(self) -> list[Row]:
        """A record for each kernel on each device and each direction of copies; those that took
        longest are first."""
        self._look()
        return sorted(self._rows.values(), key=lambda r: (-r.device_ns, r.name, r.device))

    @property
    def spans(self) -> list[Span]:
        """A record for each single run, copy and compilation, in order; the last million."""
        self._look()
        return list(self._spans)

    @property
    def copies(self) -> dict[str, Copies]:
        """Counts of copies by direction: "to device", "to host" and "on device"."""
        self._look()
        pairs = zip(self._before, self._after)
        return {kind: Copies(after[0] - before[0], after[1] - before[1])
                for kind, (before, after) in zip(_KINDS[1:], pairs)}

    def _look(self) -> None:
        with _lock:
            if self in _running:
                _hand_out()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it: the rows to NAME.csv, rows and spans to NAME.json, and to NAME.trace.json
        what Perfetto (https://ui.perfetto.dev) and chrome://tracing show as a picture."""
        path = os.fspath(path)
        rows = [(_KINDS.index(r[0]), *r[1:]) for r in self.rows]
        spans = [(_KINDS.index(s[0]), *s[1:]) for s in self._spans]
        _cpl.profile_write(_format(path), path, rows, spans)

    def __repr__(self) -> str:
        rows = self.rows
        return show.text_table(_HEADS, [*map(_cells, rows)], 2) if rows else "nothing ran"

    def _repr_html_(self) -> str:
        return show.html_table(_HEADS, [*map(_cells, self.rows)], 2)


_lock = threading.RLock()
_running: list[Profile] = []


def _hand_out() -> None:
    """Gives what the library has recorded by now to all profiles that run."""
    if not _running:
        return
    copies = tuple(_cpl.copies().values())
    said = _cpl.profile_take()
    rows, spans = ([(_KINDS[r[0]], *r[1:]) for r in records] for records in said)
    for profile in _running:
        profile._add([*map(Row._make, rows)], [*map(Span._make, spans)])
        profile._after = copies


def _forked() -> None:
    """A child has a context of its own, in which nothing is recorded."""
    global _lock
    _lock = threading.RLock()
    _running.clear()


os.register_at_fork(after_in_child=_forked)


def profile() -> Profile:
    """Records what runs in a block: times are the device's own, and of the host's clock there.

    >>> import numpy as np
    >>> @cpl.elementwise
    ... def twice(i, x):
    ...     x[i] = 2*x[i]
    >>> with cpl.profile() as p:
    ...     for _ in range(3):
    ...         twice(np.ones(1000))
    >>> [(row.name, row.device, row.calls, row.bytes) for row in p.rows if row.calls]
    [('twice', 'host', 3, 24000)]

    print(p) shows a table, `p.rows` and `p.spans` are its records, `p.copies` counts copies, and
    `p.save("run.trace.json")` writes a file. They stay as they are when others follow. Blocks may
    stand in each other.
    """
    return Profile()
