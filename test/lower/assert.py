# Assertions stay in the IR; one whose condition calls runs with bounds_check only.
# RUN: cplc --emit ir %s:checked --types 'x=float64[] n=int32' | FileCheck %s
# RUN: cplc --emit ir %s:checked --types 'x=float64[] n=int32' --option bounds_check=1 \
# RUN:   | FileCheck %s --check-prefix=CHECKED


def positive(v):
    return v > 0


def checked(i, x, n):
    assert n > 0, "n is positive"
    assert positive(x[i])
    x[i] = n


# CHECK: func checked.body
# CHECK: assert<"n is positive">(gt(n, 0:int32))
# CHECK-NEXT: store(elem(x, i), convert<float64>(n))
# CHECKED: assert<"n is positive">(gt(n, 0:int32))
# CHECKED-NEXT: [[T:t[_0-9]*]] = call positive(load(elem(x, i)), cpl_fault_record)
# CHECKED-NEXT: assert([[T]])
