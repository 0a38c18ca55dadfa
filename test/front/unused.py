# What is wrong in functions that nobody asks for does no harm, as long as it hides nothing.
# RUN: cplc --emit ast %s:wanted | FileCheck %s
# RUN: not cplc --emit ast %s:unwanted 2>&1 | FileCheck --check-prefix=BAD \
# RUN:   --implicit-check-not=error: %s
# RUN: not cplc --emit ast %s:unclosed 2>&1 | FileCheck --check-prefix=OPEN \
# RUN:   --implicit-check-not=error: %s
# RUN: not cplc --emit ast %s:parameters 2>&1 | FileCheck --check-prefix=PARAM \
# RUN:   --implicit-check-not=error: %s
def unwanted(x):
    y = $
    z = 'open
    return 08 whatever
# BAD: :[[#@LINE-3]]:9: error: invalid character '$'
# BAD: :[[#@LINE-3]]:9: error: unterminated string
# BAD: :[[#@LINE-3]]:12: error: a decimal integer has no leading zeros: '08'

def unclosed(x):
    return (x
# OPEN: :[[#@LINE-1]]:12: error: '(' was never closed

def parameters(x=[1, 2], *y, z: {1}, x):
    pass
# PARAM: :[[#@LINE-2]]:33: error: sets are not supported

def colons(x) -> lambda a, b=lambda: 0: (a, b):
    return x

def wanted(x):
    return x
# CHECK: func wanted @[[#@LINE-2]]:1
# CHECK: name x @[[#@LINE-2]]:12
# CHECK-NOT: func

value = (1, 2
def behind(x): return x
