# Operators and builtins become ops of the type sema found; conversions are explicit.
# RUN: cplc --emit ir %s:ops --types 'a=int32[] u=uint8[] x=float64[] f=float32[]' 2>/dev/null \
# RUN:   | FileCheck %s
import math


def ops(i, a, u, x, f):
    a[i] = a[i]/3
    a[i] = a[i]//3 % 5
    a[i] = ~a[i] << u[i]
    x[i] = a[i] + x[i]
    f[i] = 2.0*f[i]
    f[i] = x[i]
    x[i] = sin(a[i]) + math.pi
    f[i] = fmod(f[i], 2)
    a[i] = min(a[i], u[i], 7)
    a[i] = int(x[i])
    u[i] = bool(x[i])
    x[i] = degrees(x[i])
    x[i] = fmin(x[i], f[i])
    a[i] = abs(u[i])
    a[i] = isnan(f[i])


# CHECK: store(elem(a, i), div(load(elem(a, i)), 3:int32))
# CHECK-NEXT: store(elem(a, i), floormod(floordiv(load(elem(a, i)), 3:int32), 5:int32))
# CHECK-NEXT: store(elem(a, i), shl(not(load(elem(a, i))), convert<int32>(load(elem(u, i)))))
# CHECK-NEXT: store(elem(x, i), add(convert<float64>(load(elem(a, i))), load(elem(x, i))))
# CHECK-NEXT: store(elem(f, i), mul(2.0:float32, load(elem(f, i))))
# CHECK-NEXT: store(elem(f, i), convert<float32>(load(elem(x, i))))
# CHECK-NEXT: store(elem(x, i), add(sin(convert<float64>(load(elem(a, i)))), 3.141592653589793:float64))
# CHECK-NEXT: store(elem(f, i), rem(load(elem(f, i)), 2.0:float32))
# CHECK-NEXT: store(elem(a, i), min(min(load(elem(a, i)), convert<int32>(load(elem(u, i)))), 7:int32))
# CHECK-NEXT: store(elem(a, i), convert<int32>(convert<int64>(load(elem(x, i)))))
# CHECK-NEXT: store(elem(u, i), convert<uint8>(convert<bool>(load(elem(x, i)))))
# CHECK-NEXT: store(elem(x, i), mul(load(elem(x, i)), 57.29577951308232:float64))
# CHECK-NEXT: [[A:t[_0-9]*]] = load(elem(x, i))
# CHECK-NEXT: [[B:t[_0-9]*]] = convert<float64>(load(elem(f, i)))
# CHECK-NEXT: store(elem(x, i), cond(isnan([[A]]), [[B]], min([[A]], [[B]])))
# CHECK-NEXT: store(elem(a, i), convert<int32>(load(elem(u, i))))
# CHECK-NEXT: store(elem(a, i), convert<int32>(isnan(load(elem(f, i)))))
