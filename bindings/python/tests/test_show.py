"""What objects look like in a notebook. Nothing of the user's is taken for HTML."""

import linecache

import numpy as np
from conftest import Tables

import cpl
from cpl import show

ODD = '<b onclick="x">&amp;'


def helper(x):
    return x + 1


@cpl.elementwise
def twice(i, x, f):
    x[i] = 2*f(x[i])


def test_a_function():
    assert Tables(twice._repr_html_()).rows == []
    for _ in range(3):
        twice(np.ones(3), helper)
    twice(np.ones((2, 2)), helper)
    twice(np.ones(3, np.float32), helper)
    shown = Tables(twice._repr_html_())
    line = twice.__wrapped__.__code__.co_firstlineno
    assert shown.text == f"twice, elementwise kernel of {__file__}:{line}"
    assert shown.rows == [
        ["compiled for", "calls"],
        ["twice(i: int64, x: float32[]) -> void", "1"],
        ["twice(i: int64, x: float64[]) -> void", "4"],
    ]


def test_devices_and_queues():
    device = cpl.device("host")
    for shown, what in ((device, "device"), (cpl.Queue(device), "device of a queue")):
        table = Tables(shown._repr_html_())
        assert table.text == f"{device.label}, {what}"
        rows = dict(table.rows)
        assert rows["fact"] == "value" and rows["name"] == device.name
        assert int(rows["memory"].replace(",", "")) == device.memory
        assert rows["fp64"] == "True"


def test_settings():
    with cpl.config(num_threads=3):
        rows = Tables(cpl.config._repr_html_()).rows
    assert rows[0] == ["setting", "value", "what it does"]
    assert ["num_threads", "3"] in [row[:2] for row in rows] and all(row[2] for row in rows)


def test_calls_that_fail_are_no_signatures():
    bad = cpl.jit(lambda x: x.nothing)
    try:
        bad(1)
    except cpl.CompileError:
        pass
    assert bad.signatures == [] and "<table" not in bad._repr_html_()


def test_what_arguments_were():
    pair = np.dtype([("a", "f4"), ("b", "i4")])

    @cpl.reduce("a + b")
    def total(i, x, y, n, scale, which, one, pairs):
        return scale*x[i] + n + (which if one else pairs[i].a)

    total(np.ones(3), np.ones((2, 2), np.int8), 3, 1.5, np.float32(1), True, np.zeros(3, pair))
    ((names, types, kinds, calls),) = total.signatures
    assert calls == 1 and types == ""
    assert kinds[:6] == ("float64[]", "int8[,]", "int", "float", "float32", "bool")
    assert kinds[6].endswith("[]")
    assert Tables(total._repr_html_()).rows[1][0].startswith(
        "total(x: float64[], y: int8[,], n: int, scale: float, which: float32, one: bool, pairs: ")


def test_expressions_have_no_place():
    running = cpl.scan("a + b")
    running(np.ones(3))
    running(np.ones(3)[::2])
    shown = Tables(running._repr_html_())
    assert shown.text == "scan, scan"
    assert shown.rows[1:] == [["scan(x: float64[])", "2"]]


def test_names_are_escaped():
    text = "f = lambda x: x + 1\n"
    linecache.cache[ODD] = (len(text), None, text.splitlines(True), ODD)
    names = {}
    exec(compile(text, ODD, "exec"), names)
    f = cpl.jit(names["f"])
    f(1)
    shown = Tables(f._repr_html_())
    assert shown.text == f"<lambda>, function of {ODD}:1"
    f.__qualname__ = ODD
    assert Tables(f._repr_html_()).text.startswith(ODD + ", function")


def test_tables_are_escaped():
    assert Tables(show.html_table(["a", ODD], [[ODD, "1"]])).rows == [["a", ODD], [ODD, "1"]]
