# What kernel files become is valid SPIR-V, by the version's own rules and by OpenCL's where they know the version.
# REQUIRES: spirv-val
# RUN: cplc %S/elementwise.py:axpb --types 'x=float64[] y=float64[] a=float64 b=float64' -o %t.spv
# RUN: spirv-val --target-env opencl2.2 %t.spv
# RUN: cplc %S/local-memory.py:total --as kernel --types 'x=float64[] sums=float64[] n=int64' \
# RUN:   -o %t.spv
# RUN: spirv-val --target-env opencl2.2 %t.spv
# RUN: cplc %s:f --types 'x=float64[] k=int32[]' -o %t.spv --option bounds_check=1 \
# RUN:   --option debug_info=1
# RUN: spirv-val --target-env opencl2.2 %t.spv
# RUN: cplc %S/subgroups.cir:shuffles --target opencl:spv1.3 -o %t.spv
# RUN: spirv-val --target-env spv1.3 %t.spv


def helper(v):
    return v//3.0 + v % 2.0


def f(i, x, k):
    x[k[i]] = helper(x[i])
