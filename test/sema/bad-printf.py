# Counts and kinds of printf's arguments are checked.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s

def f(i, x, k):
    printf("%d\n")
    printf("none\n", 1)
    printf("%d\n", x[i])
    printf("%f\n", k[i])
    printf("%s\n", 1)
    printf("%*d\n", 1, 2)
    printf("%q\n", 1)
    printf("50%", 1)
    printf(x)
    printf("%g\n", x)
    printf()
    a = printf("b\n")

# CHECK: bad-printf.py:5:5: error: the format has 1 directive, but 0 arguments are given
# CHECK: bad-printf.py:6:5: error: the format has 0 directives, but 1 argument is given
# CHECK: bad-printf.py:7:20: error: directive 1, %d, takes an integer, found float64
# CHECK: hint: use %g or int(...)
# CHECK: bad-printf.py:8:20: error: directive 1, %f, takes a float, found int32
# CHECK: hint: use %d or float(...)
# CHECK: bad-printf.py:9:12: error: directive 1 of the format: texts and pointers cannot be printed
# CHECK: bad-printf.py:10:5: error: the format has 1 directive, but 2 arguments are given
# CHECK: bad-printf.py:10:12: error: directive 1 of the format: a width of '*' is not supported
# CHECK: bad-printf.py:11:12: error: directive 1 of the format: unknown directive
# CHECK: bad-printf.py:12:12: error: directive 1 of the format: the format ends inside a directive
# CHECK: bad-printf.py:13:12: error: the format of printf is a literal text
# CHECK: bad-printf.py:14:20: error: printf prints numbers, found float64[]
# CHECK: bad-printf.py:15:5: error: 'printf' takes at least 1 argument, found 0
# CHECK: bad-printf.py:16:9: error: this call gives no value
# CHECK-NOT: error:
