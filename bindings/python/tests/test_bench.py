"""The figures can be taken, whatever they are: in small, beside what is installed. What they are
shown as, of figures that are made up."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import cpl

FOLDER = Path(__file__).parents[3] / "test" / "bench"
MADE_UP = {
    "first": {"cpl": 23e6, "NumPy & <others>": 20e3, "Numba": 8.2e9},
    "kept": {"cpl": 9e6, "Numba": 9.1e6},
    "nobody": {},
    "call": {"cpl": 95.0, "NumPy & <others>": 1800.0, "Numba": 250.0},
}


def load(name, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(f"bench_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*args):
    build = Path(cpl.__file__).parents[2]
    return subprocess.run(
        [sys.executable, FOLDER / "python.py", "--build", build, "--quick", *args],
        capture_output=True, text=True, env=dict(os.environ), check=False)


def test_all_of_it_in_small(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("before\n<!-- bench:python -->\nold\n<!-- /bench:python -->\nafter\n")
    done = run("--json", tmp_path / "figures.json", "--draw", tmp_path / "p.svg",
               "--readme", readme)
    assert done.returncode == 0, done.stderr
    assert "a first call of 5 ms" in done.stdout and "GIL released, of 170 ns" in done.stdout
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures["call on one element, ns"]) >= {"cpl", "NumPy"}
    for what in "first call, ms", "first of a process, ms", "the same, kept, ms", "import, ms":
        assert figures[what]["cpl"] > 0
    assert "NumPy" not in figures["the same, kept, ms"]
    text = readme.read_text()
    assert text.startswith("before\n<!-- bench:python -->\n") and text.endswith("-->\nafter\n")
    assert "old" not in text and re.search(r"^\| cpl( \| [\d.]+ (ns|us|ms|s)){4} \|$", text, re.M)
    linked = re.search(r"\]\((.*\.svg)\)", text).group(1)
    assert (tmp_path / linked).read_text() == (tmp_path / "p.svg").read_text()


def test_a_page_without_marks_stays(tmp_path, monkeypatch):
    bench = load("python", monkeypatch)
    with pytest.raises(SystemExit, match="bench:python"):
        bench.with_table("no marks", MADE_UP)
    once = bench.with_table(f"a\n{bench.BEGIN}{bench.END}\nb\n", MADE_UP)
    assert bench.with_table(once, MADE_UP) == once


def test_the_table(monkeypatch):
    bench = load("python", monkeypatch)
    monkeypatch.setattr(bench, "MAKERS", {"cpl": None, "Numba": None, "numexpr": None})
    assert bench.markdown({k: v for k, v in MADE_UP.items() if v}) == (
        "| | first | kept | call |\n| --- | ---: | ---: | ---: |\n"
        "| cpl | 23.0 ms | 9.00 ms | 95 ns |\n| Numba | 8.20 s | 9.10 ms | 250 ns |\n")


def test_a_kernel_that_cannot_be_made_is_left_out(monkeypatch):
    bench = load("python", monkeypatch)
    assert bench.least(iter([0.5, 0.25, 1.0]).__next__, 3) == 250
    assert bench.in_process("raise SystemExit('no')") != bench.in_process("print(1)") == 1
    taken = iter([float("nan"), 1.0])
    value = bench.least(taken.__next__, 2)
    assert value != value and next(taken) == 1.0  # not tried again


SVG = "{http://www.w3.org/2000/svg}"


def test_the_picture(monkeypatch):
    picture = load("picture", monkeypatch)
    tree = ET.fromstring(picture.dots(MADE_UP, "cpl"))
    texts = ["".join(t.itertext()) for t in tree.iter(SVG + "text")]
    assert {"first", "kept", "call", "cpl", "NumPy & <others>", "8.20 s", "95 ns"} <= set(texts)
    assert "nobody" not in texts
    circles = [(float(c.get("cx")), float(c.get("cy")), c.get("class"))
               for c in tree.iter(SVG + "circle")]
    assert len(circles) == sum(map(len, MADE_UP.values()))
    first = {y: x for x, y, _ in circles[:3]}  # cpl, NumPy and Numba from top to bottom
    rows = sorted(first)
    assert first[rows[1]] < first[rows[0]] < first[rows[2]]
    assert [c[2] for c in circles[:3]] == ["own", None, None]
    width, height = float(tree.get("width")), float(tree.get("height"))
    for x, y, _ in circles:
        assert 100 < x < width - 40 and 0 < y < height


@pytest.mark.parametrize(("values", "powers"), [
    ([5.0], (0, 1)), ([1.0], (0, 1)), ([10.0, 1000.0], (1, 3)), ([0.5, 12345.0], (-1, 5)),
])
def test_scales(values, powers, monkeypatch):
    picture = load("picture", monkeypatch)
    assert picture.decades(values) == powers
    assert picture.place(10.0**powers[0], *powers) == 0
    assert picture.place(10.0**powers[1], *powers) == picture.PANEL - 52


def test_compyles_comparison(tmp_path):
    """With as many peers as are installed, in small; every one of them computes the same."""
    build, path = Path(cpl.__file__).parents[2], tmp_path / "figures.json"
    subprocess.run(
        [sys.executable, FOLDER / "axpb.py", "--build", build, "--quick", "--json", path],
        capture_output=True, check=True)
    figures = json.loads(path.read_text())
    lines = figures["speedups"]
    assert {"cpl", "cpl, Compyle's program", "NumPy"} <= lines.keys()
    assert all(len(line) == len(figures["sizes"]) and min(line) > 0 for line in lines.values())
    assert lines[figures["one"]] == [1.0]*len(figures["sizes"])


def test_its_page(monkeypatch):
    axpb = load("axpb", monkeypatch)
    page = axpb.with_picture(f"above\n{axpb.BEGIN}\nold\n{axpb.END}\nbelow\n", "a machine")
    assert "old" not in page and f"({axpb.PICTURE})\n\na machine\n{axpb.END}\nbelow" in page
    assert axpb.with_picture(page, "a machine") == page
    assert axpb.BEGIN in axpb.PAGE.read_text(encoding="utf-8")


def test_its_picture(monkeypatch):
    axpb = load("axpb", monkeypatch)
    picture = ET.fromstring(axpb.draw({"a & b": [0.5, 20], "NumPy": [1, 1]}, [2, 4], "NumPy"))
    lines = [e.get("points") for e in picture.iter() if e.tag.endswith("polyline")]
    ends = [[float(v) for v in p.split(",")] for p in lines[0].split()]
    assert len(lines) == 2 and ends[0][0] < ends[1][0] and ends[0][1] > ends[1][1]  # up is faster
    texts = [e.text for e in picture.iter() if e.tag.endswith("text")]
    assert "a & b" in texts and "100" in texts and "0.1" in texts


def test_costs_are_measured_or_said_not_to_be(monkeypatch):
    costs = load("costs", monkeypatch)
    table = costs.model()
    assert set(costs.APPLIED) <= {name for name, _ in table}
    assert all((name, t) in table for name, (types, _) in costs.APPLIED.items() for t in types)
    missing = costs.unmeasured()
    assert missing and all(missing.values()), missing
    named = {key if isinstance(key, str) else key[0] for key in costs.EXEMPT}
    assert named == {name for name, _ in missing}
    assert all(name in costs.APPLIED for name, _ in costs.LISTED)


def test_costs_that_are_far_off_are_marked(monkeypatch, capsys):
    costs = load("costs", monkeypatch)
    assert not costs.is_far("DIVIDE", "one", 5, 9.9) and not costs.is_far("STEP", "one", 0.25, 1)
    assert costs.is_far("DIVIDE", "one", 5, 10.1) and costs.is_far("DIVIDE", "one", 5, 2.4)
    assert not costs.is_far("FUNCTION", "one", 7.5, 45) and costs.is_far("FUNCTION", "one", 7.5, 60)
    assert not costs.is_far("MULTIPLY", "one", 20, 1)  # hidden by what is around it
    row = {"class": "ROOT", "type": "FLOAT64", "one": (7.5, 7.5), "side": (2, 5), "chain": (18, 18)}
    costs.show([row], 0.3)
    said = capsys.readouterr().out
    assert "2.50x!" in said and said.count("x!") == 1 and "! 1 of 3:" in said
