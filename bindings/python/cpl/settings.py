"""Settings of the compiler."""

from __future__ import annotations

from typing import Any

from cpl import _cpl


class _Change:
    """Settings that were changed: `with` changes them back behind its block."""

    def __init__(self, before: dict[str, int]):
        self._before = before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        for name, value in self._before.items():
            _cpl.set_option(name, value)


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
        for name, value in changes.items():
            _cpl.set_option(name, int(value))
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
