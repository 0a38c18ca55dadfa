# Names of unknown modules cannot be used; misspelt ones are suggested.
# RUN: not cplc %s:f --types 'x=float64[] amplitude=double' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:inside --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix INSIDE --implicit-check-not=error:
from somewhere import thing, helper
import other
SPEED = 3

def f(i, x, amplitude):
    a = thing
    b = helper(1)
    c = other.value
    d = amplitud
    e = SPED
    g = sqr(x[i])
    h = math.sin(x[i])
    j = LID_0
    local_barrier()
    k = unknowable
    l = sum(x, 0)

# CHECK: bad-imports.py:10:9: error: 'thing' comes from module 'somewhere', of which kernels know nothing
# CHECK: bad-imports.py:5:23: note: imported here
# CHECK: bad-imports.py:11:9: error: 'helper' comes from module 'somewhere', of which kernels know nothing
# CHECK: hint: define 'helper' in this file or register it as a C function
# CHECK: bad-imports.py:5:30: note: imported here
# CHECK: bad-imports.py:12:9: error: 'other' comes from module 'other', of which kernels know nothing
# CHECK: bad-imports.py:6:8: note: imported here
# CHECK: bad-imports.py:13:9: error: undefined name 'amplitud'
# CHECK: hint: did you mean 'amplitude'?
# CHECK: bad-imports.py:14:9: error: undefined name 'SPED'
# CHECK: hint: did you mean 'SPEED'?
# CHECK: bad-imports.py:15:9: error: undefined function 'sqr'
# CHECK: hint: did you mean 'sqrt'?
# CHECK: bad-imports.py:16:9: error: undefined name 'math'
# CHECK: hint: add 'import math' to the file
# CHECK: bad-imports.py:17:9: error: 'LID_0' has a meaning in kernels alone, and this is compiled as none
# CHECK: hint: compile it as a kernel: --as kernel, CPL_FORM_KERNEL
# CHECK: bad-imports.py:18:5: error: 'local_barrier' has a meaning in kernels alone, and this is compiled as none
# CHECK: bad-imports.py:19:9: error: undefined name 'unknowable'
# CHECK: bad-imports.py:20:9: error: 'sum' takes arrays by their names, and expressions of slices
# CHECK: hint: use sum(x) of an array, sum(x[:]*y[:]) of slices
# CHECK-NOT: error:

# What an import binds that is refused where it stands is not told of again; what it does not bind is
# undefined.
def inside(i, x):
    import pack.age, first as second, third
    from mod import (a, b as c,
                     d)
    from mod.ule import *
    x[i] = pack + second + third + a + c + d
    x[i] = age
# INSIDE: :[[#@LINE-6]]:5: error: imports inside functions are not supported
# INSIDE: :[[#@LINE-6]]:5: error: imports inside functions are not supported
# INSIDE: :[[#@LINE-5]]:5: error: imports inside functions are not supported
# INSIDE: :[[#@LINE-4]]:12: error: undefined name 'age'
    x[i] = first
# INSIDE: :[[#@LINE-1]]:12: error: undefined name 'first'
    x[i] = b
# INSIDE: :[[#@LINE-1]]:12: error: undefined name 'b'
    x[i] = mod
# INSIDE: :[[#@LINE-1]]:12: error: undefined name 'mod'
    x[i] = ule
# INSIDE: :[[#@LINE-1]]:12: error: undefined name 'ule'
