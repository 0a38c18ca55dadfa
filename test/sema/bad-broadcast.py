# Names beside slices of several dimensions are of one dimension, or of as many as other indices say; what is written is read with its own slices.
# RUN: not cplc %s:deep --as function --emit types --types 'm=float64[] b=float64[] out=float64[]' \
# RUN:   2>&1 | FileCheck --check-prefix=DEEP %s
# RUN: not cplc %s:own --as function --emit types --types 'b=float64[] out=float64[]' 2>&1 \
# RUN:   | FileCheck --check-prefix=OWN %s
# RUN: rm -rf %t && mkdir -p %t && cd %t
# RUN: %python -c "import numpy as np; np.save('a.npy', np.ones(4))"
# RUN: %python -c "import numpy as np; np.save('m.npy', np.ones((4, 3)))"
# RUN: not cplc run %s:outer --as function a=a.npy b=m.npy out=m.npy 2>&1 | FileCheck %s
# RUN: not cplc run %s:outer --as function a=a.npy b=a.npy out=m.npy --option bounds_check=1 2>&1 \
# RUN:   | FileCheck --check-prefix=LONG %s
# RUN: cplc %s:outer --as function --emit types --types 'a=float64[] b=float64[] out=float64[]' \
# RUN:   | FileCheck --check-prefix=GOOD %s


def deep(m, b, out):
    out[0, 0] = m[0, 0, 0]
    out[:, :] = m*b
# DEEP: bad-broadcast.py:[[#@LINE-1]]:17: error: 'm' has 3 dimensions and stands here without its indices
# DEEP-NEXT: out[:, :] = m*b
# DEEP-NEXT: ^
# DEEP-NEXT: hint: m[i, j, k]; as a whole it goes to functions of the file, len() and m.shape[0]


def own(b, out):
    out[:, :] = out + b[:, None]
# OWN: bad-broadcast.py:[[#@LINE-1]]:17: error: 'out' has 2 dimensions and stands here without its indices


def outer(a, b, out):
    out[:, :] = a[:, None]*b
# CHECK: bad-broadcast.py:[[#@LINE-1]]:28: error: argument 'b' has 2 dimensions, and the function takes it with 1
# CHECK-NEXT: out[:, :] = a[:, None]*b
# CHECK-NEXT: ^
# LONG: bad-broadcast.py:[[#@LINE-4]]:28: error: in 'outer': assertion failed: slices of one statement are as long as each other
# GOOD: outer(a: float64[], b: float64[], out: float64[,]) -> void
