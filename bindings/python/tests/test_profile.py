"""Profiles: what ran in a block, in tables and files, and in no other block."""

import csv
import json
import os
import threading
import time

import numpy as np
import pytest
from conftest import Tables, fork

import cpl
from cpl import profiling, show


@cpl.elementwise
def twice(i, x):
    x[i] = 2*x[i]


@cpl.elementwise
def moved(i, x, y):
    y[i] = x[i] + 1


@pytest.fixture(autouse=True, scope="module")
def compiled():
    with cpl.config(tiers=0):  # all at once: nothing of these is compiled later, on a thread beside
        twice(np.ones(2))
        moved(np.ones(2), np.ones(2))
        yield


def ran(p):
    """The rows without those of other tests' kernels, which may still be compiled beside."""
    return [row for row in p.rows if row.calls]


def runs(p):
    return [span for span in p.spans if span.kind == "kernel"]


def counts(p):
    return {row.name: row.calls for row in ran(p)}


def test_first_calls_with_little_to_do_are_quick():
    """Optimised code is made behind their backs, at the latest for a call with much to do."""
    seed = time.time_ns()  # no process before has left the kernel in its cache

    @cpl.elementwise
    def thrice(i, x):
        x[i] = 3*x[i] + seed

    with cpl.config(tiers=1), cpl.profile() as p:
        thrice(np.ones(2))
        thrice(np.ones(3_000_000))
    spans = [s for s in p.spans if s.name == "thrice"]
    assert [s.kind for s in spans if s.kind != "kernel"] == ["compile"]*2
    assert [s.bytes for s in spans if s.kind == "kernel"] == [16, 24_000_000]


def test_rows_and_spans():
    x = np.ones(1000)
    with cpl.profile() as p:
        for _ in range(3):
            twice(x)
        moved(x[:100], x[:100])
    assert counts(p) == {"twice": 3, "moved": 1}
    row = next(r for r in p.rows if r.name == "twice")
    assert (row.kind, row.device, row.bytes, row.compile_ns) == ("kernel", "host", 24000, 0)
    spans = [s for s in p.spans if s.name == "twice"]
    assert [s.bytes for s in spans] == [8000]*3
    times = [s.end_ns - s.begin_ns for s in spans]
    assert (sum(times), min(times), max(times)) == (row.device_ns, row.fastest_ns, row.slowest_ns)
    assert row.mean_ns == row.device_ns/3 and row.gb_per_s == row.bytes/row.device_ns
    assert [s.begin_ns for s in runs(p)] == sorted(s.begin_ns for s in runs(p))
    assert p.copies == {kind: (0, 0) for kind in ("to device", "to host", "on device")}


def test_compiling_is_counted():
    @cpl.jit
    def fresh(x):
        return x*3

    with cpl.profile() as p:
        fresh(1.5)
        fresh(2.5)
    (row,) = ran(p)
    assert row.name == "fresh" and row.calls == 2 and row.compile_ns > 0
    assert [s.kind for s in p.spans if s.name == "fresh"] == ["compile", "kernel", "kernel"]


RUNS = [((0, 0), (2, 7)), ((2, 7), (0, 0)), ((1, 3), (2, 7)), ((2, 7), (1, 3)), ((0, 0), (0, 0))]


@pytest.mark.parametrize("first, second", RUNS)
def test_rows_are_one_sum(first, second):
    """Of parts that ran so often, as fast as that: what was compiled alone has no fastest run."""
    def row(calls, fastest, why):
        slowest, compiled = (fastest + 5, 0) if calls else (0, 50)
        return profiling.Row("kernel", "f", "host", calls, 10*calls, fastest, slowest, 100*calls, compiled, why)

    a, b = row(*first, "a"), row(*second, "")
    ran_ones = [r for r in (a, b) if r.calls]
    both = profiling._sum(a, b)
    assert both.fastest_ns == min((r.fastest_ns for r in ran_ones), default=0)
    assert both.slowest_ns == max(a.slowest_ns, b.slowest_ns)
    assert (both.calls, both.device_ns, both.bytes) == (a.calls + b.calls, a.device_ns + b.device_ns, a.bytes + b.bytes)
    assert both.compile_ns == a.compile_ns + b.compile_ns and both.why == "a"


def test_a_block_has_what_ran_in_it_alone():
    x = np.ones(10)
    twice(x)
    with cpl.profile() as first:
        twice(x)
    twice(x)
    with cpl.profile() as second:
        moved(x, x)
    kept = first.rows, first.spans
    assert counts(first) == {"twice": 1} and counts(second) == {"moved": 1}
    with first:
        moved(x, x)
    assert counts(first) == {"moved": 1} and counts(second) == {"moved": 1}
    assert "twice" in {r.name for r in kept[0]} and "twice" in {s.name for s in kept[1]}


def test_blocks_in_each_other():
    x = np.ones(10)
    with cpl.profile() as outer:
        twice(x)
        with cpl.profile() as inner:
            twice(x)
            moved(x, x)
        moved(x, x)
        moved(x, x)
        assert counts(outer) == {"twice": 2, "moved": 3}
        with pytest.raises(RuntimeError, match="runs already"), outer:
            pass
        twice(x)
    assert counts(inner) == {"twice": 1, "moved": 1}
    assert counts(outer) == {"twice": 3, "moved": 3} and len(runs(outer)) == 6
    row = ran(outer)[0]
    spans = [s.end_ns - s.begin_ns for s in outer.spans if s.name == row.name]
    assert (row.device_ns, row.fastest_ns, row.slowest_ns) == (sum(spans), min(spans), max(spans))


def test_blocks_that_overlap_in_threads():
    x = np.ones(10)
    first, second = cpl.profile(), cpl.profile()
    first.__enter__()
    twice(x)
    threads = [threading.Thread(target=f) for f in (second.__enter__, lambda: moved(x.copy(), x))]
    for t in threads:
        t.start()
        t.join()
    first.__exit__(None, None, None)
    twice(x)
    second.__exit__(None, None, None)
    twice(x)
    assert counts(first) == {"twice": 1, "moved": 1}
    assert counts(second) == {"twice": 1, "moved": 1}
    assert runs(second)[-1].name == "twice"


def test_a_block_that_fails_is_ended():
    with pytest.raises(ZeroDivisionError), cpl.profile() as p:
        twice(np.ones(3))
        1/0
    twice(np.ones(3))
    assert counts(p) == {"twice": 1}


def test_a_child_of_a_block():
    with cpl.profile() as p:
        twice(np.ones(3))
        pid = fork()
        if not pid:
            code = 1
            try:
                with p:
                    moved(np.ones(3), np.ones(3))
                with cpl.profile() as own:
                    twice(np.ones(3))
                code = 0 if (counts(p), counts(own)) == ({"moved": 1}, {"twice": 1}) else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert counts(p) == {"twice": 1}


def test_files(tmp_path):
    with cpl.profile() as p:
        for _ in range(3):
            twice(np.ones(1000))
        moved(np.ones(3), np.ones(3))
    with cpl.profile():
        moved(np.ones(3), np.ones(3))  # nothing of this is in the files
    p.save(tmp_path / "p.csv")
    with open(tmp_path / "p.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(r["name"], int(r["count"]), int(r["bytes"])) for r in rows] == [
        (r.name, r.calls, r.bytes) for r in p.rows]
    p.save(str(tmp_path / "p.json"))
    said = json.loads((tmp_path / "p.json").read_text())
    assert said["spans"] == [s._asdict() for s in p.spans]
    assert [tuple(r.values()) for r in said["rows"]] == p.rows
    for name in "p.trace.json", "trace.json":
        p.save(tmp_path / name)
        events = json.loads((tmp_path / name).read_text())["traceEvents"]
        assert sum(e["ph"] == "X" for e in events) == len(p.spans) >= len(runs(p)) == 4


def test_files_that_cannot_be(tmp_path):
    with cpl.profile() as p:
        twice(np.ones(3))
    with pytest.raises(ValueError, match=r"end in .csv, .json or .trace.json"):
        p.save("profile.txt")
    with pytest.raises(cpl.Error, match="cannot be written"):
        p.save(tmp_path / "nowhere" / "p.csv")


def test_the_table():
    with cpl.profile() as p:
        twice(np.ones(1000))
        twice(np.ones(1000))
    heads, *lines = str(p).split("\n")
    assert heads.split() == ["kernel", "device", "calls", "total", "mean", "min", "max", "bytes",
                             "GB/s", "compile"]
    line = next(line for line in lines if line.startswith("twice "))
    assert line.split()[:3] == ["twice", "host", "2"] and "16.0 kB" in line
    assert str(cpl.profile()) == "nothing ran"


@pytest.mark.parametrize(("ns", "text"), [
    (0, "0 ns"), (999, "999 ns"), (1000, "1.00 us"), (12345, "12.3 us"), (999_499, "999 us"),
    (999_500, "1.00 ms"), (2.5e9, "2.50 s"), (1e13, "10000 s"),
])
def test_durations(ns, text):
    assert show.duration(ns) == text


def test_the_table_of_a_notebook():
    with cpl.profile() as p:
        twice(np.ones(1000))
    heads, *rows = Tables(p._repr_html_()).rows
    assert heads[:2] == ["kernel", "device"] and ["twice", "host", "1"] in [r[:3] for r in rows]
