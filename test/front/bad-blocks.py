# Compound statements with something missing.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    if a = 3: pass
# CHECK: :[[#@LINE-1]]:10: error: expected ':', found '='
# CHECK: hint: '==' compares
    if a
# CHECK: :[[#@LINE-1]]:9: error: expected ':', found end of line
        x = a b
# CHECK: :[[#@LINE-1]]:15: error: expected an operator or the end of the line, found 'b'
    while a b: pass
# CHECK: :[[#@LINE-1]]:13: error: expected ':', found 'b'
    for i in range(3)
# CHECK: :[[#@LINE-1]]:22: error: expected ':', found end of line
        x = a b
# CHECK: :[[#@LINE-1]]:15: error: expected an operator or the end of the line, found 'b'
    for i range(3): pass
# CHECK: :[[#@LINE-1]]:11: error: expected 'in', found 'range'
    for in range(3): pass
# CHECK: :[[#@LINE-1]]:9: error: expected an expression, found 'in'
    else:
        x = a b
# CHECK: :[[#@LINE-1]]:15: error: expected an operator or the end of the line, found 'b'
    elif a:
# CHECK: :[[#@LINE-1]]:5: error: 'elif' does not belong to a statement before it
# CHECK: hint: is it indented as the statement it belongs to?
        pass
    except a: pass
# CHECK: :[[#@LINE-1]]:5: error: 'except' does not belong to a statement before it
# CHECK: hint: is it indented as the statement it belongs to?
    if a:
        pass
    else if b:
# CHECK: :[[#@LINE-1]]:10: error: expected ':', found 'if'
# CHECK: hint: write 'elif'
        x = a b
# CHECK: :[[#@LINE-1]]:15: error: expected an operator or the end of the line, found 'b'
    if a:
# CHECK: :[[#@LINE-1]]:5: error: expected an indented block behind this 'if'
    x = 1
        x = 2
# CHECK: :[[#@LINE-1]]:9: error: unexpected indent
    x = 3
    while:
# CHECK: :[[#@LINE-1]]:10: error: expected an expression, found ':'
        pass
    whlie a:
# CHECK: :[[#@LINE-1]]:11: error: expected an operator or the end of the line, found 'a'
# CHECK: hint: did you mean 'while'?
        x = a b
# CHECK: :[[#@LINE-1]]:15: error: expected an operator or the end of the line, found 'b'
    retrun a
# CHECK: :[[#@LINE-1]]:12: error: expected an operator or the end of the line, found 'a'
# CHECK: hint: did you mean 'return'?
    if a: pass; else: pass
# CHECK: :[[#@LINE-1]]:17: error: expected an expression, found 'else'
    with:
# CHECK: :[[#@LINE-1]]:9: error: expected an expression, found ':'
        pass
    for i in range(3):
# CHECK: :[[#@LINE-1]]:5: error: expected an indented block behind this 'for'
