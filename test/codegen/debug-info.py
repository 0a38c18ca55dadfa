# Line info: functions, lines and columns of the source, in the main code and in what it is split into.
# RUN: cplc %s:scale --types 'x=float64[] a=float64' --emit llvm -O0 --option debug_info=1 \
# RUN:   | FileCheck %s
# RUN: cplc %s:scale --types 'x=float64[] a=float64' --emit llvm -O0 \
# RUN:   | FileCheck %s --check-prefix=OFF
# RUN: cplc %s:scale --types 'x=float64[] a=float64' --emit obj --option debug_info=1 -o %t.o
# RUN: llvm-dwarfdump --verify %t.o | FileCheck %s --check-prefix=VALID
# RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=LINES
# RUN: cplc %S/Inputs/lines.cir:fill --emit llvm -O0 --option debug_info=1 \
# RUN:   | FileCheck %s --check-prefix=IR
# Lines end as they do anywhere.
# RUN: %python -c "open('%t.py', 'wb').write(b'def f(x, k):\r    y = x + 1.5\r\n    return y*x\r')"
# RUN: cplc %t.py:f --as function --types 'x=float64 k=int32' --emit llvm -O0 \
# RUN:   --option debug_info=1 | FileCheck %s --check-prefix=ENDS
# ENDS: fadd{{.*}} !dbg ![[ADD:[0-9]+]]
# ENDS: fmul{{.*}} !dbg ![[MUL:[0-9]+]]
# ENDS: ![[ADD]] = !DILocation(line: 2, column: 5
# ENDS: ![[MUL]] = !DILocation(line: 3, column: 5
# OFF-NOT: !dbg
# VALID: No errors.
#
# CHECK: define void @scale({{.*}} !dbg ![[ENTRY:[0-9]+]]
# CHECK: call void{{.*}} @__kmpc_fork_call{{.*}} !dbg
# CHECK: define internal void @scale.par(ptr{{.*}} !dbg ![[PART:[0-9]+]]
# CHECK: fmul{{.*}} !dbg ![[MUL:[0-9]+]]
# CHECK: fadd{{.*}} !dbg ![[ADD:[0-9]+]]
# CHECK: define internal void @scale.par.task{{.*}} !dbg ![[TASK:[0-9]+]]
# CHECK-DAG: ![[FILE:[0-9]+]] = !DIFile(filename: "{{.*}}debug-info.py", directory: "")
# CHECK-DAG: ![[ENTRY]] = distinct !DISubprogram(name: "scale", scope: ![[FILE]], file: ![[FILE]], line: [[@LINE+5]]
# CHECK-DAG: ![[PART]] = distinct !DISubprogram(name: "scale.par", scope: ![[FILE]], file: ![[FILE]], line: [[@LINE+4]]
# CHECK-DAG: ![[TASK]] = distinct !DISubprogram(name: "scale.par.task", scope: ![[FILE]], file: ![[FILE]], line: [[@LINE+3]]
# CHECK-DAG: ![[MUL]] = !DILocation(line: [[@LINE+3]], column: 5, scope: ![[PART]])
# CHECK-DAG: ![[ADD]] = !DILocation(line: [[@LINE+5]], column: 9, scope: ![[PART]])
def scale(i, x, a):
    t = a*x[i]
    if t < 1.0:
        # a comment has no code
        t = t + 1.0
    x[i] = t
# LINES: {{^0x[0-9a-f]+ +}}[[@LINE-5]] {{ *}}5
# LINES: {{^0x[0-9a-f]+ +}}[[@LINE-2]] {{ *}}5
#
# IR: ![[FILE:[0-9]+]] = !DIFile(filename: "{{.*}}lines.cir"
# IR: !DISubprogram(name: "fill", {{.*}}line: 2,
# IR: !DILocation(line: 3, column: 5
