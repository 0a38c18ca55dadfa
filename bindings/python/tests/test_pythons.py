"""The extension is one file for every later Python: the suite again in those that are on PATH."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SANITIZED

import cpl

HERE = Path(__file__).parent
OWN = sys.version_info[:2]
# pytest itself and what it needs are Python alone: another version runs them from where they are.
TOOLS = ["_pytest", "pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments"]
# Of tools that other Pythons need not have, and of what is outside the package.
LEFT_OUT = ["test_pythons.py", "test_typing.py", "test_bench.py", "test_examples.py"]


def there_are():
    """Minor versions: those that are supported, and later ones that are found."""
    folders = [Path(folder) for folder in os.environ["PATH"].split(os.pathsep) if folder]
    found = {path.name for folder in folders for path in folder.glob("python3.*")}
    minors = {int(name[8:]) for name in found if name[8:].isdigit()}
    return sorted((minors | {11, 12, 13, 14}) - {OWN[1], *range(11)})


def python(minor):
    """The first one on PATH that has NumPy; what is said where there is none."""
    said = f"unsupported here: python3.{minor} not found"
    for folder in os.environ["PATH"].split(os.pathsep):
        path = os.path.join(folder, f"python3.{minor}")
        if not os.access(path, os.X_OK) or subprocess.run(
                [path, "-c", ""], capture_output=True, check=False).returncode:
            continue  # pyenv has a script in the place of those that are switched off
        done = subprocess.run([path, "-c", "import numpy"], capture_output=True, check=False)
        if not done.returncode:
            return path, None
        said = f"unsupported here: {path} has no NumPy"
    return None, said


@pytest.mark.skipif(SANITIZED, reason="with sanitizers once is enough")
@pytest.mark.parametrize("minor", there_are())
def test_the_suite(minor, tmp_path):
    path, missing = python(minor)
    if missing:
        pytest.skip(missing)
    packages = Path(pytest.__file__).parents[1]
    for name in TOOLS:
        if (packages/name).exists():
            (tmp_path/name).symlink_to(packages/name)
    package = Path(cpl.__file__).parents[1]
    env = dict(os.environ, PYTHONPATH=f"{tmp_path}{os.pathsep}{package}")
    ignored = [f"--ignore={HERE/name}" for name in LEFT_OUT]
    done = subprocess.run(
        [path, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *ignored, str(HERE)],
        capture_output=True, text=True, env=env, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"python3.{minor}" in path and " passed" in done.stdout
