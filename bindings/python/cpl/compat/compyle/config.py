"""Settings: one object for the process, and others for the time of a `with`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_SCHEDULES = ("static", "dynamic", "guided")


class Config:
    """Settings as attributes. Any value is kept as it is given, but for the schedule."""

    def __init__(self) -> None:
        self.use_openmp: Any = False  # the host uses all its cores
        self.use_opencl: Any = False  # the back end where none is said, before use_cuda
        self.use_cuda: Any = False
        self.use_double: Any = False  # devices compute with float64, else with float32
        self._omp_schedule: Any = ("dynamic", 64)
        self.profile: Any = False
        self.use_local_memory: Any = False  # kept, and not read
        self.wgs: Any = 32  # kept, and not read
        self.suppress_warnings: Any = False

    @property
    def omp_schedule(self) -> Any:
        """How rounds are dealt out to threads, and how many at a time: ("dynamic", 64)."""
        return self._omp_schedule

    @omp_schedule.setter
    def omp_schedule(self, value: Any) -> None:
        if len(value) != 2 or value[0].lower() not in _SCHEDULES:
            raise ValueError(f"Invalid OpenMP Schedule: {value}")
        self._omp_schedule = value

    def set_omp_schedule(self, omp_schedule: str) -> None:
        """As the environment's OMP_SCHEDULE says it: "dynamic,20", or "static"."""
        kind, comma, chunk = omp_schedule.partition(",")
        self.omp_schedule = (kind, int(chunk) if comma else None)


_config: Config | None = None


def get_config() -> Config:
    """The settings in force."""
    global _config
    if _config is None:
        _config = Config()
    return _config


def set_config(config: Config | None) -> None:
    """Other settings, or with None the usual ones."""
    global _config
    _config = config


@contextmanager
def use_config(**changes: Any) -> Iterator[Config]:
    """Settings for a block: the usual ones, whatever was set outside, but for the changes.

    >>> with use_config(use_openmp=True) as config:
    ...     config.use_openmp, get_config().use_double
    (True, False)
    """
    outside = get_config()
    inside = Config()
    for name, value in changes.items():
        setattr(inside, name, value)
    set_config(inside)
    try:
        yield inside
    finally:
        set_config(outside)
