/*
 * Host against a device over sizes, and where the option `choose` runs the same: gpu_where TARGET
 * [LARGEST_LOG], one line a figure: what, elements, where ("host", TARGET, or "chosen" and the
 * device), microseconds and, of a choice, what was expected, between tabs. where.py draws them.
 */
#include "gpu_common.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "from math import sin\n"
                           "def axpb(i, x, y, a, b):\n"
                           "    y[i] = a*sin(x[i]) + b\n"
                           "def pairs(i, x, y, n):\n"
                           "    s = 0.0\n"
                           "    for j in range(n):\n"
                           "        d = x[j] - x[i]\n"
                           "        s += d/(d*d + 0.01)\n"
                           "    y[i] = s\n";

enum { ON_HOST, ON_DEVICE, CHOSEN, PLACES };

typedef struct bench {
    cpl_context *cx;
    cpl_module *module;
    cpl_device *devices[2];
    const char *target;
    cpl_array *x, *y; /* on the host at first; then where they were used last */
    float *plain_x, *plain_y;
    int64_t n;
} bench;

/* --- what is timed --- */

typedef cpl_status run_fn(bench *b, const cpl_launch_options *o);

static cpl_status run_axpb(bench *b, const cpl_launch_options *o, cpl_arg x, cpl_arg y)
{
    const cpl_arg args[] = {x, y, cpl_arg_float(2), cpl_arg_float(1)};
    return cpl_launch(b->module, "axpb", o, args, 4);
}

static cpl_status kept(bench *b, const cpl_launch_options *o)
{
    return run_axpb(b, o, cpl_arg_of_array(b->x), cpl_arg_of_array(b->y));
}

static cpl_status copied(bench *b, const cpl_launch_options *o)
{
    return run_axpb(b, o, cpl_arg_array(CPL_FLOAT32, b->plain_x, b->n),
                    cpl_arg_array(CPL_FLOAT32, b->plain_y, b->n));
}

static cpl_status pairs(bench *b, const cpl_launch_options *o)
{
    const cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, b->plain_x, b->n),
                            cpl_arg_array(CPL_FLOAT32, b->plain_y, b->n), cpl_arg_int(b->n)};
    return cpl_launch(b->module, "pairs", o, args, 3);
}

static cpl_status sum(bench *b, const cpl_launch_options *given)
{
    double result;
    cpl_reduce_spec spec;
    cpl_launch_options o = *given;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    o.result = &result;
    const cpl_arg arg = cpl_arg_of_array(b->x);
    return cpl_reduce(b->module, &spec, &o, NULL, &arg, 1);
}

static cpl_status sort(bench *b, const cpl_launch_options *o)
{
    const cpl_arg arg = cpl_arg_array(CPL_FLOAT32, b->plain_x, b->n);
    uint32_t state = 1;
    for (int64_t i = 0; i < b->n; i++) {
        state = state * 1664525u + 1013904223u;
        b->plain_x[i] = (float)(state >> 8);
    }
    return cpl_sort(b->module, NULL, o, &arg, 1);
}

static const struct {
    const char *name;
    run_fn *run;
    int largest; /* logarithm of most elements */
} cases[] = {{"a*sin(x)+b, arrays", kept, 26},
             {"a*sin(x)+b, memory of the host", copied, 26},
             {"sum, arrays", sum, 26},
             {"all pairs, memory of the host", pairs, 18},
             {"sort, memory of the host", sort, 24}};

/* --- where, and for how long --- */

static void options_for(bench *b, int place, cpl_launch_options *o)
{
    cpl_launch_options_init(o);
    o->automatic = true;
    o->choose = place == CHOSEN;
    if (place != CHOSEN) o->queue = cpl_device_queue(b->devices[place]);
}

static cpl_status run_once(bench *b, run_fn *run, const cpl_launch_options *o, double *us)
{
    double begin = now_us();
    cpl_status status = run(b, o);
    for (int i = 0; i < 2 && !status; i++)
        status = cpl_queue_finish(cpl_device_queue(b->devices[i]));
    *us = now_us() - begin;
    return status;
}

typedef struct chosen {
    char device[32], why[CPL_PROFILE_WHY];
} chosen;

static void see(void *user, const cpl_profile_row *row)
{
    chosen *c = user;
    if (row->what != CPL_PROFILE_CHOICE) return;
    snprintf(c->device, sizeof c->device, "%s", row->device);
    snprintf(c->why, sizeof c->why, "%s", row->why);
}

/* The device of one more launch that chooses. */
static cpl_status find_choice(bench *b, run_fn *run, const cpl_launch_options *o, chosen *c)
{
    double us;
    cpl_profile_clear(b->cx);
    cpl_profile_enable(b->cx, true);
    cpl_status status = run_once(b, run, o, &us);
    cpl_profile_enable(b->cx, false);
    *c = (chosen){.device = "host"};
    return status ? status : cpl_profile_each_row(b->cx, see, c);
}

/* The shortest of some times, behind launches that compile, move arrays and learn. */
static cpl_status time_at(bench *b, run_fn *run, int place, const char *name)
{
    enum { WARM = 24, TIMES = 20 };
    static const double enough_us = 400e3;
    cpl_launch_options o;
    options_for(b, place, &o);
    double all = 0, best = 0, us;
    chosen c = {.device = ""};
    cpl_status status = CPL_OK;
    for (int i = 0; i < WARM + TIMES && !status && (all < enough_us || i < WARM / 2); i++) {
        status = run_once(b, run, &o, &us);
        all += us;
        if (i < WARM / 2 || us < best) best = us;
    }
    if (!status && place == CHOSEN) status = find_choice(b, run, &o, &c);
    if (status) return status;
    printf("%s\t%lld\t%s%s\t%.3f\t%s\n", name, (long long)b->n,
           place == CHOSEN    ? "chosen "
           : place == ON_HOST ? "host"
                              : b->target,
           c.device, best, c.why);
    fflush(stdout);
    return CPL_OK;
}

static cpl_status open_size(bench *b, int log)
{
    b->n = (int64_t)1 << log;
    b->plain_x = calloc((size_t)b->n, sizeof *b->plain_x);
    b->plain_y = calloc((size_t)b->n, sizeof *b->plain_y);
    if (!b->plain_x || !b->plain_y) return CPL_ENOMEM;
    cpl_status status = cpl_array_create(b->cx, b->devices[0], CPL_FLOAT32, b->n, &b->x);
    return status ? status : cpl_array_create(b->cx, b->devices[0], CPL_FLOAT32, b->n, &b->y);
}

static void close_size(bench *b)
{
    free(b->plain_x);
    free(b->plain_y);
    cpl_array_release(b->x);
    cpl_array_release(b->y);
    b->plain_x = b->plain_y = NULL;
    b->x = b->y = NULL;
}

static cpl_status time_size(bench *b, int log)
{
    cpl_status status = CPL_OK;
    for (size_t c = 0; c < sizeof cases / sizeof *cases && !status; c++)
        for (int place = 0; place < PLACES && !status && log <= cases[c].largest; place++) {
            status = open_size(b, log);
            if (!status) status = time_at(b, cases[c].run, place, cases[c].name);
            close_size(b);
        }
    return status;
}

static cpl_status open_bench(bench *b)
{
    cpl_status status = open_context("gpu_where", &b->cx);
    if (!status) status = cpl_device_find(b->cx, "host", &b->devices[0]);
    if (!status) status = cpl_device_find(b->cx, b->target, &b->devices[1]);
    if (!status) status = cpl_module_from_source(b->cx, "where", text, sizeof text - 1, &b->module);
    return status;
}

static cpl_status print_costs(bench *b)
{
    cpl_status status = CPL_OK;
    for (int i = 0; i < 2 && !status; i++) {
        cpl_device_costs c = {.size = sizeof c};
        double begin = now_us();
        status = cpl_device_costs_get(b->devices[i], &c);
        fprintf(stderr,
                "%s: launch %.2f us, memory %.1f GB/s, arithmetic %.1f a ns, copy %.2f us, to %.1f "
                "GB/s, from %.1f GB/s; found in %.0f ms\n",
                i ? b->target : "host", c.launch_us, c.memory_gbs, c.arithmetic_gops, c.copy_us,
                c.to_gbs, c.from_gbs, (now_us() - begin) * 1e-3);
    }
    return status;
}

int main(int argc, char **argv)
{
    bench b = {.target = argc > 1 ? argv[1] : "cuda:0"};
    int largest = argc > 2 ? atoi(argv[2]) : 26;
    cpl_status status = open_bench(&b);
    if (!status) status = print_costs(&b);
    for (int log = 8; log <= largest && !status; log += 2) status = time_size(&b, log);
    if (status) fprintf(stderr, "gpu_where: %s\n", cpl_status_message(status));
    cpl_module_release(b.module);
    if (b.cx) cpl_context_release(b.cx);
    return status != CPL_OK;
}
