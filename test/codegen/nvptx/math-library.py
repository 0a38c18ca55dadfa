# Where CUDA's mathematics comes from: a named libdevice, the library's own, a folder of libclc's; a file that is none is an error.
# RUN: env CPL_LIBDEVICE= cplc %s:f --types 'x=float64[]' --target cuda --emit llvm | FileCheck %s --check-prefix=OWN
# RUN: not env CPL_LIBDEVICE=%s cplc %s:f --types 'x=float64[]' --emit ptx 2>&1 | FileCheck %s --check-prefix=WRONG
# RUN: env CPL_LIBDEVICE=%S/absent.bc cplc %s:f --types 'x=float64[]' --target cuda --emit llvm | FileCheck %s --check-prefix=OWN
# RUN: cplc %s:g --types 'x=float64[]' --target cuda --emit llvm | FileCheck %s --check-prefix=NONE
#
# OWN: define ptx_kernel void @f(
# OWN-NOT: __nv_
# OWN-NOT: declare {{.*}}_Z
# WRONG: error: LLVM refused the code of
# NONE-NOT: define internal
from math import exp, sqrt


def f(i, x):
    x[i] = exp(x[i])


def g(i, x):
    x[i] = sqrt(x[i])
