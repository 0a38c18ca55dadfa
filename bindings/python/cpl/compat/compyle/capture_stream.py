"""What is written to streams, taken where the operating system has it: subprocesses' too."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from typing import Any, TextIO

from . import beside

__getattr__ = beside.of(__name__)


def _descriptor(stream: TextIO) -> int:
    """Python's own streams are often replaced by others: theirs stay 1 and 2."""
    if stream is sys.stderr:
        return 2
    return 1 if stream is sys.stdout else stream.fileno()


class CaptureStream:
    """Takes what is written to a stream in its block; get_output() gives it, in the block and after.

    >>> import sys
    >>> with CaptureStream(sys.stderr) as captured:
    ...     _ = os.write(2, b"said")
    >>> captured.get_output()
    'said'
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.fileno = _descriptor(self.stream)
        self._kept = -1
        self._file: Any = None
        self._output = ""

    def __enter__(self) -> CaptureStream:
        self.stream.flush()
        self._kept = os.dup(self.fileno)
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        os.dup2(self._file.fileno(), self.fileno)
        return self

    def __exit__(self, *_: object) -> None:
        self.get_output()
        os.dup2(self._kept, self.fileno)
        os.close(self._kept)
        self._file.close()
        self._file = None

    def get_output(self) -> str:
        if self._file is not None:
            self.stream.flush()
            size = os.fstat(self._file.fileno()).st_size
            # pread leaves the place at which others write.
            self._output = os.pread(self._file.fileno(), size, 0).decode("utf-8", "replace")
        return self._output


class CaptureMultipleStreams:
    """Several at once, stdout and stderr if none are named; outputs are in their order."""

    def __init__(self, streams: Sequence[TextIO] | None = None) -> None:
        self.streams = (sys.stdout, sys.stderr) if streams is None else tuple(streams)
        self.captures = [CaptureStream(s) for s in self.streams]

    def __enter__(self) -> CaptureMultipleStreams:
        for capture in self.captures:
            capture.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        for capture in reversed(self.captures):
            capture.__exit__()

    def get_output(self) -> list[str]:
        return [c.get_output() for c in self.captures]
