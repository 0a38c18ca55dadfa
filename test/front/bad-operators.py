# Operators that stand wrong, and those of other languages.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    x = a +
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line
    x = * a
# CHECK: :[[#@LINE-1]]:9: error: starred expressions are not supported
    x = a b
# CHECK: :[[#@LINE-1]]:11: error: expected an operator or the end of the line, found 'b'
    x = a b c
# CHECK: :[[#@LINE-1]]:11: error: expected an operator or the end of the line, found 'b'
    x = (a b)
# CHECK: :[[#@LINE-1]]:12: error: expected ',' or ')', found 'b'
# CHECK: :[[#@LINE-2]]:9: note: '(' was opened here
    x = f(a b)
# CHECK: :[[#@LINE-1]]:13: error: expected ',' or ')', found 'b'
# CHECK: :[[#@LINE-2]]:10: note: '(' was opened here
    x = a[b c]
# CHECK: :[[#@LINE-1]]:13: error: expected ']', found 'c'
# CHECK: :[[#@LINE-2]]:10: note: '[' was opened here
    x = a.
# CHECK: :[[#@LINE-1]]:11: error: expected a name, found end of line
    x = a.3
# CHECK: :[[#@LINE-1]]:10: error: expected an operator or the end of the line, found '.3'
    x = a if b
# CHECK: :[[#@LINE-1]]:15: error: expected 'else', found end of line
# CHECK: hint: a choice is written: a if condition else b
    x = a if b else
# CHECK: :[[#@LINE-1]]:20: error: expected an expression, found end of line
    x = a < > b
# CHECK: :[[#@LINE-1]]:13: error: expected an expression, found '>'
    x = not
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line
    x = a && b
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found '&'
# CHECK: hint: write 'and'
    x = a || b
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found '|'
# CHECK: hint: write 'or'
    x++
# CHECK: :[[#@LINE-1]]:8: error: expected an expression, found end of line
# CHECK: hint: to add one, write: x += 1
    x--
# CHECK: :[[#@LINE-1]]:8: error: expected an expression, found end of line
# CHECK: hint: to subtract one, write: x -= 1
    x = a = 
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line
    x = = a
# CHECK: :[[#@LINE-1]]:9: error: expected an expression, found '='
    x = a and
# CHECK: :[[#@LINE-1]]:14: error: expected an expression, found end of line
    x = , a
# CHECK: :[[#@LINE-1]]:9: error: expected an expression, found ','
    x = f(, a)
# CHECK: :[[#@LINE-1]]:11: error: expected an expression, found ','
    x = f(a,, b)
# CHECK: :[[#@LINE-1]]:13: error: expected an expression, found ','
    +
# CHECK: :[[#@LINE-1]]:6: error: expected an expression, found end of line
