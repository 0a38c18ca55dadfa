# Of an if or a ternary whose condition constants decide, the other arm is not looked at.
# RUN: cplc %s:chosen --as function --types 'x=int32' --emit ir | FileCheck %s --check-prefix=CHOSEN
# RUN: cplc %s:debug --types 'x=float64[]' --emit ir | FileCheck %s --implicit-check-not='if '
# RUN: cplc %s:nested --as function --types 'x=float32' --emit types \
# RUN:   | FileCheck %s --check-prefix=NESTED
# RUN: not cplc %s:own --as function --types 'x=float64' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OWN
# RUN: not cplc %s:item --as function --types 'x=float64' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=ITEM
# RUN: not cplc %s:given --as function --types 'x=float64 SIDE=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=GIVEN
SIDE = 4
DEBUG = False


def chosen(x):
    return x + (1 if SIDE > 3 else 2.5)

# CHOSEN: entry func chosen(x: int32) -> int32 {
# CHOSEN-NEXT: return add(x, 1:int32)


def debug(i, x):
    if DEBUG:
        trace(x[i])
    elif SIDE % 3 or x.nothing:
        x[i] = 1
        return
    x[i] = undefined

# CHECK: func debug.body
# CHECK-NEXT: store(elem(x, i), 1.0:float64)
# CHECK-NEXT: return
# CHECK-NEXT: }


def nested(x):
    if (SIDE if DEBUG else 0) == 0 and not DEBUG:
        return x
    return missing(x)

# NESTED: nested(x: float32) -> float32


def own(x):
    SIDE = 2
    SIDE += 2
    return x if SIDE > 3 else missing(x)

# OWN: error: undefined function 'missing'


def item(x):
    for DEBUG in range(2):
        if DEBUG:
            x += missing(x)
    return x

# ITEM: error: undefined function 'missing'


def given(x, SIDE):
    return x if SIDE > 3 else missing(x)

# GIVEN: error: undefined function 'missing'
