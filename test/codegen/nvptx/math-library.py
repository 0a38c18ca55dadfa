# Where CUDA's mathematics comes from: a named libdevice, the library's own, a folder of libclc's; a file that is none is an error.
# RUN: env CPL_LIBDEVICE= cplc %s:f --types 'x=float64[]' --target cuda --emit llvm \
# RUN:   | FileCheck %s --check-prefix=OWN
# RUN: not env CPL_LIBDEVICE=%s cplc %s:f --types 'x=float64[]' --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=WRONG
# RUN: env CPL_LIBDEVICE=%S/absent.bc cplc %s:f --types 'x=float64[]' --target cuda --emit llvm \
# RUN:   | FileCheck %s --check-prefix=OWN
# RUN: cplc %s:g --types 'x=float64[]' --target cuda --emit llvm | FileCheck %s --check-prefix=NONE
# Without libdevice float64 is computed by functions of the language, unless sums may be reordered;
# of float32 those that it has.
# RUN: env CPL_LIBDEVICE= cplc %s:f --types 'x=float64[]' --target cuda --emit ptx \
# RUN:     --print-after=inline 2>&1 | FileCheck %s --check-prefix=LANGUAGE
# RUN: env CPL_LIBDEVICE= cplc %s:f --types 'x=float64[]' --target cuda --emit ptx \
# RUN:     --option reassoc=1 --print-after=inline 2>&1 | FileCheck %s --check-prefix=LIBRARY
# RUN: env CPL_LIBDEVICE= cplc %s:f --types 'x=float64[]' --target cuda --emit ptx \
# RUN:     --option fast_math=1 --print-after=inline 2>&1 | FileCheck %s --check-prefix=LIBRARY
# RUN: env CPL_LIBDEVICE= cplc %s:h --types 'x=float32[]' --target cuda --emit ptx \
# RUN:     --print-after=inline 2>&1 | FileCheck %s --check-prefix=OTHER
# RUN: env CPL_LIBDEVICE= cplc %s:logarithm --types 'x=float32[]' --target cuda --emit ptx \
# RUN:     | FileCheck %s --check-prefix=NARROW
# RUN: env CPL_LIBDEVICE= cplc %s:h --types 'x=float64[]' --target cuda --emit ptx \
# RUN:     --print-after=inline 2>&1 | FileCheck %s --check-prefix=OTHER
# libclc's ldexp: 612 are zeros and infinities, without NaN, which is dealt with around it. When
# that number is another one, libclc may be right: then mend_ldexp goes.
# RUN: env CPL_LIBDEVICE= cplc %s:scaled --types 'x=float64[] k=int32[]' --target cuda \
# RUN:     --emit llvm | FileCheck %s --check-prefix=LDEXP
#
# And of float32 it flushes subnormal numbers: that of float64 stands in for it.
# RUN: env CPL_LIBDEVICE= cplc %s:scaled --types 'x=float32[] k=int32[]' --target cuda \
# RUN:     --emit llvm | FileCheck %s --check-prefix=LDEXP32
# RUN: env CPL_LIBDEVICE= cplc %s:rest --types 'x=float32[]' --target cuda --emit llvm \
# RUN:     | FileCheck %s --check-prefix=REST
# REST: fpext float
# REST: fptrunc double
# REST-NOT: remainderff
# LDEXP32: fpext float
# LDEXP32: is.fpclass.f64
# LDEXP32: fptrunc double
# LDEXP32-NOT: is.fpclass.f32
#
# LDEXP: is.fpclass.f64(double %[[X:[0-9]+]], i32 612)
# LDEXP: fcmp uno double %[[X]], 0.0
# LANGUAGE-NOT: exp(
# LANGUAGE: fma(
# LIBRARY: store(elem(x, {{.*}}), exp(load(elem(x,
# NARROW-NOT: f64
# NARROW: fma.rn.f32
# NARROW-NOT: f64
# OTHER: erfc(
# OWN: define ptx_kernel void @f(
# OWN-NOT: __nv_
# OWN-NOT: declare {{.*}}_Z
# WRONG: error: LLVM refused the code of
# NONE-NOT: define internal
from math import erfc, exp, ldexp, log, remainder, sqrt


def f(i, x):
    x[i] = exp(x[i])


def g(i, x):
    x[i] = sqrt(x[i])


def h(i, x):
    x[i] = erfc(x[i])


def logarithm(i, x):
    x[i] = log(x[i])


def scaled(i, x, k):
    x[i] = ldexp(x[i], k[i])


def rest(i, x):
    x[i] = remainder(x[i], x[0])
