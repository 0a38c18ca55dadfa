# Structs of a few numbers are copied number by number; as values around a loop they bring LLVM's back end down.
# RUN: cplc %s:one --types 'p=One[] q=One[] n=int32' --target opencl --emit llvm \
# RUN:   | FileCheck %s --check-prefix=ONE
# RUN: cplc %s:one --types 'p=One[] q=One[] n=int32' --target opencl -o %t.spv
# RUN: %if spirv-val %{ spirv-val --target-env opencl2.2 %t.spv %}
# RUN: cplc %s:swap --types 'p=Pair[] q=Pair[]' --target opencl --emit llvm \
# RUN:   | FileCheck %s --check-prefix=SWAP
# RUN: cplc %s:large --types 'p=Large[] q=Large[]' --target opencl --emit llvm \
# RUN:   | FileCheck %s --check-prefix=LARGE
# RUN: cplc %s:large --types 'p=Large[] q=Large[]' --target opencl -o %t.spv
# RUN: %if spirv-val %{ spirv-val --target-env opencl2.2 %t.spv %}
# One of two, by a condition.
# RUN: cplc %s:least --types 'p=One[] q=One[] n=int32' --target opencl --emit llvm \
# RUN:   | FileCheck %s --check-prefix=LEAST
# RUN: cplc %s:least --types 'p=One[] q=One[] n=int32' --target opencl -o %t.spv
# RUN: %if spirv-val %{ spirv-val --target-env opencl2.2 %t.spv %}
# RUN: cplc %s:chosen --types 'p=Pair[] q=Pair[]' --target opencl -o %t.spv
# RUN: %if spirv-val %{ spirv-val --target-env opencl2.2 %t.spv %}
from compyle.api import declare, struct


@struct
class One:
    a: 'double'


@struct
class Pair:
    k: 'bool'
    m: "matrix((2, 2), 'int')"


@struct
class Large:
    m: "matrix(65)"


def one(i, p, q, n):
    t = declare('One')
    for j in range(n):
        t = p[j]
        q[j] = t

# ONE-NOT: load %One
# ONE-NOT: store %One
# ONE: load double
# ONE: store double
# ONE-NOT: load %One
# ONE-NOT: store %One


def swap(i, p, q):
    q[i] = p[i]

# Both may be one: all is read first.
# SWAP: load i8
# SWAP-COUNT-4: load i32
# SWAP-NOT: load
# SWAP: store i8
# SWAP-COUNT-4: store i32
# SWAP-NOT: {{(load|store)}} %Pair


def large(i, p, q):
    q[i] = p[i]

# LARGE: load %Large


def less(a, b):
    return a if a.a < b.a else b


def least(i, p, q, n):
    t = declare('One')
    t.a = q[i].a
    for j in range(n):
        t = less(p[j], t)
    q[i] = t

# LEAST-NOT: {{(phi|load|store)}} %One


def chosen(i, p, q):
    q[i] = p[i] if i % 2 else q[i + 1]
