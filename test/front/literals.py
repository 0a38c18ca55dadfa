# Numbers, strings and the keywords that are values.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def integers():
    return 0, 00, 42, 1_000_000, 0xFF, 0Xdead_beef, 0o17, 0b1_01, 18446744073709551615, 18446744073709551616
# CHECK:func integers @[[#@LINE-2]]:1
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-3]]:5
# CHECK-NEXT:      tuple @[[#@LINE-4]]:12
# CHECK-NEXT:        int 0 @[[#@LINE-5]]:12
# CHECK-NEXT:        int 0 @[[#@LINE-6]]:15
# CHECK-NEXT:        int 42 @[[#@LINE-7]]:19
# CHECK-NEXT:        int 1000000 @[[#@LINE-8]]:23
# CHECK-NEXT:        int 255 @[[#@LINE-9]]:34
# CHECK-NEXT:        int 3735928559 @[[#@LINE-10]]:40
# CHECK-NEXT:        int 15 @[[#@LINE-11]]:53
# CHECK-NEXT:        int 5 @[[#@LINE-12]]:59
# CHECK-NEXT:        int 18446744073709551615 @[[#@LINE-13]]:67
# CHECK-NEXT:        int overflow @[[#@LINE-14]]:89

def floats():
    return 1.5, .5, 2., 1e3, 1_0.2_5e-1_0, 1E+2, 1.7976931348623157e308, 1e-400
# CHECK-NEXT:func floats @[[#@LINE-2]]:1
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-3]]:5
# CHECK-NEXT:      tuple @[[#@LINE-4]]:12
# CHECK-NEXT:        float 1.5 @[[#@LINE-5]]:12
# CHECK-NEXT:        float 0.5 @[[#@LINE-6]]:17
# CHECK-NEXT:        float 2.0 @[[#@LINE-7]]:21
# CHECK-NEXT:        float 1000.0 @[[#@LINE-8]]:25
# CHECK-NEXT:        float 1.025e-09 @[[#@LINE-9]]:30
# CHECK-NEXT:        float 100.0 @[[#@LINE-10]]:44
# CHECK-NEXT:        float 1.7976931348623157e+308 @[[#@LINE-11]]:50
# CHECK-NEXT:        float 0.0 @[[#@LINE-12]]:74

def strings():
    f('a' "b" """c
d""", r'\n', u'x', '\t\\\'\"\x41\101\u00e9\U0001F600\q', 'a\
b', Rb if 1 else R'''"''')
# CHECK-NEXT:func strings @[[#@LINE-4]]:1
# CHECK-NEXT:  body
# CHECK-NEXT:    expr @[[#@LINE-5]]:5
# CHECK-NEXT:      call @[[#@LINE-6]]:5
# CHECK-NEXT:        name f @[[#@LINE-7]]:5
# CHECK-NEXT:        string 'abc\nd' @[[#@LINE-8]]:7
# CHECK-NEXT:        string '\n' @[[#@LINE-8]]:7
# CHECK-NEXT:        string 'x' @[[#@LINE-9]]:14
# CHECK-NEXT:        string '\t\'"AAé😀\q' @[[#@LINE-10]]:20
# CHECK-NEXT:        string 'ab' @[[#@LINE-11]]:58
# CHECK-NEXT:        ternary @[[#@LINE-11]]:5
# CHECK-NEXT:          int 1 @[[#@LINE-12]]:11
# CHECK-NEXT:          name Rb @[[#@LINE-13]]:5
# CHECK-NEXT:          string '"' @[[#@LINE-14]]:18

def keywords():
    return True, False, None
# CHECK-NEXT:func keywords @[[#@LINE-2]]:1
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-3]]:5
# CHECK-NEXT:      tuple @[[#@LINE-4]]:12
# CHECK-NEXT:        bool True @[[#@LINE-5]]:12
# CHECK-NEXT:        bool False @[[#@LINE-6]]:18
# CHECK-NEXT:        none @[[#@LINE-7]]:25
