# Classes that are no structs, and wrong uses of fields.
# RUN: not cplc %s:f --types 'x=Good[] y=float64[]' --emit types 2>&1 | FileCheck %s

@struct
class Good:
    alpha: double

@struct
class Methods:
    a: double
    def norm(self):
        return self.a
    count: int = 3

class Plain:
    a: double

@struct
class Wrong:
    a: unknown

def f(i, x, y):
    y[i] = x[i].alpa
    y[i] = x[i]
    y[i] = y[i].alpha
    y[i] = x[i] + 1
    a = Good(1, 2)
    b = Methods()
    c = declare('Wrong')
    d = Plain(3)
    y.fill(0)
    x[i] = 1

# CHECK: bad-structs.py:23:17: error: Good has no field 'alpa'
# CHECK: hint: did you mean 'alpha'?
# CHECK: bad-structs.py:24:12: error: an element of 'y' is float64 and cannot take Good
# CHECK: bad-structs.py:25:17: error: float64 has no field 'alpha'
# CHECK: bad-structs.py:26:12: error: '+' does not work on Good and int32
# CHECK: hint: 'Good' may have a method __add__(self, other)
# CHECK: bad-structs.py:27:9: error: 'Good' takes 1 field or none, found 2
# CHECK: hint: give all fields that are no matrices, or assign them later
# CHECK: bad-structs.py:28:9: error: 'Methods' cannot be called in a kernel
# CHECK: bad-structs.py:13:5: note: the body of a struct holds only 'name: type' lines, constants and methods
# CHECK: bad-structs.py:29:17: error: 'Wrong' is not a type
# CHECK: bad-structs.py:20:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-structs.py:30:9: error: 'Plain' cannot be called in a kernel
# CHECK: bad-structs.py:15:7: note: a class is not supported unless it is a @struct of 'name: type' lines and methods
# CHECK: bad-structs.py:31:5: error: float64[] has no method 'fill'
# CHECK: hint: of all elements: y[:] = 0
# CHECK: bad-structs.py:32:12: error: an element of 'x' is Good and cannot take int32
# CHECK-NOT: error:
