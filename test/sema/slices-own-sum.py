# A function of the file that is named sum is called; it takes whole arrays.
# RUN: cplc %s:f --as function --types 'a=float64[]' --emit ir | FileCheck %s


def sum(x):
    return x[0]


def f(a):
    a[1] = sum(a)
# CHECK-LABEL: func f(
# CHECK-NOT: for
# CHECK: call sum
