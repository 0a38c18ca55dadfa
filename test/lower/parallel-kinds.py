# Every kind of reduction and schedule, and pointers that belong to a round, with what they carry.
# RUN: cplc --emit ir %s:f --as function --types 'x=float64[] k=int32[] n=int32' \
# RUN:   --option bounds_check=1 | FileCheck %s

def f(x, k, n):
    product = 1.0
    least = 1e9
    most = 0
    some = 0
    all = 1
    odd = 0
    total = 0.0
    for i in prange(n, schedule='guided', chunksize=4, num_threads=2):
        product *= x[i]
        least = min(x[i], least)
        most = max(most, k[i])
        some |= k[i]
        all &= k[i]
        odd ^= k[i]
        total -= x[i]
    p = x
    for i in prange(0, n, 2, schedule='dynamic'):
        p = address(x[i])
        p[0] = p[1]
        if x[i] > 0:
            continue
    with nogil, parallel(num_threads=3):
        for j in prange(n, schedule='static'):
            for k2 in range(3):
                if k2 > 1:
                    break
            else:
                x[j] = 1
            while x[j] > 0:
                x[j] -= 1
                if k[j]:
                    break
            else:
                x[j] = 2
            m: int8 = j
            for m in range(3):
                x[j] += m
    return product + least + most + some + all + odd + total

# CHECK: cir 1
# CHECK: entry func f(x: float64 global*, k: int32 global*, n: int32, x_len: int64 length(x), k_len: int64 length(k), cpl_fault_record: uint8 global* fault) -> float64 {
# CHECK-NEXT:   var product: float64
# CHECK-NEXT:   var least: float64
# CHECK-NEXT:   var most: int32
# CHECK-NEXT:   var some: int32
# CHECK-NEXT:   var all: int32
# CHECK-NEXT:   var odd: int32
# CHECK-NEXT:   var total: float64
# CHECK-NEXT:   var i: int32
# CHECK-NEXT:   var p: float64 global* extent p_len
# CHECK-NEXT:   var p_len: int64
# CHECK-NEXT:   var j: int32
# CHECK-NEXT:   var k2: int32
# CHECK-NEXT:   var m: int8
# CHECK-NEXT:   var t: float64 global*
# CHECK-NEXT:   var broke: bool
# CHECK-NEXT:   var broke_1: bool
# CHECK-NEXT:   var round: int32
# CHECK-NEXT:   product = 1.0:float64
# CHECK-NEXT:   least = 1000000000.0:float64
# CHECK-NEXT:   most = 0:int32
# CHECK-NEXT:   some = 0:int32
# CHECK-NEXT:   all = 1:int32
# CHECK-NEXT:   odd = 0:int32
# CHECK-NEXT:   total = 0.0:float64
# CHECK-NEXT:   parallel for i in (0:int32, n, 1:int32) schedule(guided, 4) threads(2) reduce(mul product, min least, max most, or some, and all, xor odd, add total) {
# CHECK-NEXT:     product = mul(product, load(elem(x, i)))
# CHECK-NEXT:     least = min(least, load(elem(x, i)))
# CHECK-NEXT:     most = max(most, load(elem(k, i)))
# CHECK-NEXT:     some = or(some, load(elem(k, i)))
# CHECK-NEXT:     all = and(all, load(elem(k, i)))
# CHECK-NEXT:     odd = xor(odd, load(elem(k, i)))
# CHECK-NEXT:     total = sub(total, load(elem(x, i)))
# CHECK-NEXT:   }
# CHECK-NEXT:   p_len = x_len
# CHECK-NEXT:   p = x
# CHECK-NEXT:   parallel for i in (0:int32, n, 2:int32) schedule(dynamic, 0) private(p, p_len, t) {
# CHECK-NEXT:     t = elem(x, i)
# CHECK-NEXT:     p_len = sub(x_len, convert<int64>(i))
# CHECK-NEXT:     p = t
# CHECK-NEXT:     store(elem(p, 0:int32), load(elem(p, 1:int32)))
# CHECK-NEXT:     if gt(load(elem(x, i)), 0.0:float64) {
# CHECK-NEXT:       continue
# CHECK-NEXT:     }
# CHECK-NEXT:   }
# CHECK-NEXT:   parallel for j in (0:int32, n, 1:int32) schedule(static, 0) threads(3) private(k2, m, broke, broke_1, round) {
# CHECK-NEXT:     broke = false
# CHECK-NEXT:     for k2 in (0:int32, 3:int32, 1:int32) {
# CHECK-NEXT:       if gt(k2, 1:int32) {
# CHECK-NEXT:         broke = true
# CHECK-NEXT:         break
# CHECK-NEXT:       }
# CHECK-NEXT:     }
# CHECK-NEXT:     if not(broke) {
# CHECK-NEXT:       store(elem(x, j), 1.0:float64)
# CHECK-NEXT:     }
# CHECK-NEXT:     broke_1 = false
# CHECK-NEXT:     while gt(load(elem(x, j)), 0.0:float64) {
# CHECK-NEXT:       store(elem(x, j), sub(load(elem(x, j)), 1.0:float64))
# CHECK-NEXT:       if ne(load(elem(k, j)), 0:int32) {
# CHECK-NEXT:         broke_1 = true
# CHECK-NEXT:         break
# CHECK-NEXT:       }
# CHECK-NEXT:     }
# CHECK-NEXT:     if not(broke_1) {
# CHECK-NEXT:       store(elem(x, j), 2.0:float64)
# CHECK-NEXT:     }
# CHECK-NEXT:     m = convert<int8>(j)
# CHECK-NEXT:     for round in (0:int32, 3:int32, 1:int32) {
# CHECK-NEXT:       m = convert<int8>(round)
# CHECK-NEXT:       store(elem(x, j), add(load(elem(x, j)), convert<float64>(m)))
# CHECK-NEXT:     }
# CHECK-NEXT:   }
# CHECK-NEXT:   return add(add(add(add(add(add(product, least), convert<float64>(most)), convert<float64>(some)), convert<float64>(all)), convert<float64>(odd)), total)
# CHECK-NEXT: }
