# Calls of every builtin function of numbers, on floats, integers and bools.
# RUN: cplc --emit ir %s:f --as function \
# RUN:   --types 'x=float64[] s=float32[] k=int32[] u=uint32 b=bool h=int8' | FileCheck %s

def f(x, s, k, u, b, h):
    x[0] = sqrt(x[0]) + floor(s[0]) + ceil(k[0]) + trunc(x[0]) + round(x[0]) + rint(x[0]) + fabs(x[0]) + copysign(x[0], s[0])
    x[1] = sin(x[0]) + cos(x[0]) + tan(x[0]) + asin(x[0]) + acos(x[0]) + atan(x[0]) + sinh(x[0]) + cosh(x[0]) + tanh(x[0])
    x[2] = asinh(x[0]) + acosh(x[0]) + atanh(x[0]) + exp(x[0]) + exp2(x[0]) + expm1(x[0]) + log(x[0]) + log2(x[0]) + log10(x[0])
    x[3] = log1p(x[0]) + cbrt(x[0]) + erf(x[0]) + erfc(x[0]) + tgamma(x[0]) + lgamma(x[0]) + atan2(x[0], x[1]) + hypot(x[0], 1)
    x[4] = fmod(x[0], 2) + remainder(x[0], 3) + fdim(x[0], 4) + nextafter(x[0], 5) + ldexp(x[0], k[0]) + fma(x[0], x[1], s[0])
    x[5] = log(x[0], 2) + fmin(x[0], s[0]) + fmax(s[0], 1) + degrees(s[0]) + radians(x[0])
    x[6] = min(b, b) + max(u, k[0]) + min(x[0], 1, s[0]) + abs(u) + abs(b) + abs(h) + abs(x[0]) + pow(x[0], 3) + pow(k[0], x[0])
    b = isnan(s[0]) or isinf(k[0]) and not isfinite(x[0])
    x[7] = x[0]**2 + k[0]**0 + k[0]**5 + x[0]**-1 + x[0]**0.5 + k[0]**b + u**x[0] + 2**k[0]
    k[0] = (u << 2) + (u >> 1) + (k[0] & 7 | u ^ 3) + ~h + -b + +u + k[0] // 3 + k[0] % 5 + len(x)
    b = not b
    b = not (k[0] < 1)
    b = not (not b)
    b = 1 if not b else b
    x[8] = k[0] and x[0] or u
    x[9] = (step(x) and k[0]) + (step(x) or k[1]) + (x[0] if b else step(x))
    b = step(x) < k[0] < step(x)
    None_ = print_all(x, b, u, h)

def step(x):
    x[0] += 1
    return 1

def print_all(x, b, u, h):
    printf('%d %c %u %x %i %g %5.2f %% %lld\n', b, h, u, h, u, x[0], x[1], len(x))
    printf('')
    return 0

# CHECK: cir 1
# CHECK: func step(x: float64 global*) -> int32 {
# CHECK-NEXT:   store(elem(x, 0:int32), add(load(elem(x, 0:int32)), 1.0:float64))
# CHECK-NEXT:   return 1:int32
# CHECK-NEXT: }
# CHECK: func print_all(x: float64 global*, b: bool, u: uint32, h: int8, x_len: int64 length(x)) -> int32 {
# CHECK-NEXT:   printf("%d %c %u %x %lli %g %5.2f %% %lld\n", convert<int32>(b), convert<int32>(h), u, convert<int32>(h), convert<int64>(u), load(elem(x, 0:int32)), load(elem(x, 1:int32)), x_len)
# CHECK-NEXT:   printf("")
# CHECK-NEXT:   return 0:int32
# CHECK-NEXT: }
# CHECK: entry func f(x: float64 global*, s: float32 global*, k: int32 global*, u: uint32, b: bool, h: int8, x_len: int64 length(x), s_len: int64 length(s), k_len: int64 length(k)) {
# CHECK-NEXT:   var None_: int32
# CHECK-NEXT:   var t: float64
# CHECK-NEXT:   var t_1: float64
# CHECK-NEXT:   var t_2: float32
# CHECK-NEXT:   var t_3: float64
# CHECK-NEXT:   var t_4: float64
# CHECK-NEXT:   var t_5: int32
# CHECK-NEXT:   var t_6: int32
# CHECK-NEXT:   var t_7: int32
# CHECK-NEXT:   var t_8: float64
# CHECK-NEXT:   var t_9: int32
# CHECK-NEXT:   var t_10: int32
# CHECK-NEXT:   var t_11: int32
# CHECK-NEXT:   var t_12: int32
# CHECK-NEXT:   var t_13: float64
# CHECK-NEXT:   var t_14: int32
# CHECK-NEXT:   var t_15: int32
# CHECK-NEXT:   var t_16: int32
# CHECK-NEXT:   var t_17: int32
# CHECK-NEXT:   var t_18: bool
# CHECK-NEXT:   store(elem(x, 0:int32), add(add(add(add(add(add(add(sqrt(load(elem(x, 0:int32))), convert<float64>(floor(load(elem(s, 0:int32))))), ceil(convert<float64>(load(elem(k, 0:int32))))), trunc(load(elem(x, 0:int32)))), rint(load(elem(x, 0:int32)))), rint(load(elem(x, 0:int32)))), abs(load(elem(x, 0:int32)))), copysign(load(elem(x, 0:int32)), convert<float64>(load(elem(s, 0:int32))))))
# CHECK-NEXT:   store(elem(x, 1:int32), add(add(add(add(add(add(add(add(sin(load(elem(x, 0:int32))), cos(load(elem(x, 0:int32)))), tan(load(elem(x, 0:int32)))), asin(load(elem(x, 0:int32)))), acos(load(elem(x, 0:int32)))), atan(load(elem(x, 0:int32)))), sinh(load(elem(x, 0:int32)))), cosh(load(elem(x, 0:int32)))), tanh(load(elem(x, 0:int32)))))
# CHECK-NEXT:   store(elem(x, 2:int32), add(add(add(add(add(add(add(add(asinh(load(elem(x, 0:int32))), acosh(load(elem(x, 0:int32)))), atanh(load(elem(x, 0:int32)))), exp(load(elem(x, 0:int32)))), exp2(load(elem(x, 0:int32)))), expm1(load(elem(x, 0:int32)))), log(load(elem(x, 0:int32)))), log2(load(elem(x, 0:int32)))), log10(load(elem(x, 0:int32)))))
# CHECK-NEXT:   store(elem(x, 3:int32), add(add(add(add(add(add(add(log1p(load(elem(x, 0:int32))), cbrt(load(elem(x, 0:int32)))), erf(load(elem(x, 0:int32)))), erfc(load(elem(x, 0:int32)))), tgamma(load(elem(x, 0:int32)))), lgamma(load(elem(x, 0:int32)))), atan2(load(elem(x, 0:int32)), load(elem(x, 1:int32)))), hypot(load(elem(x, 0:int32)), 1.0:float64)))
# CHECK-NEXT:   store(elem(x, 4:int32), add(add(add(add(add(rem(load(elem(x, 0:int32)), 2.0:float64), remainder(load(elem(x, 0:int32)), 3.0:float64)), fdim(load(elem(x, 0:int32)), 4.0:float64)), nextafter(load(elem(x, 0:int32)), 5.0:float64)), ldexp(load(elem(x, 0:int32)), load(elem(k, 0:int32)))), fma(load(elem(x, 0:int32)), load(elem(x, 1:int32)), convert<float64>(load(elem(s, 0:int32))))))
# CHECK-NEXT:   t = load(elem(x, 0:int32))
# CHECK-NEXT:   t_1 = convert<float64>(load(elem(s, 0:int32)))
# CHECK-NEXT:   t_2 = load(elem(s, 0:int32))
# CHECK-NEXT:   store(elem(x, 5:int32), add(add(add(add(div(log(load(elem(x, 0:int32))), log(2.0:float64)), cond(isnan(t), t_1, min(t, t_1))), convert<float64>(cond(isnan(t_2), 1.0:float32, max(t_2, 1.0:float32)))), convert<float64>(mul(load(elem(s, 0:int32)), 57.29578:float32))), mul(load(elem(x, 0:int32)), 0.017453292519943295:float64)))
# CHECK-NEXT:   t_3 = load(elem(x, 0:int32))
# CHECK-NEXT:   store(elem(x, 6:int32), add(add(add(add(add(add(add(convert<float64>(add(convert<int64>(convert<bool>(min(convert<int32>(b), convert<int32>(b)))), max(convert<int64>(u), convert<int64>(load(elem(k, 0:int32)))))), min(min(load(elem(x, 0:int32)), 1.0:float64), convert<float64>(load(elem(s, 0:int32))))), convert<float64>(u)), convert<float64>(abs(convert<int32>(b)))), convert<float64>(abs(h))), abs(load(elem(x, 0:int32)))), mul(t_3, mul(t_3, t_3))), pow(convert<float64>(load(elem(k, 0:int32))), load(elem(x, 0:int32)))))
# CHECK-NEXT:   b = cond(isnan(load(elem(s, 0:int32))), true, cond(isinf(convert<float64>(load(elem(k, 0:int32)))), not(isfinite(load(elem(x, 0:int32)))), false))
# CHECK-NEXT:   t_4 = load(elem(x, 0:int32))
# CHECK-NEXT:   t_5 = load(elem(k, 0:int32))
# CHECK-NEXT:   t_6 = mul(t_5, t_5)
# CHECK-NEXT:   store(elem(x, 7:int32), add(add(add(add(add(add(add(mul(t_4, t_4), 1.0:float64), convert<float64>(mul(t_5, mul(t_6, t_6)))), pow(load(elem(x, 0:int32)), -1.0:float64)), pow(load(elem(x, 0:int32)), 0.5:float64)), pow(convert<float64>(load(elem(k, 0:int32))), convert<float64>(b))), pow(convert<float64>(u), load(elem(x, 0:int32)))), pow(2.0:float64, convert<float64>(load(elem(k, 0:int32))))))
# CHECK-NEXT:   store(elem(k, 0:int32), convert<int32>(add(add(add(add(add(add(add(convert<int64>(add(shl(u, 2:uint32), shr(u, 1:uint32))), or(convert<int64>(and(load(elem(k, 0:int32)), 7:int32)), convert<int64>(xor(u, 3:uint32)))), convert<int64>(not(convert<int32>(h)))), convert<int64>(neg(convert<int32>(b)))), convert<int64>(u)), convert<int64>(floordiv(load(elem(k, 0:int32)), 3:int32))), convert<int64>(floormod(load(elem(k, 0:int32)), 5:int32))), x_len)))
# CHECK-NEXT:   b = not(b)
# CHECK-NEXT:   b = not(lt(load(elem(k, 0:int32)), 1:int32))
# CHECK-NEXT:   b = b
# CHECK-NEXT:   b = convert<bool>(cond(not(b), 1:int32, convert<int32>(b)))
# CHECK-NEXT:   t_7 = load(elem(k, 0:int32))
# CHECK-NEXT:   t_8 = cond(ne(t_7, 0:int32), load(elem(x, 0:int32)), convert<float64>(t_7))
# CHECK-NEXT:   store(elem(x, 8:int32), cond(ne(t_8, 0.0:float64), t_8, convert<float64>(u)))
# CHECK-NEXT:   t_9 = call step(x)
# CHECK-NEXT:   t_11 = cond(ne(t_9, 0:int32), load(elem(k, 0:int32)), t_9)
# CHECK-NEXT:   t_10 = call step(x)
# CHECK-NEXT:   t_14 = add(t_11, cond(ne(t_10, 0:int32), t_10, load(elem(k, 1:int32))))
# CHECK-NEXT:   if b {
# CHECK-NEXT:     t_13 = load(elem(x, 0:int32))
# CHECK-NEXT:   } else {
# CHECK-NEXT:     t_12 = call step(x)
# CHECK-NEXT:     t_13 = convert<float64>(t_12)
# CHECK-NEXT:   }
# CHECK-NEXT:   store(elem(x, 9:int32), add(convert<float64>(t_14), t_13))
# CHECK-NEXT:   t_15 = call step(x)
# CHECK-NEXT:   t_16 = load(elem(k, 0:int32))
# CHECK-NEXT:   if lt(t_15, t_16) {
# CHECK-NEXT:     t_17 = call step(x)
# CHECK-NEXT:     t_18 = lt(t_16, t_17)
# CHECK-NEXT:   } else {
# CHECK-NEXT:     t_18 = false
# CHECK-NEXT:   }
# CHECK-NEXT:   b = t_18
# CHECK-NEXT:   None_ = call print_all(x, b, u, h, x_len)
# CHECK-NEXT: }
