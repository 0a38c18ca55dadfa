# Assignments of every form.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def plain(a, p):
    a = 1; a[0] = 2; p.x = 3; a = b = c = 4
# CHECK:func plain @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:11
# CHECK-NEXT:  param p @[[#@LINE-4]]:14
# CHECK-NEXT:  body
# CHECK-NEXT:    assign @[[#@LINE-5]]:5
# CHECK-NEXT:      name a @[[#@LINE-6]]:5
# CHECK-NEXT:      int 1 @[[#@LINE-7]]:9
# CHECK-NEXT:    assign @[[#@LINE-8]]:12
# CHECK-NEXT:      index @[[#@LINE-9]]:12
# CHECK-NEXT:        name a @[[#@LINE-10]]:12
# CHECK-NEXT:        int 0 @[[#@LINE-11]]:14
# CHECK-NEXT:      int 2 @[[#@LINE-12]]:19
# CHECK-NEXT:    assign @[[#@LINE-13]]:22
# CHECK-NEXT:      attribute x @[[#@LINE-14]]:22
# CHECK-NEXT:        name p @[[#@LINE-15]]:22
# CHECK-NEXT:      int 3 @[[#@LINE-16]]:28
# CHECK-NEXT:    assign @[[#@LINE-17]]:31
# CHECK-NEXT:      name a @[[#@LINE-18]]:31
# CHECK-NEXT:      name b @[[#@LINE-19]]:35
# CHECK-NEXT:      name c @[[#@LINE-20]]:39
# CHECK-NEXT:      int 4 @[[#@LINE-21]]:43

def tuples(a, b):
    a, b = b, a; (a, b) = a, b; a[0], p.x = 1, 2; a, = b
# CHECK-NEXT:func tuples @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:12
# CHECK-NEXT:  param b @[[#@LINE-4]]:15
# CHECK-NEXT:  body
# CHECK-NEXT:    assign @[[#@LINE-5]]:5
# CHECK-NEXT:      tuple @[[#@LINE-6]]:5
# CHECK-NEXT:        name a @[[#@LINE-7]]:5
# CHECK-NEXT:        name b @[[#@LINE-8]]:8
# CHECK-NEXT:      tuple @[[#@LINE-9]]:12
# CHECK-NEXT:        name b @[[#@LINE-10]]:12
# CHECK-NEXT:        name a @[[#@LINE-11]]:15
# CHECK-NEXT:    assign @[[#@LINE-12]]:19
# CHECK-NEXT:      tuple @[[#@LINE-13]]:19
# CHECK-NEXT:        name a @[[#@LINE-14]]:19
# CHECK-NEXT:        name b @[[#@LINE-15]]:22
# CHECK-NEXT:      tuple @[[#@LINE-16]]:27
# CHECK-NEXT:        name a @[[#@LINE-17]]:27
# CHECK-NEXT:        name b @[[#@LINE-18]]:30
# CHECK-NEXT:    assign @[[#@LINE-19]]:33
# CHECK-NEXT:      tuple @[[#@LINE-20]]:33
# CHECK-NEXT:        index @[[#@LINE-21]]:33
# CHECK-NEXT:          name a @[[#@LINE-22]]:33
# CHECK-NEXT:          int 0 @[[#@LINE-23]]:35
# CHECK-NEXT:        attribute x @[[#@LINE-24]]:39
# CHECK-NEXT:          name p @[[#@LINE-25]]:39
# CHECK-NEXT:      tuple @[[#@LINE-26]]:45
# CHECK-NEXT:        int 1 @[[#@LINE-27]]:45
# CHECK-NEXT:        int 2 @[[#@LINE-28]]:48
# CHECK-NEXT:    assign @[[#@LINE-29]]:51
# CHECK-NEXT:      tuple @[[#@LINE-30]]:51
# CHECK-NEXT:        name a @[[#@LINE-31]]:51
# CHECK-NEXT:      name b @[[#@LINE-32]]:56

def augmented(a):
    a += 1; a -= 1; a *= 1; a /= 1; a //= 1; a %= 1; a **= 1; a @= 1
    a &= 1; a |= 1; a ^= 1; a <<= 1; a >>= 1; a[0] += 1
# CHECK-NEXT:func augmented @[[#@LINE-3]]:1
# CHECK-NEXT:  param a @[[#@LINE-4]]:15
# CHECK-NEXT:  body
# CHECK-NEXT:    augassign + @[[#@LINE-5]]:5
# CHECK-NEXT:      name a @[[#@LINE-6]]:5
# CHECK-NEXT:      int 1 @[[#@LINE-7]]:10
# CHECK-NEXT:    augassign - @[[#@LINE-8]]:13
# CHECK-NEXT:      name a @[[#@LINE-9]]:13
# CHECK-NEXT:      int 1 @[[#@LINE-10]]:18
# CHECK-NEXT:    augassign * @[[#@LINE-11]]:21
# CHECK-NEXT:      name a @[[#@LINE-12]]:21
# CHECK-NEXT:      int 1 @[[#@LINE-13]]:26
# CHECK-NEXT:    augassign / @[[#@LINE-14]]:29
# CHECK-NEXT:      name a @[[#@LINE-15]]:29
# CHECK-NEXT:      int 1 @[[#@LINE-16]]:34
# CHECK-NEXT:    augassign // @[[#@LINE-17]]:37
# CHECK-NEXT:      name a @[[#@LINE-18]]:37
# CHECK-NEXT:      int 1 @[[#@LINE-19]]:43
# CHECK-NEXT:    augassign % @[[#@LINE-20]]:46
# CHECK-NEXT:      name a @[[#@LINE-21]]:46
# CHECK-NEXT:      int 1 @[[#@LINE-22]]:51
# CHECK-NEXT:    augassign ** @[[#@LINE-23]]:54
# CHECK-NEXT:      name a @[[#@LINE-24]]:54
# CHECK-NEXT:      int 1 @[[#@LINE-25]]:60
# CHECK-NEXT:    augassign @ @[[#@LINE-26]]:63
# CHECK-NEXT:      name a @[[#@LINE-27]]:63
# CHECK-NEXT:      int 1 @[[#@LINE-28]]:68
# CHECK-NEXT:    augassign & @[[#@LINE-28]]:5
# CHECK-NEXT:      name a @[[#@LINE-29]]:5
# CHECK-NEXT:      int 1 @[[#@LINE-30]]:10
# CHECK-NEXT:    augassign | @[[#@LINE-31]]:13
# CHECK-NEXT:      name a @[[#@LINE-32]]:13
# CHECK-NEXT:      int 1 @[[#@LINE-33]]:18
# CHECK-NEXT:    augassign ^ @[[#@LINE-34]]:21
# CHECK-NEXT:      name a @[[#@LINE-35]]:21
# CHECK-NEXT:      int 1 @[[#@LINE-36]]:26
# CHECK-NEXT:    augassign << @[[#@LINE-37]]:29
# CHECK-NEXT:      name a @[[#@LINE-38]]:29
# CHECK-NEXT:      int 1 @[[#@LINE-39]]:35
# CHECK-NEXT:    augassign >> @[[#@LINE-40]]:38
# CHECK-NEXT:      name a @[[#@LINE-41]]:38
# CHECK-NEXT:      int 1 @[[#@LINE-42]]:44
# CHECK-NEXT:    augassign + @[[#@LINE-43]]:47
# CHECK-NEXT:      index @[[#@LINE-44]]:47
# CHECK-NEXT:        name a @[[#@LINE-45]]:47
# CHECK-NEXT:        int 0 @[[#@LINE-46]]:49
# CHECK-NEXT:      int 1 @[[#@LINE-47]]:55

def annotated():
    k: int = 3
    m: float
    n: "float64[]" = x
# CHECK-NEXT:func annotated @[[#@LINE-4]]:1
# CHECK-NEXT:  body
# CHECK-NEXT:    annassign @[[#@LINE-5]]:5
# CHECK-NEXT:      name k @[[#@LINE-6]]:5
# CHECK-NEXT:      name int @[[#@LINE-7]]:8
# CHECK-NEXT:      int 3 @[[#@LINE-8]]:14
# CHECK-NEXT:    annassign @[[#@LINE-8]]:5
# CHECK-NEXT:      name m @[[#@LINE-9]]:5
# CHECK-NEXT:      name float @[[#@LINE-10]]:8
# CHECK-NEXT:    annassign @[[#@LINE-10]]:5
# CHECK-NEXT:      name n @[[#@LINE-11]]:5
# CHECK-NEXT:      string 'float64[]' @[[#@LINE-12]]:8
# CHECK-NEXT:      name x @[[#@LINE-13]]:22
