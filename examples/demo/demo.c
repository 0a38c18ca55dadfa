/* Launching, measuring and reporting. */
#include "demo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The signature and the "name: type" lines of the locals, broken behind commas into lines of at
 * most 110 columns. */
static void print_types(const char *types)
{
    const size_t left = 14, right = 110;
    size_t column = left;
    printf("  types       ");
    while (*(types += strspn(types, " \n"))) {
        size_t length = strcspn(types, ",\n");
        if (column > left && column + length + 2 > right) {
            printf("\n%*s", (int)left, "");
            column = left;
        } else if (column > left) {
            column += (size_t)printf(" ");
        }
        bool last = types[length + strspn(types + length, ", \n")] == '\0';
        column += (size_t)printf("%.*s%s", (int)length, types,
                                 last                    ? ""
                                 : types[length] == '\n' ? ";"
                                                         : ",");
        types += length + (types[length] == ',');
    }
    putchar('\n');
}

static cpl_launch_options options_of(const launch *l)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.n = l->n;
    return o;
}

static cpl_status run(demo *d, launch *l, cpl_module *module)
{
    cpl_kernel *kernel;
    cpl_status status = cpl_kernel_for(module, l->function, NULL, l->args, l->count, &kernel);
    if (status) return status;
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(d->context, &stats);
    l->compile_ms = stats.total_ms;
    print_types(cpl_kernel_types(kernel));
    l->run_ms = l->first_ms - l->compile_ms;
    cpl_launch_options options = options_of(l);
    for (int i = 0; !status && i < l->repeats; i++) {
        double start = example_now_ms();
        status = cpl_kernel_launch(kernel, &options, l->args, l->count);
        double ms = example_now_ms() - start;
        if (i == 0 || ms < l->run_ms) l->run_ms = ms;
    }
    cpl_kernel_release(kernel);
    return status;
}

cpl_module *demo_module(demo *d, const char *file)
{
    char path[1024];
    size_t size;
    cpl_module *module = NULL;
    snprintf(path, sizeof path, "%s/%s", d->kernels, file);
    char *text = example_text(path, &size);
    if (text) example_ok(cpl_module_from_source(d->context, file, text, size, &module));
    free(text);
    d->failed = d->failed || !module;
    return module;
}

bool demo_launch(demo *d, launch *l)
{
    double start = example_now_ms();
    cpl_module *module = demo_module(d, l->file);
    if (!module) return false;
    cpl_launch_options options = options_of(l);
    cpl_status status = cpl_launch(module, l->function, &options, l->args, l->count);
    l->first_ms = example_now_ms() - start;
    if (!status) status = run(d, l, module);
    if (status) {
        fprintf(stderr, "demo: %s: %s\n", l->file, cpl_status_message(status));
        d->failed = true;
    } else {
        printf("  compile     %.2f ms; from the kernel's text to its first result %.2f ms\n",
               l->compile_ms, l->first_ms);
    }
    cpl_module_release(module);
    return status == CPL_OK;
}

void demo_plain(double run_ms, double plain_ms)
{
    printf("  plain C     %.3f ms on one thread: %.1f times as long\n", plain_ms,
           plain_ms / run_ms);
}

void demo_compare(demo *d, double difference, double allowed)
{
    bool ok = difference <= allowed; /* false for NaN */
    printf("  difference  %.2g from plain C, %.2g is allowed: %s\n", difference, allowed,
           ok ? "ok" : "TOO LARGE");
    d->failed = d->failed || !ok;
}

void demo_picture(demo *d, const char *name, const picture *p)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", d->out, name);
    if (picture_write(p, path)) printf("  picture     %s\n", path);
    else d->failed = true;
}
