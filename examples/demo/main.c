/*
 * demo [--kernels DIR] [--data DIR] [--out DIR]: three kernels on real input through the C API of
 * libcpl, each compared with plain C. Exit status: 0, 1 if a kernel failed or differs by more than
 * is allowed, 2 bad usage, 77 without the elevation grid.
 */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_diag(void *user, const cpl_diag *diag)
{
    (void)user;
    char text[4096];
    cpl_diag_render(diag, text, sizeof text);
    fputs(text, stderr);
}

/* The first kernel of a process pays for starting LLVM and OpenMP. */
static double warm_up(cpl_context *context)
{
    static const char source[] = "def warm(i, x):\n    x[i] = x[i] + 1.0\n";
    double start = example_now_ms(), x[4096] = {0};
    cpl_module *module = NULL;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, 4096);
    if (!cpl_module_from_source(context, "warm.py", source, sizeof source - 1, &module))
        cpl_launch(module, "warm", NULL, &arg, 1);
    cpl_module_release(module);
    return example_now_ms() - start;
}

static bool read_options(demo *d, int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char **to = !strcmp(argv[i], "--kernels") ? &d->kernels
                          : !strcmp(argv[i], "--data")  ? &d->data
                          : !strcmp(argv[i], "--out")   ? &d->out
                                                        : NULL;
        if (!to || i + 1 == argc) return false;
        *to = argv[i + 1];
    }
    return true;
}

int main(int argc, char **argv)
{
    demo d = {.kernels = "examples/demo", .data = ".dev/data", .out = "build/demo"};
    if (!read_options(&d, argc, argv)) {
        fputs("usage: demo [--kernels DIR] [--data DIR] [--out DIR]\n", stderr);
        return 2;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/elevation.npy", d.data);
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "demo: %s is missing; ./dev setup fetches it\n", path);
        return 77;
    }
    /* kernels that an earlier run left on disk would make a show of compile times */
    setenv("CPL_CACHE", "0", 1);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = print_diag;
    cpl_status status = cpl_context_create(&options, &d.context);
    if (status) {
        fprintf(stderr, "demo: %s\n", cpl_status_message(status));
        return 1;
    }
    printf("libcpl %s; a first small kernel, with starting LLVM and OpenMP: %.1f ms\n",
           cpl_version_text(), warm_up(d.context));
    demo_hillshade(&d);
    demo_julia(&d);
    demo_vortex(&d);
    cpl_context_release(d.context);
    return d.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
