# What a match statement has but numbers: each pattern is refused where it stands, and bodies are read for their own errors.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
# RUN: not cplc --emit types %s:named --types x=int32 2>&1 \
# RUN:   | FileCheck --check-prefix=NAMED --implicit-check-not=error: %s
# RUN: cplc --emit ast %s:good 2>&1 | FileCheck --check-prefix=GOOD --implicit-check-not=error: %s
# RUN: cplc --emit ast %s:computed | FileCheck --check-prefix=COMPUTED %s
def f(x, a, b, LIMIT):
    match x:
        case LIMIT: a = {1}
# CHECK: :[[#@LINE-1]]:14: error: 'LIMIT' in a case is a new name, for any value
# CHECK: hint: case _: takes the others; for a constant under a name use if and elif
        case [0, y]:
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
# CHECK: hint: case 1, case -1 | 2, case module.NAME, case _; for all else use if and elif
            a = {2}
# CHECK: :[[#@LINE-1]]:17: error: sets are not supported
        case (1, 2): pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case True: pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case None | 3: pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case "one": pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case {"k": 1}: pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case Point(x=1): pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case -LIMIT: pass
# CHECK: :[[#@LINE-1]]:14: error: a case is of numbers here
        case 1 | _: pass
# CHECK: :[[#@LINE-1]]:18: error: '_' stands alone in a case
# CHECK: hint: case _: ...
        case 1 | : pass
# CHECK: :[[#@LINE-1]]:18: error: expected a number, found ':'
        case 1, 2: pass
# CHECK: :[[#@LINE-1]]:15: error: expected ':', found ','
        case 4 as y: pass
# CHECK: :[[#@LINE-1]]:16: error: 'as' is not supported in a case
# CHECK: hint: what is compared has its name in front of the match: v = ...
        case 5 if : pass
# CHECK: :[[#@LINE-1]]:19: error: expected an expression, found ':'
        case _: pass
        case 6: pass
# CHECK: :[[#@LINE-1]]:9: error: the case before takes any value
# CHECK: hint: 'case _' is the last one
        else: pass
# CHECK: :[[#@LINE-1]]:9: error: expected 'case', found 'else'
    match a, b:
# CHECK: :[[#@LINE-1]]:11: error: 'match' takes one number here
# CHECK: hint: use if and elif: if a == 1 and b == 2: ...
        case 1, 2: pass
# CHECK: :[[#@LINE-1]]:15: error: expected ':', found ','
    match x +:
# CHECK: :[[#@LINE-1]]:14: error: expected an expression, found ':'
        case 1:
# CHECK: :[[#@LINE-1]]:9: error: expected an indented block behind this 'case'
    x = 1 +
# CHECK: :[[#@LINE-1]]:12: error: expected an expression, found end of line


def named(i, x):
    match x:
        case 2 as y: return y
# NAMED: :[[#@LINE-1]]:16: error: 'as' is not supported in a case
        case v: return v + y
# NAMED: :[[#@LINE-1]]:14: error: 'v' in a case is a new name, for any value


def good(match, case):
    match[0] = 3
    match (case):
        case _ if match: match = case
        case 1 | -2:
            case = match(1)
    match case + 1:
        case _: match *= 2
# GOOD: assign
# GOOD-NEXT: index
# GOOD: if
# GOOD-NEXT: name match
# GOOD-NEXT: body
# GOOD: else
# GOOD-NEXT: if
# GOOD-NEXT: boolop or
# GOOD-NEXT: compare ==
# GOOD-NEXT: name case
# GOOD-NEXT: int 1
# GOOD: unary -
# GOOD: name .match
# GOOD: if
# GOOD-NEXT: bool True


# What is compared stands where it is computed, under a name of its own.
def computed(x):
    match x + 2:
        case 1: pass
# COMPUTED: assign @[[#@LINE-2]]:11
# COMPUTED-NEXT: name [[NAME:.match[0-9]+]] @[[#@LINE-3]]:11
# COMPUTED-NEXT: binary + @[[#@LINE-4]]:11
# COMPUTED: if
# COMPUTED-NEXT: compare == @[[#@LINE-5]]:14
# COMPUTED-NEXT: name [[NAME]] @[[#@LINE-7]]:11
# COMPUTED-NEXT: int 1 @[[#@LINE-7]]:14
