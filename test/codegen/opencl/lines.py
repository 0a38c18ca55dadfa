# With debug_info, comments show the source; a backslash or a trigraph at the end of a line does not go on with the comment.
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --target opencl:c1.2 --emit opencl-c \
# RUN:   --option debug_info=1 -o %t.cl
# RUN: FileCheck %s --input-file %t.cl
# RUN: %if pocl %{ %pocl %clrun build %t.cl %}
# RUN: cplc %s:f --types 'x=float64[] y=float64[]' --target opencl:c1.2 --emit opencl-c \
# RUN:   | FileCheck --check-prefix=PLAIN %s


def f(i, x, y):
    y[i] = x[i] + \
        2.0
    x[i] = 1.0  # é ??/

# CHECK: // {{.*}}lines.py:11: y[i] = x[i] +
# CHECK-NEXT: y[i] = x[i] + 2.0;
# CHECK-NEXT: // {{.*}}lines.py:13: x[i] = 1.0  # ?? ??/.
# CHECK-NEXT: x[i] = 1.0;
# PLAIN: y[i] = x[i] + 2.0;
# PLAIN-NEXT: x[i] = 1.0;
