# printf's directives fit their arguments.
# RUN: cplc %s:f --types 'x=float32[] k=int64[] b=bool[]' --emit types | FileCheck %s

def f(i, x, k, b):
    printf("plain 100%%\n")
    printf("%d %5.2f %-8e %lu %x %g %c %i\n", k[i], x[i], 1.5, k[i], 255, x[i]*2.0, 65, b[i])

# CHECK: f(i: int64, x: float32[], k: int64[], b: bool[]) -> void
