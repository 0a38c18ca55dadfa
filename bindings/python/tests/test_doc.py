"""The examples in the docstrings."""

import doctest

import pytest

import cpl
from cpl import arrays, creation, functions, indexing, profiling, reductions, settings, sorting


@pytest.mark.parametrize("module", [arrays, creation, functions, indexing, profiling, reductions, settings, sorting],
                         ids=lambda m: m.__name__)
def test_examples(module):
    found = doctest.testmod(module, extraglobs={"cpl": cpl})
    assert found.attempted and not found.failed
