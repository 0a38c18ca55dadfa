# Signatures and decorators; whatever else a file holds is skipped.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
"""A file of any Python."""
import math, numpy as np
from compyle.api import annotate, declare as d
from math import *
import os.path
from . import near
from ..far.away import (one,
                        two as zwei,)
# CHECK:import math as math @[[#@LINE-7]]:8
# CHECK-NEXT:import numpy as np @[[#@LINE-8]]:14
# CHECK-NEXT:import compyle.api name annotate as annotate @[[#@LINE-8]]:25
# CHECK-NEXT:import compyle.api name declare as d @[[#@LINE-9]]:35
# CHECK-NEXT:import math name * as * @[[#@LINE-9]]:18
# CHECK-NEXT:import os.path as os @[[#@LINE-9]]:8
# CHECK-NEXT:import . name near as near @[[#@LINE-9]]:15
# CHECK-NEXT:import ..far.away name one as one @[[#@LINE-9]]:25
# CHECK-NEXT:import ..far.away name two as zwei @[[#@LINE-9]]:25

N = 5
SIZE: int = N*2
LEFT = RIGHT = 3
A, B = 1, 2
TWICE = 1
TWICE = 2
COUNT = 0
COUNT += 1
table[N] = [i for i in range(3)]
print({**N} if (lambda: 0)() else f"{N!r:>{SIZE}}")
# CHECK-NEXT:const N @[[#@LINE-10]]:1
# CHECK-NEXT:const SIZE @[[#@LINE-10]]:1
# CHECK-NEXT:const LEFT @[[#@LINE-10]]:1
# CHECK-NEXT:const RIGHT @[[#@LINE-11]]:8
# CHECK-NEXT:const A @[[#@LINE-11]]:1
# CHECK-NEXT:const B @[[#@LINE-12]]:4
# CHECK-NEXT:const TWICE reassigned @[[#@LINE-12]]:1
# CHECK-NEXT:const TWICE reassigned @[[#@LINE-12]]:1
# CHECK-NEXT:const COUNT reassigned @[[#@LINE-12]]:1

if __name__ == '__main__':
    HIDDEN = 1
    def inside_if(): pass
else:
    from late import main
# CHECK-NEXT:const HIDDEN reassigned @[[#@LINE-4]]:5
# CHECK-NEXT:func inside_if @[[#@LINE-4]]:5
# CHECK-NEXT:  body
# CHECK-NEXT:    pass @[[#@LINE-6]]:22
# CHECK-NEXT:import late name main as main @[[#@LINE-5]]:22

try:
    import fast
except (ImportError, ValueError) as e:
    fast = None
finally:
    class Cleaner: pass
# CHECK-NEXT:import fast as fast @[[#@LINE-5]]:12
# CHECK-NEXT:const fast reassigned @[[#@LINE-4]]:5
# CHECK-NEXT:class Cleaner @[[#@LINE-3]]:11

for skipped in range(3):
    def not_seen(): yield

while False: x = {1: [2,
3]}

match N:
    case 1: pass

async def later(x):
    return x
# CHECK-NEXT:func later async @[[#@LINE-2]]:7
# CHECK-NEXT:  param x @[[#@LINE-3]]:17
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-4]]:5
# CHECK-NEXT:      name x @[[#@LINE-5]]:12

@struct
class Point:
    """A place."""
    x: float
    y: 'double'
    tag: np.int32
# CHECK-NEXT:struct Point @[[#@LINE-5]]:7
# CHECK-NEXT:  field x @[[#@LINE-4]]:5
# CHECK-NEXT:    name float @[[#@LINE-5]]:8
# CHECK-NEXT:  field y @[[#@LINE-5]]:5
# CHECK-NEXT:    string 'double' @[[#@LINE-6]]:8
# CHECK-NEXT:  field tag @[[#@LINE-6]]:5
# CHECK-NEXT:    attribute int32 @[[#@LINE-7]]:10
# CHECK-NEXT:      name np @[[#@LINE-8]]:10

@struct
class Method:
    x: float
    def norm(self): return self.x
    y: float
# CHECK-NEXT:struct Method @[[#@LINE-4]]:7
# CHECK-NEXT:  field x @[[#@LINE-4]]:5
# CHECK-NEXT:    name float @[[#@LINE-5]]:8
# CHECK-NEXT:  field y @[[#@LINE-4]]:5
# CHECK-NEXT:    name float @[[#@LINE-5]]:8
# CHECK-NEXT:  func norm @[[#@LINE-7]]:5
# CHECK-NEXT:    param self @[[#@LINE-8]]:14
# CHECK-NEXT:    body
# CHECK-NEXT:      return @[[#@LINE-10]]:21
# CHECK-NEXT:        attribute x @[[#@LINE-11]]:28
# CHECK-NEXT:          name self @[[#@LINE-12]]:28

@struct
class Attribute:
    x: float
    y = 3
    z, (w, _) = 1, (2, 3)
    y = 4
# CHECK-NEXT:struct Attribute @[[#@LINE-5]]:7
# CHECK-NEXT:  field x @[[#@LINE-5]]:5
# CHECK-NEXT:    name float @[[#@LINE-6]]:8
# CHECK-NEXT:  const y reassigned @[[#@LINE-6]]:5
# CHECK-NEXT:  const z @[[#@LINE-6]]:5
# CHECK-NEXT:  const w @[[#@LINE-7]]:9
# CHECK-NEXT:  const _ @[[#@LINE-8]]:12
# CHECK-NEXT:  const y reassigned @[[#@LINE-8]]:5

@struct
class Value:
    x: float = 3
# CHECK-NEXT:struct Value bad @[[#@LINE-2]]:7
# CHECK-NEXT:  field x @[[#@LINE-2]]:5
# CHECK-NEXT:    name float @[[#@LINE-3]]:8

class Plain(object, metaclass=type):
    def method(self): yield 1
    @staticmethod
    def other(x): return (
        1)
    LIMIT: int = 2
    if LIMIT:
        SCALE = 3
    COUNT = 0
    class Inner: A = 1; B = 2
    @classmethod
    async def count(cls): cls.COUNT += 1
Plain.LIMIT = 7
# CHECK-NEXT:class Plain @[[#@LINE-13]]:7
# CHECK-NEXT:  const LIMIT reassigned @[[#@LINE-9]]:5
# CHECK-NEXT:  const SCALE reassigned @[[#@LINE-8]]:9
# CHECK-NEXT:  const COUNT reassigned @[[#@LINE-8]]:5
# CHECK-NEXT:  class Inner @[[#@LINE-8]]:11
# CHECK-NEXT:    const A @[[#@LINE-9]]:18
# CHECK-NEXT:    const B @[[#@LINE-10]]:25

@elementwise
@njit({float64}, inline=lambda: 0)
@(yield)
@annotate(x='doublep', return_='double')
def kernel(i, x: "float64[]", n: int = 3, a=-1.5) -> float:
    return x[i]
# CHECK-NEXT:func kernel @[[#@LINE-2]]:1
# CHECK-NEXT:  decorator
# CHECK-NEXT:    name elementwise @[[#@LINE-8]]:2
# CHECK-NEXT:  decorator
# CHECK-NEXT:    name njit @[[#@LINE-9]]:2
# CHECK-NEXT:  decorator
# CHECK-NEXT:    none @[[#@LINE-10]]:2
# CHECK-NEXT:  decorator
# CHECK-NEXT:    call @[[#@LINE-11]]:2
# CHECK-NEXT:      name annotate @[[#@LINE-12]]:2
# CHECK-NEXT:      keyword x @[[#@LINE-13]]:11
# CHECK-NEXT:        string 'doublep' @[[#@LINE-14]]:13
# CHECK-NEXT:      keyword return_ @[[#@LINE-15]]:24
# CHECK-NEXT:        string 'double' @[[#@LINE-16]]:32
# CHECK-NEXT:  param i @[[#@LINE-16]]:12
# CHECK-NEXT:  param x @[[#@LINE-17]]:15
# CHECK-NEXT:    annotation
# CHECK-NEXT:      string 'float64[]' @[[#@LINE-19]]:18
# CHECK-NEXT:  param n @[[#@LINE-20]]:31
# CHECK-NEXT:    annotation
# CHECK-NEXT:      name int @[[#@LINE-22]]:34
# CHECK-NEXT:    default
# CHECK-NEXT:      int 3 @[[#@LINE-24]]:40
# CHECK-NEXT:  param a @[[#@LINE-25]]:43
# CHECK-NEXT:    default
# CHECK-NEXT:      unary - @[[#@LINE-27]]:45
# CHECK-NEXT:        float 1.5 @[[#@LINE-28]]:46
# CHECK-NEXT:  returns
# CHECK-NEXT:    name float @[[#@LINE-30]]:54
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-31]]:5
# CHECK-NEXT:      index @[[#@LINE-32]]:12
# CHECK-NEXT:        name x @[[#@LINE-33]]:12
# CHECK-NEXT:        name i @[[#@LINE-34]]:14

def stars(a, /, b, *args, c, d=1, **kwargs): pass
# CHECK-NEXT:func stars @[[#@LINE-1]]:1
# CHECK-NEXT:  param a @[[#@LINE-2]]:11
# CHECK-NEXT:  param b @[[#@LINE-3]]:17
# CHECK-NEXT:  param *args @[[#@LINE-4]]:21
# CHECK-NEXT:  param keyword-only c @[[#@LINE-5]]:27
# CHECK-NEXT:  param keyword-only d @[[#@LINE-6]]:30
# CHECK-NEXT:    default
# CHECK-NEXT:      int 1 @[[#@LINE-8]]:32
# CHECK-NEXT:  param **kwargs @[[#@LINE-9]]:37
# CHECK-NEXT:  body
# CHECK-NEXT:    pass @[[#@LINE-11]]:46

# Numbers are read, also in brackets and with signs; what is computed is left out.
def read(x, a=(1), b=((2)), c=-(3), d=(1)*2, e=(1)+k, f=(1 + 2j), g=(1,), h=(1 + 2), i=((1)+2j)*2, j=(lambda: 0), k=(-1)): pass
# CHECK-NEXT:func read @[[#@LINE-1]]:1
# CHECK-NEXT:  param x @[[#@LINE-2]]:10
# CHECK-NEXT:  param a @[[#@LINE-3]]:13
# CHECK-NEXT:    default
# CHECK-NEXT:      int 1 @[[#@LINE-5]]:16
# CHECK-NEXT:  param b @[[#@LINE-6]]:20
# CHECK-NEXT:    default
# CHECK-NEXT:      int 2 @[[#@LINE-8]]:24
# CHECK-NEXT:  param c @[[#@LINE-9]]:29
# CHECK-NEXT:    default
# CHECK-NEXT:      unary - @[[#@LINE-11]]:31
# CHECK-NEXT:        int 3 @[[#@LINE-12]]:33
# CHECK-NEXT:  param d @[[#@LINE-13]]:37
# CHECK-NEXT:  param e @[[#@LINE-14]]:46
# CHECK-NEXT:  param f @[[#@LINE-15]]:55
# CHECK-NEXT:    default
# CHECK-NEXT:      binary + @[[#@LINE-17]]:58
# CHECK-NEXT:        int 1 @[[#@LINE-18]]:58
# CHECK-NEXT:        imaginary 2.0 @[[#@LINE-19]]:62
# CHECK-NEXT:  param g @[[#@LINE-20]]:67
# CHECK-NEXT:  param h @[[#@LINE-21]]:75
# CHECK-NEXT:  param i @[[#@LINE-22]]:86
# CHECK-NEXT:  param j @[[#@LINE-23]]:100
# CHECK-NEXT:  param k @[[#@LINE-24]]:115
# CHECK-NEXT:    default
# CHECK-NEXT:      unary - @[[#@LINE-26]]:118
# CHECK-NEXT:        int 1 @[[#@LINE-27]]:119
# CHECK-NEXT:  body
# CHECK-NEXT:    pass @[[#@LINE-29]]:124

def bare(a, *, c): pass
# CHECK-NEXT:func bare @[[#@LINE-1]]:1
# CHECK-NEXT:  param a @[[#@LINE-2]]:10
# CHECK-NEXT:  param keyword-only c @[[#@LINE-3]]:16
# CHECK-NEXT:  body
# CHECK-NEXT:    pass @[[#@LINE-5]]:20
