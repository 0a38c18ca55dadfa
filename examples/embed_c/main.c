/* A kernel given as text, run over arrays of a C program on all cores. */
#include <cpl/cpl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "def wave(i, x, y, a, b):\n"
                             "    y[i] = a*sin(x[i]) + b\n";

/* Receives what the compiler has to say: file, line, column, the line itself and a caret. */
static void print_diag(void *stream, const cpl_diag *diag)
{
    char text[2000];
    cpl_diag_render(diag, text, sizeof text);
    fputs(text, stream);
}

static double largest_error(const double *x, const double *y, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(y[i] - (2.5 * sin(x[i]) + 1)));
    return worst;
}

int main(void)
{
    enum { N = 1000000 };
    double *x = malloc(N * sizeof *x), *y = calloc(N, sizeof *y);
    if (!x || !y) return 1;
    for (int i = 0; i < N; i++) x[i] = 1e-5 * i;

    cpl_context *context;
    cpl_module *module = NULL;
    cpl_status status = cpl_context_create(NULL, &context);
    if (status == CPL_OK) {
        cpl_context_set_sink(context, print_diag, stderr);
        status = cpl_module_from_source(context, "wave.py", source, strlen(source), &module);
    }
    if (status == CPL_OK) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                          cpl_arg_float(2.5), cpl_arg_int(1)};
        status = cpl_launch(module, "wave", NULL, args, 4);
    }
    double worst = status == CPL_OK ? largest_error(x, y, N) : INFINITY;
    if (status == CPL_OK)
        printf("wave: %d elements, largest difference from libm %.2g\n", N, worst);
    else fprintf(stderr, "embed_c: %s\n", cpl_status_message(status));

    cpl_module_release(module);
    cpl_context_release(context);
    free(x);
    free(y);
    return worst < 1e-14 ? 0 : 1;
}
