# What classes have that is no constant, and what is no class.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --types 'x=float64[] s=Shape[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=STRUCT
import enum
import os


class Limits(Unknown):
    LOW = 2
    BASE = 2
    NAME = "text"
    COUNT = 0
    SIDE = 1
    LOOP = Limits.LOOP

    def method(self):
        return 1

    @classmethod
    def count(cls):
        cls.COUNT += 1


Limits.SIDE = 2


class Kind(enum.Enum):
    WALL = 1


class First(Second):
    A = 1


class Second(First):
    B = First.C


def f(i, x):
    x[i] = Limits.LWO
    x[i] = Limits.HIGH
    x[i] = Limits.NAME
    x[i] = Limits.COUNT + Limits.SIDE
    x[i] = Limits.LOOP
    x[i] = Limits.method(1)
    x[i] = Kind.WALL
    x[i] = Kind.WALL(3)
    x[i] = Kind.WALL.name
    x[i] = Limits.LOW.value + Limits.LOW
    x[i] = First.NONE
    x[i] = First.B
    x[i] = Limits.LOW(1)
    Limits.BASE = 3
# CHECK: bad-class-constants.py:[[#@LINE-14]]:19: error: the class 'Limits' has no constant 'LWO'
# CHECK: hint: did you mean 'LOW'?
# CHECK: bad-class-constants.py:[[#@LINE-15]]:19: error: the class 'Limits' has no constant 'HIGH'
# CHECK: bad-class-constants.py:9:7: note: 'Limits' is defined here
# CHECK: bad-class-constants.py:[[#@LINE-16]]:12: error: 'NAME' cannot be used in a kernel: it is a string
# CHECK: bad-class-constants.py:12:5: note: 'NAME' is defined here
# CHECK: bad-class-constants.py:[[#@LINE-17]]:12: error: 'COUNT' cannot be used in a kernel: the file assigns it more than once
# CHECK: bad-class-constants.py:[[#@LINE-18]]:27: error: 'SIDE' cannot be used in a kernel: the file assigns it more than once
# CHECK: bad-class-constants.py:[[#@LINE-18]]:12: error: 'LOOP' cannot be used in a kernel: it is defined in terms of itself
# CHECK: bad-class-constants.py:[[#@LINE-18]]:12: error: 'Limits' is a class, not a value
# CHECK: bad-class-constants.py:[[#@LINE-18]]:12: error: 'WALL' is a member of an Enum, and no number
# CHECK: hint: its number is Kind.WALL.value; members of an IntEnum are numbers
# CHECK: bad-class-constants.py:[[#@LINE-19]]:12: error: 'WALL' is a member of an Enum, not a function
# CHECK: bad-class-constants.py:[[#@LINE-19]]:12: error: 'WALL' is a member of an Enum, and no number
# CHECK: bad-class-constants.py:[[#@LINE-19]]:{{[0-9]+}}: error: {{.*}} has no field 'value'
# CHECK: bad-class-constants.py:[[#@LINE-19]]:18: error: the class 'First' has no constant 'NONE'
# CHECK: bad-class-constants.py:[[#@LINE-19]]:12: error: 'B' cannot be used in a kernel
# CHECK: bad-class-constants.py:[[#@LINE-19]]:12: error: 'LOW' is a constant, not a function
# CHECK: bad-class-constants.py:[[#@LINE-19]]:5: error:
# CHECK-NOT: error:


@struct
class Shape:
    area: float
    SIDES = 4
    NAME = "square"


def g(i, x, s):
    x[i] = s[i].SIZES
    x[i] = s[i].NAME
    s[i].SIDES = 5
    x[i] = Shape.CORNERS
# STRUCT: bad-class-constants.py:[[#@LINE-4]]:17: error: Shape has no field 'SIZES'
# STRUCT: hint: did you mean 'SIDES'?
# STRUCT: bad-class-constants.py:[[#@LINE-5]]:12: error: 'NAME' cannot be used in a kernel: it is a string
# STRUCT: bad-class-constants.py:[[#@LINE-5]]:5: error:
# STRUCT: bad-class-constants.py:[[#@LINE-5]]:18: error: the class 'Shape' has no constant 'CORNERS'
# STRUCT-NOT: error:
