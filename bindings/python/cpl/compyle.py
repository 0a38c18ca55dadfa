"""Runs programs that are written for Compyle, whether that is installed or not.

    python -m cpl.compyle script.py [args]
    python -m cpl.compyle -m module [args]

Programs of Python's that those start, as multiprocessing does, import ours too. In a program one
line does it, in front of Compyle's own imports:

    import cpl.compyle  # from here on `import compyle` means cpl.compat.compyle
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import os
import runpy
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

_OURS = "cpl.compat.compyle"
_USAGE = "usage: python -m cpl.compyle (script.py | -m module) [args]"

# Packages that programs import to see whether a device is there, and what stands for it here.
_DEVICES = {"pyopencl": "opencl", "pycuda": "cuda"}


class _Alias(importlib.abc.Loader):
    """Gives a module of ours another name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put the other name's there


class _Empty(importlib.abc.Loader):
    """A package with nothing in it."""

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__doc__ = "Says that there is a device, and no more: this package is not installed."


class _WithOurs(importlib.abc.Loader):
    """Loads pyopencl's own scans, whose GenericScanKernel is ours for a device of ours."""

    def __init__(self, spec: ModuleSpec) -> None:
        assert spec.loader is not None
        self._loader = spec.loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        from cpl.compat.compyle.scan_texts import or_ours

        self._loader.exec_module(module)
        module.GenericScanKernel = or_ours(  # type: ignore[attr-defined]
            module.GenericScanKernel)


def _has(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the package around it
        return False


def _has_device(kind: str) -> bool:
    from cpl import _cpl

    return any(d.kind == kind for d in _cpl.devices())


class _Finder(importlib.abc.MetaPathFinder):
    """Finds Compyle's modules among ours; what we lack, such as its tests, where it is itself."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = fullname.partition(".")
        if fullname in _DEVICES:
            return self._device(fullname)
        if fullname == "pyopencl.scan":
            return self._scans(fullname, path)
        if package != "compyle":
            return None
        ours = f"{_OURS}.{rest}" if rest else _OURS
        if _has(ours):
            is_package = hasattr(importlib.import_module(ours), "__path__")
            return ModuleSpec(fullname, _Alias(ours), is_package=is_package)
        if "." in rest:
            return None  # its package says where it is
        return PathFinder.find_spec(fullname, [os.path.join(p, "compyle") for p in sys.path])

    def _device(self, name: str) -> ModuleSpec | None:
        """The package itself if it is installed, else an empty one where there is a device."""
        if PathFinder.find_spec(name) or not _has_device(_DEVICES[name]):
            return None
        return ModuleSpec(name, _Empty(), is_package=True)

    def _scans(self, name: str, path: Sequence[str] | None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path)
        if spec is None:
            return ModuleSpec(name, _Alias(f"{_OURS}.scan_texts"))
        spec.loader = _WithOurs(spec)
        return spec


def install() -> None:
    """From here on `import compyle` means cpl.compat.compyle, in all of the process.

    Raises ImportError if another Compyle is imported already."""
    known = sys.modules.get("compyle")
    if known is not None and known.__name__ != _OURS:
        raise ImportError(f"import cpl.compyle in front of {known.__file__}, which is imported")
    if not any(isinstance(f, _Finder) for f in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _tell_processes() -> None:
    """Has the Pythons that this process starts find ours: those of multiprocessing have its path,
    others the environment's."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compat", "processes")
    sys.path.insert(1, folder)
    known = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, known] if known else [folder])


def main(arguments: list[str]) -> None:
    """Runs a script or a module as Python does, with its arguments."""
    _tell_processes()
    if arguments[:1] == ["-m"] and len(arguments) > 1:
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments and not arguments[0].startswith("-"):
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")
    else:
        sys.exit(_USAGE)


install()
if __name__ == "__main__":
    # runpy looks at `__main__` while a script runs: this module is asked for by its own name.
    importlib.import_module("cpl.compyle").main(sys.argv[1:])
