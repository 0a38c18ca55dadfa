"""python -m cpl: what a report of an error should say of where it happened."""

from __future__ import annotations

import os
import platform
import re

import numpy as np

from cpl import __version__, _cpl

# What each level of x86-64 adds, as the psABI lists it, in the words of /proc/cpuinfo.
_LEVELS = (
    {"lm", "sse2"},
    {"cx16", "lahf_lm", "popcnt", "ssse3", "sse4_1", "sse4_2"},
    {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"},
    {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
)


def level(flags: set[str]) -> int:
    """The level of x86-64 that a processor with these flags has; 0: none."""
    reached = 0
    for wanted in _LEVELS:
        if not wanted <= flags:
            break
        reached += 1
    return reached


def processor(text: str) -> str:
    """Its name and level, of the text of /proc/cpuinfo."""
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    flags = re.search(r"^flags\s*: (.*)$", text, re.M)
    said = name.group(1) if name else platform.machine()
    reached = level(set(flags.group(1).split())) if flags else 0
    return f"{said}, x86-64-v{reached}" if reached else said


def rows() -> list[tuple[str, str]]:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = processor(file.read())
    except OSError:
        cpu = platform.machine()
    said = [
        ("cpl", f"{__version__}, {os.path.dirname(os.path.abspath(__file__))}"),
        ("python", f"{platform.python_version()}, NumPy {np.__version__}, {platform.platform()}"),
        ("processor", cpu),
        *_cpl.report(),
    ]
    own = sorted(name for name in os.environ if name.startswith("CPL_"))
    return said + [("set", f"{name}={os.environ[name]}") for name in own]


def main() -> None:
    table = rows()
    width = max(len(key) for key, _ in table)
    for key, text in table:
        print(f"{key:{width}}  {text}")


if __name__ == "__main__":
    main()
