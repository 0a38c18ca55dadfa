# A signature that cannot be read is one error: what its parameters are is not guessed.
# RUN: not cplc %s:f --as function --emit types 2>&1 | FileCheck %s

@annotate(a=)
def f(a, b: {1}, c):
    x = missing
    return f(1)

# CHECK: bad-signature.py:4:13: error: expected an expression, found ')'
# CHECK: bad-signature.py:5:13: error: sets are not supported
# CHECK: bad-signature.py:6:9: error: undefined name 'missing'
# CHECK-NOT: error:
