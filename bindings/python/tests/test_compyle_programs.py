"""Programs in Compyle's style, on the host and on OpenCL, and beside Compyle where it is there."""

import importlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import BACKENDS

import cpl.compyle  # noqa: F401  # the programs import compyle

sys.path.insert(0, os.path.dirname(__file__))
import compyle_compare  # noqa: E402
import compyle_programs  # noqa: E402
from compyle.profile import get_profile_info  # noqa: E402

# What programs compute in float32 on devices is in `use_double` here.
CASES = [
    pytest.param(name, backend, openmp, id=f"{name}-{'openmp' if openmp else backend}")
    for backend, openmp in (
        ("cython", False), ("cython", True), ("opencl", False), ("cuda", False)
    )
    for name in compyle_programs.names(backend)
]


@pytest.fixture(autouse=True)
def fresh(settings):
    """Settings and times of its own for each program."""
    get_profile_info().clear()
    yield
    get_profile_info().clear()


@pytest.mark.parametrize("name, backend, openmp", CASES)
def test_program(name, backend, openmp):
    if backend not in BACKENDS:
        pytest.skip(f"no device of {backend}")
    compyle_programs.get_config().use_openmp = openmp
    got, expected = compyle_programs.run(name, backend)
    for g, e in zip(got, expected, strict=True):
        assert g.shape == e.shape
        if g.dtype.kind == "U":
            assert g.tolist() == e.tolist()
            continue
        np.testing.assert_allclose(g, e, rtol=1e-10 if g.dtype != np.float32 else 1e-6)


# Of the modules that programs import; their classes' methods too.
MODULES = "api array config extern low_level parallel profile sort template types utils"
ELSEWHERE = {  # what makes C or Cython: test_compyle_runner.py has it
    "CConverter", "CStructHelper", "CythonGenerator", "ExtModule", "OpenCLConverter", "py2c",
}
HELPERS = {  # of ours, which are not Compyle's
    "Arguments", "Compiled", "known_of", "names_of", "signature", "splay", "symbol",
}


def public_names():
    for name in MODULES.split():
        module = importlib.import_module(f"cpl.compat.compyle.{name}")
        own = [n for n, x in vars(module).items()
               if callable(x) and getattr(x, "__module__", "") == module.__name__]
        for n in getattr(module, "__all__", own):
            if n.startswith("_") or n in HELPERS or n in ELSEWHERE:
                continue
            yield n
            if isinstance(getattr(module, n), type):
                yield from (m for m, f in vars(getattr(module, n)).items()
                            if callable(f) and not m.startswith("_"))


def test_there_are_programs_over_all_names():
    text = open(compyle_programs.__file__, encoding="utf-8").read()
    lacking = sorted(n for n in {*public_names()}
                     if not re.search(rf"\b{n}\b", text))
    assert not lacking and len(compyle_programs.PROGRAMS) >= 50


def test_comparing_finds_what_differs():
    ours = {"a": [[1.0, 2.0]], "b": [1], "c": [2], "d": [float("nan")]}
    theirs = {"a": [[1.0, 2.0 + 1e-12]], "b": [2], "c": "ValueError", "d": [float("nan")]}
    different, failing = compyle_compare.compare(ours, theirs, 1e-9)
    assert [n for n, _ in different] == ["b"] and [n for n, _ in failing] == ["c"]
    said = "Energy at time step = 100 is -6.5e+01\nTime taken for N = 9 is 3 secs\n"
    assert compyle_compare.numbers(said) == [100, -65]


def test_options_of_the_comparison_come_first(capsys):
    said = compyle_compare.options(["--tolerance", "1e-6", "python", "md.py", "--tf", "4"])
    assert (said.tolerance, said.script) == (1e-6, ["md.py", "--tf", "4"])
    with pytest.raises(SystemExit):
        compyle_compare.options(["python", "--openmp"])
    assert "--openmp stands in front of COMPYLE_PYTHON" in capsys.readouterr().err


def test_against_compyle():
    """COMPYLE_PYTHON names a Python with Compyle; it compiles for minutes at first."""
    python = os.environ.get("COMPYLE_PYTHON")
    if not python:
        pytest.skip("COMPYLE_PYTHON names no Python with Compyle")
    path = compyle_compare.__file__
    done = subprocess.run([sys.executable, path, python], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
