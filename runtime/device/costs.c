/*
 * What launches and copies take on a device: what a launch is given to a device by (choice.c).
 * Measured once on a machine, in a context of its own, and kept on disk; $CPL_COSTS says otherwise:
 *
 *     CPL_COSTS="cuda:0 launch=6 memory=2500 to=20 from=20; host memory=40"
 */
#include "runtime/device/device.h"
#include "lib/support/clock.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

/* --- curves --- */

static double point_size(int k)
{
    return (double)((uint64_t)COST_LEAST << 2 * k);
}

/* As a line between points, beyond them as between the outer two; not below 0. */
double cost_at(const cost_curve *c, double size)
{
    int k = 0;
    if (size <= point_size(0)) return c->us[0];
    while (k < COST_POINTS - 2 && size > point_size(k + 1)) k++;
    double per = (c->us[k + 1] - c->us[k]) / (point_size(k + 1) - point_size(k)),
           us = c->us[k] + (size - point_size(k)) * per;
    return us > 0 ? us : 0;
}

/* Thousands a microsecond between the largest sizes: GB/s of bytes. 0: it takes no time. */
static double rate_of(const cost_curve *c)
{
    int last = COST_POINTS - 1;
    double us = c->us[last] - c->us[last - 1];
    return us > 0 ? (point_size(last) - point_size(last - 1)) / us * 1e-3 : 0;
}

static cost_curve straight(double us, double rate)
{
    cost_curve c;
    for (int k = 0; k < COST_POINTS; k++)
        c.us[k] = (float)(us + (rate > 0 ? point_size(k) / rate * 1e-3 : 0));
    return c;
}

/* --- what a user says --- */

/* Numbers by name, as in cpl_device_costs. */
static const struct {
    const char *name;
    size_t at;
} figures[] = {{"launch", offsetof(cpl_device_costs, launch_us)},
               {"memory", offsetof(cpl_device_costs, memory_gbs)},
               {"arithmetic", offsetof(cpl_device_costs, arithmetic_gops)},
               {"copy", offsetof(cpl_device_costs, copy_us)},
               {"to", offsetof(cpl_device_costs, to_gbs)},
               {"from", offsetof(cpl_device_costs, from_gbs)}};

static double *figure(cpl_device_costs *of, size_t which)
{
    return (double *)((char *)of + figures[which].at);
}

static void summarise(const device_costs *c, cpl_device_costs *out)
{
    out->launch_us = c->memory.us[0];
    out->memory_gbs = rate_of(&c->memory);
    out->arithmetic_gops = COST_WORK * rate_of(&c->arithmetic);
    out->copy_us = c->to.us[0];
    out->to_gbs = rate_of(&c->to);
    out->from_gbs = rate_of(&c->from);
}

static void straighten(device_costs *c, const cpl_device_costs *from)
{
    c->memory = straight(from->launch_us, from->memory_gbs);
    c->arithmetic = straight(from->launch_us, from->arithmetic_gops / COST_WORK);
    c->to = straight(from->copy_us, from->to_gbs);
    c->from = straight(from->copy_us, from->from_gbs);
}

/* One "name=number" at *at, which moves behind it; false: it is none. */
static bool read_figure(const char **at, cpl_device_costs *out, locale_t c)
{
    for (size_t i = 0; i < COUNT_OF(figures); i++) {
        size_t n = strlen(figures[i].name);
        if (strncmp(*at, figures[i].name, n) != 0 || (*at)[n] != '=') continue;
        char *end;
        double value = strtod_l(*at + n + 1, &end, c);
        if (end == *at + n + 1 || !isfinite(value) || value < 0) return false;
        *figure(out, i) = value;
        *at = end;
        return true;
    }
    return false;
}

/* The figures of one device, up to the next semicolon; NULL: all are there, else what is none. */
static const char *read_figures(const char *at, cpl_device_costs *out)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool good = c != (locale_t)0;
    at += strspn(at, " ,");
    while (good && *at && *at != ';') {
        good = read_figure(&at, out, c);
        if (good) at += strspn(at, " ,");
    }
    if (c) freelocale(c);
    return good ? NULL : at;
}

/* What $CPL_COSTS has behind the device's label, or NULL. */
static const char *said_of(const cpl_device *d)
{
    const char *at = secure_getenv("CPL_COSTS");
    size_t n = strlen(d->info.label);
    while (at) {
        at += strspn(at, " ");
        if (strncmp(at, d->info.label, n) == 0 && strchr(" ;", at[n])) return at + n;
        at = strchr(at, ';');
        if (at) at++;
    }
    return NULL;
}

bool costs_are_said(const cpl_device *d)
{
    return said_of(d) != NULL;
}

/* --- measuring --- */

enum { MOST_BYTES = COST_LEAST << 2 * (COST_POINTS - 1), WARM = 1, TIMES = 5, AGAIN = 3 };
static const double enough_us = 3000, most_us = 20000; /* at a size */

typedef struct trial {
    cpl_queue *queue;
    cpl_array *arrays[2]; /* of float32, each of MOST_BYTES */
    cpl_kernel *kernels[2];
    double work; /* micro-operations of a round of the second one */
    void *memory;
} trial;

enum { COPIES, COUNTS };
static const char text[] = "def copies(i, x, y):\n"
                           "    y[i] = x[i]\n"
                           "def counts(i, x, y):\n"
                           "    a = x[i]\n"
                           "    for k in range(256):\n"
                           "        a = a*0.5 + 1.0\n"
                           "    y[i] = a\n";

typedef cpl_status (*trial_fn)(trial *t, double size);

static cpl_status run_kernel(trial *t, int which, double rounds)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.queue = t->queue;
    o.n = rounds < 1 ? 1 : (int64_t)rounds;
    const cpl_arg args[] = {cpl_arg_of_array(t->arrays[0]), cpl_arg_of_array(t->arrays[1])};
    cpl_status status = launch_held(t->kernels[which], &o, args, COUNT_OF(args));
    return status ? status : cpl_queue_finish(t->queue);
}

static cpl_status run_memory(trial *t, double size)
{
    return run_kernel(t, COPIES, size / 8);
}

static cpl_status run_arithmetic(trial *t, double size)
{
    return run_kernel(t, COUNTS, COST_WORK * size / t->work);
}

/* The first elements of an array, as one. */
static cpl_status copy(trial *t, double size, bool to)
{
    cpl_array *part;
    const cpl_slice slice = cpl_slice_range(0, (int64_t)(size / 4), 1);
    cpl_status status = cpl_array_slice(t->arrays[0], &slice, 1, &part);
    if (status) return status;
    status = to ? cpl_array_write(part, t->queue, t->memory, NULL)
                : cpl_array_read(part, t->queue, t->memory, NULL);
    if (!status) status = cpl_queue_finish(t->queue);
    cpl_array_release(part);
    return status;
}

static cpl_status run_to(trial *t, double size)
{
    return copy(t, size, true);
}

static cpl_status run_from(trial *t, double size)
{
    return copy(t, size, false);
}

/* The shortest of a few times, of many where it is short: threads that sleep are slow. */
static cpl_status time_one(trial *t, trial_fn run, double size, float *us)
{
    double all = 0, best = INFINITY;
    cpl_status status = CPL_OK;
    for (int i = 0; (i < WARM + TIMES ? all < most_us : all < enough_us) && !status; i++) {
        uint64_t begin = now_ns();
        status = run(t, size);
        double took = (double)(now_ns() - begin) * 1e-3;
        if (i < WARM) continue;
        all += took;
        if (took < best) best = took;
    }
    *us = (float)best;
    return status;
}

/* The rate comes of the largest two. Other programs lengthen times and never shorten them: the
 * smaller one is at fault where the larger one, of four times as much, took no longer. Where it
 * still is, the larger one alone says what a byte takes: a rate of 0 would cost nothing. */
static cpl_status time_last(trial *t, trial_fn run, float last[2])
{
    cpl_status status = CPL_OK;
    for (int i = 0; i < AGAIN && last[0] >= last[1] && !status; i++) {
        float us;
        status = time_one(t, run, point_size(COST_POINTS - 2), &us);
        if (us < last[0]) last[0] = us;
    }
    if (last[0] >= last[1]) last[0] = last[1] / 4;
    return status;
}

static cpl_status time_curve(trial *t, trial_fn run, cost_curve *c)
{
    cpl_status status = CPL_OK;
    for (int k = 0; k < COST_POINTS && !status; k++)
        status = time_one(t, run, point_size(k), &c->us[k]);
    if (!status) status = time_last(t, run, &c->us[COST_POINTS - 2]);
    for (int k = COST_POINTS - 1; k-- > 0;) /* more takes no less */
        if (c->us[k] > c->us[k + 1]) c->us[k] = c->us[k + 1];
    return status;
}

static cpl_status prepare(trial *t, cpl_context *cx, cpl_device *d, cpl_module *m)
{
    static const char *const names[] = {[COPIES] = "copies", [COUNTS] = "counts"};
    cpl_status status = CPL_OK;
    t->queue = cpl_device_queue(d);
    if (!t->queue) return device_no_queue(d);
    for (size_t i = 0; i < COUNT_OF(t->arrays) && !status; i++)
        status = cpl_array_create(cx, d, CPL_FLOAT32, MOST_BYTES / 4, &t->arrays[i]);
    for (size_t i = 0; i < COUNT_OF(names) && !status; i++) {
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.queue = t->queue;
        const cpl_arg args[] = {cpl_arg_of_array(t->arrays[0]), cpl_arg_of_array(t->arrays[1])};
        status = cpl_kernel_for(m, names[i], &o, args, COUNT_OF(args), &t->kernels[i]);
    }
    return status;
}

/* What the model says of a round of the second function, on whatever device it is timed. */
static cpl_status weigh(trial *t, cpl_module *m)
{
    float one[1] = {0};
    cpl_kernel *k;
    const cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, one, 1), cpl_arg_array(CPL_FLOAT32, one, 1)};
    cpl_status status = cpl_kernel_for(m, "counts", NULL, args, COUNT_OF(args), &k);
    if (status) return status;
    t->work = k->artifact.work;
    cpl_kernel_release(k);
    return CPL_OK;
}

static cpl_status time_all(trial *t, const cpl_device *d, device_costs *out)
{
    cpl_status status = time_curve(t, run_memory, &out->memory);
    if (!status) status = time_curve(t, run_arithmetic, &out->arithmetic);
    if (status || is_host(d)) return status;
    t->memory = calloc(1, MOST_BYTES);
    if (!t->memory) return context_no_memory(d->cx);
    status = time_curve(t, run_to, &out->to);
    return status ? status : time_curve(t, run_from, &out->from);
}

static void drop(trial *t)
{
    for (size_t i = 0; i < COUNT_OF(t->kernels); i++) cpl_kernel_release(t->kernels[i]);
    for (size_t i = 0; i < COUNT_OF(t->arrays); i++) cpl_array_release(t->arrays[i]);
    free(t->memory);
}

static cpl_status measure_in(cpl_context *cx, const char *label, device_costs *out)
{
    trial t = {0};
    cpl_device *d;
    cpl_module *m = NULL;
    cpl_status status = cpl_device_find(cx, label, &d);
    if (!status) status = cpl_module_from_source(cx, "costs", text, sizeof text - 1, &m);
    if (!status) status = weigh(&t, m);
    if (!status) status = prepare(&t, cx, d, m);
    if (!status) status = time_all(&t, d, out);
    drop(&t);
    cpl_module_release(m);
    return status;
}

/* In a context of its own: with no options of the program's, and nothing in its profile. */
static cpl_status measure(cpl_device *d, device_costs *out)
{
    cpl_context *cx;
    cpl_context_options o;
    cpl_context_options_init(&o);
    diag_sink sink = context_sink(d->cx);
    o.sink = sink.fn;
    o.sink_user = sink.user;
    o.openmp = context_openmp(d->cx);
    o.threads = context_threads(d->cx);
    *out = (device_costs){0};
    cpl_status status = cpl_context_create(&o, &cx);
    if (status) return status;
    status = measure_in(cx, d->info.label, out);
    cpl_context_release(cx);
    return status;
}

/* --- on disk --- */

static void key_of(cpl_device *d, uint8_t key[ARTIFACT_KEY_SIZE])
{
    uint32_t workers = host_workers(d);
    const void *parts[] = {"device costs 3", d->info.name, d->info.driver, d->info.target,
                           &workers};
    const size_t sizes[] = {14, strlen(d->info.name), strlen(d->info.driver),
                            strlen(d->info.target), is_host(d) ? sizeof workers : 0};
    artifact_hash(parts, sizes, COUNT_OF(parts), key);
}

static bool read_kept(cpl_device *d, const uint8_t *key, device_costs *out)
{
    strbuf kept;
    sb_init(&kept, context_mem(d->cx));
    bool found = binary_get(d, key, &kept) && kept.n == sizeof *out;
    if (found) memcpy(out, kept.at, sizeof *out);
    sb_free(&kept);
    return found;
}

static cpl_status kept_or_measured(cpl_device *d, device_costs *out)
{
    uint8_t key[ARTIFACT_KEY_SIZE];
    key_of(d, key);
    if (read_kept(d, key, out)) return CPL_OK;
    cpl_status status = measure(d, out);
    if (!status) binary_put(d, key, out, sizeof *out);
    return status;
}

/* --- both --- */

static bool says_all(const cpl_device_costs *said)
{
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        if (*figure((cpl_device_costs *)said, i) < 0) return false;
    return true;
}

/* Of the host nothing is copied. */
static cpl_status find_said(cpl_device *d, const char *text_said, device_costs *out)
{
    cpl_device_costs said, found;
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        *figure(&said, i) =
            is_host(d) && figures[i].at >= offsetof(cpl_device_costs, copy_us) ? 0 : -1;
    const char *bad = read_figures(text_said, &said);
    if (bad)
        return context_report(d->cx, CPL_EARG,
                              "CPL_COSTS says '%.40s' of %s: launch=, memory=, arithmetic=, copy=, "
                              "to= and from= take numbers",
                              bad, d->info.label);
    cpl_status status = says_all(&said) ? CPL_OK : kept_or_measured(d, out);
    if (status) return status;
    summarise(out, &found);
    for (size_t i = 0; i < COUNT_OF(figures); i++)
        if (*figure(&said, i) < 0) *figure(&said, i) = *figure(&found, i);
    straighten(out, &said);
    return CPL_OK;
}

cpl_status costs_of(cpl_device *d, const device_costs **costs)
{
    *costs = atomic_load_explicit(&d->costs, memory_order_acquire);
    if (*costs) return CPL_OK;
    device_costs found = {0};
    const char *said = said_of(d);
    cpl_status status = said ? find_said(d, said, &found) : kept_or_measured(d, &found);
    if (status) return status;
    device_costs *made = mem_zalloc(context_mem(d->cx), sizeof *made), *none = NULL;
    if (!made) return context_no_memory(d->cx);
    *made = found;
    if (!atomic_compare_exchange_strong(&d->costs, &none, made))
        mem_free(context_mem(d->cx), made, sizeof *made);
    *costs = atomic_load_explicit(&d->costs, memory_order_acquire);
    return CPL_OK;
}

cpl_status cpl_device_costs_get(cpl_device *device, cpl_device_costs *costs)
{
    if (MISSING("device costs", device, costs)) return CPL_EARG;
    if (context_forked(device->cx)) return context_refuse_fork(device->cx);
    const device_costs *found;
    cpl_device_costs shown = {.size = sizeof shown};
    cpl_status status = costs_of(device, &found);
    if (status) return status;
    summarise(found, &shown);
    return WRITE_STRUCT(costs, &shown, cpl_device_costs);
}
