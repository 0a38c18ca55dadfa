# The first parameter of an elementwise function is the index, whatever its name: int64 unless annotated.
# RUN: cplc %s:f --types 'x=float64[] a=float32' --emit types | FileCheck --check-prefix=A %s
# RUN: cplc %s:narrow --types 'x=float64[]' --emit types | FileCheck --check-prefix=B %s
# RUN: cplc %s:result --types 'x=float64[]' --emit types 2>&1 | FileCheck --check-prefix=C %s

def f(index, x, a=1.0):
    x[index] = a*index

@annotate(i='int')
def narrow(i, x):
    x[i] = 1

def result(i, x):
    return x[i]

# A: f(index: int64, x: float64[], a: float32) -> void
# B: narrow(i: int32, x: float64[]) -> void
# C: elementwise.py:14:5: warning: the value that 'result' returns is dropped: it runs for each index
# C: result(i: int64, x: float64[]) -> float64
