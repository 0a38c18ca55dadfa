# bits gives a number's bits the type that is named: as wide, an integer or a float.
# RUN: cplc %s:f --types 'x=float32[] y=float64[] h=float16[] k=int32[] T=type:uint64' \
# RUN:   --emit types | FileCheck %s

def f(i, x, y, h, k, T):
    a = bits(x[i], "uint32")
    b = bits(y[i], "int64")
    c = bits(k[i], "float")
    d = bits(h[i], "ushort")
    e = bits(y[i], T)
    g = bits(1.0, "uint64")
    j = bits(1 + bits(x[i], "int32"), "float32")
    l = bits(k[i], "uint32") >> 31
    m = bits(2, "uint32")

# CHECK: f(i: int64, x: float32[], y: float64[], h: float16[], k: int32[]) -> void
# CHECK-NEXT: T = type uint64
# CHECK-NEXT: a: uint32
# CHECK-NEXT: b: int64
# CHECK-NEXT: c: float32
# CHECK-NEXT: d: uint16
# CHECK-NEXT: e: uint64
# CHECK-NEXT: g: uint64
# CHECK-NEXT: j: float32
# CHECK-NEXT: l: uint32
# CHECK-NEXT: m: uint32
