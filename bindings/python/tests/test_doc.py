"""The examples in the docstrings."""

import doctest

import numpy as np
import pytest

import cpl
from cpl import arrays, creation, functions, indexing, profiling, reductions, settings, sorting
from cpl.compat.compyle import (
    array, config, cuda_text, extern, jit, low_level, parallel, types, written,
)


@pytest.mark.parametrize("module", [arrays, creation, functions, indexing, profiling, reductions,
                                    settings, sorting], ids=lambda m: m.__name__)
def test_examples(module):
    found = doctest.testmod(module, extraglobs={"cpl": cpl})
    assert found.attempted and not found.failed


@pytest.mark.parametrize("module", [array, config, cuda_text, extern, jit, low_level,
                                    parallel, types, written],
                         ids=lambda m: m.__name__)
def test_examples_of_compyle(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


@pytest.mark.parametrize("what", [cpl.Device, cpl.Queue, cpl.Graph, cpl.device, cpl.devices,
                                  cpl.copies], ids=lambda what: what.__name__)
def test_examples_of_the_extension(what):
    """In the docstrings of C."""
    test = doctest.DocTestParser().get_doctest(
        what.__doc__, {"cpl": cpl, "np": np}, what.__name__, None, None)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert found.attempted and not found.failed
