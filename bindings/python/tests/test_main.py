"""python -m cpl says what a report of an error needs."""

import os
import subprocess
import sys

import numpy as np
import pytest

import cpl
from cpl import __main__ as report

V2 = "lm sse2 cx16 lahf_lm popcnt ssse3 sse4_1 sse4_2"
V3 = V2 + " avx avx2 bmi1 bmi2 f16c fma abm movbe"


def say(**env):
    done = subprocess.run([sys.executable, "-m", "cpl"], capture_output=True, text=True,
                          env={**os.environ, **env}, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return [line.split(None, 1) for line in done.stdout.splitlines()]


def test_it_says_where_things_are(tmp_path):
    folder = tmp_path / "kernels"
    env = {"CPL_CACHE": "1", "CPL_CACHE_DIR": str(folder)}
    said = dict(say(**env))
    assert said["cpl"].startswith(cpl.__version__ + ", ")
    assert f"NumPy {np.__version__}" in said["python"]
    assert said["cache"] == f"{folder}, 0 kernels, 0 bytes"
    assert said["host"].endswith(" CPUs")
    assert {"cuda", "opencl"} & {key.partition(":")[0] for key in said}
    program = "import cpl, numpy; cpl.config.tiers = 0; cpl.reduce('a*b')(numpy.ones(9))"
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **env}, check=True)
    assert int(dict(say(**env))["cache"].split(", ")[1].split()[0]) > 0


def test_it_says_what_is_set():
    said = say(CPL_CACHE="0", CPL_VERIFY="1")
    assert ["set", "CPL_VERIFY=1"] in said and ["set", "CPL_CACHE=0"] in said
    assert dict(said)["cache"] == "none"


@pytest.mark.parametrize(("flags", "level"), [
    ("", 0), ("lm sse2", 1), (V2, 2), (V2.replace("popcnt", ""), 1), (V3, 3),
    (V3.replace("movbe", ""), 2), (V3 + " avx512f avx512bw avx512cd avx512dq avx512vl", 4),
    (V3 + " avx512f", 3),
])
def test_levels(flags, level):
    assert report.level(set(flags.split())) == level
    text = f"vendor_id : x\nmodel name\t: Some CPU\nflags\t\t: fpu {flags}\n"
    assert report.processor(text) == "Some CPU" + (f", x86-64-v{level}" if level else "")
    assert report.processor("") == report.platform.machine()
