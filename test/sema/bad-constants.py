# Other values of the module are refused where they are used.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import os
import numpy as np
NAME = "text"
PLACE = os.sep
TWICE = 1
TWICE = 2
LOOP = LOOP + 1
HUGE = 10**30
ZERO = 5.0//0
COUNT = len("abc")
A, B = divmod(7, 2)
C, D = 1, 2, 3
WORD = int("12")
AMONG = 1 is 2
FAR = int(1e30)
BYTE = np.uint8(256)

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
    x[i] = ZERO
    x[i] = COUNT
    x[i] = A + D
    x[i] = WORD
    x[i] = AMONG
    x[i] = FAR
    x[i] = BYTE

# CHECK: bad-constants.py:24:12: error: 'NAME' cannot be used in a kernel: it is a string
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-constants.py:5:1: note: 'NAME' is defined here
# CHECK: bad-constants.py:25:12: error: 'PLACE' cannot be used in a kernel: 'sep' comes from module 'os': there is no
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-constants.py:6:1: note: 'PLACE' is defined here
# CHECK: bad-constants.py:26:12: error: 'TWICE' cannot be used in a kernel: the file assigns it more than once
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-constants.py:8:1: note: 'TWICE' is defined here
# CHECK: bad-constants.py:27:12: error: 'LOOP' cannot be used in a kernel: it is defined in terms of itself
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-constants.py:9:1: note: 'LOOP' is defined here
# CHECK: bad-constants.py:28:12: error: 'HUGE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-constants.py:10:1: note: 'HUGE' is defined here
# CHECK: bad-constants.py:29:12: error: 'Point' is a class, not a value
# CHECK: bad-constants.py:30:12: error: 'f' is a function and stands without a call
# CHECK: bad-constants.py:31:12: error: 'os' comes from module 'os', of which kernels know nothing
# CHECK: bad-constants.py:3:8: note: imported here
# CHECK: bad-constants.py:32:12: error: 'ZERO' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: bad-constants.py:11:1: note: 'ZERO' is defined here
# CHECK: bad-constants.py:33:12: error: 'COUNT' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: bad-constants.py:12:1: note: 'COUNT' is defined here
# CHECK: bad-constants.py:34:12: error: 'A' cannot be used in a kernel: its value is not known
# CHECK: bad-constants.py:13:1: note: 'A' is defined here
# CHECK: bad-constants.py:34:16: error: 'D' cannot be used in a kernel: its value is not known
# CHECK: bad-constants.py:14:4: note: 'D' is defined here
# CHECK: bad-constants.py:35:12: error: 'WORD' cannot be used in a kernel: it is a string
# CHECK: bad-constants.py:15:1: note: 'WORD' is defined here
# CHECK: bad-constants.py:36:12: error: 'AMONG' cannot be used in a kernel: its value is not known
# CHECK: bad-constants.py:16:1: note: 'AMONG' is defined here
# CHECK: bad-constants.py:37:12: error: 'FAR' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: bad-constants.py:17:1: note: 'FAR' is defined here
# CHECK: bad-constants.py:38:12: error: 'BYTE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: bad-constants.py:18:1: note: 'BYTE' is defined here
# CHECK-NOT: error:

# Targets in brackets and with stars that have no item of their own; names in more brackets than
# are looked into are none of the file.
# RUN: not cplc %s:targets --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=TARGETS
(E, (F, G)) = (1, divmod(7, 2))
H, *K, L = 1, 2
(M, (M, N)) = 1, (2, 3)
*O, Q = "ab"
[[[[[[[[[[[[[[[[[R]]]]]]]]]]]]]]]]] = [[[[[[[[[[[[[[[[[3]]]]]]]]]]]]]]]]]

def targets(i, x):
    x[i] = E + F
    x[i] = H + K
    x[i] = N + M
    x[i] = Q
    x[i] = R

# TARGETS: bad-constants.py:[[#@LINE-6]]:16: error: 'F' cannot be used in a kernel: its value is not known
# TARGETS: bad-constants.py:[[#@LINE-14]]:6: note: 'F' is defined here
# TARGETS: bad-constants.py:[[#@LINE-7]]:16: error: 'K' cannot be used in a kernel: its value is not known
# TARGETS: bad-constants.py:[[#@LINE-7]]:16: error: 'M' cannot be used in a kernel: the file assigns it more than once
# TARGETS: bad-constants.py:[[#@LINE-7]]:12: error: 'Q' cannot be used in a kernel: its value is not known
# TARGETS: bad-constants.py:[[#@LINE-7]]:12: error: undefined name 'R'
# TARGETS-NOT: error:

# One that a function of the file may change is none either.
# RUN: not cplc %s:changed --types 'x=float64[]' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=CHANGED
STEP = 1
SIZE = 2

def enlarge():
    global STEP, SIZE
    SIZE = 3

def changed(i, x):
    x[i] = STEP
    x[i] = SIZE

# CHANGED: bad-constants.py:[[@LINE-3]]:12: error: 'STEP' cannot be used in a kernel: the file assigns it more than once
# CHANGED: bad-constants.py:[[@LINE-3]]:12: error: 'SIZE' cannot be used in a kernel: the file assigns it more than once

# RUN: not cplc %s:tables --types "x=float64[]" --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=TABLES %s
TABLE = np.array([0.1, 0.2, 0.3])
NAMES = np.array(["a", "b"])
RECORDS = np.array([1, 2], dtype=object)
MADE = np.zeros(3)

def tables(i, x):
    TABLE[0] = 1
    x[i] = TABLE[-1]
    x[i] = TABLE[3]
    x[i] = TABLE.shape[1]
    x[i] = TABLE.strides
    x[i] = NAMES[0]
    x[i] = RECORDS[0]
    x[i] = MADE[0]
# TABLES: bad-constants.py:[[@LINE-8]]:5: error: 'TABLE' is a constant, whose elements are not assigned
# TABLES: bad-constants.py:[[@LINE-8]]:18: error: the index -1 is negative
# TABLES: hint: indices count from 0 and do not wrap; the last one is 2
# TABLES: bad-constants.py:[[@LINE-9]]:18: error: the index 3 is out of the range of 3 elements
# TABLES: bad-constants.py:[[@LINE-9]]:24: error: 'TABLE' has 1 dimension
# TABLES: bad-constants.py:[[@LINE-9]]:18: error: float64[3] has no field 'strides'
# TABLES: bad-constants.py:[[@LINE-9]]:12: error: 'NAMES' cannot be used in a kernel: its value is not known when the kernel is compiled
# TABLES: bad-constants.py:[[@LINE-9]]:12: error: 'RECORDS' cannot be used in a kernel
# TABLES: bad-constants.py:[[@LINE-9]]:12: error: 'MADE' cannot be used in a kernel

# RUN: not cplc %s:chains --types "x=float64[]" --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=CHAINS %s
W0 = (1,)
W1 = (W0[0] + W0[0] + W0[0] + W0[0] + W0[0] + W0[0] + W0[0] + W0[0] + W0[0] + W0[0],)
W2 = (W1[0] + W1[0] + W1[0] + W1[0] + W1[0] + W1[0] + W1[0] + W1[0] + W1[0] + W1[0],)
W3 = (W2[0] + W2[0] + W2[0] + W2[0] + W2[0] + W2[0] + W2[0] + W2[0] + W2[0] + W2[0],)
W4 = (W3[0] + W3[0] + W3[0] + W3[0] + W3[0] + W3[0] + W3[0] + W3[0] + W3[0] + W3[0],)
W5 = (W4[0] + W4[0] + W4[0] + W4[0] + W4[0] + W4[0] + W4[0] + W4[0] + W4[0] + W4[0],)
W6 = (W5[0] + W5[0] + W5[0] + W5[0] + W5[0] + W5[0] + W5[0] + W5[0] + W5[0] + W5[0],)
W7 = (W6[0] + W6[0] + W6[0] + W6[0] + W6[0] + W6[0] + W6[0] + W6[0] + W6[0] + W6[0],)

def chains(i, x):
    x[i] = W3[0]
    x[i] = W7[0]
# CHAINS: bad-constants.py:[[@LINE-1]]:12: error: 'W7' cannot be used in a kernel: its value takes too long to compute
