# A pause of the work-item, within what PTX takes; other targets have none, and go on.
# RUN: cplc %s:pause --as kernel --types "x=int32[] ns=int32" \
# RUN:   --target cuda --emit ptx | FileCheck %s
# RUN: cplc %s:pause --as kernel --types "x=int32[] ns=int32" --target opencl:c1.2 \
# RUN:   --emit opencl-c | FileCheck %s --check-prefix=C
# RUN: cplc %s:pause --as kernel --types "x=int32[] ns=int32" --target opencl:spv1.2 \
# RUN:   --emit asm | FileCheck %s --check-prefix=SPIRV --implicit-check-not=nanosleep
# RUN: cplc run %s:pause --as kernel x=int32[4] ns=7 --global 4 --out x=%t.npy
# RUN: %python -c 'import numpy; print(numpy.load("%t.npy"))' | FileCheck %s --check-prefix=RAN
# RUN: cplc run %s:pause --target interp --as kernel x=int32[4] ns=7 --global 4 --out x=%t.npy
# RUN: %python -c 'import numpy; print(numpy.load("%t.npy"))' | FileCheck %s --check-prefix=RAN
# RUN: not cplc %s:float --as kernel --types "x=int32[]" --target cuda --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=FLOAT
# RUN: not cplc %s:outside --types "x=int32[]" --target cuda --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OUTSIDE
from compyle.low_level import GID_0, LDIM_0, LID_0
from numba import cuda


# CHECK-LABEL: .entry cpl_fn_pause
# CHECK: nanosleep.u32 500;
# CHECK: max.s32
# CHECK: min.s64 {{.*}}, 1000000;
# CHECK: nanosleep.u32 %r
# C-LABEL: kernel void pause
# C-NOT: nanosleep
# C: x[
# SPIRV: OpStore
# RAN: 7 7 7 7
def pause(x, ns):
    cuda.nanosleep(500)
    nanosleep(ns)
    x[GID_0*LDIM_0 + LID_0] = ns


# FLOAT: nanosleep.py:[[@LINE+2]]:20: error: the time must be an integer, found float64
def float(x):
    cuda.nanosleep(0.5)
    x[LID_0] = 1


# OUTSIDE: nanosleep.py:[[@LINE+2]]:5: error: 'nanosleep'
def outside(i, x):
    nanosleep(5)
    x[i] = 1
