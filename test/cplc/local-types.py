# Local memory without a type has that of the first array, wherever either stands.
# RUN: %python %S/Inputs/npy.py %t.x.npy "np.array([1.0, 3.0])"
# RUN: cplc run %s:first --as kernel --global 2 --local 2 x=%t.x.npy k=int32[2] t=local:2 \
# RUN:   --out x=%t.1.npy
# RUN: %python %S/Inputs/npy.py --show %t.1.npy | FileCheck %s --check-prefix=FLOAT
# RUN: cplc run %s:second --as kernel --global 2 --local 2 t=local:2 x=%t.x.npy k=int32[2] \
# RUN:   --out x=%t.2.npy
# RUN: %python %S/Inputs/npy.py --show %t.2.npy | FileCheck %s --check-prefix=INT
# RUN: cplc run %s:second --as kernel --global 2 --local 2 't=local:float64[2]' x=%t.x.npy \
# RUN:   k=int32[2] --out x=%t.3.npy
# RUN: %python %S/Inputs/npy.py --show %t.3.npy | FileCheck %s --check-prefix=FLOAT
# FLOAT: float64 (2,) [1.5, 0.5]
# INT: float64 (2,) [1.0, 0.0]
from compyle.low_level import LDIM_0, LID_0, local_barrier


def first(x, k, t):
    t[LID_0] = x[LID_0]*0.5
    local_barrier()
    x[LID_0] = t[LDIM_0 - 1 - LID_0] + k[LID_0]


def second(t, k, x):
    t[LID_0] = x[LID_0]*0.5
    local_barrier()
    x[LID_0] = t[LDIM_0 - 1 - LID_0] + k[LID_0]
