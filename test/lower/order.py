# Operands are evaluated from left to right: what a call could change is saved in front of it, what it cannot is not.
# RUN: cplc --emit ir %s:order --types 'x=int32[]' --as function | FileCheck %s


def bump(x):
    x[0] += 1
    return x[0]


def order(x):
    k = 5
    x[1] = x[0] + bump(x)
    x[2] = k + bump(x) + x[0]
    x[bump(x)] = k
    x[bump(x)] += bump(x)
    x[bump(x)] = x[0] + 1
    k = x[0] < bump(x) < x[2]
    k = bump(x)
    bump(x)


# CHECK: entry func order
# CHECK: [[OLD:t_[0-9]+]] = load(elem(x, 0:int32))
# CHECK-NEXT: [[T:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: store(elem(x, 1:int32), add([[OLD]], [[T]]))
# CHECK-NEXT: [[T:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: store(elem(x, 2:int32), add(add(k, [[T]]), load(elem(x, 0:int32))))
# CHECK-NEXT: [[T:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: store(elem(x, [[T]]), k)
# The place is evaluated once, and read before the right side runs.
# CHECK-NEXT: [[I:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: [[OLD:t[_0-9]*]] = load(elem(x, [[I]]))
# CHECK-NEXT: [[T:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: store(elem(x, [[I]]), add([[OLD]], [[T]]))
# CHECK-NEXT: [[V:t[_0-9]*]] = add(load(elem(x, 0:int32)), 1:int32)
# CHECK-NEXT: [[I:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: store(elem(x, [[I]]), [[V]])
# CHECK-NEXT: [[OLD:t[_0-9]*]] = load(elem(x, 0:int32))
# CHECK-NEXT: [[T:t[_0-9]*]] = call bump(x)
# CHECK-NEXT: k = convert<int32>(cond(lt([[OLD]], [[T]]), lt([[T]], load(elem(x, 2:int32))), false))
# CHECK-NEXT: k = call bump(x)
# CHECK-NEXT: call bump(x)
# CHECK-NEXT: }
