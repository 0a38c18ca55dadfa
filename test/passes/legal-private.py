# Matrices that are larger than what a work-item has of its own, with those of the functions that it calls.
# RUN: not cplc %s:f --types 'x=float64[]' --emit opencl-c 2>&1 \
# RUN:   | FileCheck %s --check-prefixes=CHECK,OPENCL
# RUN: not cplc %s:f --types 'x=float64[]' --emit spirv -o %t.spv 2>&1 \
# RUN:   | FileCheck %s --check-prefixes=CHECK,OPENCL
# RUN: not cplc %s:f --types 'x=float64[]' --emit ptx --target cuda 2>&1 \
# RUN:   | FileCheck %s --check-prefixes=CHECK,CUDA
# RUN: not cplc %s:huge --types 'x=float64[]' --emit llvm 2>&1 | FileCheck %s --check-prefix=HOST
# RUN: not cplc %s:two --types 'x=float64[]' --emit opencl-c 2>&1 | FileCheck %s --check-prefix=TWO
# RUN: not cplc %s:twice --types 'x=float64[]' --emit llvm 2>&1 | FileCheck %s --check-prefix=TWICE
# RUN: cplc %s:two --types 'x=float64[]' --emit ptx --target cuda | FileCheck %s --check-prefix=PTX
# RUN: cplc %s:most --types 'x=float64[]' --emit opencl-c | FileCheck %s --check-prefix=MOST
# Structs of numbers, as those of complex arithmetic, live in registers.
# RUN: cplc %s:many --types 'z=complex128[]' --emit opencl-c | FileCheck %s --check-prefix=MANY
from compyle.api import declare

def f(i, x):
    n = declare('matrix(3)')
    m = declare('matrix(100000)')
    m[i] = n[i]
    x[i] = m[int(x[i])]

# CHECK: legal-private.py:19:5: error: {{.*}}: 'f' has 800024 bytes of matrices and structs of its own, 'm' the most of them; a work-item may have
# OPENCL-SAME: 16384
# CUDA-SAME: 524288
# CHECK: m = declare('matrix(100000)')
# CHECK: hint: pass an array, of which each work-item uses a part

def huge(i, x):
    m = declare('matrix(200000)')
    x[i] = m[i]

# HOST: legal-private.py:30:5: error: 'huge' has more than 1048576 bytes of matrices and structs of its own, 'm' the most of them
# HOST: hint: pass an array for it
# HOST-NOT: error

def parts(k):
    n = declare('matrix(100000)')
    n[k] = k
    return n[k + 1]

def twice(i, x):
    m = declare('matrix(150000)')
    m[i] = 1
    x[i] = m[i + 1] + parts(i)

# TWICE: legal-private.py:43:5: error: 'twice' has more than 1048576 bytes
# TWICE-NOT: error

def inner(x):
    m = declare('matrix(1024)')
    m[int(x)] = 1
    return m[int(x) + 1]

def two(i, x):
    m = declare('matrix(1025)')
    m[i] = inner(x[i])
    x[i] = m[int(x[i])]

# TWO: legal-private.py:56:5: error: {{.*}}: 'two' has 16392 bytes
# PTX: entry two

def most(i, x):
    m = declare('matrix(1024)')
    m[i] = inner(x[i])
    x[i] = m[int(x[i])]

# MOST: void most

def many(i, z):
    w = z[i]
    for k in static_range(1100):
        w = complex(w.imag, k)
    z[i] = w

# MANY: void many
