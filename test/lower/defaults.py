# Arguments left out: the default is converted to the parameter's type, as any argument is. Floats saturate, integers wrap.
# RUN: cplc %s:f --as function --types 'x=float64[]' --emit ir | FileCheck %s

def g(a, p: 'int' = 1e12, q: bool = 2, r: 'int8' = 300, s: bool = 0.5, t: 'float' = 3, u: 'uint' = -1.5, v: 'half' = 0.1, w=False, n: 'long' = 2.9):
    return a + p + q + r + s + t + u + v + w + n

def f(x):
    x[0] = g(1.5)

# CHECK: = call g(1.5:float64, 2147483647:int32, true, 44:int8, true, 3.0:float32, 0:uint32, 0.099976:float16, false, 2:int64)
