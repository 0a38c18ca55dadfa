"""The examples in the docstrings."""

import doctest

import pytest

import cpl
from cpl import functions, settings


@pytest.mark.parametrize("module", [functions, settings], ids=["functions", "settings"])
def test_examples(module):
    found = doctest.testmod(module, extraglobs={"cpl": cpl})
    assert found.attempted and not found.failed
