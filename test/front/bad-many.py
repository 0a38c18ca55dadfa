# Ten mistakes give ten errors.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, n):
    a = 1 +
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line
    b = {1, 2}
# CHECK: :[[#@LINE-1]]:9: error: sets are not supported
    if n = 3:
# CHECK: :[[#@LINE-1]]:10: error: expected ':', found '='
# CHECK: hint: '==' compares
        c = n ? 1 : 2
# CHECK: :[[#@LINE-1]]:15: error: invalid character '?'
# CHECK: hint: a choice is written: a if condition else b
    for i in range(n)
# CHECK: :[[#@LINE-1]]:22: error: expected ':', found end of line
        d = x[i
# CHECK: :[[#@LINE-1]]:14: error: '[' was never closed
        del d
# CHECK: :[[#@LINE-1]]:9: error: 'del' is not supported
    while n > 0:
        e = 'open
# CHECK: :[[#@LINE-1]]:13: error: unterminated string
        n--
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line
# CHECK: hint: to subtract one, write: x -= 1
    try:
# CHECK: :[[#@LINE-1]]:5: error: 'try' is not supported
# CHECK: hint: check values before they are used: nothing raises in a kernel
        g = n && 1
# CHECK: :[[#@LINE-1]]:16: error: expected an expression, found '&'
# CHECK: hint: write 'and'
    except E:
        pass
    return {n}
# CHECK: :[[#@LINE-1]]:12: error: sets are not supported
