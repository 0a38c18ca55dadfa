"""With AVX-512 pow, log and exp of float64 are the module's own on eight lanes: the library's on
fewer, and libm's for what is not positive and finite and for the rounds that are left.
REQUIRES: avx2
DEFINE: %{double} = cplc --types "x=float64[] y=float64[] a=float64" --emit llvm --option
RUN: %{double} cpu_level=4 %s:f | FileCheck %s
RUN: %{double} cpu_level=4 %s:f --option debug_info=1 | FileCheck %s
RUN: %{double} cpu_level=3 %s:f | FileCheck %s --check-prefix=NONE
RUN: %{double} precise=1 %s:f --option cpu_level=4 | FileCheck %s --check-prefix=NONE
RUN: cplc --types "x=float32[] y=float32[] a=float32" --option cpu_level=4 --emit llvm %s:f \
RUN:   | FileCheck %s --check-prefix=NONE
With fast_math scalars take one lane of it, so that every round has the same bits.
RUN: %{double} fast_math=1 %s:f --option cpu_level=4 | FileCheck %s --check-prefix=FAST
RUN: %{double} fast_math=1 %s:f --option cpu_level=4 -O0 | FileCheck %s --check-prefix=ONE
Vectors of more lanes take it by eights.
RUN: %{double} cpu_level=4 %s:lanes --option simd=2 | FileCheck %s --check-prefix=TWICE
RUN: %{double} cpu_level=4 %s:f --emit asm | FileCheck %s --check-prefix=ASM
CHECK: vector.body:
CHECK-NOT: call{{.*}}@_ZGVe
CHECK-DAG: @llvm.x86.avx512.mask.scalef.pd.512(
CHECK-DAG: @llvm.x86.avx512.vpermi2var.pd.512(
CHECK-DAG: call <8 x double> @cpl.wide.pow.far.8(
CHECK-DAG: call <8 x double> @cpl.wide.log.far.8(
CHECK: middle.block:
CHECK-NOT: call{{.*}}_ZGVe
CHECK-DAG: call {{.*}}double @pow(
CHECK-DAG: call {{.*}}double @exp(
CHECK: define internal {{.*}}<8 x double> @cpl.wide.pow.far.8(
CHECK: call <8 x double> @_ZGVeN8vv_pow(
NONE-NOT: avx512.mask
NONE-NOT: cpl.wide
FAST: @llvm.x86.avx512.mask.scalef.pd.512(
FAST-NOT: call{{.*}} double @{{pow|exp}}(
FAST: define internal {{.*}}double @cpl.wide.{{pow|log|exp}}.1(
ONE: call {{.*}}double @cpl.wide.pow.1(double
TWICE-COUNT-2: @llvm.x86.avx512.mask.getmant.pd.512(
ASM: vgetmantpd
ASM: vpermi2pd
ASM: vscalefpd
"""


def f(i, x, y, a):
    y[i] = x[i]**a*log(x[i] + 1.0) + exp(x[i])


def lanes(i, x, y, a):
    s = x[i]
    while s < a:
        s += log(s)*s**a
    y[i] = s
