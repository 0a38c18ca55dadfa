# What a scan's output updates: elements at its own index are nobody else's, of few elements, which
# are one round, too; of others a warning names the array, not what it was handed on as.
# RUN: cplc run %s 'x=float64[3000]' 'o=float64[3000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output own 2>&1 | FileCheck %s --check-prefix=OWN --allow-empty
# RUN: cplc run %s 'x=float64[9000]' 'o=float64[9000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output own 2>&1 | FileCheck %s --check-prefix=OWN --allow-empty
# RUN: cplc run %s 'x=int32[3000]' 'o=int32[3000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output own 2>&1 | FileCheck %s --check-prefix=OWN --allow-empty
# RUN: cplc run %s 'x=float64[90000]' 'o=float64[90000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output own 2>&1 | FileCheck %s --check-prefix=OWN --allow-empty
# RUN: cplc run %s 'x=float64[3000]' 'o=float64[3000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output first 2>&1 | FileCheck %s
# RUN: cplc run %s 'x=float64[90000]' 'o=float64[90000]' --as scan --op 'a + b' --input 'x[i]' \
# RUN:   --output first 2>&1 | FileCheck %s


# OWN-NOT: warning
def own(i, item, prev_item, last_item, N, x, o):
    o[i] += item


# CHECK: races-outputs.py:[[#@LINE + 2]]:5: warning: rounds that run at once may update the same element of 'o', and lose what others did
def first(i, item, prev_item, last_item, N, x, o):
    o[0] += item
