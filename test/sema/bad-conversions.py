# A cast needs a known type; numbers and pointers do not convert into each other.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k):
    a = cast(x[i], 3)
    b = cast(x[i], "doubel")
    c = cast(x[i])
    d = cast(x, "int")
    e = cast(k[i], "int*")
    g = int(x)
    h = float()
    j = float

# CHECK: bad-conversions.py:5:20: error: the type for 'cast' is a type's name: cast(x, "double")
# CHECK: bad-conversions.py:6:20: error: 'doubel' is not a type that can be cast to
# CHECK: hint: did you mean 'double'?
# CHECK: bad-conversions.py:7:9: error: 'cast' takes 2 arguments, found 1
# CHECK: bad-conversions.py:8:9: error: float64[] cannot be converted to int32
# CHECK: bad-conversions.py:9:9: error: int32 cannot be converted to int32*
# CHECK: bad-conversions.py:10:9: error: float64[] cannot be converted to int64
# CHECK: bad-conversions.py:11:9: error: 'float' takes 1 argument, found 0
# CHECK: bad-conversions.py:12:9: error: 'float' is a type, not a value
# CHECK: hint: float(x) converts a number
# CHECK-NOT: error:
