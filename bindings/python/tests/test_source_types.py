"""Rows of modules with types, kernels' local memory, and settings of single functions."""

import threading

import numpy as np
import pytest

import cpl
from cpl import _cpl

ELEMENTWISE, KERNEL, REDUCE = 0, 2, 3
FIRST, FLOAT64 = 1, 2


def made(form, text, name, parameters, typed, roles=(), options=(None, 0)):
    row = (name, "own.py", text, 1, 0, (), typed)
    roles = (lambda: None, None, None, None, None) if not roles else roles
    return _cpl.Function(form, lambda _: (_cpl.Module((row,)), (name,), ()), name, parameters, (),
                         roles, options)


def test_types_of_a_row_stand_in_place_of_those_of_the_arguments():
    text = "def f(i, x, a):\n    x[i] = a/2\n"
    f = made(ELEMENTWISE, text, "f", ("x", "a"), (FIRST, (None, None, "float64"), None))
    x = np.zeros(2)
    f(x, 3)
    assert x.tolist() == [1.5, 1.5]
    assert f.types.count("float64") == 2


@pytest.mark.parametrize("rule, expected", [(FIRST, "s float32"), (FLOAT64, "s float64")])
def test_locals_follow_the_rule_of_the_row(rule, expected):
    text = "def f(i, x):\n    s = x[i]\n    x[i] = s*s\n"
    f = made(ELEMENTWISE, text, "f", ("x",), (rule, (None, None), None))
    f(np.ones(2, np.float32))
    assert expected in " ".join(f.types.replace(":", " ").split())


def test_a_type_that_is_none_is_refused():
    row = ("f", "own.py", "def f(i, x):\n    pass\n", 1, 0, (), (FIRST, ("no type", None), None))
    with pytest.raises(cpl.Error):
        _cpl.Module((row,))


class Local:
    def __init__(self, *said):
        self.__cpl_local__ = said


TEXT = """def turn(x, s):
    s[LID_0] = x[GID_0*LDIM_0 + LID_0]
    local_barrier()
    x[GID_0*LDIM_0 + LID_0] = s[LDIM_0 - 1 - LID_0]
"""


def test_local_memory_is_an_argument():
    turn = made(KERNEL, TEXT, "turn", ("x", "s"), (FIRST, (), None))
    x = np.arange(8.0)
    turn[8, 4](x, Local(np.float64, 4))
    assert x.tolist() == [3, 2, 1, 0, 7, 6, 5, 4]


@pytest.mark.parametrize("said", [(np.float64, -1), (np.float64,), ("no type", 4), (None, 4)])
def test_local_memory_that_is_none_is_refused(said):
    turn = made(KERNEL, TEXT, "turn", ("x", "s"), (FIRST, (), None))
    with pytest.raises((TypeError, cpl.Error)):
        turn[8, 4](np.arange(8.0), Local(*said))


def test_a_function_has_settings_of_its_own():
    text = "def f(i, x):\n    if i > 0:\n        x[i] = x[i - 1] + 1\n"
    options = (None, 0, (("in_order", 1),))
    f = made(ELEMENTWISE, text, "f", ("x",), (FIRST, (None, None), None), (), options)
    x = np.zeros(100_000)
    f(x)
    assert x.tolist() == list(range(100_000))
    assert cpl.config.in_order == 0


def test_a_setting_that_is_none_leaves_the_others():
    text = "def f(i, x):\n    x[i] = 1\n"
    options = (None, 0, (("in_order", 1), ("no_setting", 1)))
    f = made(ELEMENTWISE, text, "f", ("x",), (FIRST, (None, None), None), (), options)
    with pytest.raises(cpl.Error):
        f(np.zeros(3))
    assert cpl.config.in_order == 0


def test_settings_of_functions_in_several_threads():
    text = "def f(i, x):\n    if i > 0:\n        x[i] = x[i - 1] + {}\n"

    def work(k, wrong):
        for step in range(k, 40, 4):
            options = (None, 0, (("in_order", 1),))
            f = made(ELEMENTWISE, text.format(step), "f", ("x",), (FIRST, (None, None), None), (),
                     options)
            x = np.zeros(20_000)
            f(x)
            wrong += [step] if x[-1] != 19_999*step else []

    wrong = []
    threads = [threading.Thread(target=work, args=(k, wrong)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong and cpl.config.in_order == 0
