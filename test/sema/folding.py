# Literals and constants are folded in exact arithmetic: integers of any size on the way, Python's signs for // and %.
# RUN: cplc %s:f --types 'x=float64[] k=int64[] c=int32' --emit ir | FileCheck %s
# RUN: cplc %s:f --types 'x=float64[] k=int64[] c=int32' --emit types \
# RUN:   | FileCheck %s --check-prefix=TYPES
import math
RELEASE = False
DEBUG = not RELEASE
NONE = not 2.5
PLUS = +3
TRUE = +True
INVERTED = ~5
NEGATIVE = -2.5
SAME = +1.5
PI2 = math.pi*2
MIX = 7 % 4 + 7.5 - 0.5/2
POWER = 2.0**3
SHIFTED = 1024 >> 3

def f(i, x, k, c):
    k[0] = 0**0 + 1**70
    k[1] = (-1)**70
    k[2] = (-1)**71
    k[3] = -7 // 2
    k[4] = -7 % 4
    k[5] = 7 // 2
    k[6] = 1 << 40 >> 4
    k[7] = 6 & 3 | 8 ^ 1
    k[8] = (-3)**3
    k[9] = -9223372036854775808
    x[0] = 2**-1
    x[1] = 1.5 + 2 - 0.25*4/2
    x[2] = 2.5**2
    x[3] = MIX
    x[4] = PI2
    x[5] = POWER
    x[6] = NEGATIVE + SAME
    k[10] = INVERTED + PLUS + TRUE + SHIFTED
    if DEBUG:
        k[11] = 1
    if NONE:
        k[12] = 1
    # Left to run time: what is undefined, and // and % of floats.
    k[13] = 1 // 0
    k[14] = 1 % 0
    k[15] = 1 / 0
    k[16] = 1 << 64
    k[17] = 1 >> -1
    x[7] = 0**-1
    x[8] = 7.5 // 2 + 7.5 % 2
    x[9] = +(1.5 if c else 2) + -(1.5 if c else 2)
    k[18] = -(1 if c else 2) + +(3000000000 if c else 2)
    k[19] = ~(1 if c else 2) + (c if c else 2)**2 + (1 if c else 2)**2
    k[20] = 1 or 2
    k[21] = True + True
    k[22] = True - False
    x[10] = c**True
    k[23] = True & False

# CHECK: cir 1
# CHECK: func f.body(i: int64, x: float64 global*, k: int64 global*, c: int32) {
# CHECK-NEXT:   var t: int32
# CHECK-NEXT:   var t_1: int32
# CHECK-NEXT:   store(elem(k, 0:int32), 2:int64)
# CHECK-NEXT:   store(elem(k, 1:int32), 1:int64)
# CHECK-NEXT:   store(elem(k, 2:int32), -1:int64)
# CHECK-NEXT:   store(elem(k, 3:int32), -4:int64)
# CHECK-NEXT:   store(elem(k, 4:int32), 1:int64)
# CHECK-NEXT:   store(elem(k, 5:int32), 3:int64)
# CHECK-NEXT:   store(elem(k, 6:int32), 68719476736:int64)
# CHECK-NEXT:   store(elem(k, 7:int32), 11:int64)
# CHECK-NEXT:   store(elem(k, 8:int32), -27:int64)
# CHECK-NEXT:   store(elem(k, 9:int32), -9223372036854775808:int64)
# CHECK-NEXT:   store(elem(x, 0:int32), 0.5:float64)
# CHECK-NEXT:   store(elem(x, 1:int32), 3.0:float64)
# CHECK-NEXT:   store(elem(x, 2:int32), 6.25:float64)
# CHECK-NEXT:   store(elem(x, 3:int32), 10.25:float64)
# CHECK-NEXT:   store(elem(x, 4:int32), 6.283185307179586:float64)
# CHECK-NEXT:   store(elem(x, 5:int32), 8.0:float64)
# CHECK-NEXT:   store(elem(x, 6:int32), -1.0:float64)
# CHECK-NEXT:   store(elem(k, 10:int32), 126:int64)
# CHECK-NEXT:   store(elem(k, 11:int32), 1:int64)
# CHECK-NEXT:   store(elem(k, 13:int32), floordiv(1:int64, 0:int64))
# CHECK-NEXT:   store(elem(k, 14:int32), floormod(1:int64, 0:int64))
# CHECK-NEXT:   store(elem(k, 15:int32), div(1:int64, 0:int64))
# CHECK-NEXT:   store(elem(k, 16:int32), shl(1:int64, 64:int64))
# CHECK-NEXT:   store(elem(k, 17:int32), shr(1:int64, -1:int64))
# CHECK-NEXT:   store(elem(x, 7:int32), pow(0.0:float64, -1.0:float64))
# CHECK-NEXT:   store(elem(x, 8:int32), add(floordiv(7.5:float64, 2.0:float64), floormod(7.5:float64, 2.0:float64)))
# CHECK-NEXT:   store(elem(x, 9:int32), add(cond(ne(c, 0:int32), 1.5:float64, 2.0:float64), neg(cond(ne(c, 0:int32), 1.5:float64, 2.0:float64))))
# CHECK-NEXT:   store(elem(k, 18:int32), add(neg(cond(ne(c, 0:int32), 1:int64, 2:int64)), cond(ne(c, 0:int32), 3000000000:int64, 2:int64)))
# CHECK-NEXT:   t = cond(ne(c, 0:int32), c, 2:int32)
# CHECK-NEXT:   t_1 = cond(ne(c, 0:int32), 1:int32, 2:int32)
# CHECK-NEXT:   store(elem(k, 19:int32), convert<int64>(add(add(not(cond(ne(c, 0:int32), 1:int32, 2:int32)), mul(t, t)), mul(t_1, t_1))))
# CHECK-NEXT:   store(elem(k, 20:int32), 1:int64)
# CHECK-NEXT:   store(elem(k, 21:int32), convert<int64>(add(1:int32, 1:int32)))
# CHECK-NEXT:   store(elem(k, 22:int32), convert<int64>(sub(1:int32, 0:int32)))
# CHECK-NEXT:   store(elem(x, 10:int32), pow(convert<float64>(c), 1.0:float64))
# CHECK-NEXT:   store(elem(k, 23:int32), convert<int64>(and(true, false)))
# CHECK-NEXT: }
# CHECK: entry elementwise func f(n: int64, x: float64 global*, k: int64 global*, c: int32) {
# CHECK-NEXT:   var i: int64
# CHECK-NEXT:   parallel for i in (0:int64, n, 1:int64) schedule(static, 0) {
# CHECK-NEXT:     call f.body(i, x, k, c)
# CHECK-NEXT:   }
# CHECK-NEXT: }

# TYPES: f(i: int64, x: float64[], k: int64[], c: int32) -> void
