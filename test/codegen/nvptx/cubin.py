# Machine code through ptxas, of each compute capability; what cannot be run is said.
# REQUIRES: ptxas
# RUN: cplc %s:f --types 'x=float64[]' --target cuda:sm_75 --emit cubin -o %t.cubin
# RUN: llvm-readelf -h %t.cubin | FileCheck %s --check-prefix=ELF
# RUN: cplc %s:f --types 'x=float64[]' --target cuda:sm_121 -o %t121.cubin --option debug_info=1
# RUN: not env CPL_PTXAS=no-such-ptxas cplc %s:f --types 'x=float64[]' --emit cubin -o %t2.cubin 2>&1 | FileCheck %s
#
# ELF: Machine: {{.*}}CUDA
# CHECK: error: no cubin was made: no-such-ptxas could not be run: No such file or directory
# CHECK: ptxas is needed: in PATH, or named by CPL_PTXAS


def f(i, x):
    x[i] = 2.0*x[i]
