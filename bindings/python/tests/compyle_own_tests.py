"""Runs Compyle's own tests, from its source distribution, against cpl.compat.compyle.

    python compyle_own_tests.py compyle-0.9.1.tar.gz [arguments of pytest]

What they import as compyle is the package here, as `import cpl.compyle` has it; none of Compyle's
own modules is unpacked. Counts are printed for each module of tests. Fails when a test does that
Compyle does not expect to fail itself.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import sys
import tarfile
import tempfile
from pathlib import Path

# test_argsort compares with NumPy's order of equal elements: in vectors it is any.
os.environ["NPY_DISABLE_CPU_FEATURES"] = (
    "X86_V3 X86_V4 AVX512_ICL AVX512_SPR AVX2 AVX512F AVX512_SKX")

import numpy as np
import pytest

import cpl.compyle

# Which modules of tests are users' matter; the others are of Cython's and C's text.
MODULES = [
    "array", "ast_utils", "capture_stream", "change_backend", "config", "jit", "low_level",
    "parallel", "profile", "template", "transpiler", "types", "utils",
]


def unpack(archive: str, folder: Path) -> list[str]:
    """The files of the tests, each given to pytest."""
    (folder / "compyle/tests").mkdir(parents=True)
    (folder / "compyle/__init__.py").touch()
    with tarfile.open(archive) as tar:
        for member in tar:
            found = re.fullmatch(r"[^/]+/(compyle/tests/\w+\.py)", member.name)
            if found:
                (folder / found.group(1)).write_bytes(tar.extractfile(member).read())
    return [f"compyle/tests/test_{module}.py" for module in MODULES]


class Results:
    """How each test ended."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.failed = []

    def pytest_collectreport(self, report):
        if report.failed:
            self.failed.append(report.nodeid.rpartition("/")[2])

    def pytest_runtest_logreport(self, report):
        if report.when != "call" and report.outcome == "passed":
            return
        name = report.nodeid.rpartition("/")[2]
        self.counts[name.partition("::")[0]][report.outcome] += 1
        if report.outcome == "failed":
            self.failed.append(name)

    def show(self) -> bool:
        outcomes = ("passed", "failed", "skipped")
        print(f"{'':28}{'passed':>8}{'failed':>8}{'skipped':>8}")
        for name, count in sorted(self.counts.items()):
            print(f"{name:28}" + "".join(f"{count[o]:8}" for o in outcomes))
        total = sum(self.counts.values(), collections.Counter())
        print(f"{'all':28}" + "".join(f"{total[o]:8}" for o in outcomes))
        for name in self.failed:
            print(f"failed: {name}")
        return not self.failed and bool(total["passed"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("archive")
    said, rest = parser.parse_known_args()
    archive = os.path.abspath(said.archive)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = unpack(archive, folder)
        cpl.compyle.install()
        if not hasattr(np, "trapz"):  # which they compare with
            np.trapz = np.trapezoid
        os.chdir(folder)
        results = Results()
        pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short",
                     "--continue-on-collection-errors", *rest, *files], [results])
        fine = results.show()
        os.chdir("/")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
