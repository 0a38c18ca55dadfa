"""The notebook among the examples: its form, and that all of its cells run."""

import ast
import importlib.util
import json
import linecache
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import Tables

FILE = Path(__file__).resolve().parents[3] / "examples" / "python" / "first_steps.ipynb"


@pytest.fixture(scope="module")
def notebook():
    return json.loads(FILE.read_text(encoding="utf-8"))


def codes(notebook):
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def test_its_form(notebook):
    """What nbformat's schema for 4.5 asks for; no results are kept."""
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in ids)
    common = {"cell_type", "id", "metadata", "source"}
    for cell in notebook["cells"]:
        lines = cell["source"]
        assert all(line.endswith("\n") for line in lines[:-1]) and not lines[-1].endswith("\n")
        assert all(len(line) <= 101 for line in lines) and cell["metadata"] == {}
        if cell["cell_type"] == "markdown":
            assert set(cell) == common
        else:
            assert cell["cell_type"] == "code"
            assert set(cell) == common | {"execution_count", "outputs"}
            assert cell["execution_count"] is None and cell["outputs"] == []


def test_prose_comes_before_code(notebook):
    kinds = [cell["cell_type"] for cell in notebook["cells"]]
    assert kinds[0] == kinds[-1] == "markdown"
    assert kinds.count("markdown") >= kinds.count("code")
    assert not any(a == b == "code" for a, b in zip(kinds, kinds[1:]))


def run_cell(text, number, names):
    """As IPython does: under a name that has its lines, and with a last expression for a value,
    which is shown. The value, and the table that is shown of it, or None."""
    name = f"<ipython-input-{number}-0123456789ab>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    tree = ast.parse(text, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    value = eval(compile(ast.Expression(last.value), name, "eval"), names) if last else None
    return value, Tables(value._repr_html_()).rows if hasattr(value, "_repr_html_") else None


def test_the_cells_run(notebook, capsys):
    names = {"__name__": "__main__"}
    shown = [run_cell(text, k, names) for k, text in enumerate(codes(notebook), 1)]
    values, tables = [value for value, _ in shown], [table for _, table in shown if table]
    said = capsys.readouterr().out
    assert "837799 takes 524 steps" in said
    assert "undefined name 'amplitud'" in said and re.search(r"\n +\^+\n", said)
    assert "index 5" in said and "julia(i: int64, j: int64, image: int32[,]" in said
    shades = set(" .:-=+*#%@")
    picture = [line for line in said.split("\n") if len(line) == 78 and set(line) <= shades]
    assert len(picture) == 28 and picture == [line[::-1] for line in picture[::-1]]
    assert [row[1] for row in tables[0][1:]] == ["3", "1"]  # wave, for two types
    ran = {row[0]: row[2] for row in tables[1][1:] if row[2] != "0"}
    assert ran == {"wave": "10", "julia": "1"}  # others may be compiled beside them
    assert "\n0 1 7 2 5 8 16 3 19 6 14" in "\n" + said and " 23 10 111\n" in said
    (steepest, running), = [v for v in values if isinstance(v, tuple)]
    np.testing.assert_array_equal(running, [3, 4, 8, 9, 14])
    assert steepest == pytest.approx(2.5e-5, rel=1e-3)


IN_IPYTHON = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        shell.run_cell("".join(cell["source"]), store_history=True).raise_error()
"""


def test_the_cells_run_in_ipython():
    pytest.importorskip("IPython")
    done = subprocess.run([sys.executable, "-c", IN_IPYTHON, FILE], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    assert "837799 takes 524 steps" in done.stdout


@pytest.mark.skipif(not all(map(importlib.util.find_spec, ("nbclient", "nbformat", "ipykernel"))),
                    reason="needs nbclient and ipykernel")
def test_jupyter_runs_it():
    import nbclient
    import nbformat

    made = nbformat.read(FILE, as_version=4)
    nbformat.validate(made)
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()
    assert any("text/html" in output.get("data", {}) for cell in made.cells
               for output in cell.get("outputs", ()))
