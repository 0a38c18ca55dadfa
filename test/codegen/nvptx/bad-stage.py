# Stages that a target does not have, and targets that do not exist.
# RUN: not cplc %s:f --types 'x=float64[]' --target cuda --emit obj -o %t 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OBJ
# RUN: not cplc %s:f --types 'x=float64[]' --target cuda --emit spirv -o %t 2>&1 \
# RUN:   | FileCheck %s --check-prefix=SPIRV
# RUN: not cplc %s:f --types 'x=float64[]' --target host --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=PTX
# RUN: not cplc %s:f --types 'x=float64[]' --target cuda:sm_74 --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=SM
#
# OBJ: error: target cuda has no stage 'obj'
# OBJ: it is a stage of host
# SPIRV: error: target cuda has no stage 'spirv'
# PTX: error: target host has no stage 'ptx'
# SM: error: {{.*}}cuda:sm_74


def f(i, x):
    x[i] = 2.0*x[i]
