# What annotations cannot say, and parameters without a type.
# RUN: not cplc %s:f --as function --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:only --as function --emit types 2>&1 | FileCheck %s --check-prefix=ONLY
from compyle.api import annotate
from compyle.types import KnownType

@annotate(x=KnownType('double*'), n='doubel', missing='int', unknown='a, b', int='n, nobody')
@annotate('int')
@annotate(return_='matrix')
def f(x, n, a: 'doubl', *rest, b=1, c=x, **more):
    return 1

def named(x, *, d):
    return x + d

def only():
    return named(1, 2)

# CHECK: bad-annotate.py:7:13: error: only names of types can be used here
# CHECK: hint: write the type's name: 'double', 'doublep', 'float64[]'
# CHECK: bad-annotate.py:7:37: error: 'doubel' is not a type
# CHECK: hint: did you mean 'double'?
# CHECK: bad-annotate.py:7:47: error: 'missing' is no parameter of 'f'
# CHECK: bad-annotate.py:7:62: error: 'unknown' is neither a parameter of 'f' nor a type
# CHECK: hint: write annotate(x='double') or annotate(double='x, y')
# CHECK: bad-annotate.py:7:82: error: 'nobody' is no parameter of 'f'
# CHECK: bad-annotate.py:8:11: error: annotate takes keywords: annotate(x='double') or annotate(double='x, y')
# CHECK: bad-annotate.py:9:19: error: 'matrix' is not a type
# CHECK: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# CHECK: bad-annotate.py:10:16: error: 'doubl' is not a type
# CHECK: hint: did you mean 'double'?
# CHECK: bad-annotate.py:10:26: error: '*rest' is not the last parameter of 'f'
# CHECK: bad-annotate.py:10:44: error: '**' parameters are not supported: 'more'
# CHECK-NOT: error:
# ONLY: bad-annotate.py:17:21: error: 'd' of 'named' is given by its name
# ONLY: hint: named(..., d=...)
