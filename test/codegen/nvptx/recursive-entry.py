# An entry that calls itself: a function of the device does, and the kernel calls that. OpenCL refuses it by name; a kernel of the source is never called.
# RUN: cplc %s:fact --as function --types n=int64 --target cuda --emit ptx -o %t.ptx && FileCheck \
# RUN:   %s < %t.ptx
# RUN: %if ptxas %{ %ptxas -arch=sm_75 %t.ptx -o %t.cubin %}
# RUN: cplc %s:fact --as function --types n=int64 --target cuda --emit ptx --print-after=grid 2>&1 \
# RUN:   | FileCheck %s --check-prefix=IR
# RUN: cplc %s:down --as function --types x=int32[] --target cuda --emit ptx \
# RUN:   --option bounds_check=1 -o %t2.ptx
# RUN: %if ptxas %{ %ptxas -arch=sm_75 %t2.ptx -o %t2.cubin %}
# RUN: not cplc %s:fact --as function --types n=int64 --emit opencl-c 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OPENCL
# RUN: not cplc %s:down --as kernel --types x=int32[] --target cuda --emit ptx 2>&1 \
# RUN:   | FileCheck %s --check-prefix=KERNEL

def fact(n: int) -> int:
    if n < 2:
        return 1
    return n*fact(n - 1)

def down(x, n: int) -> None:
    x[n] = n
    if n > 0:
        down(x, n - 1)

# CHECK: .entry fact(
# CHECK: call.uni (retval0), fact_$_body, (param0);
# IR: func fact.body(n: int64) -> int64 {
# IR: t = call fact.body(sub(n, 1:int64))
# IR: entry kernel func fact(n: int64, cpl_result: int64 global* result) {
# IR: result = call fact.body(n)
# IR-NEXT: store(cpl_result, result)
# OPENCL: recursive-entry.py:18:14: error: {{.*}}: 'fact' calls itself, for which OpenCL has no stack
# OPENCL-NOT: error:
# KERNEL: recursive-entry.py:23:9: error: 'down' is a kernel, which a launch runs and no call
# KERNEL: hint: a function of the file that the kernel calls may call itself
