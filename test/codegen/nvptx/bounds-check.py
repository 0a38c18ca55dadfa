# A failed check on CUDA writes the record that the launch passes, as on the host.
# RUN: cplc %s:f --types 'x=float64[] k=int32[]' --emit ptx --option bounds_check=1 | FileCheck %s
#
# CHECK: .visible .entry f(
# CHECK: .param .u64 .ptr .global .align 1 f_param_5
# CHECK: atom.relaxed.gpu.global.cas.b32 {{.*}}, 0, 1;
# CHECK: st.global


def f(i, x, k):
    x[k[i]] += 1.0
