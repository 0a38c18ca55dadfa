# Twice by one limit, rounded to float16 in between: the outer one takes the limit for a NaN, which
# the inner one leaves (target/minmax_mend.c).
# RUN: %python %root/test/cplc/Inputs/npy.py %t.npy "np.array([np.nan, 1, 3]*9, dtype=np.float16)"
# RUN: cplc run %s:limited a=%t.npy 'low=float16[27]' 'high=float16[27]' --unchecked \
# RUN:   --option tiers=0 --out low=%t.low.npy --out high=%t.high.npy
# RUN: %python %root/test/cplc/Inputs/npy.py --show %t.low.npy %t.high.npy | FileCheck %s
# CHECK: float16 (27,) [2.0, 1.0, 2.0, 2.0, 1.0, 2.0,
# CHECK-NOT: nan
# CHECK: float16 (27,) [2.0, 2.0, 3.0, 2.0, 2.0, 3.0,
# CHECK-NOT: nan
import numpy as np

LIMIT = np.float16(2)


def limited(i, a, low, high):
    low[i] = min(LIMIT, np.float16(min(a[i], LIMIT)))
    high[i] = max(LIMIT, np.float16(max(a[i], LIMIT)))
