# Brackets that do not match; the lines behind them are read again.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    x = a + b)
# CHECK: :[[#@LINE-1]]:14: error: unmatched ')'
    x = a]
# CHECK: :[[#@LINE-1]]:10: error: unmatched ']'
    x = (a + b]
# CHECK: :[[#@LINE-1]]:15: error: ']' does not match '('
# CHECK: :[[#@LINE-2]]:9: note: '(' was opened here
    x = [a + b)
# CHECK: :[[#@LINE-1]]:15: error: ')' does not match '['
# CHECK: :[[#@LINE-2]]:9: note: '[' was opened here
    x = f(a, (b + 1)
# CHECK: :[[#@LINE-1]]:10: error: '(' was never closed
    return 1 2
# CHECK: :[[#@LINE-1]]:14: error: expected an operator or the end of the line, found '2'
    x = a[b
# CHECK: :[[#@LINE-1]]:10: error: '[' was never closed
    while a b:
# CHECK: :[[#@LINE-1]]:13: error: expected ':', found 'b'
        x = )
# CHECK: :[[#@LINE-1]]:13: error: unmatched ')'
    x = (a
         b)
# CHECK: :[[#@LINE-1]]:10: error: expected ',' or ')', found 'b'
# CHECK: :[[#@LINE-3]]:9: note: '(' was opened here
    pass pass
# CHECK: :[[#@LINE-1]]:10: error: expected an operator or the end of the line, found 'pass'
    x = f(a, b
# CHECK: :[[#@LINE-1]]:10: error: '(' was never closed
