from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cpl.arrays import ndarray  # a class that stands in the list

from . import third


def two(x: "ndarray"):
    return third.three(x)
