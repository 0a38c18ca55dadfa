"""The text of functions, and a parser of command lines that sets the configuration."""

from __future__ import annotations

import argparse
import atexit
import inspect
from typing import Any

from .config import get_config
from .profile import print_profile


def getsourcelines(obj: Any) -> tuple[list[str], int]:
    """The lines of an object's text and the number of the first: of what was generated, those of
    its attribute `source`, and 0."""
    try:
        return inspect.getsourcelines(obj)
    except (OSError, TypeError):
        if not hasattr(obj, "source"):
            raise
        return obj.source.splitlines(True), 0


def getsource(obj: Any) -> str:
    """An object's text: of what was generated, its attribute `source`."""
    try:
        return inspect.getsource(obj)
    except (OSError, TypeError):
        if not hasattr(obj, "source"):
            raise
        return str(obj.source)


class ArgumentParser(argparse.ArgumentParser):
    """argparse's, with options for what Compyle's programs let their users choose; what was given
    is set in the configuration.

    >>> from cpl.compat.compyle.config import get_config, set_config
    >>> ArgumentParser().parse_args(["--openmp"]).backend
    'cython'
    >>> get_config().use_openmp
    True
    >>> set_config(None)
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_argument(
            "-b", "--backend", default="cython", choices=["cython", "opencl", "cuda"],
            help="where kernels run: on the host, or on a device of OpenCL or CUDA",
        )
        self._add_flag("--openmp", "use all cores of the host")
        self._add_flag("--use-double", "compute in double precision on devices")
        self._add_flag("--suppress-warnings", "be quiet about names that are not defined")
        self._add_flag("--profile", "print where the time went, at exit")
        self._prints_profile = False

    def _add_flag(self, name: str, help: str) -> None:
        self.add_argument(name, action="store_true", help=help)

    def _configure(self, options: argparse.Namespace) -> None:
        config = get_config()
        config.use_openmp = options.openmp
        config.use_double = options.use_double
        config.suppress_warnings = options.suppress_warnings
        if options.backend != "cython":
            setattr(config, f"use_{options.backend}", True)
        if options.profile and not self._prints_profile:
            config.profile = True
            atexit.register(print_profile)
            self._prints_profile = True

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """As argparse's, which parse_args calls too."""
        options, rest = super().parse_known_args(*args, **kwargs)
        self._configure(options)
        return options, rest
