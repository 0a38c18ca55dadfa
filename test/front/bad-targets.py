# What the top level of a file cannot assign to; a kernel that does not use it is refused too, as
# Python refuses the file.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
K = = 3
# CHECK: :[[#@LINE-1]]:5: error: expected a name to assign to, found '='
K = 1 = 3
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a literal
'K' = 3
# CHECK: :[[#@LINE-1]]:1: error: cannot assign to a literal
1.5 = K
# CHECK: :[[#@LINE-1]]:1: error: cannot assign to a literal
K : = 3
# CHECK: :[[#@LINE-1]]:5: error: expected a type, found '='
L: float = M = N = 1
K = J == 3
x[1] = a.b = [c, *d] = (e) = 2
def f(x):
    return x
