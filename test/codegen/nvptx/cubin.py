# Machine code: by the driver where it has such a device (the stand-in's is of sm_90, and its code is the PTX), else by ptxas; what cannot be run is said.
# REQUIRES: ptxas
# RUN: env CPL_CUDA_DRIVER=%build/test/device/libstandin.so cplc %s:f --types 'x=float64[]' \
# RUN:   --target cuda:sm_90 --emit cubin -o %t.driver
# RUN: FileCheck %s --check-prefix=DRIVER --input-file=%t.driver
# RUN: not env CPL_CUDA_DRIVER=%build/test/device/libstandin.so CPL_PTXAS=no-such-ptxas cplc %s:f \
# RUN:   --types 'x=float64[]' --emit cubin -o %t2.cubin 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OTHER
# RUN: not env CPL_CUDA_DRIVER=%build/test/device/libstandin.so \
# RUN:   CPL_STANDIN_FAIL=cuLinkComplete:1:2 CPL_PTXAS=no-such-ptxas \
# RUN:   cplc %s:f --types 'x=float64[]' --target cuda:sm_90 --emit cubin -o %t2.cubin 2>&1 \
# RUN:   | FileCheck %s --check-prefix=FAILED
# DRIVER: .target sm_90
# OTHER: NVIDIA's driver: there is no device of sm_75
# FAILED: NVIDIA's driver: cuLinkComplete: CUDA_ERROR_OUT_OF_MEMORY
# RUN: cplc %s:f --types 'x=float64[]' --target cuda:sm_75 --emit cubin -o %t.cubin
# RUN: llvm-readelf -h %t.cubin | FileCheck %s --check-prefix=ELF
# RUN: cplc %s:f --types 'x=float64[]' --target cuda:sm_121 -o %t121.cubin --option debug_info=1
# RUN: not env CPL_CUDA_DRIVER=/nowhere/libcuda.so.1 CPL_PTXAS=no-such-ptxas cplc %s:f \
# RUN:   --types 'x=float64[]' --emit cubin -o %t2.cubin 2>&1 | FileCheck %s
#
# ELF: Machine: {{.*}}CUDA
# CHECK: error: no cubin was made: no-such-ptxas could not be run: No such file or directory
# CHECK-DAG: NVIDIA's driver: /nowhere/libcuda.so.1: cannot open shared object file
# CHECK-DAG: ptxas is needed: in PATH, or named by CPL_PTXAS


def f(i, x):
    x[i] = 2.0*x[i]
