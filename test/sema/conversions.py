# int float bool, dtype names and cast convert.
# RUN: cplc %s:f --types 'x=float32[] k=int32[]' --emit types | FileCheck %s
import numpy as np
from compyle.api import cast

def f(i, x, k):
    a = int(x[i])
    b = float(k[i])
    c = bool(k[i])
    d = np.float32(k[i])
    e = int32(x[i])
    g = np.uint8(k[i])
    h = cast(x[i], "unsigned int")
    j = 1 + cast(x[i], "long")
    l = cast(x, "int*")
    m = l[0]
    n = double(x[i])

# CHECK: f(i: int64, x: float32[], k: int32[]) -> void
# CHECK-NEXT: a: int64
# CHECK-NEXT: b: float64
# CHECK-NEXT: c: bool
# CHECK-NEXT: d: float32
# CHECK-NEXT: e: int32
# CHECK-NEXT: g: uint8
# CHECK-NEXT: h: uint32
# CHECK-NEXT: j: int64
# CHECK-NEXT: l: int32[]
# CHECK-NEXT: m: int32
# CHECK-NEXT: n: float64
