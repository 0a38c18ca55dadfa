"""Records: small classes of named fields, as frozen dataclasses are, of which each takes most of a
millisecond when the package is imported."""

from __future__ import annotations

from typing import Any, ClassVar, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Its fields are what the class annotates, with what it gives as defaults. Records are equal
    where all fields are."""

    _fields: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(cls.__annotations__)

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values), **named)
        missing = [f for f in self._fields if f not in given and not hasattr(type(self), f)]
        wrong = [f for f in named if f not in self._fields[len(values):]]
        if missing or wrong or len(values) > len(self._fields):
            what = f"no {missing[0]}" if missing else f"{wrong[0]} too" if wrong else "too much"
            raise TypeError(f"{type(self).__name__} is given {what}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, f) for f in self._fields)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        fields = ", ".join(f"{f}={getattr(self, f)!r}" for f in self._fields)
        return f"{type(self).__qualname__}({fields})"

    def but(self, **changes: Any) -> Self:
        """The same with other values in some fields."""
        return type(self)(**{**dict(zip(self._fields, self._values())), **changes})
