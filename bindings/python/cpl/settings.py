"""Settings of the compiler."""

from __future__ import annotations

import operator
import threading
from typing import Any

from cpl import _cpl


class _Change:
    """Settings that were changed: `with` changes them back behind its block. Of blocks that overlap,
    in threads, the last one to end does so: what was there before goes from one to the next."""

    _entered: list[_Change] = []
    _lock = threading.Lock()

    def __init__(self, before: dict[str, int]):
        self._before = before

    def __enter__(self) -> None:
        with self._lock:
            self._entered.append(self)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            at = next(k for k, change in enumerate(self._entered) if change is self)
            later = self._entered[at + 1:]
            del self._entered[at]
            for name, value in self._before.items():
                heir = next((change for change in later if name in change._before), None)
                if heir:
                    heir._before[name] = value
                else:
                    _cpl.set_option(name, value)


def _number(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"the setting {name} is an integer, not {value!r}") from None


class Config:
    """The settings, as attributes, and as a call that changes several.

    >>> cpl.config.bounds_check
    0
    >>> with cpl.config(bounds_check=True):
    ...     cpl.config.bounds_check
    1

    Changes are for all threads, and for what is compiled from then on: functions called again are
    compiled again, or found among those made under the same settings.
    """

    def __call__(self, **changes: int) -> _Change:
        before = {name: getattr(self, name) for name in changes}
        values = {name: _number(name, value) for name, value in changes.items()}
        try:
            for name, value in values.items():
                _cpl.set_option(name, value)
        except BaseException:
            for name, value in before.items():
                _cpl.set_option(name, value)
            raise
        return _Change(before)

    def __getattr__(self, name: str) -> int:
        known = _cpl.options()
        if name not in known:
            raise AttributeError(f"no setting is called {name!r}")
        return known[name][0]

    def __setattr__(self, name: str, value: Any) -> None:
        self(**{name: value})

    def __dir__(self) -> list[str]:
        return sorted(_cpl.options())

    def __repr__(self) -> str:
        rows = (f"{name} = {value}  # {doc}" for name, (value, doc) in _cpl.options().items())
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        from cpl import show  # for notebooks alone

        rows = [(name, str(value), doc) for name, (value, doc) in _cpl.options().items()]
        return show.html_table(("setting", "value", "what it does"), rows, left=3)


config = Config()
