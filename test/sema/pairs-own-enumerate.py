# A function of the file that is named enumerate is called.
# RUN: cplc %s:own --as function --types 'x=float64[]' --emit ir | FileCheck %s


def enumerate(x):
    return 2


def own(x):
    for i in range(enumerate(x)):
        x[i] = 1
# CHECK-LABEL: func own(
# CHECK: call enumerate
