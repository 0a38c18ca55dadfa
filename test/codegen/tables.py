# Numbers that a function looks up among constants are constants of the module on every target, not
# items that each call stores.
# RUN: cplc %s:looked_up --emit llvm -O0 --types 'k=int32[] y=float64[]' | FileCheck %s
# RUN: cplc %s:looked_up --emit llvm --types 'k=int32[] y=float64[]' --option simd=2 \
# RUN:     | FileCheck %s --check-prefix LANES
# RUN: cplc %s:looked_up --emit ptx --target cuda --types 'k=int32[] y=float64[]' \
# RUN:     | FileCheck %s --check-prefix PTX
# RUN: cplc %s:looked_up --emit spirv --target opencl --types 'k=int32[] y=float64[]' -o %t.spv
# RUN: spirv-dis %t.spv | FileCheck %s --check-prefix SPIRV
# RUN: cplc %s:in_rounds --emit llvm -O0 --types 'k=int32[] y=float64[]' \
# RUN:     | FileCheck %s --check-prefix ROUNDS
# RUN: cplc %s:changed --emit llvm -O0 --types 'k=int32[] y=float64[]' \
# RUN:     | FileCheck %s --check-prefix OWN
# RUN: cplc %s:lent --emit llvm -O0 --types 'k=int32[] y=float64[]' \
# RUN:   | FileCheck %s --check-prefix OWN
# RUN: cplc %s:varied --emit llvm -O0 --types 'k=int32[] y=float64[]' \
# RUN:   | FileCheck %s --check-prefix OWN
# RUN: cplc %s:other_side --emit llvm -O0 --types 'k=int32[] y=float64[]' \
# RUN:     | FileCheck %s --check-prefix OWN
_WEIGHTS = (0.25, 0.5, -1.5)
_STEPS = (3, -1, 7)

# CHECK: @_WEIGHTS.table = private unnamed_addr constant [3 x double]
# CHECK-SAME: [double 2.500000e-01, double 5.000000e-01, double -1.500000e+00]
# CHECK-NOT: alloca [3 x
# LANES: @_WEIGHTS.table = private unnamed_addr constant [3 x double]
# LANES: llvm.masked.gather{{.*}} double>
# PTX: .global .align 8 .b8 _WEIGHTS_$_table[24]
# PTX-NOT: .local
# PTX: ld.global.nc.b64
# SPIRV: OpDecorate %[[TABLE:[_A-Za-z0-9]*]] Constant
# SPIRV: %[[TABLE]] = OpVariable {{.*}} UniformConstant


def looked_up(i, k, y):
    y[i] = _WEIGHTS[k[i]] + _STEPS[k[i]]


def step(k):
    return _STEPS[k]


# Each call in a loop fills the table anew with the same.
# ROUNDS: @_STEPS.table = private
# ROUNDS-NOT: alloca [3 x
def in_rounds(i, k, y):
    for j in range(k[i]):
        y[i] += step(j)


# OWN-NOT: .table = 
# OWN: alloca [3 x
def changed(i, k, y):
    t = [1.0, 2.0, 3.0]
    t[1] = y[i]
    y[i] = t[k[i]]


def second(p):
    p[1] += 1.0


def lent(i, k, y):
    t = [1.0, 2.0, 3.0]
    second(t)
    y[i] = t[k[i]]


def varied(i, k, y):
    t = [1.0, 2.0, y[i]]
    y[i] = t[k[i]]


# Read where another side of the choice filled it.
def other_side(i, k, y):
    t = declare('matrix(3)')
    if k[i] > 0:
        t[0] = 1.0
        t[1] = 2.0
        t[2] = 3.0
    y[i] = t[k[i]]
