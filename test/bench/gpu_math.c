/*
 * libcpl's mathematics on a GPU: gpu_math TARGET LENGTH, one line a formula of gpu_math.def: name,
 * who, ms of the device's clock. gpu.py runs it, and gpu_math.cu, which measures the same by nvcc.
 */
#include "gpu_common.h"

#include <stdlib.h>
#include <string.h>

typedef struct formula {
    const char *name, *type;
    double most;
    const char *text;
} formula;

static const formula formulas[] = {
#define FORMULA(name, type, most, expression) {name, #type, most, #expression},
#include "gpu_math.def"
#undef FORMULA
};

typedef struct bench {
    cpl_context *cx;
    cpl_device *device;
    cpl_queue *queue;
    const char *target;
    int64_t n;
} bench;

static cpl_status open_bench(bench *b)
{
    cpl_status status = open_context("gpu_math", &b->cx);
    if (!status) status = cpl_device_find(b->cx, b->target, &b->device);
    if (!status) status = cpl_queue_create(b->device, NULL, &b->queue);
    if (!status) status = cpl_profile_enable(b->cx, true);
    return status;
}

/* Launches a function of the module; the least of the device's times stays in *ms, 0 at first. */
static cpl_status timed(bench *b, cpl_module *m, const char *function, const cpl_arg *args,
                        size_t count, double *ms)
{
    cpl_launch_options o;
    cpl_event *event = NULL;
    uint64_t ns = 0;
    cpl_launch_options_init(&o);
    o.queue = b->queue;
    o.event = &event;
    cpl_status status = cpl_launch(m, function, &o, args, count);
    if (!status) status = cpl_event_duration(event, &ns);
    cpl_event_release(event);
    if (!status && (*ms == 0 || (double)ns * 1e-6 < *ms)) *ms = (double)ns * 1e-6;
    return status;
}

static cpl_status measure(bench *b, const formula *f, cpl_array *x, cpl_array *y, double *best)
{
    char text[512];
    cpl_module *m = NULL;
    double filling = 0;
    cpl_arg of_x[] = {cpl_arg_of_array(x), cpl_arg_float(f->most)};
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(1.7)};
    snprintf(text, sizeof text,
             "def fill(i, x, most):\n    x[i] = 0.001*(i%%1000 + 1)*most\n\n\n"
             "def f(i, xs, ys, a):\n    x = xs[i]\n    ys[i] = %s\n",
             f->text);
    cpl_status status = cpl_module_from_source(b->cx, "math.py", text, strlen(text), &m);
    if (!status) status = timed(b, m, "fill", of_x, 2, &filling);
    for (int i = 0; i < 20 && !status; i++) status = timed(b, m, "f", args, 3, best);
    cpl_module_release(m);
    return status;
}

static cpl_status run(bench *b, const formula *f)
{
    cpl_dtype dtype = strcmp(f->type, "float") ? CPL_FLOAT64 : CPL_FLOAT32;
    cpl_array *x = NULL, *y = NULL;
    double ms = 0;
    cpl_status status = cpl_array_create(b->cx, b->device, dtype, b->n, &x);
    if (!status) status = cpl_array_create(b->cx, b->device, dtype, b->n, &y);
    if (!status) status = measure(b, f, x, y, &ms);
    cpl_array_release(x);
    cpl_array_release(y);
    if (!status) printf("%s\tcpl %s\t%.6g\tms\n", f->name, b->target, ms);
    fflush(stdout);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    bench b = {.target = argv[1], .n = atoll(argv[2])};
    cpl_status status = open_bench(&b);
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas && !status; i++)
        status = run(&b, &formulas[i]);
    if (status) fprintf(stderr, "gpu_math: %s\n", cpl_status_message(status));
    cpl_queue_release(b.queue);
    cpl_context_release(b.cx);
    return status != CPL_OK;
}
