# Names are the user's own, but for those that OpenCL C has, and letters that C does not have.
# RUN: cplc %s:half --types 'kernel=float32[] float4=float32[]' --target opencl:c1.2 \
# RUN:   --emit opencl-c -o %t.cl
# RUN: FileCheck %s --input-file %t.cl
# RUN: %if pocl %{ %pocl %clrun build %t.cl %}
# RUN: not cplc %s:taken --types 'x=float32[]' --target opencl:c1.2 --emit opencl-c 2>&1 \
# RUN:   | FileCheck --check-prefix=BAD %s


def min_of(a, global_):
    step = a if a < global_ else global_
    return step


def half(i, kernel, float4):
    local = kernel[i]
    größe = float4[i]
    for step in range(3):
        größe += local*step
    cpl_int = local*größe
    float4[i] = clamp_it(cpl_int, local) + min_of(größe, cpl_int)


def clamp_it(x, get_global_id):
    while x > get_global_id:
        x -= 1
    return x

# CHECK: kernel void u_half(long n, const global float *u_kernel, global float *u_float4)
# CHECK: float u_local = u_kernel[i];
# CHECK-NEXT: float gr{{[_0-9A-Za-z]+}}e = u_float4[i];
# CHECK: for (int u_step = 0; u_step < 3; u_step++) {
# CHECK: float u_cpl_int = u_local * gr


def taken(i, x):
    x[i] = missing(x[i])

# BAD: names.py:[[#@LINE-2]]:12: error: {{.*}}missing

# Types of vectors, and what only looks like one.
# RUN: cplc %s:vectors --types 'int3=float32[] land4=float32[] floats4=float32[]' \
# RUN:   --target opencl:c1.2 --emit opencl-c | FileCheck %s --check-prefix=VECTORS
def vectors(i, int3, land4, floats4):
    int3[i] = land4[i] + floats4[i]

# VECTORS: u_int3[i] = land4[i] + floats4[i];
