# Constants of literals that have no value of 64 bits, and module constants that are no numbers.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import math
import os
CALLED = divmod(2, 1)
SINE = sin
MEMBER = os.path.x
ROUNDED = math.sqrt
NOTHING = 1 // 0
WIDE = 123456789012345678901234567890
PRODUCT = 1 @ 2
BEHIND = CALLED + 1
NEGATED = -NOBODY
CHAIN = 1 + NAME_OF_NOTHING

def f(i, x):
    x[0] = CALLED
    x[1] = SINE
    x[2] = MEMBER
    x[3] = ROUNDED
    x[4] = NOTHING
    x[5] = WIDE
    x[6] = PRODUCT
    x[7] = BEHIND
    x[8] = NEGATED
    x[10] = CHAIN
    x[11] = 123456789012345678901234567890
    x[12] = 18446744073709551615*18446744073709551615
    x[13] = 18446744073709551615 + 1
    x[14] = -9223372036854775808 - 1
    x[15] = 10**20
    x[16] = (-10)**21
    x[17] = 4294967296*4294967296
    x[18] = 1 @ 2
    x[19] = -18446744073709551615
    x[20] = ~9223372036854775808
    x[21] = 9223372036854775808 ^ -1
    x[22] = 18446744073709551615 // -1
    x[23] = 1 // 0

# CHECK: bad-folding.py:17:12: error: 'CALLED' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:5:1: note: 'CALLED' is defined here
# CHECK: bad-folding.py:18:12: error: 'SINE' is a function and stands without a call
# CHECK: bad-folding.py:19:12: error: 'MEMBER' cannot be used in a kernel: 'x' comes from module 'os': there is no
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:7:1: note: 'MEMBER' is defined here
# CHECK: bad-folding.py:20:12: error: 'ROUNDED' is a function and stands without a call
# CHECK: bad-folding.py:21:12: error: 'NOTHING' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:9:1: note: 'NOTHING' is defined here
# CHECK: bad-folding.py:22:12: error: 'WIDE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:10:1: note: 'WIDE' is defined here
# CHECK: bad-folding.py:23:12: error: 'PRODUCT' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:11:1: note: 'PRODUCT' is defined here
# CHECK: bad-folding.py:24:12: error: 'BEHIND' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:12:1: note: 'BEHIND' is defined here
# CHECK: bad-folding.py:25:12: error: 'NEGATED' cannot be used in a kernel: 'NOBODY' is not a number
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:13:1: note: 'NEGATED' is defined here
# CHECK: bad-folding.py:26:13: error: 'CHAIN' cannot be used in a kernel: 'NAME_OF_NOTHING' is not a number
# CHECK: hint: constants of the module are numbers, and lists and np.array([...]) of them; pass anything else as an argument
# CHECK: bad-folding.py:14:1: note: 'CHAIN' is defined here
# CHECK: bad-folding.py:27:13: error: the integer needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:28:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:29:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:30:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:31:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:32:14: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:33:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:34:13: error: '@' is not supported
# CHECK: bad-folding.py:35:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:36:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:37:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-folding.py:38:13: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK-NOT: error:
