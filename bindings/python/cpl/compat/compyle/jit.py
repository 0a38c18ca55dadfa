"""Functions whose types are those of what they are called with."""
from __future__ import annotations
from .parallel import ElementwiseBase, ReductionBase, ScanBase

class ElementwiseJIT(ElementwiseBase):
    """An elementwise kernel whose types are those of its arguments."""


class ReductionJIT(ReductionBase):
    """A reduction whose types are those of its arguments."""


class ScanJIT(ScanBase):
    """A scan whose types are those of its arguments."""
