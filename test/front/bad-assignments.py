# What cannot stand on the left side.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    f(x) = 3
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a call
    3 = x
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a literal
    'a' = x
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a literal
    None = x
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a keyword
    a + b = x
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to an expression
    -a = x
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to an expression
    a == 3 = 4
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a comparison
# CHECK: hint: '==' compares, '=' assigns
    a if b else x = 1
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a choice
    a, f(x) = 1, 2
# CHECK: :[[#@LINE-1]]:8: error: cannot assign to a call
    (a, 3), x = 1, 2
# CHECK: :[[#@LINE-1]]:9: error: cannot assign to a literal
    a = b + 1 = 2
# CHECK: :[[#@LINE-1]]:9: error: cannot assign to an expression
    f(x) += 1
# CHECK: :[[#@LINE-1]]:5: error: cannot assign to a call
    a, b += 1
# CHECK: :[[#@LINE-1]]:5: error: an augmented assignment has one target
    a += b = 1
# CHECK: :[[#@LINE-1]]:12: error: expected an operator or the end of the line, found '='
    a[0]: int = 3
# CHECK: :[[#@LINE-1]]:5: error: only a name takes an annotation
    p.x: int
# CHECK: :[[#@LINE-1]]:5: error: only a name takes an annotation
    a + b: int = 1
# CHECK: :[[#@LINE-1]]:5: error: only a name takes an annotation
    [a, 2] = 1, 2
# CHECK: :[[#@LINE-1]]:9: error: cannot assign to a literal
    *a, b = 1, 2
# CHECK: :[[#@LINE-1]]:5: error: starred expressions are not supported
