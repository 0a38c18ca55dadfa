# Directives that end too early, take what printf does not print, or stand for nothing.
# RUN: not cplc %s:f --types 'x=float64[] n=int32' --emit types 2>&1 | FileCheck %s
FORMAT = '%d'

def nothing():
    pass

def f(i, x, n):
    printf('%')
    printf('%5', n)
    printf('%l', n)
    printf('%-+ #05.3', n)
    printf('%*d', n, n)
    printf('%s', n)
    printf('%c %p', n, x)
    printf('%y', n)
    printf('a\0b %d', n)
    printf('%\0', n)
    printf('%d', x[0])
    printf('%g', n)
    printf('%d', missing)
    printf('%d', nothing())
    printf('%d %d', n)
    printf('%d', n, 1.5, x)
    printf('none', n)
    printf(FORMAT, n)
    printf()
    printf('%d', n, end=1)
    printf('%%%5.2f %ld %lld %u %x %X %o %c %i %e %E %G %a %A %F', x[0], n, n, n, n, n, n, n, n, x[0], x[0], x[0], x[0], x[0], x[0])

# CHECK: bad-printf-format.py:9:5: error: the format has 1 directive, but 0 arguments are given
# CHECK: bad-printf-format.py:9:12: error: directive 1 of the format: the format ends inside a directive
# CHECK: bad-printf-format.py:10:12: error: directive 1 of the format: the format ends inside a directive
# CHECK: bad-printf-format.py:11:12: error: directive 1 of the format: the format ends inside a directive
# CHECK: bad-printf-format.py:12:12: error: directive 1 of the format: the format ends inside a directive
# CHECK: bad-printf-format.py:13:5: error: the format has 1 directive, but 2 arguments are given
# CHECK: bad-printf-format.py:13:12: error: directive 1 of the format: a width of '*' is not supported
# CHECK: bad-printf-format.py:14:12: error: directive 1 of the format: texts and pointers cannot be printed
# CHECK: bad-printf-format.py:15:12: error: directive 2 of the format: texts and pointers cannot be printed
# CHECK: bad-printf-format.py:15:24: error: printf prints numbers, found float64[]
# CHECK: bad-printf-format.py:16:12: error: directive 1 of the format: unknown directive
# CHECK: bad-printf-format.py:17:12: error: the format holds a NUL, where printf would end
# CHECK: bad-printf-format.py:18:12: error: the format holds a NUL, where printf would end
# CHECK: bad-printf-format.py:19:18: error: directive 1, %d, takes an integer, found float64
# CHECK: hint: use %g or int(...)
# CHECK: bad-printf-format.py:20:18: error: directive 1, %g, takes a float, found int32
# CHECK: hint: use %d or float(...)
# CHECK: bad-printf-format.py:21:18: error: undefined name 'missing'
# CHECK: bad-printf-format.py:22:18: error: this call gives no value
# CHECK: bad-printf-format.py:23:5: error: the format has 2 directives, but 1 argument is given
# CHECK: bad-printf-format.py:24:5: error: the format has 1 directive, but 3 arguments are given
# CHECK: bad-printf-format.py:24:26: error: printf prints numbers, found float64[]
# CHECK: bad-printf-format.py:25:5: error: the format has 0 directives, but 1 argument is given
# CHECK: bad-printf-format.py:26:12: error: the format of printf is a literal text
# CHECK: bad-printf-format.py:27:5: error: 'printf' takes at least 1 argument, found 0
# CHECK: bad-printf-format.py:28:21: error: 'printf' takes no keyword arguments, found 'end'
# CHECK-NOT: error:
