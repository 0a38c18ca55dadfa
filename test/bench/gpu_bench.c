/*
 * libcpl's side of `./dev bench --gpu`: gpu_bench TARGET ROOT COMMAND... (TARGET: cuda, cuda:1,
 * opencl:c1.2...), one line a figure: name, who, value and unit between tabs. Every figure stands
 * for itself: what fails says so on stderr and the rest goes on. gpu.py runs it and gpu_peer.cu,
 * which measures the same.
 */
#include "gpu_bench.h"
#include "gpu_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void figure(const bench *b, const char *name, double value, const char *unit)
{
    printf("%s\tcpl %s\t%.6g\t%s\n", name, b->who, value, unit);
    fflush(stdout);
}

bool bad(bench *b, const char *what, cpl_status status)
{
    if (!status) return false;
    fprintf(stderr, "gpu_bench: %s: %s\n", what, cpl_status_message(status));
    b->failed++;
    return true;
}

/* Reads what stands before the colon of "opencl:1" into who; false for "opencl", "cuda:sm_90" and
 * the like, which say it all. */
static bool names_device(bench *b)
{
    const char *colon = strchr(b->target, ':');
    bool named = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
    snprintf(b->who, sizeof b->who, "%.*s",
             named ? (int)(colon - b->target) : (int)strlen(b->target), b->target);
    return named;
}

static bool open_bench(bench *b)
{
    bool named = names_device(b);
    if (bad(b, "context", open_context("gpu_bench", &b->cx))) return false;
    if (bad(b, b->target, cpl_device_find(b->cx, b->target, &b->device))) return false;
    cpl_queue_options how;
    cpl_queue_options_init(&how);
    how.target = strchr(b->target, ':') && !named ? b->target : NULL;
    return !bad(b, "queue", cpl_queue_create(b->device, &how, &b->queue));
}

static cpl_module *open_file(bench *b, const char *name)
{
    char path[1024];
    cpl_module *m = NULL;
    snprintf(path, sizeof path, "%s/%s", b->root, name);
    bad(b, path, cpl_module_from_file(b->cx, path, &m));
    return m;
}

cpl_module *open_text(bench *b, const char *text)
{
    cpl_module *m = NULL;
    bad(b, "module", cpl_module_from_source(b->cx, "bench.py", text, strlen(text), &m));
    return m;
}

cpl_array *filled(bench *b, cpl_dtype dtype, int64_t n, const char *expression)
{
    char text[256];
    cpl_array *a = NULL;
    if (bad(b, "array", cpl_array_create(b->cx, b->device, dtype, n, &a))) return NULL;
    snprintf(text, sizeof text, "def fill(i, x):\n    x[i] = %s\n", expression);
    cpl_module *m = open_text(b, text);
    cpl_arg arg = cpl_arg_of_array(a);
    if (m) bad(b, "fill", cpl_launch(m, "fill", NULL, &arg, 1));
    cpl_module_release(m);
    return a;
}

cpl_launch_options on_queue(const bench *b)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.queue = b->queue;
    return o;
}

/* What a launch runs. */
typedef struct work {
    cpl_kernel *kernel;
    const cpl_arg *args;
    size_t count;
    cpl_launch_options options;
} work;

/* On the queue; over a grid where global is not NULL. */
static work work_of(const bench *b, const cpl_arg *args, size_t count, const int64_t *global,
                    const int64_t *local)
{
    work w = {.args = args, .count = count, .options = on_queue(b)};
    for (int i = 0; i < 3 && global; i++) {
        w.options.form = CPL_FORM_KERNEL;
        w.options.global[i] = global[i];
        w.options.local[i] = local[i];
    }
    return w;
}

static bool get_kernel(bench *b, cpl_module *m, const char *function, work *w)
{
    return !bad(b, function,
                cpl_kernel_for(m, function, &w->options, w->args, w->count, &w->kernel));
}

static cpl_status launch(const work *w, cpl_event **event)
{
    cpl_launch_options o = w->options;
    o.event = event;
    return cpl_kernel_launch(w->kernel, &o, w->args, w->count);
}

/* The fastest of `runs`, in ms of the device's clock; 0 when it failed. */
static double fastest(bench *b, const work *w, int runs)
{
    double best = 0;
    cpl_profile_enable(b->cx, true);
    for (int i = 0; i < runs; i++) {
        cpl_event *event = NULL;
        uint64_t ns = 0;
        cpl_status status = launch(w, &event);
        if (!status) status = cpl_event_duration(event, &ns);
        cpl_event_release(event);
        if (bad(b, "launch", status)) break;
        if (i == 0 || (double)ns * 1e-6 < best) best = (double)ns * 1e-6;
    }
    cpl_profile_enable(b->cx, false);
    return best;
}

/* --- memory: bytes moved a second --- */

static void stream(bench *b, const char *name, const char *text, cpl_dtype dtype, int64_t n,
                   double touched)
{
    cpl_module *m = open_text(b, text);
    cpl_array *x = filled(b, dtype, n, "0.001*(i % 1000)"), *y = filled(b, dtype, n, "1.0");
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2.5),
                      cpl_arg_float(1.25)};
    work w = work_of(b, args, 4, NULL, NULL);
    if (m && x && y && get_kernel(b, m, "f", &w)) {
        double ms = fastest(b, &w, 20);
        if (ms > 0)
            figure(b, name, touched * (double)n * (double)cpl_dtype_size(dtype) / ms * 1e-6,
                   "GB/s");
    }
    cpl_kernel_release(w.kernel);
    cpl_array_release(x);
    cpl_array_release(y);
    cpl_module_release(m);
}

static void streams(bench *b, int64_t n)
{
    stream(b, "a*sin(x)+b f64", "def f(i, x, y, a, b):\n    y[i] = a*sin(x[i]) + b\n", CPL_FLOAT64,
           n, 2);
    stream(b, "saxpy f32", "def f(i, x, y, a, b):\n    y[i] = a*x[i] + y[i]\n", CPL_FLOAT32, n, 3);
    stream(b, "copy f64", "def f(i, x, y, a, b):\n    y[i] = x[i]\n", CPL_FLOAT64, n, 2);
}

/* --- low-level kernels --- */

static void matmul(bench *b, int64_t n)
{
    cpl_module *m = open_file(b, "examples/matmul.py");
    cpl_array *x = filled(b, CPL_FLOAT32, n * n, "0.5"), *y = filled(b, CPL_FLOAT32, n * n, "0.25"),
              *z = filled(b, CPL_FLOAT32, n * n, "0.0");
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_of_array(z),
                      cpl_arg_int(n),      cpl_arg_int(n),      cpl_arg_int(n)};
    work w = work_of(b, args, 6, (int64_t[]){n, n, 1}, (int64_t[]){16, 16, 1});
    if (m && x && y && z && get_kernel(b, m, "matmul", &w)) {
        double ms = fastest(b, &w, 10);
        float *c = malloc((size_t)(n * n) * sizeof *c);
        if (ms > 0 && c && !bad(b, "read", cpl_array_read(z, b->queue, c, NULL))) {
            if (c[0] != 0.125f * (float)n || c[n * n - 1] != c[0])
                bad(b, "matmul: wrong result", CPL_EINTERNAL);
            else figure(b, "matmul f32", 2e-6 * (double)n * (double)n * (double)n / ms, "GFLOP/s");
        }
        free(c);
    }
    cpl_kernel_release(w.kernel);
    cpl_array_release(x);
    cpl_array_release(y);
    cpl_array_release(z);
    cpl_module_release(m);
}

static void vortex(bench *b, int64_t n)
{
    cpl_module *m = open_file(b, "examples/vortex_tiled.py");
    cpl_array *x = filled(b, CPL_FLOAT64, n, "sin(0.37*i)"),
              *y = filled(b, CPL_FLOAT64, n, "cos(0.11*i)"), *g = filled(b, CPL_FLOAT64, n, "1.0"),
              *u = filled(b, CPL_FLOAT64, n, "0.0"), *v = filled(b, CPL_FLOAT64, n, "0.0");
    if (m && x && y && g && u && v) {
        cpl_arg direct[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_of_array(g),
                            cpl_arg_of_array(u), cpl_arg_of_array(v), cpl_arg_int(n)};
        work w = work_of(b, direct, 6, NULL, NULL);
        if (get_kernel(b, m, "vortex", &w)) {
            double ms = fastest(b, &w, 3);
            if (ms > 0) figure(b, "vortex N^2 direct", ms, "ms");
        }
        cpl_kernel_release(w.kernel);
        cpl_arg local = cpl_arg_local(CPL_FLOAT64, 256);
        cpl_arg tiled[] = {direct[0], direct[1], direct[2], direct[3],     direct[4],
                           local,     local,     local,     cpl_arg_int(n)};
        work t = work_of(b, tiled, 9, (int64_t[]){n, 1, 1}, (int64_t[]){256, 1, 1});
        if (get_kernel(b, m, "tiled", &t)) {
            double ms = fastest(b, &t, 3);
            if (ms > 0) figure(b, "vortex N^2 tiled", ms, "ms");
        }
        cpl_kernel_release(t.kernel);
    }
    cpl_array *const all[] = {x, y, g, u, v};
    for (int i = 0; i < 5; i++) cpl_array_release(all[i]);
    cpl_module_release(m);
}

/* --- a loop that each point leaves at another time; sums into few cells --- */

/* Points of the square around 0 of the given edge, row by row. */
static void julia(bench *b, int64_t edge)
{
    char row[64], column[64];
    snprintf(column, sizeof column, "-1.5 + 3.0*(i %% %lld)/%lld", (long long)edge,
             (long long)edge - 1);
    snprintf(row, sizeof row, "-1.5 + 3.0*(i // %lld)/%lld", (long long)edge, (long long)edge - 1);
    cpl_module *m = open_file(b, "test/bench/kernels.py");
    cpl_array *z = filled(b, CPL_FLOAT64, edge * edge, "0.0"),
              *re = filled(b, CPL_FLOAT64, edge * edge, column),
              *im = filled(b, CPL_FLOAT64, edge * edge, row);
    cpl_arg args[] = {cpl_arg_of_array(z), cpl_arg_of_array(re), cpl_arg_of_array(im),
                      cpl_arg_float(0.7885 * cos(3.0)), cpl_arg_float(0.7885 * sin(3.0))};
    work w = work_of(b, args, 5, NULL, NULL);
    if (m && z && re && im && get_kernel(b, m, "julia", &w)) {
        double ms = fastest(b, &w, 10);
        if (ms > 0) figure(b, "julia f64", ms, "ms");
    }
    cpl_kernel_release(w.kernel);
    cpl_array_release(z);
    cpl_array_release(re);
    cpl_array_release(im);
    cpl_module_release(m);
}

typedef struct cells {
    const char *name, *kernel;
    cpl_dtype dtype;
    int64_t count;
} cells;

static void few_cells(bench *b, int64_t n, const cells *c)
{
    char cell[64];
    snprintf(cell, sizeof cell, "(i*2654435761 >> 8) & %lld", (long long)c->count - 1);
    cpl_module *m = open_file(b, "test/bench/kernels.py");
    cpl_array *values = filled(b, CPL_INT32, n, cell), *x = filled(b, c->dtype, n, "i % 8"),
              *sums = filled(b, c->dtype, c->count, "0");
    cpl_arg args[] = {cpl_arg_of_array(values), cpl_arg_of_array(sums), cpl_arg_of_array(x)};
    bool weighs = !strcmp(c->kernel, "sums_by_cell");
    work w = work_of(b, args, weighs ? 3 : 2, NULL, NULL);
    if (m && values && x && sums && get_kernel(b, m, c->kernel, &w)) {
        double ms = fastest(b, &w, 10);
        double bytes = 4 + (weighs ? (double)cpl_dtype_size(c->dtype) : 0);
        if (ms > 0) figure(b, c->name, bytes * 1e-6 * (double)n / ms, "GB/s");
    }
    cpl_kernel_release(w.kernel);
    cpl_array_release(values);
    cpl_array_release(x);
    cpl_array_release(sums);
    cpl_module_release(m);
}

static void loops(bench *b, int64_t edge)
{
    static const cells all[] = {
        {"counts by atomics, 256 cells", "histogram", CPL_INT32, 256},
        {"sums by atomics f32, 256 cells", "sums_by_cell", CPL_FLOAT32, 256},
        {"sums by atomics f64, 256 cells", "sums_by_cell", CPL_FLOAT64, 256},
    };
    julia(b, edge);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) few_cells(b, 4 * edge * edge, &all[i]);
}

/* --- what a launch costs the caller --- */

/* How a launch is asked for. */
typedef enum way { HELD, BY_NAME, GRAPH } way;

static void launch_cost(bench *b, way how, const char *name)
{
    enum { ROUND = 1000, ROUNDS = 10 };
    cpl_module *m = open_text(b, "def f(i, x, y):\n    y[i] = x[i]\n");
    cpl_array *x = filled(b, CPL_FLOAT32, 1, "1.0"), *y = filled(b, CPL_FLOAT32, 1, "1.0");
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
    work w = work_of(b, args, 2, NULL, NULL);
    cpl_graph *graph = NULL;
    double best = 0;
    cpl_status status =
        m && x && y ? cpl_kernel_for(m, "f", &w.options, args, 2, &w.kernel) : CPL_EARG;
    if (!status) status = launch(&w, NULL); /* loads it */
    if (!status && how == GRAPH) {
        status = cpl_graph_begin(b->queue);
        for (int i = 0; !status && i < ROUND; i++) status = launch(&w, NULL);
        if (!status) status = cpl_graph_end(b->queue, &graph);
    }
    for (int r = 0; !status && r < ROUNDS; r++) {
        status = cpl_queue_finish(b->queue);
        double begin = now_us();
        if (how == GRAPH && !status) status = cpl_graph_launch(graph, b->queue, NULL);
        for (int i = 0; !status && how != GRAPH && i < ROUND; i++)
            status = how == HELD ? launch(&w, NULL) : cpl_launch(m, "f", &w.options, args, 2);
        if (!status) status = cpl_queue_finish(b->queue);
        double us = (now_us() - begin) / ROUND;
        if (r == 0 || us < best) best = us;
    }
    if (!bad(b, name, status)) figure(b, name, best, "us");
    cpl_graph_release(graph);
    cpl_kernel_release(w.kernel);
    cpl_array_release(x);
    cpl_array_release(y);
    cpl_module_release(m);
}

static void launches(bench *b)
{
    launch_cost(b, HELD, "launch, kernel held");
    launch_cost(b, BY_NAME, "launch, by name");
    launch_cost(b, GRAPH, "launch, in a graph of 1000");
}

/* --- from a text to its result, each text new --- */

enum { FIRST_LENGTH = 256 };

/* Brings what is the last value of y from a text, whose number makes it new. */
typedef cpl_status first_fn(bench *b, int number, cpl_array *x, cpl_array *y, double *last);

static cpl_status read_last(bench *b, cpl_array *y, double *last)
{
    double values[FIRST_LENGTH];
    cpl_status status = cpl_array_read(y, b->queue, values, NULL);
    *last = values[FIRST_LENGTH - 1];
    return status;
}

static cpl_status first_kernel(bench *b, int number, cpl_array *x, cpl_array *y, double *last)
{
    char text[256];
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2.0)};
    snprintf(text, sizeof text, "def f(i, x, y, a):\n    y[i] = a*sin(x[i]) + %d.25\n", number);
    cpl_status status = cpl_module_from_source(b->cx, "first.py", text, strlen(text), &m);
    if (!status) status = cpl_launch(m, "f", NULL, args, 3);
    if (!status) status = read_last(b, y, last);
    *last -= 2 * sin(0.5) + 0.25;
    cpl_module_release(m);
    return status;
}

static cpl_status open_operator(bench *b, int number, cpl_module **m)
{
    char text[256];
    snprintf(text, sizeof text,
             "def most(a, b):\n    return max(a, b)\n"
             "def at(i, x, *rest):\n    return 3*x[i] + %d.25\n",
             number);
    return cpl_module_from_source(b->cx, "first.py", text, strlen(text), m);
}

static cpl_status first_reduction(bench *b, int number, cpl_array *x, cpl_array *y, double *last)
{
    cpl_module *m = NULL;
    cpl_arg arg = cpl_arg_of_array(x);
    cpl_reduce_spec spec;
    cpl_launch_options o = on_queue(b);
    (void)y;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_function("most");
    spec.neutral = cpl_bind_expression("-INFINITY");
    spec.map = cpl_bind_function("at");
    o.result = last;
    cpl_status status = open_operator(b, number, &m);
    if (!status) status = cpl_reduce(m, &spec, &o, NULL, &arg, 1);
    *last -= 1.75;
    cpl_module_release(m);
    return status;
}

static cpl_status first_scan(bench *b, int number, cpl_array *x, cpl_array *y, double *last)
{
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
    cpl_scan_spec spec;
    cpl_launch_options o = on_queue(b);
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_function("most");
    spec.neutral = cpl_bind_expression("-INFINITY");
    spec.input = cpl_bind_function("at");
    cpl_status status = open_operator(b, number, &m);
    if (!status) status = cpl_scan(m, &spec, &o, args, 2);
    if (!status) status = read_last(b, y, last);
    *last -= 1.75;
    cpl_module_release(m);
    return status;
}

/* seed makes the texts new, or those of an earlier process. */
static void first_of(bench *b, const char *name, int seed, first_fn *call)
{
    enum { TEXTS = 9 };
    double ms[TEXTS];
    int done = 0;
    cpl_array *x = filled(b, CPL_FLOAT64, FIRST_LENGTH, "0.5"),
              *y = filled(b, CPL_FLOAT64, FIRST_LENGTH, "0.0");
    if (x && y) bad(b, "finish", cpl_queue_finish(b->queue));
    for (int i = 0; x && y && i < TEXTS; i++) {
        double last = 0, begin = now_us();
        cpl_status status = call(b, seed * 100 + i, x, y, &last);
        double took = (now_us() - begin) * 1e-3;
        if (!status && fabs(last - (seed * 100 + i)) > 1e-9) status = CPL_EINTERNAL;
        if (!bad(b, name, status)) ms[done++] = took;
    }
    qsort(ms, (size_t)done, sizeof *ms, by_value);
    if (done) figure(b, name, ms[done / 2], "ms");
    cpl_array_release(x);
    cpl_array_release(y);
}

static void first_calls(bench *b, const char *name, int seed)
{
    static first_fn *const calls[] = {first_kernel, first_reduction, first_scan};
    static const char *const of[] = {"", " of a reduction", " of a scan"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char text[96];
        const char *rest = name + strcspn(name, ",");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(rest - name), name, of[i], rest);
        first_of(b, text, seed, calls[i]);
    }
}

static int run(bench *b, int count, char **words)
{
    const char *command = words[0];
    int64_t n = count > 1 ? strtoll(words[1], NULL, 10) : 0;
    b->only = count > 1 ? words[1] : "";
    if (!open_bench(b)) return 1;
    int64_t bytes = !strcmp(command, "algorithms") && count > 2 ? atoll(words[2]) : 0;
    if (bad(b, "tile_bytes", cpl_context_set_option(b->cx, "tile_bytes", bytes))) return 1;
    if (!strcmp(command, "streams")) streams(b, n);
    else if (!strcmp(command, "matmul")) matmul(b, n);
    else if (!strcmp(command, "vortex")) vortex(b, n);
    else if (!strcmp(command, "loops")) loops(b, n);
    else if (!strcmp(command, "launches")) launches(b);
    else if (!strcmp(command, "algorithms")) algorithms(b);
    else if (!strcmp(command, "sorts")) sorts(b);
    else if (!strcmp(command, "first") && count > 2) first_calls(b, words[2], (int)n);
    else return 2;
    return b->failed ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: gpu_bench TARGET ROOT streams N | matmul N | vortex N | loops EDGE "
                        "| launches | "
                        "algorithms [NAME [TILE_BYTES]] | sorts [NAME] | "
                        "first SEED NAME\n");
        return 2;
    }
    bench b = {.target = argv[1], .root = argv[2]};
    int status = run(&b, argc - 3, argv + 3);
    cpl_queue_release(b.queue);
    if (b.cx) cpl_context_release(b.cx);
    return status;
}
