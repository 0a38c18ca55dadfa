# The bits of a number are a number of the same size: no bool, no array, no struct.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[] c=bool[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k, c):
    a = bits(x[i], "uint32")
    b = bits(k[i], "double")
    d = bits(c[i], "uint8")
    e = bits(k[i] > 0, "bool")
    g = bits(x, "uint64")
    h = bits(x[i], "uint46")
    j = bits(x[i], 64)
    l = bits(x[i])
    m = bits(x[i], "double*")
    n = bits(1, "uint64")

# CHECK: bad-bits-of.py:5:9: error: 'bits' takes a number of as many bits as its type has: float64 is not like uint32
# CHECK: bad-bits-of.py:6:9: error: 'bits' takes a number of as many bits as its type has: int32 is not like float64
# CHECK: bad-bits-of.py:7:9: error: 'bits' takes a number of as many bits as its type has: bool is not like uint8
# CHECK: bad-bits-of.py:8:24: error: 'bool' is not a type that can be given the bits of another
# CHECK: bad-bits-of.py:9:14: error: the operand of 'bits' must be a number, found float64[]
# CHECK: bad-bits-of.py:10:20: error: 'uint46' is not a type that can be given the bits of another
# CHECK: hint: did you mean 'uint16'?
# CHECK: bad-bits-of.py:11:20: error: the type for 'bits' is a type's name: bits(x, "double")
# CHECK: bad-bits-of.py:12:9: error: 'bits' takes 2 arguments, found 1
# CHECK: bad-bits-of.py:13:20: error: 'double*' is not a type that can be given the bits of another
# CHECK: bad-bits-of.py:14:9: error: 'bits' takes a number of as many bits as its type has: int32 is not like uint64
# CHECK-NOT: error:
