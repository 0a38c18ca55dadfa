# Literals that do not exist, or not in kernels.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x):
    x = 012
# CHECK: :[[#@LINE-1]]:9: error: a decimal integer has no leading zeros: '012'
# CHECK: hint: octal integers begin with 0o
    x = 0xg
# CHECK: :[[#@LINE-1]]:9: error: invalid hexadecimal literal '0xg'
    x = 0b12
# CHECK: :[[#@LINE-1]]:9: error: invalid binary literal '0b12'
    x = 0o8
# CHECK: :[[#@LINE-1]]:9: error: invalid octal literal '0o8'
    x = 1__0
# CHECK: :[[#@LINE-1]]:9: error: invalid decimal literal '1__0'
    x = 1_
# CHECK: :[[#@LINE-1]]:9: error: invalid decimal literal '1_'
    x = 12abc
# CHECK: :[[#@LINE-1]]:9: error: invalid decimal literal '12abc'
    x = 1e
# CHECK: :[[#@LINE-1]]:9: error: invalid decimal literal '1e'
    x = 1.5.2
# CHECK: :[[#@LINE-1]]:12: error: expected an operator or the end of the line, found '.2'
    x = 1e400
# CHECK: :[[#@LINE-1]]:9: error: the float literal 1e400 is too large for float64
# CHECK: hint: the largest float64 is 1.7976931348623157e308; INFINITY is a name
    x = 1e400j
# CHECK: :[[#@LINE-1]]:9: error: the float literal 1e400 is too large for float64
    x = 1.5Ja
# CHECK: :[[#@LINE-1]]:9: error: invalid decimal literal '1.5Ja'
    x = "abc
# CHECK: :[[#@LINE-1]]:9: error: unterminated string
    x = 'it''s
# CHECK: :[[#@LINE-1]]:13: error: unterminated string
    x = b'abc'
# CHECK: :[[#@LINE-1]]:9: error: bytes are not supported
    x = 'a' b'c'
# CHECK: :[[#@LINE-1]]:13: error: bytes are not supported
    x = f'{x}'
# CHECK: :[[#@LINE-1]]:9: error: f-strings are not supported
# CHECK: hint: print takes texts and values: print('i =', i)
    x = 'a' F"{x['a']}"
# CHECK: :[[#@LINE-1]]:13: error: f-strings are not supported
# CHECK: hint: print takes texts and values: print('i =', i)
    x = f"{x
# CHECK: :[[#@LINE-1]]:9: error: unterminated string
    x = '\xzz'
# CHECK: :[[#@LINE-1]]:10: error: invalid escape in a string
    x = '\u12'
# CHECK: :[[#@LINE-1]]:10: error: invalid escape in a string
# CHECK-NEXT: '\u12'
# CHECK-NEXT: {{^ +\^~~~$}}
    x = '\x'
# CHECK: :[[#@LINE-1]]:10: error: invalid escape in a string
# CHECK-NEXT: '\x'
# CHECK-NEXT: {{^ +\^~$}}
    x = '\U00110000'
# CHECK: :[[#@LINE-1]]:10: error: invalid escape in a string
    x = '\N{DASH}'
# CHECK: :[[#@LINE-1]]:10: error: named characters (\N) are not supported
