# An elementwise kernel is a loop over the grid; float32 stays float32 and asks for no extension; contract is off where it must be.
# RUN: cplc %s:axpb --types 'x=float32[] y=float32[] a=float32 b=float32' --target opencl:c1.2 \
# RUN:   --emit opencl-c -o %t.cl
# RUN: FileCheck %s --input-file %t.cl
# RUN: %if pocl %{ %pocl %clrun build %t.cl %}
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target opencl:c1.2 \
# RUN:   --emit opencl-c --option precise=1 \
# RUN:   | FileCheck --check-prefix=PRECISE %s
# RUN: cplc %s:axpb --types 'x=float32[] y=float32[] a=float32 b=float32' --target opencl:c1.2 \
# RUN:   --emit opencl-c --option bounds_check=1 -o %t.bounds.cl
# RUN: FileCheck --check-prefix=BOUNDS --input-file %t.bounds.cl %s
# RUN: %if pocl %{ %pocl %clrun build %t.bounds.cl %}
# Of any target there is OpenCL C to read.
# RUN: cplc %s:axpb --types 'x=float32[] y=float32[] a=float32 b=float32' \
# RUN:   --target opencl:spv1.2,-fp64 --emit opencl-c | \
# RUN:   FileCheck --check-prefix=ANY %s
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target host \
# RUN:   --emit opencl-c | FileCheck --check-prefix=ANY %s
# RUN: cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' --target cuda:sm_90 \
# RUN:   --emit opencl-c | FileCheck --check-prefix=ANY %s
# RUN: not cplc %s:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' \
# RUN:   --target opencl:spv1.2,-fp64 --emit opencl-c 2>&1 | \
# RUN:   FileCheck --check-prefix=BAD %s


def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b

# CHECK: // OpenCL C 1.2
# CHECK-NEXT: kernel void axpb(long n, const global float *x, global float *y, float a, float b)
# CHECK-NEXT: {
# CHECK-NEXT:     long next = (long)get_global_id(0);
# CHECK-NEXT:     long stride = (long)get_global_size(0);
# CHECK-NEXT:     while (next < n) {
# CHECK-NEXT:         long i = next;
# CHECK-NEXT:         next = (long)((ulong)next + (ulong)stride);
# CHECK-NEXT:         y[i] = a * sin(x[i]) + b;
# CHECK-NEXT:     }
# CHECK-NEXT: }
# PRECISE: #pragma OPENCL EXTENSION cl_khr_fp64 : enable
# PRECISE-NEXT: #pragma OPENCL FP_CONTRACT OFF
# BOUNDS: typedef struct cpl_fault {
# BOUNDS: if (atomic_cmpxchg((volatile global int *)&record->taken, 0, 1) != 0) return;
# BOUNDS: cpl_record_fault((global cpl_fault *)
# ANY: // OpenCL C 3.0
# ANY: kernel void axpb(
# ANY: y[i] = a * sin(x[i]) + b;
# BAD: error: {{.*}}the device has no float64
