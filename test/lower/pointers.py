# Pointers as values: choices, casts, addresses; with bounds_check each carries how much it points to.
# RUN: cplc --emit ir %s:f --as function \
# RUN:   --types 'x=float64[] y=float64[] u=uint32 b=uint8 n=int32' | FileCheck %s
# RUN: cplc --emit ir %s:f --as function \
# RUN:   --types 'x=float64[] y=float64[] u=uint32 b=uint8 n=int32' --option bounds_check=1 \
# RUN:   | FileCheck %s --check-prefix=CHECKED
# RUN: cplc --emit ir %s:strided --as function --types 'x=float64[:] n=int32' \
# RUN:   --option bounds_check=1 | FileCheck %s --check-prefix=STRIDED

@struct
class Pair:
    a: 'double'
    m: 'matrix((2, 3))'

@annotate(x='doublep', return_='doublep')
def same(x):
    return x

def first(p: 'Pair'):
    p.m[1, 2] += 1
    return p.m[0][1] + p.a

def f(x, y, u, b, n):
    p = address(x[1])
    q = address(p[2])
    q = address(q[-n])
    r = x if n else y
    s = cast(x, 'int*')
    t = cast(x, 'long*')
    v = same(x)
    v = same(y)
    v = address(v[1])
    x[u] = y[b]
    w = declare('Pair')
    p[0] = first(w)
    z = w.m[1]
    z[2] = q[0] + r[1] + s[2] + t[3] + v[4]
    aa = address(w.a)
    aa[0] = z[1]
    n += n < 2 < 3
    r[n] += 1
    w.m[n][2] *= 2
    p = address(p[n])
    for j in range(u):
        d = declare('double')
        e, g = declare('int', 2)
        m = declare('matrix(2)')
        c = declare('doublep')
        m[0] = d + e + g
    h: float
    h = fmin(x[0], 2)
    k = isnan(n) or isnan(x[0])

def strided(x, n):
    y = x
    z = x if n else y
    z[n] += y[1]
    return len(z)

# CHECK: cir 1
# CHECK: struct Pair { a: float64, m: float64[2][3] }
# CHECK: func same(x: float64 global*) -> float64* {
# CHECK-NEXT:   return ptrcast<float64*>(x)
# CHECK-NEXT: }
# CHECK: func first(p: Pair*) -> float64 {
# CHECK-NEXT:   store(item(item(field<m>(p), 1:int32), 2:int32), add(load(item(item(field<m>(p), 1:int32), 2:int32)), 1.0:float64))
# CHECK-NEXT:   return add(load(item(item(field<m>(p), 0:int32), 1:int32)), load(field<a>(p)))
# CHECK-NEXT: }
# CHECK: entry func f(x: float64 global*, y: float64 global*, u: uint32, b: uint8, n: int32) {
# CHECK-NEXT:   var p: float64 global*
# CHECK-NEXT:   var q: float64 global*
# CHECK-NEXT:   var r: float64 global*
# CHECK-NEXT:   var s: int32 global*
# CHECK-NEXT:   var t: int64 global*
# CHECK-NEXT:   var v: float64*
# CHECK-NEXT:   var w: Pair
# CHECK-NEXT:   var z: float64 private*
# CHECK-NEXT:   var aa: float64 private*
# CHECK-NEXT:   var j: uint32
# CHECK-NEXT:   var d: float64
# CHECK-NEXT:   var e: int32
# CHECK-NEXT:   var g: int32
# CHECK-NEXT:   var m: float64[2]
# CHECK-NEXT:   var c: float64*
# CHECK-NEXT:   var h: float64
# CHECK-NEXT:   var k: bool
# CHECK-NEXT:   var t_1: float64*
# CHECK-NEXT:   var t_2: float64*
# CHECK-NEXT:   var t_3: float64
# CHECK-NEXT:   var t_4: float64
# CHECK-NEXT:   p = elem(x, 1:int32)
# CHECK-NEXT:   q = elem(p, 2:int32)
# CHECK-NEXT:   q = elem(q, neg(n))
# CHECK-NEXT:   r = cond(ne(n, 0:int32), x, y)
# CHECK-NEXT:   s = ptrcast<int32 global*>(x)
# CHECK-NEXT:   t = ptrcast<int64 global*>(x)
# CHECK-NEXT:   t_1 = call same(x)
# CHECK-NEXT:   v = t_1
# CHECK-NEXT:   t_2 = call same(y)
# CHECK-NEXT:   v = t_2
# CHECK-NEXT:   v = elem(v, 1:int32)
# CHECK-NEXT:   store(elem(x, convert<int64>(u)), load(elem(y, convert<int32>(b))))
# CHECK-NEXT:   t_3 = call first(ptrcast<Pair*>(addr(w)))
# CHECK-NEXT:   store(elem(p, 0:int32), t_3)
# CHECK-NEXT:   z = item(item(field<m>(addr(w)), 1:int32), 0:int32)
# CHECK-NEXT:   store(elem(z, 2:int32), add(add(add(add(load(elem(q, 0:int32)), load(elem(r, 1:int32))), convert<float64>(load(elem(s, 2:int32)))), convert<float64>(load(elem(t, 3:int32)))), load(elem(v, 4:int32))))
# CHECK-NEXT:   aa = field<a>(addr(w))
# CHECK-NEXT:   store(elem(aa, 0:int32), load(elem(z, 1:int32)))
# CHECK-NEXT:   n = add(n, convert<int32>(cond(lt(n, 2:int32), lt(2:int32, 3:int32), false)))
# CHECK-NEXT:   store(elem(r, n), add(load(elem(r, n)), 1.0:float64))
# CHECK-NEXT:   store(item(item(field<m>(addr(w)), n), 2:int32), mul(load(item(item(field<m>(addr(w)), n), 2:int32)), 2.0:float64))
# CHECK-NEXT:   p = elem(p, n)
# CHECK-NEXT:   for j in (0:uint32, u, 1:uint32) {
# CHECK-NEXT:     d = 0.0:float64
# CHECK-NEXT:     e = 0:int32
# CHECK-NEXT:     g = 0:int32
# CHECK-NEXT:     clear(addr(m))
# CHECK-NEXT:     store(item(addr(m), 0:int32), add(add(d, convert<float64>(e)), convert<float64>(g)))
# CHECK-NEXT:   }
# CHECK-NEXT:   t_4 = load(elem(x, 0:int32))
# CHECK-NEXT:   h = cond(isnan(t_4), 2.0:float64, min(t_4, 2.0:float64))
# CHECK-NEXT:   k = cond(isnan(convert<float64>(n)), true, isnan(load(elem(x, 0:int32))))
# CHECK-NEXT: }

# CHECKED: cir 1
# CHECKED: struct Pair { a: float64, m: float64[2][3] }
# CHECKED: func same(x: float64 global*, x_len: int64 length(x), cpl_fault_record: uint8 global* fault) -> float64* {
# CHECKED-NEXT:   return ptrcast<float64*>(x)
# CHECKED-NEXT: }
# CHECKED: func first(p: Pair*, p_len: int64 length(p), cpl_fault_record: uint8 global* fault) -> float64 {
# CHECKED-NEXT:   store(item(item(field<m>(p), 1:int32), 2:int32), add(load(item(item(field<m>(p), 1:int32), 2:int32)), 1.0:float64))
# CHECKED-NEXT:   return add(load(item(item(field<m>(p), 0:int32), 1:int32)), load(field<a>(p)))
# CHECKED-NEXT: }
# CHECKED: entry func f(x: float64 global*, y: float64 global*, u: uint32, b: uint8, n: int32, x_len: int64 length(x), y_len: int64 length(y), cpl_fault_record: uint8 global* fault) {
# CHECKED-NEXT:   var p: float64 global* extent p_len
# CHECKED-NEXT:   var p_len: int64
# CHECKED-NEXT:   var q: float64 global* extent q_len
# CHECKED-NEXT:   var q_len: int64
# CHECKED-NEXT:   var r: float64 global* extent r_len
# CHECKED-NEXT:   var r_len: int64
# CHECKED-NEXT:   var s: int32 global* extent s_len
# CHECKED-NEXT:   var s_len: int64
# CHECKED-NEXT:   var t: int64 global* extent t_len
# CHECKED-NEXT:   var t_len: int64
# CHECKED-NEXT:   var v: float64* extent v_len
# CHECKED-NEXT:   var v_len: int64
# CHECKED-NEXT:   var w: Pair
# CHECKED-NEXT:   var z: float64 private* extent z_len
# CHECKED-NEXT:   var z_len: int64
# CHECKED-NEXT:   var aa: float64 private* extent aa_len
# CHECKED-NEXT:   var aa_len: int64
# CHECKED-NEXT:   var j: uint32
# CHECKED-NEXT:   var d: float64
# CHECKED-NEXT:   var e: int32
# CHECKED-NEXT:   var g: int32
# CHECKED-NEXT:   var m: float64[2]
# CHECKED-NEXT:   var c: float64* extent c_len
# CHECKED-NEXT:   var c_len: int64
# CHECKED-NEXT:   var h: float64
# CHECKED-NEXT:   var k: bool
# CHECKED-NEXT:   var t_1: float64 global*
# CHECKED-NEXT:   var t_2: float64 global*
# CHECKED-NEXT:   var t_3: float64 global*
# CHECKED-NEXT:   var t_4: float64 global*
# CHECKED-NEXT:   var t_5: int32 global*
# CHECKED-NEXT:   var t_6: int64 global*
# CHECKED-NEXT:   var t_7: float64* extent t_len_1
# CHECKED-NEXT:   var t_len_1: int64
# CHECKED-NEXT:   var t_8: float64* extent t_len_2
# CHECKED-NEXT:   var t_len_2: int64
# CHECKED-NEXT:   var t_9: float64*
# CHECKED-NEXT:   var t_10: float64
# CHECKED-NEXT:   var t_11: float64 private*
# CHECKED-NEXT:   var t_12: float64 private*
# CHECKED-NEXT:   var t_13: float64 global*
# CHECKED-NEXT:   var t_14: float64
# CHECKED-NEXT:   t_1 = elem(x, 1:int32)
# CHECKED-NEXT:   p_len = sub(x_len, 1:int64)
# CHECKED-NEXT:   p = t_1
# CHECKED-NEXT:   t_2 = elem(p, 2:int32)
# CHECKED-NEXT:   q_len = sub(p_len, 2:int64)
# CHECKED-NEXT:   q = t_2
# CHECKED-NEXT:   t_3 = elem(q, neg(n))
# CHECKED-NEXT:   q_len = sub(q_len, convert<int64>(neg(n)))
# CHECKED-NEXT:   q = t_3
# CHECKED-NEXT:   t_4 = cond(ne(n, 0:int32), x, y)
# CHECKED-NEXT:   r_len = cond(ne(n, 0:int32), x_len, y_len)
# CHECKED-NEXT:   r = t_4
# CHECKED-NEXT:   t_5 = ptrcast<int32 global*>(x)
# CHECKED-NEXT:   s_len = 9223372036854775807:int64
# CHECKED-NEXT:   s = t_5
# CHECKED-NEXT:   t_6 = ptrcast<int64 global*>(x)
# CHECKED-NEXT:   t_len = x_len
# CHECKED-NEXT:   t = t_6
# CHECKED-NEXT:   t_len_1 = 9223372036854775807:int64
# CHECKED-NEXT:   t_7 = call same(x, x_len, cpl_fault_record)
# CHECKED-NEXT:   v_len = t_len_1
# CHECKED-NEXT:   v = t_7
# CHECKED-NEXT:   t_len_2 = 9223372036854775807:int64
# CHECKED-NEXT:   t_8 = call same(y, y_len, cpl_fault_record)
# CHECKED-NEXT:   v_len = t_len_2
# CHECKED-NEXT:   v = t_8
# CHECKED-NEXT:   t_9 = elem(v, 1:int32)
# CHECKED-NEXT:   v_len = sub(v_len, 1:int64)
# CHECKED-NEXT:   v = t_9
# CHECKED-NEXT:   store(elem(x, convert<int64>(u)), load(elem(y, convert<int32>(b))))
# CHECKED-NEXT:   t_10 = call first(ptrcast<Pair*>(addr(w)), 1:int64, cpl_fault_record)
# CHECKED-NEXT:   store(elem(p, 0:int32), t_10)
# CHECKED-NEXT:   t_11 = item(item(field<m>(addr(w)), 1:int32), 0:int32)
# CHECKED-NEXT:   z_len = 3:int64
# CHECKED-NEXT:   z = t_11
# CHECKED-NEXT:   store(elem(z, 2:int32), add(add(add(add(load(elem(q, 0:int32)), load(elem(r, 1:int32))), convert<float64>(load(elem(s, 2:int32)))), convert<float64>(load(elem(t, 3:int32)))), load(elem(v, 4:int32))))
# CHECKED-NEXT:   t_12 = field<a>(addr(w))
# CHECKED-NEXT:   aa_len = 1:int64
# CHECKED-NEXT:   aa = t_12
# CHECKED-NEXT:   store(elem(aa, 0:int32), load(elem(z, 1:int32)))
# CHECKED-NEXT:   n = add(n, convert<int32>(cond(lt(n, 2:int32), lt(2:int32, 3:int32), false)))
# CHECKED-NEXT:   store(elem(r, n), add(load(elem(r, n)), 1.0:float64))
# CHECKED-NEXT:   store(item(item(field<m>(addr(w)), n), 2:int32), mul(load(item(item(field<m>(addr(w)), n), 2:int32)), 2.0:float64))
# CHECKED-NEXT:   t_13 = elem(p, n)
# CHECKED-NEXT:   p_len = sub(p_len, convert<int64>(n))
# CHECKED-NEXT:   p = t_13
# CHECKED-NEXT:   for j in (0:uint32, u, 1:uint32) {
# CHECKED-NEXT:     d = 0.0:float64
# CHECKED-NEXT:     e = 0:int32
# CHECKED-NEXT:     g = 0:int32
# CHECKED-NEXT:     clear(addr(m))
# CHECKED-NEXT:     store(item(addr(m), 0:int32), add(add(d, convert<float64>(e)), convert<float64>(g)))
# CHECKED-NEXT:   }
# CHECKED-NEXT:   t_14 = load(elem(x, 0:int32))
# CHECKED-NEXT:   h = cond(isnan(t_14), 2.0:float64, min(t_14, 2.0:float64))
# CHECKED-NEXT:   k = cond(isnan(convert<float64>(n)), true, isnan(load(elem(x, 0:int32))))
# CHECKED-NEXT: }

# STRIDED: cir 1
# STRIDED: entry func strided(x: float64 global*, n: int32, x_len: int64 length(x), x_stride: int64 stride(x), cpl_fault_record: uint8 global* fault) -> int64 {
# STRIDED-NEXT:   var y: float64 global* extent y_len
# STRIDED-NEXT:   var y_len: int64
# STRIDED-NEXT:   var y_stride: int64
# STRIDED-NEXT:   var z: float64 global* extent z_len
# STRIDED-NEXT:   var z_len: int64
# STRIDED-NEXT:   var z_stride: int64
# STRIDED-NEXT:   var t: float64 global*
# STRIDED-NEXT:   var t_1: int64
# STRIDED-NEXT:   y_len = x_len
# STRIDED-NEXT:   y_stride = x_stride
# STRIDED-NEXT:   y = x
# STRIDED-NEXT:   t = cond(ne(n, 0:int32), x, y)
# STRIDED-NEXT:   z_len = cond(ne(n, 0:int32), x_len, y_len)
# STRIDED-NEXT:   z_stride = cond(ne(n, 0:int32), x_stride, y_stride)
# STRIDED-NEXT:   z = t
# STRIDED-NEXT:   t_1 = convert<int64>(n)
# STRIDED-NEXT:   store(strided(z, t_1, z_stride), add(load(strided(z, t_1, z_stride)), load(strided(y, 1:int64, y_stride))))
# STRIDED-NEXT:   return z_len
# STRIDED-NEXT: }
