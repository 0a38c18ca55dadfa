# cpu_level picks the instructions, not the CPU at hand.
# REQUIRES: x86_64
# RUN: cplc %s --types 'x=float64[] y=float64[]' --emit asm --option cpu_level=1 \
# RUN:   | FileCheck %s --check-prefix=ONE
# RUN: cplc %s --types 'x=float64[] y=float64[]' --emit asm --option cpu_level=3 \
# RUN:   | FileCheck %s --check-prefix=THREE
# RUN: cplc %s --types 'x=float64[] y=float64[]' --emit asm --option cpu_level=4 \
# RUN:   | FileCheck %s --check-prefix=FOUR
# ONE-NOT: {{ymm|zmm}}
# ONE: mulpd
# THREE-NOT: zmm
# THREE: vfmadd{{.*}}ymm
# FOUR: vfmadd{{.*}}zmm
def f(i, x, y):
    y[i] = x[i]*x[i] + 1.0
