"""The type hints, by mypy; it is installed with the tests' other tools."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import cpl

PACKAGE = Path(__file__).parents[1]

USE = """
import cpl
import numpy as np

@cpl.elementwise
def twice(i, x):  # type: ignore[no-untyped-def]
    x[i] = 2*x[i]

twice(np.ones(3))
twice[2](np.ones(3))
text: str = twice.source("opencl")
total = cpl.reduce("a + b", neutral=0)
with cpl.config(bounds_check=True):
    total(np.ones(3))
with cpl.profile() as p:
    twice(np.ones(3))
p.save("p.csv")
rates: list[float] = [row.gb_per_s for row in p.rows]
queue = cpl.Queue("host")
queue.finish(timeout=2)
queue.record().wait(0.5)
"""


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Runs mypy; what it found in the package one run leaves to the next."""
    pytest.importorskip("mypy")
    cache = tmp_path_factory.mktemp("mypy")

    def run(*args):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", f"--cache-dir={cache}", *args],
                              cwd=PACKAGE, capture_output=True, text=True, check=False)
    return run


def test_the_package(mypy):
    done = mypy("-p", "cpl")
    assert done.returncode == 0, done.stdout


def test_a_program(mypy, tmp_path):
    (tmp_path / "use.py").write_text(USE)
    done = mypy(str(tmp_path / "use.py"))
    assert done.returncode == 0, done.stdout
    (tmp_path / "use.py").write_text(USE + 'twice.source("vulkan")\n')
    assert "vulkan" in mypy(str(tmp_path / "use.py")).stdout


def table(name, row):
    """The names in a table of the library's."""
    path = Path(__file__).parents[3] / "include" / "cpl" / name
    if not path.exists():
        pytest.skip("the library's sources are not beside the package's")
    text = path.read_text()
    return re.findall(row, text, re.M)


def test_the_stub_has_all_stages_and_devices():
    stub = (Path(cpl.__file__).parent / "_cpl.pyi").read_text()
    said = [re.findall(r'"([^"]*)"', found) for found in re.findall(r"Literal\[([^]]*)\]", stub)]
    assert table("stage.def", r'^STAGE\(\w+, \d+, "([^"]*)"') in said
    assert table("device.def", r"^DEVICE_KIND\(\w+, \d+, (\w+)\)") in said
