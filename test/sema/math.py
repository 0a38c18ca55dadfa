# Mathematics keeps float32, gives float64 for integers, and leaves literals weak; names are known bare and in their modules.
# RUN: cplc %s:f --types 'x=float32[] d=float64[] k=int32[] h=float16[] b=bool[]' --emit types \
# RUN:   | FileCheck %s
import math
import numpy
import numpy as np
from numpy import arctan2 as angle
from numpy import *

def f(i, x, d, k, h, b):
    a = sin(x[i])
    c = math.cos(d[i])
    e = np.sqrt(k[i])
    g = numpy.exp(b[i])
    j = atan2(x[i], k[i])
    l = angle(x[i], d[i])
    m = np.arctan2(1.0, x[i])
    n = sqrt(2)*x[i]
    o = sqrt(2)
    p = isnan(x[i])
    q = ldexp(x[i], k[i])
    r = log(x[i], 2)
    s = fabs(k[i])
    t = floor(x[i])
    u = math.gamma(x[i])
    v = np.minimum(x[i], d[i])
    w = np.power(x[i], 2)
    y = degrees(h[i])
    z = fma(x[i], 2.0, 1)
    aa = hypot(3, 4)
    bb = arccos(x[i])

# CHECK: f(i: int64, x: float32[], d: float64[], k: int32[], h: float16[], b: bool[]) -> void
# CHECK-NEXT: a: float32
# CHECK-NEXT: c: float64
# CHECK-NEXT: e: float64
# CHECK-NEXT: g: float64
# CHECK-NEXT: j: float32
# CHECK-NEXT: l: float64
# CHECK-NEXT: m: float32
# CHECK-NEXT: n: float32
# CHECK-NEXT: o: float64
# CHECK-NEXT: p: bool
# CHECK-NEXT: q: float32
# CHECK-NEXT: r: float32
# CHECK-NEXT: s: float64
# CHECK-NEXT: t: float32
# CHECK-NEXT: u: float32
# CHECK-NEXT: v: float64
# CHECK-NEXT: w: float32
# CHECK-NEXT: y: float32
# CHECK-NEXT: z: float32
# CHECK-NEXT: aa: float64
# CHECK-NEXT: bb: float32
