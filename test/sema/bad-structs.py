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
    a = Good()
    b = Methods()
    c = declare('Wrong')
    d = Plain(3)
    y.fill(0)
    x[i] = 1

# CHECK: bad-structs.py:22:17: error: Good has no field 'alpa'
# CHECK: hint: did you mean 'alpha'?
# CHECK: bad-structs.py:23:12: error: an element of 'y' is float64 and cannot take Good
# CHECK: bad-structs.py:24:17: error: float64 has no field 'alpha'
# CHECK: bad-structs.py:25:12: error: '+' does not work on Good and int32
# CHECK: bad-structs.py:26:9: error: 'Good' cannot be called in a kernel
# CHECK: hint: x = declare('Good') makes one; assign its fields
# CHECK: bad-structs.py:27:9: error: 'Methods' cannot be called in a kernel
# CHECK: bad-structs.py:11:5: note: the body of a struct holds only 'name: type' lines
# CHECK: bad-structs.py:28:17: error: 'Wrong' is not a type
# CHECK: bad-structs.py:19:5: note: the type of field 'a' is not a number, a matrix or a struct defined before
# CHECK: bad-structs.py:29:9: error: 'Plain' cannot be called in a kernel
# CHECK: bad-structs.py:14:7: note: a class is not supported unless it is a @struct of 'name: type' lines
# CHECK: bad-structs.py:30:5: error: methods are not supported in kernels: 'fill'
# CHECK: bad-structs.py:31:12: error: an element of 'x' is Good and cannot take int32
# CHECK-NOT: error:
