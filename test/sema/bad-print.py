# print takes numbers and literal texts, with sep and end.
# RUN: not cplc %s:f --types 'x=float64[] k=int32[]' --emit types 2>&1 | FileCheck %s
# RUN: not cplc %s:g --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=FORMAT %s
# RUN: cplc %s:fine --types 'x=float64[]' --emit types

def f(i, x, k):
    print(x)
    print("a", sep=i)
    print("a", file=k)
    print("a\0")
    print(None)
    print("x" if i else "y")
    a = print(i)
    print((i, i))

def g(i, x):
    print(f"x = {x[i]}")

def fine(i, x):
    print()
    print("x =", x[i], i, True, 2**40, sep="\t", end="")

# CHECK: bad-print.py:7:11: error: print takes numbers and literal texts, found float64[]
# CHECK: hint: did you mean 'x[i]'?
# CHECK: bad-print.py:8:20: error: 'sep' of print is a literal text
# CHECK: bad-print.py:9:16: error: 'print' has no keyword 'file': there are sep and end
# CHECK: bad-print.py:10:11: error: the text holds a NUL, where printing would end
# CHECK: bad-print.py:11:11: error: None is not a value in kernels
# CHECK: bad-print.py:12:11: error: a string stands only as the format of printf
# CHECK: bad-print.py:13:9: error: this call gives no value
# CHECK: bad-print.py:14:12: error: print takes numbers and literal texts, found (int64, int64)
# FORMAT: bad-print.py:17:11: error: f-strings are not supported
# FORMAT: hint: print takes texts and values: print('i =', i)
