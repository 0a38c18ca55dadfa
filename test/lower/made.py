# A private array of several dimensions is filled by loops, one in the other.
# RUN: cplc %s:f --types 'x=float64[]' --emit ir | FileCheck %s
import numpy as np


# CHECK: for k in (0:int32, 2:int32, 1:int32) {
# CHECK-NEXT: for k_1 in (0:int32, 3:int32, 1:int32) {
# CHECK-NEXT: for k_2 in (0:int32, 4:int32, 1:int32) {
# CHECK-NEXT: store(item(item(item(addr(t), k), k_1), k_2), 0.5:float64)
# CHECK-NEXT: }
# CHECK-NEXT: }
# CHECK-NEXT: }
# CHECK-NEXT: for k_3 in (0:int32, 6:int32, 2:int32) {
# CHECK-NEXT: store(item(addr(u), k_3), 1.0:float64)
# CHECK-NEXT: store(item(addr(u), add(k_3, 1:int32)), 2.0:float64)
# CHECK-NEXT: }
def f(i, x):
    t = np.full((2, 3, 4), 0.5)
    u = [1.0, 2.0]*3
    x[i] = t[1, 2, 3] + u[i % 6]
