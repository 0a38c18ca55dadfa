# Compyle's types by the module that has them, however it is imported; what it lacks is refused.
# RUN: cplc %s:f --types 'n=int32' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --emit types 2>&1 | FileCheck --check-prefix=BAD %s
# RUN: not cplc %s:h --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=VALUE %s
from compyle import types as T
from compyle.api import types, annotate
import compyle.types as ct

@annotate(i=T.int_, x=T.doublep, y=types.gfloatp)
def f(i, x, y, z: ct.uintp, n: T.long_):
    k = cast(n, T.ulong)

@annotate(x=T.doublepp)
def g(i, x):
    x[i] = 1

def h(i, x):
    x[i] = T.double

# CHECK-NOT: note:
# CHECK: f(i: int32, x: float64[], y: float32[], z: uint32[], n: int64) -> void
# CHECK-NEXT: k: uint64
# BAD: types-module.py:[[@LINE-10]]:13: error: 'T.doublepp' is not a type
# BAD: hint: did you mean 'doublep'?
# VALUE: types-module.py:[[@LINE-7]]:12: error: 'double' is a type, not a value
