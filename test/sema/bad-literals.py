# An integer of more than 64 bits, strings and None are no values.
# RUN: not cplc %s:f --types 'x=float64[]' --emit types 2>&1 | FileCheck %s

def f(i, x):
    x[i] = 18446744073709551616
    x[i] = "text"
    x[i] = None
    b = 2**64
    c = 4000000000*5000000000

# CHECK: bad-literals.py:5:12: error: the integer needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-literals.py:6:12: error: a string stands only as the format of printf
# CHECK: bad-literals.py:7:12: error: None is not a value in kernels
# CHECK: bad-literals.py:8:9: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK: bad-literals.py:9:9: error: the value of this expression of literals needs more than 64 bits
# CHECK: hint: write a float: 1e20
# CHECK-NOT: error:
