"""What goes wrong in kernels and in calls of them, as exceptions and warnings.

An error with a place in the user's text is a SyntaxError too, so that Python, IPython and
Jupyter show the line with a mark below the place.
"""

from __future__ import annotations

import linecache
import re
import warnings
from typing import Any

from cpl.records import Record


class Error(Exception):
    """What libcpl reports. `status` is its name for it, `diagnostics` all that it said."""

    status: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()


class CompileError(Error, SyntaxError):
    """A function that cannot be compiled for the arguments that it was called with."""


class SourceError(Error, ValueError):
    """The text of a function cannot be found, or is not the one that it was compiled from."""


class ArgumentError(Error, ValueError):
    """Arguments that a kernel does not take."""


class BoundsError(Error, IndexError):
    """An index of an array that is not there; found with `cpl.config(bounds_check=True)`."""


class KernelAssertionError(Error, AssertionError):
    """An `assert` of a kernel that did not hold."""


class DeviceError(Error, RuntimeError):
    """A device, its driver or a library that reported an error or is not there."""


class OutOfMemory(Error, MemoryError):
    """No memory, on the host or on a device."""


class Cancelled(Error):
    """A call that was ended while it waited."""


class TimedOut(Error, TimeoutError):
    """A wait for a device that was given less time than it would take."""


class CallsTooDeep(Error, RecursionError):
    """A function that calls itself without end, or too deeply for the stack of a thread."""


class CompileWarning(UserWarning):
    """What the compiler found odd in a function, or notes of it."""


class Diagnostic(Record):
    """One thing that the compiler said; line and column count from 1, columns in bytes."""

    severity: str
    message: str
    hint: str | None
    file: str | None
    line: int
    column: int
    length: int
    text: str | None
    notes: tuple[Diagnostic, ...] = ()


# In the order of cpl/status.def: the name of each status and its class.
_STATUSES: tuple[tuple[str, type[Error]], ...] = (
    ("OK", Error),
    ("ENOMEM", OutOfMemory),
    ("EARG", ArgumentError),
    ("EIO", Error),
    ("ESYNTAX", CompileError),
    ("ETYPE", CompileError),
    ("ELIMIT", Error),
    ("ENOTFOUND", CompileError),
    ("EUNSUPPORTED", CompileError),
    ("EIR", Error),
    ("ECOMPILER", Error),
    ("EINTERNAL", Error),
    ("EBOUNDS", BoundsError),
    ("EASSERT", KernelAssertionError),
    ("EOVERLAP", ArgumentError),
    ("ENODEVICE", DeviceError),
    ("EEXIST", Error),
    ("EDEVICE", DeviceError),
    ("EDEVICELOST", DeviceError),
    ("EFORKED", Error),
    ("ECANCELLED", Cancelled),
    ("ETIMEDOUT", TimedOut),
    ("ERECURSION", CallsTooDeep),
)

_SEVERITIES = ("note", "warning", "error")


_LAMBDA = re.compile(r"'lambda_(_\d+)?'")  # as cpl.text calls one without a name


def _diagnostic(row: tuple[Any, ...]) -> Diagnostic:
    severity, _status, message, hint, file, line, column, length, text, notes = row
    return Diagnostic(
        _SEVERITIES[severity], _LAMBDA.sub("'<lambda>'", message), hint, file, line, column, length,
        text, tuple(map(_diagnostic, notes)),
    )


def _line(d: Diagnostic) -> tuple[str, int]:
    """The line as its file has it, and by how many characters what the compiler was given of it is
    to the right: only a lambda on the first line of a file is."""
    line = linecache.getline(d.file, d.line).rstrip("\n") if d.file else ""
    if d.text is None or d.text.strip() in line:
        return line, 0  # what the compiler was given lacks the indentation
    head, found, body = d.text.partition(": return (")
    at = line.find(body.removesuffix(")")) if found and line else -1
    return (line, len(head + found) - at) if at >= 0 else (d.text, 0)


def _characters(line: str, column: int) -> int:
    """A column of characters, from 1, for one of bytes."""
    return len(line.encode()[: column - 1].decode(errors="replace")) + 1


def _explained(d: Diagnostic) -> list[str]:
    """A diagnostic's hint and notes, a line each."""
    lines = [f"hint: {d.hint}"] if d.hint else []
    for note in d.notes:
        place = f"{note.file}:{note.line}: " if note.file else ""
        lines += [f"{place}{note.message}", *_explained(note)]
    return lines


def _place(error: SyntaxError, d: Diagnostic) -> None:
    """What Python shows of a SyntaxError: the line, and marks below the place."""
    line, shift = _line(d)
    given = d.text if shift and d.text else line
    error.filename, error.lineno, error.text = d.file, d.line, line + "\n"
    error.offset = _characters(given, d.column) - shift
    error.end_lineno = d.line
    error.end_offset = _characters(given, d.column + d.length) - shift


def _exception(status: int, message: str, what: str | None, found: list[Diagnostic]) -> Error:
    name, kind = _STATUSES[status]
    errors = [d for d in found if d.severity == "error"]
    if errors:
        first = errors[0]
        message = first.message
        if what and not first.file and what not in message:
            message = f"{what}(): {message}"
        at = f" ({first.file}:{first.line})" if first.file and kind is not CompileError else ""
        error = kind(message + at)
        if isinstance(error, SyntaxError):
            error.msg = message
            if first.file:
                _place(error, first)
        for line in dict.fromkeys(line for d in errors for line in _explained(d)):
            error.add_note(line)
    else:
        error = kind(f"{what}(): {message}" if what else message)
    error.status, error.diagnostics = name, tuple(found)
    return error


_noted: dict[str, dict[Any, Any]] = {}  # of each file, as warnings remembers it


def _warn(d: Diagnostic) -> None:
    """Notes come once a place, unless a filter says otherwise; warnings with each kernel."""
    if not d.file:
        warnings.warn(d.message, CompileWarning, stacklevel=3)
        return
    known = _noted.setdefault(d.file, {}) if d.severity == "note" else None
    warnings.warn_explicit(d.message, CompileWarning, d.file, d.line, registry=known)


def raised(status: int, message: str, what: str | None, rows: list[tuple[Any, ...]]) -> None:
    """Raises what a status stands for; of 0 gives warnings and notes alone, of others no notes.
    Called by the extension."""
    found = [_diagnostic(row) for row in rows]
    for d in found:
        if d.severity == "warning" or (d.severity == "note" and not status):
            _warn(d)
    if status:
        raise _exception(status, message, what, found)
