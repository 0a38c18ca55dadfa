# Slices that read what they write run in the order that reads all as it was: forwards, backwards, as begins say, two rounds at once, with elements kept.
# RUN: cplc %s:forwards --as function --types 'a=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=FORWARDS
# RUN: cplc %s:backwards --as function --types 'a=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=BACKWARDS
# RUN: cplc %s:either --as function --types 'a=float64[] i=int64 j=int64 n=int64' --emit ir \
# RUN:   | FileCheck %s --check-prefix=EITHER
# RUN: cplc %s:never --as function --types 'a=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=NEVER
# RUN: cplc %s:turned --as function --types 'a=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=TURNED
# RUN: cplc %s:kept --as function --types 'a=float64[]' --emit ir 2>&1 \
# RUN:   | FileCheck %s --check-prefix=KEPT
# RUN: cplc %s:nearest --as function --types 'm=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=NEAREST


def forwards(a):
    a[:-1] = a[1:]
    a[:9] = a[:18:2]
# FORWARDS-NOT: parallel
# FORWARDS-COUNT-2: for _at


def backwards(a):
    a[1:] = a[:-1]
    a[:18:2] = a[:9]
# BACKWARDS-COUNT-2: for _round
# BACKWARDS-NOT: parallel


def either(a, i, j, n):
    a[i:i + n] = a[j:j + n]
# EITHER: _back{{[0-9]+}} = lt(_bound
# EITHER: _by{{[0-9]+}} = cond(_back{{[0-9]+}}, -1:int32, 1:int32)
# EITHER: for _round


def never(a):
    a[::2] = a[1::2]
# NEVER: parallel for _at


def turned(a):
    a[:] = a[::-1] - a
# TURNED: parallel for _at
# TURNED: if
# TURNED-COUNT-3: store


def kept(a):
    a[2:-1] = a[:-3] + a[3:]
# KEPT-NOT: warning
# KEPT: _old[[ONE:[0-9]+]] = load
# KEPT-NEXT: _old[[TWO:[0-9]+]] = load
# KEPT: for _at
# KEPT: _now[[NOW:[0-9]+]] = load
# KEPT-NEXT: store({{.*}}_old[[TWO]]
# KEPT-NEXT: _old[[TWO]] = _old[[ONE]]
# KEPT-NEXT: _old[[ONE]] = _now[[NOW]]


def nearest(m):
    m[1:, :-1] += m[:-1, 1:]
# NEAREST: for _round
# NEAREST: for _at
# NEAREST: store
