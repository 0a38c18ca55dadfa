# Calls, indices, attributes and tuples.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def calls(f):
    f(); f(1); f(1, 2,); f(1, a=2, b=f(3)); f(1)(2)
# CHECK:func calls @[[#@LINE-2]]:1
# CHECK-NEXT:  param f @[[#@LINE-3]]:11
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-4]]:5
# CHECK-NEXT:      call @[[#@LINE-5]]:5
# CHECK-NEXT:        name f @[[#@LINE-6]]:5
# CHECK-NEXT:    expr @[[#@LINE-7]]:10
# CHECK-NEXT:      call @[[#@LINE-8]]:10
# CHECK-NEXT:        name f @[[#@LINE-9]]:10
# CHECK-NEXT:        int 1 @[[#@LINE-10]]:12
# CHECK-NEXT:    expr @[[#@LINE-11]]:16
# CHECK-NEXT:      call @[[#@LINE-12]]:16
# CHECK-NEXT:        name f @[[#@LINE-13]]:16
# CHECK-NEXT:        int 1 @[[#@LINE-14]]:18
# CHECK-NEXT:        int 2 @[[#@LINE-15]]:21
# CHECK-NEXT:    expr @[[#@LINE-16]]:26
# CHECK-NEXT:      call @[[#@LINE-17]]:26
# CHECK-NEXT:        name f @[[#@LINE-18]]:26
# CHECK-NEXT:        int 1 @[[#@LINE-19]]:28
# CHECK-NEXT:        keyword a @[[#@LINE-20]]:31
# CHECK-NEXT:          int 2 @[[#@LINE-21]]:33
# CHECK-NEXT:        keyword b @[[#@LINE-22]]:36
# CHECK-NEXT:          call @[[#@LINE-23]]:38
# CHECK-NEXT:            name f @[[#@LINE-24]]:38
# CHECK-NEXT:            int 3 @[[#@LINE-25]]:40
# CHECK-NEXT:    expr @[[#@LINE-26]]:45
# CHECK-NEXT:      call @[[#@LINE-27]]:45
# CHECK-NEXT:        call @[[#@LINE-28]]:45
# CHECK-NEXT:          name f @[[#@LINE-29]]:45
# CHECK-NEXT:          int 1 @[[#@LINE-30]]:47
# CHECK-NEXT:        int 2 @[[#@LINE-31]]:50

def indices(x):
    x[0]; x[0][1]; x[i + 1, j]; f(x)[x[0]]
# CHECK-NEXT:func indices @[[#@LINE-2]]:1
# CHECK-NEXT:  param x @[[#@LINE-3]]:13
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-4]]:5
# CHECK-NEXT:      index @[[#@LINE-5]]:5
# CHECK-NEXT:        name x @[[#@LINE-6]]:5
# CHECK-NEXT:        int 0 @[[#@LINE-7]]:7
# CHECK-NEXT:    expr @[[#@LINE-8]]:11
# CHECK-NEXT:      index @[[#@LINE-9]]:11
# CHECK-NEXT:        index @[[#@LINE-10]]:11
# CHECK-NEXT:          name x @[[#@LINE-11]]:11
# CHECK-NEXT:          int 0 @[[#@LINE-12]]:13
# CHECK-NEXT:        int 1 @[[#@LINE-13]]:16
# CHECK-NEXT:    expr @[[#@LINE-14]]:20
# CHECK-NEXT:      index @[[#@LINE-15]]:20
# CHECK-NEXT:        name x @[[#@LINE-16]]:20
# CHECK-NEXT:        tuple @[[#@LINE-17]]:22
# CHECK-NEXT:          binary + @[[#@LINE-18]]:22
# CHECK-NEXT:            name i @[[#@LINE-19]]:22
# CHECK-NEXT:            int 1 @[[#@LINE-20]]:26
# CHECK-NEXT:          name j @[[#@LINE-21]]:29
# CHECK-NEXT:    expr @[[#@LINE-22]]:33
# CHECK-NEXT:      index @[[#@LINE-23]]:33
# CHECK-NEXT:        call @[[#@LINE-24]]:33
# CHECK-NEXT:          name f @[[#@LINE-25]]:33
# CHECK-NEXT:          name x @[[#@LINE-26]]:35
# CHECK-NEXT:        index @[[#@LINE-27]]:38
# CHECK-NEXT:          name x @[[#@LINE-28]]:38
# CHECK-NEXT:          int 0 @[[#@LINE-29]]:40

def attributes(p):
    p.x; p.q.r; p.f(1).y[2]
# CHECK-NEXT:func attributes @[[#@LINE-2]]:1
# CHECK-NEXT:  param p @[[#@LINE-3]]:16
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-4]]:5
# CHECK-NEXT:      attribute x @[[#@LINE-5]]:5
# CHECK-NEXT:        name p @[[#@LINE-6]]:5
# CHECK-NEXT:    expr @[[#@LINE-7]]:10
# CHECK-NEXT:      attribute r @[[#@LINE-8]]:10
# CHECK-NEXT:        attribute q @[[#@LINE-9]]:10
# CHECK-NEXT:          name p @[[#@LINE-10]]:10
# CHECK-NEXT:    expr @[[#@LINE-11]]:17
# CHECK-NEXT:      index @[[#@LINE-12]]:17
# CHECK-NEXT:        attribute y @[[#@LINE-13]]:17
# CHECK-NEXT:          call @[[#@LINE-14]]:17
# CHECK-NEXT:            attribute f @[[#@LINE-15]]:17
# CHECK-NEXT:              name p @[[#@LINE-16]]:17
# CHECK-NEXT:            int 1 @[[#@LINE-17]]:21
# CHECK-NEXT:        int 2 @[[#@LINE-18]]:26

def tuples(a):
    a, 1; (a, 1); a,; f((a, 1))
# CHECK-NEXT:func tuples @[[#@LINE-2]]:1
# CHECK-NEXT:  param a @[[#@LINE-3]]:12
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-4]]:5
# CHECK-NEXT:      tuple @[[#@LINE-5]]:5
# CHECK-NEXT:        name a @[[#@LINE-6]]:5
# CHECK-NEXT:        int 1 @[[#@LINE-7]]:8
# CHECK-NEXT:    expr @[[#@LINE-8]]:11
# CHECK-NEXT:      tuple @[[#@LINE-9]]:12
# CHECK-NEXT:        name a @[[#@LINE-10]]:12
# CHECK-NEXT:        int 1 @[[#@LINE-11]]:15
# CHECK-NEXT:    expr @[[#@LINE-12]]:19
# CHECK-NEXT:      tuple @[[#@LINE-13]]:19
# CHECK-NEXT:        name a @[[#@LINE-14]]:19
# CHECK-NEXT:    expr @[[#@LINE-15]]:23
# CHECK-NEXT:      call @[[#@LINE-16]]:23
# CHECK-NEXT:        name f @[[#@LINE-17]]:23
# CHECK-NEXT:        tuple @[[#@LINE-18]]:26
# CHECK-NEXT:          name a @[[#@LINE-19]]:26
# CHECK-NEXT:          int 1 @[[#@LINE-20]]:29

def lines(a):
    f(a,
      1
    )[
        2]
    return a + \
        1
# CHECK-NEXT:func lines @[[#@LINE-7]]:1
# CHECK-NEXT:  param a @[[#@LINE-8]]:11
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-9]]:5
# CHECK-NEXT:      index @[[#@LINE-10]]:5
# CHECK-NEXT:        call @[[#@LINE-11]]:5
# CHECK-NEXT:          name f @[[#@LINE-12]]:5
# CHECK-NEXT:          name a @[[#@LINE-13]]:7
# CHECK-NEXT:          int 1 @[[#@LINE-13]]:7
# CHECK-NEXT:        int 2 @[[#@LINE-12]]:9
# CHECK-NEXT:    return @[[#@LINE-12]]:5
# CHECK-NEXT:      binary + @[[#@LINE-13]]:12
# CHECK-NEXT:        name a @[[#@LINE-14]]:12
# CHECK-NEXT:        int 1 @[[#@LINE-14]]:9
