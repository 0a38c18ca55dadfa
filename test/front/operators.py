# Operators: what binds closer, and from which side.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def precedence(a, b):
    a | b ^ a & b << a + b * -a ** ~b
# CHECK:func precedence @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:16
# CHECK-NEXT:  param b @[[#@LINE-4]]:19
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      binary | @[[#@LINE-6]]:5
# CHECK-NEXT:        name a @[[#@LINE-7]]:5
# CHECK-NEXT:        binary ^ @[[#@LINE-8]]:9
# CHECK-NEXT:          name b @[[#@LINE-9]]:9
# CHECK-NEXT:          binary & @[[#@LINE-10]]:13
# CHECK-NEXT:            name a @[[#@LINE-11]]:13
# CHECK-NEXT:            binary << @[[#@LINE-12]]:17
# CHECK-NEXT:              name b @[[#@LINE-13]]:17
# CHECK-NEXT:              binary + @[[#@LINE-14]]:22
# CHECK-NEXT:                name a @[[#@LINE-15]]:22
# CHECK-NEXT:                binary * @[[#@LINE-16]]:26
# CHECK-NEXT:                  name b @[[#@LINE-17]]:26
# CHECK-NEXT:                  unary - @[[#@LINE-18]]:30
# CHECK-NEXT:                    binary ** @[[#@LINE-19]]:31
# CHECK-NEXT:                      name a @[[#@LINE-20]]:31
# CHECK-NEXT:                      unary ~ @[[#@LINE-21]]:36
# CHECK-NEXT:                        name b @[[#@LINE-22]]:37

def left(a, b):
    a - b - a; a / b // a % b @ a
# CHECK-NEXT:func left @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:10
# CHECK-NEXT:  param b @[[#@LINE-4]]:13
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      binary - @[[#@LINE-6]]:5
# CHECK-NEXT:        binary - @[[#@LINE-7]]:5
# CHECK-NEXT:          name a @[[#@LINE-8]]:5
# CHECK-NEXT:          name b @[[#@LINE-9]]:9
# CHECK-NEXT:        name a @[[#@LINE-10]]:13
# CHECK-NEXT:    expr @[[#@LINE-11]]:16
# CHECK-NEXT:      binary @ @[[#@LINE-12]]:16
# CHECK-NEXT:        binary % @[[#@LINE-13]]:16
# CHECK-NEXT:          binary // @[[#@LINE-14]]:16
# CHECK-NEXT:            binary / @[[#@LINE-15]]:16
# CHECK-NEXT:              name a @[[#@LINE-16]]:16
# CHECK-NEXT:              name b @[[#@LINE-17]]:20
# CHECK-NEXT:            name a @[[#@LINE-18]]:25
# CHECK-NEXT:          name b @[[#@LINE-19]]:29
# CHECK-NEXT:        name a @[[#@LINE-20]]:33

def right(a, b):
    a ** b ** a; -a ** -b; +-~a
# CHECK-NEXT:func right @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:11
# CHECK-NEXT:  param b @[[#@LINE-4]]:14
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      binary ** @[[#@LINE-6]]:5
# CHECK-NEXT:        name a @[[#@LINE-7]]:5
# CHECK-NEXT:        binary ** @[[#@LINE-8]]:10
# CHECK-NEXT:          name b @[[#@LINE-9]]:10
# CHECK-NEXT:          name a @[[#@LINE-10]]:15
# CHECK-NEXT:    expr @[[#@LINE-11]]:18
# CHECK-NEXT:      unary - @[[#@LINE-12]]:18
# CHECK-NEXT:        binary ** @[[#@LINE-13]]:19
# CHECK-NEXT:          name a @[[#@LINE-14]]:19
# CHECK-NEXT:          unary - @[[#@LINE-15]]:24
# CHECK-NEXT:            name b @[[#@LINE-16]]:25
# CHECK-NEXT:    expr @[[#@LINE-17]]:28
# CHECK-NEXT:      unary + @[[#@LINE-18]]:28
# CHECK-NEXT:        unary - @[[#@LINE-19]]:29
# CHECK-NEXT:          unary ~ @[[#@LINE-20]]:30
# CHECK-NEXT:            name a @[[#@LINE-21]]:31

def comparisons(a, b):
    a < b <= a == b != a >= b > a; a is b; a is not b; not a == b
# CHECK-NEXT:func comparisons @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:17
# CHECK-NEXT:  param b @[[#@LINE-4]]:20
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      compare < <= == != >= > @[[#@LINE-6]]:5
# CHECK-NEXT:        name a @[[#@LINE-7]]:5
# CHECK-NEXT:        name b @[[#@LINE-8]]:9
# CHECK-NEXT:        name a @[[#@LINE-9]]:14
# CHECK-NEXT:        name b @[[#@LINE-10]]:19
# CHECK-NEXT:        name a @[[#@LINE-11]]:24
# CHECK-NEXT:        name b @[[#@LINE-12]]:29
# CHECK-NEXT:        name a @[[#@LINE-13]]:33
# CHECK-NEXT:    expr @[[#@LINE-14]]:36
# CHECK-NEXT:      compare is @[[#@LINE-15]]:36
# CHECK-NEXT:        name a @[[#@LINE-16]]:36
# CHECK-NEXT:        name b @[[#@LINE-17]]:41
# CHECK-NEXT:    expr @[[#@LINE-18]]:44
# CHECK-NEXT:      compare is not @[[#@LINE-19]]:44
# CHECK-NEXT:        name a @[[#@LINE-20]]:44
# CHECK-NEXT:        name b @[[#@LINE-21]]:53
# CHECK-NEXT:    expr @[[#@LINE-22]]:56
# CHECK-NEXT:      unary not @[[#@LINE-23]]:56
# CHECK-NEXT:        compare == @[[#@LINE-24]]:60
# CHECK-NEXT:          name a @[[#@LINE-25]]:60
# CHECK-NEXT:          name b @[[#@LINE-26]]:65

def logic(a, b):
    a or b and not a or b; not not a
# CHECK-NEXT:func logic @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:11
# CHECK-NEXT:  param b @[[#@LINE-4]]:14
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      boolop or @[[#@LINE-6]]:5
# CHECK-NEXT:        name a @[[#@LINE-7]]:5
# CHECK-NEXT:        boolop and @[[#@LINE-8]]:10
# CHECK-NEXT:          name b @[[#@LINE-9]]:10
# CHECK-NEXT:          unary not @[[#@LINE-10]]:16
# CHECK-NEXT:            name a @[[#@LINE-11]]:20
# CHECK-NEXT:        name b @[[#@LINE-12]]:25
# CHECK-NEXT:    expr @[[#@LINE-13]]:28
# CHECK-NEXT:      unary not @[[#@LINE-14]]:28
# CHECK-NEXT:        unary not @[[#@LINE-15]]:32
# CHECK-NEXT:          name a @[[#@LINE-16]]:36

def choice(a, b):
    a if b else b if a else 1; (a if b else 1) + a or b
# CHECK-NEXT:func choice @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:12
# CHECK-NEXT:  param b @[[#@LINE-4]]:15
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      ternary @[[#@LINE-6]]:5
# CHECK-NEXT:        name b @[[#@LINE-7]]:10
# CHECK-NEXT:        name a @[[#@LINE-8]]:5
# CHECK-NEXT:        ternary @[[#@LINE-9]]:17
# CHECK-NEXT:          name a @[[#@LINE-10]]:22
# CHECK-NEXT:          name b @[[#@LINE-11]]:17
# CHECK-NEXT:          int 1 @[[#@LINE-12]]:29
# CHECK-NEXT:    expr @[[#@LINE-13]]:32
# CHECK-NEXT:      boolop or @[[#@LINE-14]]:33
# CHECK-NEXT:        binary + @[[#@LINE-15]]:33
# CHECK-NEXT:          ternary @[[#@LINE-16]]:33
# CHECK-NEXT:            name b @[[#@LINE-17]]:38
# CHECK-NEXT:            name a @[[#@LINE-18]]:33
# CHECK-NEXT:            int 1 @[[#@LINE-19]]:45
# CHECK-NEXT:          name a @[[#@LINE-20]]:50
# CHECK-NEXT:        name b @[[#@LINE-21]]:55

def grouping(a, b):
    (a - (b - a)); ((((a))))
# CHECK-NEXT:func grouping @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:14
# CHECK-NEXT:  param b @[[#@LINE-4]]:17
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      binary - @[[#@LINE-6]]:6
# CHECK-NEXT:        name a @[[#@LINE-7]]:6
# CHECK-NEXT:        binary - @[[#@LINE-8]]:11
# CHECK-NEXT:          name b @[[#@LINE-9]]:11
# CHECK-NEXT:          name a @[[#@LINE-10]]:15
# CHECK-NEXT:    expr @[[#@LINE-11]]:20
# CHECK-NEXT:      name a @[[#@LINE-12]]:24
