# Line info in PTX: directives for each line, without the tables that would make the driver leave out optimisations.
# RUN: cplc %s:scale --types 'x=float64[] a=float64' --emit ptx --option debug_info=1 | FileCheck %s
# RUN: cplc %s:scale --types 'x=float64[] a=float64' --emit ptx | FileCheck %s --check-prefix=OFF
#
# OFF-NOT: .loc
# CHECK: .target sm_75{{$}}
# CHECK: .loc 1 [[@LINE+9]] 5
# CHECK: mul{{.*}}.f64
# CHECK: .loc 1 [[@LINE+8]] 5
# CHECK: st.global
# CHECK: .file 1 "{{.*}}debug-info.py"
# CHECK-NOT: .section .debug_info


def scale(i, x, a):
    t = a*x[i]
    x[i] = t
