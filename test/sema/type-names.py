# Names of types: with blanks around them, as pointers, behind a memory space, and those of NumPy.
# RUN: cplc %s:f --as function --emit types 2>&1 | FileCheck %s
# RUN: cplc %s:g --as function --emit types 2>&1 | FileCheck %s --check-prefix=BARE
# RUN: cplc %s:h --as kernel --emit types 2>&1 | FileCheck %s --check-prefix=LOCAL
import numpy as np
import compyle.types as ct

@struct
class Pair:
    a: 'float'

@decorators[0]
@annotate(x=' GLOBAL_MEM doublep', y='ulonglongp\t', z='GLOBAL_MEM  longlongp ',
          s='GLOBAL_MEM float64[:]', n='GLOBAL_MEM int')
@annotate(int_='i, j', long_='k', float_='r', return_='gdoublep')
def f(x, y, z, s, n, i, j, k, r):
    a = np.int_(i) + int_(i)
    b = np.float_(r)
    c = float_(r)
    d = np.single(k)
    e = bool_(i)
    g = long_(j)
    x[0] = a + b + c + d + e + g + s[0]
    y[0] = z[0]
    return x

def g(x: ct.doublep, p: ct.Pair, n: np.int64, r: np.float32, b: np.bool_) -> np.float32:
    p.a = r
    x[0] = n
    t: ct.float = 1
    return r + t

@annotate(x='LOCAL_MEM floatp', y='gfloatp', m='LOCAL_MEM uint')
def h(x, y, m):
    x[0] = y[m]

# CHECK: type-names.py:12:1: note: this decorator is ignored
# CHECK-NOT: error:

# BARE: g(x: float64[], p: Pair, n: int64, r: float32, b: bool) -> float32
# BARE-NEXT:   t: float64

# LOCAL: h(x: local float32[], y: float32[], m: uint32) -> void

# Other names of types at the top of a file, in texts too.
# RUN: cplc %s:other --types 'x=float32[]' --emit types | FileCheck %s --check-prefix=OTHER
from numba import float64 as f64

REAL = np.float32
WHOLE = int

def other(i, x, s: REAL):
    a: REAL = 0
    b = declare('matrix(3, "REAL")')
    c = np.zeros(2, REAL)
    d = np.ones(2, f64)
    e = REAL(i)
    g = WHOLE(x[i])
    p: 'REAL*' = address(x[i])
    x[i] = a + b[0] + c[0] + d[0] + e + g + p[0]
# OTHER: other(i: int64, x: float32[], s: float32) -> void
# OTHER-NEXT: a: float32
# OTHER-NEXT: b: float32[3]
# OTHER-NEXT: c: float32[2]
# OTHER-NEXT: d: float64[2]
# OTHER-NEXT: e: float32
# OTHER-NEXT: g: int64
# OTHER-NEXT: p: float32*

# Pointers by the names of all numbers.
# RUN: cplc %s:generic_ --as function --emit types | FileCheck %s --check-prefix=PLAIN
# RUN: cplc %s:globals_ --as function --emit types | FileCheck %s --check-prefix=PLAIN
# RUN: cplc %s:locals_ --as kernel --emit types | FileCheck %s --check-prefix=LOCALS

@annotate(a='charp', b='ucharp', c='shortp', d='ushortp', e='intp', f='uintp', g='longp',
          h='ulongp',
          i='longlongp', j='ulonglongp', k='halfp', l='floatp', m='doublep', n='boolp', o='int16p',
          p='uint64p')
def generic_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    a[0] = 1

@annotate(a='gcharp', b='gucharp', c='gshortp', d='gushortp', e='gintp', f='guintp', g='glongp',
          h='gulongp',
          i='glonglongp', j='gulonglongp', k='ghalfp', l='gfloatp', m='gdoublep', n='gboolp',
          o='gint16p', p='guint64p')
def globals_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    a[0] = 1

@annotate(a='lcharp', b='lucharp', c='lshortp', d='lushortp', e='lintp', f='luintp', g='llongp',
          h='lulongp',
          i='llonglongp', j='lulonglongp', k='lhalfp', l='lfloatp', m='ldoublep', n='lboolp',
          o='lint16p', p='luint64p')
def locals_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p):
    a[0] = 1
# PLAIN: {{.*}}(a: int8[], b: uint8[], c: int16[], d: uint16[], e: int32[], f: uint32[], g: int64[], h: uint64[], i: int64[], j: uint64[], k: float16[], l: float32[], m: float64[], n: bool[], o: int16[], p: uint64[])
# LOCALS: locals_(a: local int8[], b: local uint8[], c: local int16[], d: local uint16[], e: local int32[], f: local uint32[], g: local int64[], h: local uint64[], i: local int64[], j: local uint64[], k: local float16[], l: local float32[], m: local float64[], n: local bool[], o: local int16[], p: local uint64[])
