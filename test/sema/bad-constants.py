# Other values of the module are refused where they are used.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import os
NAME = "text"
PLACE = os.sep
TWICE = 1
TWICE = 2
LOOP = LOOP + 1
HUGE = 10**30

class Point:
    pass

def f(i, x):
    x[i] = NAME
    x[i] = PLACE
    x[i] = TWICE
    x[i] = LOOP
    x[i] = HUGE
    x[i] = Point
    x[i] = f
    x[i] = os

# CHECK: bad-constants.py:3:8: note: module 'os' is not known; kernels cannot use its names
# CHECK: bad-constants.py:15:12: error: 'NAME' cannot be used in a kernel: it is a string
# CHECK: hint: constants of the module are numbers; pass anything else as an argument
# CHECK: bad-constants.py:4:1: note: 'NAME' is defined here
# CHECK: bad-constants.py:16:12: error: 'PLACE' cannot be used in a kernel: 'sep' comes from module 'os': there is no
# CHECK: hint: constants of the module are numbers; pass anything else as an argument
# CHECK: bad-constants.py:5:1: note: 'PLACE' is defined here
# CHECK: bad-constants.py:17:12: error: 'TWICE' cannot be used in a kernel: the file assigns it more than once
# CHECK: hint: constants of the module are numbers; pass anything else as an argument
# CHECK: bad-constants.py:7:1: note: 'TWICE' is defined here
# CHECK: bad-constants.py:18:12: error: 'LOOP' cannot be used in a kernel: it is defined in terms of itself
# CHECK: hint: constants of the module are numbers; pass anything else as an argument
# CHECK: bad-constants.py:8:1: note: 'LOOP' is defined here
# CHECK: bad-constants.py:19:12: error: 'HUGE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: hint: constants of the module are numbers; pass anything else as an argument
# CHECK: bad-constants.py:9:1: note: 'HUGE' is defined here
# CHECK: bad-constants.py:20:12: error: 'Point' is a class, not a value
# CHECK: bad-constants.py:21:12: error: 'f' is a function and stands without a call
# CHECK: bad-constants.py:22:12: error: 'os' comes from module 'os', of which kernels know nothing
# CHECK: bad-constants.py:3:8: note: imported here
# CHECK-NOT: error:
