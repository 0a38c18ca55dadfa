# Characters outside of the language.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x):
    x = $
# CHECK: :[[#@LINE-1]]:9: error: invalid character '$'
    x = x ? 1 : 2
# CHECK: :[[#@LINE-1]]:11: error: invalid character '?'
# CHECK: hint: a choice is written: a if condition else b
    x = !x
# CHECK: :[[#@LINE-1]]:9: error: invalid character '!'
# CHECK: hint: write 'not'
    x = “abc”
# CHECK: :[[#@LINE-1]]:9: error: invalid character U+201C
# CHECK: hint: quotes are ' and "
    x = 3 − 1
# CHECK: :[[#@LINE-1]]:11: error: invalid character U+2212
# CHECK: hint: write '-'
    x = 3 × 2
# CHECK: :[[#@LINE-1]]:11: error: invalid character U+00D7
# CHECK: hint: write '*'
    x = x \ 1
# CHECK: :[[#@LINE-1]]:11: error: unexpected text behind the line continuation '\'
    x = `x`
# CHECK: :[[#@LINE-1]]:9: error: invalid character '`'
    x = x   1
# CHECK: :[[#@LINE-1]]:11: error: invalid character U+00A0
# CHECK: hint: replace it by a space
    x = €
# CHECK: :[[#@LINE-1]]:9: error: invalid character U+20AC
