# Compound and simple statements.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def branches(a):
    if a:
        pass
    elif a < 1:
        pass
    elif a < 2: pass; a = 1
    else:
        if a: pass
# CHECK:func branches @[[#@LINE-8]]:1
# CHECK-NEXT:  param a @[[#@LINE-9]]:14
# CHECK-NEXT:  body
# CHECK-NEXT:    if @[[#@LINE-10]]:5
# CHECK-NEXT:      name a @[[#@LINE-11]]:8
# CHECK-NEXT:      body
# CHECK-NEXT:        pass @[[#@LINE-12]]:9
# CHECK-NEXT:    elif @[[#@LINE-12]]:5
# CHECK-NEXT:      compare < @[[#@LINE-13]]:10
# CHECK-NEXT:        name a @[[#@LINE-14]]:10
# CHECK-NEXT:        int 1 @[[#@LINE-15]]:14
# CHECK-NEXT:      body
# CHECK-NEXT:        pass @[[#@LINE-16]]:9
# CHECK-NEXT:    elif @[[#@LINE-16]]:5
# CHECK-NEXT:      compare < @[[#@LINE-17]]:10
# CHECK-NEXT:        name a @[[#@LINE-18]]:10
# CHECK-NEXT:        int 2 @[[#@LINE-19]]:14
# CHECK-NEXT:      body
# CHECK-NEXT:        pass @[[#@LINE-21]]:17
# CHECK-NEXT:        assign @[[#@LINE-22]]:23
# CHECK-NEXT:          name a @[[#@LINE-23]]:23
# CHECK-NEXT:          int 1 @[[#@LINE-24]]:27
# CHECK-NEXT:      else
# CHECK-NEXT:        if @[[#@LINE-24]]:9
# CHECK-NEXT:          name a @[[#@LINE-25]]:12
# CHECK-NEXT:          body
# CHECK-NEXT:            pass @[[#@LINE-27]]:15

def loops(n):
    while n > 0:
        break
    else:
        pass
    for i in range(n):
        continue
    else:
        i = 0
# CHECK-NEXT:func loops @[[#@LINE-9]]:1
# CHECK-NEXT:  param n @[[#@LINE-10]]:11
# CHECK-NEXT:  body
# CHECK-NEXT:    while @[[#@LINE-11]]:5
# CHECK-NEXT:      compare > @[[#@LINE-12]]:11
# CHECK-NEXT:        name n @[[#@LINE-13]]:11
# CHECK-NEXT:        int 0 @[[#@LINE-14]]:15
# CHECK-NEXT:      body
# CHECK-NEXT:        break @[[#@LINE-15]]:9
# CHECK-NEXT:      else
# CHECK-NEXT:        pass @[[#@LINE-15]]:9
# CHECK-NEXT:    for @[[#@LINE-15]]:5
# CHECK-NEXT:      name i @[[#@LINE-16]]:9
# CHECK-NEXT:      call @[[#@LINE-17]]:14
# CHECK-NEXT:        name range @[[#@LINE-18]]:14
# CHECK-NEXT:        name n @[[#@LINE-19]]:20
# CHECK-NEXT:      body
# CHECK-NEXT:        continue @[[#@LINE-20]]:9
# CHECK-NEXT:      else
# CHECK-NEXT:        assign @[[#@LINE-20]]:9
# CHECK-NEXT:          name i @[[#@LINE-21]]:9
# CHECK-NEXT:          int 0 @[[#@LINE-22]]:13

def once(i, x): x[i] = 1; return
# CHECK-NEXT:func once @[[#@LINE-1]]:1
# CHECK-NEXT:  param i @[[#@LINE-2]]:10
# CHECK-NEXT:  param x @[[#@LINE-3]]:13
# CHECK-NEXT:  body
# CHECK-NEXT:    assign @[[#@LINE-5]]:17
# CHECK-NEXT:      index @[[#@LINE-6]]:17
# CHECK-NEXT:        name x @[[#@LINE-7]]:17
# CHECK-NEXT:        name i @[[#@LINE-8]]:19
# CHECK-NEXT:      int 1 @[[#@LINE-9]]:24
# CHECK-NEXT:    return @[[#@LINE-10]]:27

def with_block(x, n):
    with nogil, parallel():
        pass
    with (nogil, parallel(num_threads=4)):
        for i in prange(n): pass
# CHECK-NEXT:func with_block @[[#@LINE-5]]:1
# CHECK-NEXT:  param x @[[#@LINE-6]]:16
# CHECK-NEXT:  param n @[[#@LINE-7]]:19
# CHECK-NEXT:  body
# CHECK-NEXT:    with @[[#@LINE-8]]:5
# CHECK-NEXT:      name nogil @[[#@LINE-9]]:10
# CHECK-NEXT:      call @[[#@LINE-10]]:17
# CHECK-NEXT:        name parallel @[[#@LINE-11]]:17
# CHECK-NEXT:      body
# CHECK-NEXT:        pass @[[#@LINE-12]]:9
# CHECK-NEXT:    with @[[#@LINE-12]]:5
# CHECK-NEXT:      name nogil @[[#@LINE-13]]:11
# CHECK-NEXT:      call @[[#@LINE-14]]:18
# CHECK-NEXT:        name parallel @[[#@LINE-15]]:18
# CHECK-NEXT:        keyword num_threads @[[#@LINE-16]]:27
# CHECK-NEXT:          int 4 @[[#@LINE-17]]:39
# CHECK-NEXT:      body
# CHECK-NEXT:        for @[[#@LINE-18]]:9
# CHECK-NEXT:          name i @[[#@LINE-19]]:13
# CHECK-NEXT:          call @[[#@LINE-20]]:18
# CHECK-NEXT:            name prange @[[#@LINE-21]]:18
# CHECK-NEXT:            name n @[[#@LINE-22]]:25
# CHECK-NEXT:          body
# CHECK-NEXT:            pass @[[#@LINE-24]]:29

def simple(a):
    """What it does."""
    assert a
    assert a > 0, 'positive'
    return
    return a
    return a, 1
# CHECK-NEXT:func simple @[[#@LINE-7]]:1
# CHECK-NEXT:  param a @[[#@LINE-8]]:12
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-9]]:5
# CHECK-NEXT:      string 'What it does.' @[[#@LINE-10]]:5
# CHECK-NEXT:    assert @[[#@LINE-10]]:5
# CHECK-NEXT:      name a @[[#@LINE-11]]:12
# CHECK-NEXT:    assert @[[#@LINE-11]]:5
# CHECK-NEXT:      compare > @[[#@LINE-12]]:12
# CHECK-NEXT:        name a @[[#@LINE-13]]:12
# CHECK-NEXT:        int 0 @[[#@LINE-14]]:16
# CHECK-NEXT:      string 'positive' @[[#@LINE-15]]:19
# CHECK-NEXT:    return @[[#@LINE-15]]:5
# CHECK-NEXT:    return @[[#@LINE-15]]:5
# CHECK-NEXT:      name a @[[#@LINE-16]]:12
# CHECK-NEXT:    return @[[#@LINE-16]]:5
# CHECK-NEXT:      tuple @[[#@LINE-17]]:12
# CHECK-NEXT:        name a @[[#@LINE-18]]:12
# CHECK-NEXT:        int 1 @[[#@LINE-19]]:15
