# Signatures, reported for the functions that are asked for.
# RUN: not cplc --emit ast %s 2>&1 | FileCheck --implicit-check-not=error: %s
def no_colon(x)
# CHECK: :[[#@LINE-1]]:16: error: expected ':', found end of line
    return x

def missing(x, y:
# CHECK: :[[#@LINE-1]]:18: error: expected an expression, found end of line
    pass

def twice(x, y, x): pass
# CHECK: :[[#@LINE-1]]:17: error: two parameters are called 'x'
# CHECK: :[[#@LINE-2]]:11: note: the first one

def order(x=1, y): pass
# CHECK: :[[#@LINE-1]]:16: error: a parameter without a default value stands behind one with a default value

def number(3): pass
# CHECK: :[[#@LINE-1]]:12: error: expected a name, found '3'

def generic[T](x: T): pass
# CHECK: :[[#@LINE-1]]:12: error: type parameters are not supported

def unclosed(x
# CHECK: :[[#@LINE-1]]:13: error: '(' was never closed
    return x

def no_body(x):
# CHECK: :[[#@LINE-1]]:1: error: expected an indented block behind this 'def'
def no_return_type(x) ->: pass
# CHECK: :[[#@LINE-1]]:25: error: expected an expression, found ':'

def no_default(x=): pass
# CHECK: :[[#@LINE-1]]:18: error: expected an expression, found ')'

def last_without(x=[], y): pass
# CHECK: :[[#@LINE-1]]:24: error: a parameter without a default value stands behind one with a default value

def annotation(x: {0}): pass
# CHECK: :[[#@LINE-1]]:19: error: sets are not supported

@annotate(**kinds)
# CHECK: :[[#@LINE-1]]:11: error: arguments behind '**' are not supported
# CHECK: hint: pass each argument by itself
def starred(x): pass

@annotate(x='double') 3
# CHECK: :[[#@LINE-1]]:23: error: expected end of line, found '3'
def two(x): pass

def generator(x):
    yield x
# CHECK: :[[#@LINE-1]]:5: error: generators are not supported: 'yield'
# CHECK: hint: return one value, or store values in an array
