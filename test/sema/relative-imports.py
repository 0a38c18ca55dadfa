# Compyle's modules by relative names, as files of such packages import them, are known without a note.
# RUN: cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
from ..types import annotate, declare
from .low_level import cast
from ..extern import printf


@annotate(x='doublep', i='int')
def f(i, x):
    q = declare('int')
    q = cast(x[i], 'int')
    x[i] = q


# CHECK-NOT: {{note|error}}
# CHECK: f(i: int32, x: float64[]) -> void
# CHECK-NOT: {{note|error}}
