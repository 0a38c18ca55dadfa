"""The figures can be taken, whatever they are: in small, beside what is installed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cpl

ROOT = Path(__file__).parents[3]


def test_all_of_it_in_small(tmp_path):
    build = Path(cpl.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, ROOT/"test/bench/python.py", "--build", build, "--quick", "--json",
         tmp_path/"figures.json"],
        capture_output=True, text=True, env=dict(os.environ), check=False)
    assert done.returncode == 0, done.stderr
    assert "a first call of 5 ms" in done.stdout
    figures = json.loads((tmp_path/"figures.json").read_text())
    assert set(figures["call on one element, ns"]) >= {"cpl", "NumPy"}
