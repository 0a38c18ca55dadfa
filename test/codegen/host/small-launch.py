# A launch with so little work that waking threads costs more runs on the calling thread.
# RUN: cplc %s:cheap --types 'x=float64[]' --emit llvm -O0 | FileCheck %s --check-prefix=CHEAP
# RUN: cplc %s:dear --types 'x=float64[]' --emit llvm -O0 | FileCheck %s --check-prefix=DEAR
# RUN: cplc %s:fixed --types 'x=float64[]' --emit llvm -O0 | FileCheck %s --check-prefix=FIXED
# RUN: cplc %s:unknown --types 'x=float64[] n=int32' --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=UNKNOWN

# CHEAP: fork.some:
# CHEAP-NEXT: icmp ult i64 %{{.*}}, {{[0-9][0-9][0-9][0-9]$}}
def cheap(i, x):
    x[i] = 2.0*x[i]

# DEAR: fork.some:
# DEAR-NEXT: icmp ult i64 %{{.*}}, {{[0-9][0-9][0-9]$}}
def dear(i, x):
    x[i] = sin(x[i]) + exp(x[i])

# FIXED: fork.some:
# FIXED-NEXT: icmp ult i64 %{{.*}}, {{[0-9][0-9]?$}}
def fixed(i, x):
    s = 0.0
    for j in range(100):
        s += x[i]*s
    x[i] = s

# A loop of unknown length is forked from two rounds on.
# UNKNOWN: fork.some:
# UNKNOWN-NEXT: icmp ult i64 %{{.*}}, 2{{$}}
def unknown(i, x, n):
    s = 0.0
    for j in range(n):
        s += x[i]*s
    x[i] = s
