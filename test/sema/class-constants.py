# Constants of classes are literals, of structs too, by the name of the class and behind a value.
# RUN: cplc %s:f --types 'x=float32[] s=Shape[]' --emit ir | FileCheck %s
from numba import njit


class Limits:
    LOW = 2
    HIGH = LOW + 0.5


@struct
class Shape:
    area: float
    SIDES = 4
    SCALE = SIDES/2

    def weight(self):
        return self.area*self.SCALE + Shape.SIDES


def f(i, x, s):
    p = s[i]
    x[i] = Limits.HIGH
    x[i] = p.SIDES
    x[i] = s[i].SCALE
    x[i] = p.weight()
# CHECK: func weight
# CHECK: add(mul({{.*}}, 2.0:float64), 4.0:float64)
# CHECK: store(elem(x, i), 2.5:float32)
# CHECK: store(elem(x, i), 4.0:float32)
# CHECK: store(elem(x, i), 2.0:float32)
