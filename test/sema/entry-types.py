# What the entry is called with against what it says: scalars keep their annotation, pointers take the type given, defaults give types.
# RUN: cplc %s:f --as function --types 'x=float64[:] y=float64[] n=float64 m=int64 p=Pair*' \
# RUN:   --emit types | FileCheck %s
# RUN: cplc %s:f --as function --types 'n=int64' --emit types | FileCheck %s --check-prefix=SOME
# RUN: cplc %s:k --as kernel --types 'l=float64[]' --emit types | FileCheck %s --check-prefix=KERNEL
# RUN: not cplc %s:f --as function \
# RUN:   --types 'x=int32[] y=float64 n=float64[] m=local float64[] p=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WRONG
# RUN: not cplc %s:f --as function --types 'x=float64[3] n=void' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: not cplc %s:g --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=INDEX
# RUN: not cplc %s:h --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=BAD
# RUN: not cplc %s:none --emit types 2>&1 | FileCheck %s --check-prefix=NO
# RUN: cplc %s:wide --types 'x=float64[]' --emit types | FileCheck %s --check-prefix=WIDE

@struct
class Pair:
    a: 'int'

def f(x: 'doublep', y: 'gdoublep', n: 'int', p: 'Pair*', m=3):
    pass

def k(l: 'ldoublep', n=2.5):
    l[0] = n

def g(i: 'float', x):
    x[0] = i

def h(i: 'nothing', x):
    x[i] = 1

def none():
    pass

def wide(i: 'int', x):
    x[i] = 1

# CHECK: f(x: float64[:], y: float64[], n: int32, p: Pair[], m: int64) -> void

# SOME: f(x: float64[], y: float64[], n: int32, p: Pair[], m: int32) -> void

# KERNEL: k(l: local float64[], n: float64) -> void

# WRONG: entry-types.py:20:7: error: parameter 'x' of 'f' is annotated float64[], but int32[] is given
# WRONG: entry-types.py:20:21: error: parameter 'y' of 'f' is annotated float64[], but float64 is given
# WRONG: entry-types.py:20:36: error: parameter 'n' of 'f' is annotated int32, but float64[] is given
# WRONG: entry-types.py:20:46: error: parameter 'p' of 'f' is annotated Pair[], but float64[] is given
# WRONG: entry-types.py:20:58: error: parameter 'm' of 'f' is local memory, which kernels alone have
# WRONG: hint: compile 'f' as a kernel: --as kernel, CPL_FORM_KERNEL
# WRONG-NOT: error:

# NONE: entry-types.py:20:7: error: parameter 'x' of 'f' cannot be float64[3]
# NONE: entry-types.py:20:36: error: parameter 'n' of 'f' cannot be void
# NONE-NOT: error:

# INDEX: entry-types.py:26:7: error: 'i' is the index of an elementwise function and must be an integer, found float32
# INDEX-NOT: error:

# BAD: entry-types.py:29:10: error: 'nothing' is not a type
# BAD: hint: types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', 'int32', ...
# BAD-NOT: error:

# NO: entry-types.py:32:1: error: 'none' has no parameter for the index
# NO: hint: the first parameter of an elementwise function is the index: def none(i, ...)
# NO-NOT: error:

# WIDE: wide(i: int32, x: float64[]) -> void
