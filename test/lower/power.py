# Powers of integers by squaring, small powers of floats by products, the others by pow.
# RUN: cplc --emit ir %s:power --types 'k=int32[] x=float64[] y=float64[]' | FileCheck %s
N = 5


def power(i, k, x, y):
    k[i] = k[i]**N
    y[i] = x[i]**3
    y[i] = x[i]**5
    y[i] = x[i]**0.5
    y[i] = x[i]**-1
    y[i] = 2**k[i]
    k[i] **= 0


# CHECK: [[A:t[_0-9]*]] = load(elem(k, i))
# CHECK-NEXT: [[B:t[_0-9]*]] = mul([[A]], [[A]])
# CHECK-NEXT: store(elem(k, i), mul([[A]], mul([[B]], [[B]])))
# CHECK-NEXT: [[X:t[_0-9]*]] = load(elem(x, i))
# CHECK-NEXT: store(elem(y, i), mul([[X]], mul([[X]], [[X]])))
# CHECK-NEXT: store(elem(y, i), pow(load(elem(x, i)), 5.0:float64))
# CHECK-NEXT: store(elem(y, i), pow(load(elem(x, i)), 0.5:float64))
# CHECK-NEXT: store(elem(y, i), pow(load(elem(x, i)), -1.0:float64))
# CHECK-NEXT: store(elem(y, i), pow(2.0:float64, convert<float64>(load(elem(k, i)))))
# CHECK-NEXT: store(elem(k, i), 1:int32)
