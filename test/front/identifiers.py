# Names beyond ASCII; keywords that are names elsewhere.
# RUN: cplc --emit ast %s | FileCheck --strict-whitespace --match-full-lines %s
def größe(ß, π2, 变量, _x1, match, case, type, print, exec):
    return ß + π2 + 变量 + match[case] + type(print)
# CHECK:func größe @[[#@LINE-2]]:1
# CHECK-NEXT:  param ß @[[#@LINE-3]]:13
# CHECK-NEXT:  param π2 @[[#@LINE-4]]:17
# CHECK-NEXT:  param 变量 @[[#@LINE-5]]:22
# CHECK-NEXT:  param _x1 @[[#@LINE-6]]:30
# CHECK-NEXT:  param match @[[#@LINE-7]]:35
# CHECK-NEXT:  param case @[[#@LINE-8]]:42
# CHECK-NEXT:  param type @[[#@LINE-9]]:48
# CHECK-NEXT:  param print @[[#@LINE-10]]:54
# CHECK-NEXT:  param exec @[[#@LINE-11]]:61
# CHECK-NEXT:  body
# CHECK-NEXT:    return @[[#@LINE-12]]:5
# CHECK-NEXT:      binary + @[[#@LINE-13]]:12
# CHECK-NEXT:        binary + @[[#@LINE-14]]:12
# CHECK-NEXT:          binary + @[[#@LINE-15]]:12
# CHECK-NEXT:            binary + @[[#@LINE-16]]:12
# CHECK-NEXT:              name ß @[[#@LINE-17]]:12
# CHECK-NEXT:              name π2 @[[#@LINE-18]]:17
# CHECK-NEXT:            name 变量 @[[#@LINE-19]]:23
# CHECK-NEXT:          index @[[#@LINE-20]]:32
# CHECK-NEXT:            name match @[[#@LINE-21]]:32
# CHECK-NEXT:            name case @[[#@LINE-22]]:38
# CHECK-NEXT:        call @[[#@LINE-23]]:46
# CHECK-NEXT:          name type @[[#@LINE-24]]:46
# CHECK-NEXT:          name print @[[#@LINE-25]]:51

def match(x):
    match = 1; match[x] = 2; match(x); match - x; type = 3; type(x)
    case: int = 3
# CHECK-NEXT:func match @[[#@LINE-3]]:1
# CHECK-NEXT:  param x @[[#@LINE-4]]:11
# CHECK-NEXT:  body
# CHECK-NEXT:    assign @[[#@LINE-5]]:5
# CHECK-NEXT:      name match @[[#@LINE-6]]:5
# CHECK-NEXT:      int 1 @[[#@LINE-7]]:13
# CHECK-NEXT:    assign @[[#@LINE-8]]:16
# CHECK-NEXT:      index @[[#@LINE-9]]:16
# CHECK-NEXT:        name match @[[#@LINE-10]]:16
# CHECK-NEXT:        name x @[[#@LINE-11]]:22
# CHECK-NEXT:      int 2 @[[#@LINE-12]]:27
# CHECK-NEXT:    expr @[[#@LINE-13]]:30
# CHECK-NEXT:      call @[[#@LINE-14]]:30
# CHECK-NEXT:        name match @[[#@LINE-15]]:30
# CHECK-NEXT:        name x @[[#@LINE-16]]:36
# CHECK-NEXT:    expr @[[#@LINE-17]]:40
# CHECK-NEXT:      binary - @[[#@LINE-18]]:40
# CHECK-NEXT:        name match @[[#@LINE-19]]:40
# CHECK-NEXT:        name x @[[#@LINE-20]]:48
# CHECK-NEXT:    assign @[[#@LINE-21]]:51
# CHECK-NEXT:      name type @[[#@LINE-22]]:51
# CHECK-NEXT:      int 3 @[[#@LINE-23]]:58
# CHECK-NEXT:    expr @[[#@LINE-24]]:61
# CHECK-NEXT:      call @[[#@LINE-25]]:61
# CHECK-NEXT:        name type @[[#@LINE-26]]:61
# CHECK-NEXT:        name x @[[#@LINE-27]]:66
# CHECK-NEXT:    annassign @[[#@LINE-27]]:5
# CHECK-NEXT:      name case @[[#@LINE-28]]:5
# CHECK-NEXT:      name int @[[#@LINE-29]]:11
# CHECK-NEXT:      int 3 @[[#@LINE-30]]:17
