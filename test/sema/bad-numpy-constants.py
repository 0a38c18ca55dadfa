# Arithmetic on NumPy's scalars that NumPy refuses, or that gives nothing.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s
import math
import numpy as np
BYTE = np.uint8(5) + 300
BOOL = np.bool_(True) - np.bool_(False)
REST = np.mod(5, 0)
MIDDLE = np.median(5)
WIDE = math.factorial(21)
PART = math.gcd(2.5, 1)


def f(i, x):
    x[i] = BYTE
    x[i] = BOOL
    x[i] = REST
    x[i] = MIDDLE
    x[i] = WIDE
    x[i] = PART

# CHECK: :14:12: error: 'BYTE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: :15:12: error: 'BOOL' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: :16:12: error: 'REST' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: :17:12: error: 'MIDDLE' cannot be used in a kernel: its value is not known when the kernel is compiled
# CHECK: :18:12: error: 'WIDE' cannot be used in a kernel: its value needs more than 64 bits or is undefined
# CHECK: :19:12: error: 'PART' cannot be used in a kernel: its value is not known when the kernel is compiled
