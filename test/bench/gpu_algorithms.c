/* The algorithms of gpu_bench.c, and the sorts. */
#include "gpu_bench.h"
#include "gpu_common.h"

#include <stdlib.h>
#include <string.h>

static bool is_asked(const bench *b, const char *name)
{
    return !strncmp(name, b->only, strlen(b->only));
}

/* --- algorithms: bytes read and written a second, launches in a row --- */

static const char algorithm_text[] =
    "@struct\nclass Best:\n    value: 'float'\n    at: 'int'\n"
    "@struct\nclass Affine:\n    a: 'double'\n    b: 'double'\n"
    "def better(a, b):\n    r = declare('Best')\n    r = a\n"
    "    if b.value < a.value or (b.value == a.value and b.at < a.at):\n"
    "        r = b\n    return r\n"
    "def none():\n    r = declare('Best')\n    r.value = INFINITY\n"
    "    r.at = 2147483647\n    return r\n"
    "def behind(f, g):\n    r = declare('Affine')\n"
    "    r.a = g.a*f.a\n    r.b = g.a*f.b + g.b\n    return r\n"
    "def still():\n    r = declare('Affine')\n    r.a = 1\n    return r\n";

typedef struct algorithm {
    const char *name, *op, *map, *neutral, *record;
    cpl_dtype dtype;
    bool scans, commutes;
} algorithm;

static cpl_bind bound(const char *text)
{
    if (!text) return (cpl_bind){0};
    return strpbrk(text, " [") ? cpl_bind_expression(text) : cpl_bind_function(text);
}

static cpl_status run_once(bench *b, cpl_module *m, const algorithm *a, const cpl_type *type,
                           cpl_array *x, cpl_array *y, int64_t n)
{
    cpl_launch_options o = on_queue(b);
    o.n = n;
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
    if (!a->scans) {
        cpl_reduce_spec spec;
        cpl_reduce_spec_init(&spec);
        spec.op = bound(a->op);
        spec.map = bound(a->map);
        spec.neutral = bound(a->neutral);
        spec.type = type;
        spec.flags = a->commutes ? CPL_REDUCE_COMMUTES : 0;
        return cpl_reduce(m, &spec, &o, &args[1], args, 1);
    }
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = bound(a->op);
    spec.neutral = bound(a->neutral);
    spec.segment = bound(a->map);
    return cpl_scan(m, &spec, &o, args, 2);
}

static cpl_array *room_of(bench *b, const algorithm *a, const cpl_type *type, int64_t n)
{
    cpl_array_options o;
    cpl_array *x = NULL;
    cpl_array_options_init(&o);
    o.dtype = a->dtype;
    if (a->record) o.record = type;
    o.dims = 1;
    o.shape[0] = n;
    bad(b, "array", cpl_array_create_with(b->cx, b->device, &o, &x));
    return x;
}

static void algorithm_at(bench *b, cpl_module *m, const algorithm *a, int log)
{
    char name[64];
    int64_t n = (int64_t)1 << log;
    int runs = log > 24 ? 10 : 100;
    const cpl_type *type;
    double best = 0;
    snprintf(name, sizeof name, "%s 2^%d", a->name, log);
    if (!is_asked(b, name)) return;
    if (bad(b, name,
            cpl_type_parse(b->cx, a->record ? a->record : cpl_dtype_name(a->dtype), &type)))
        return;
    cpl_array *x = a->record ? room_of(b, a, type, n) : filled(b, a->dtype, n, "i % 1000 - 300"),
              *y = room_of(b, a, type, a->scans ? n : 1);
    cpl_status status = x && y ? run_once(b, m, a, type, x, y, n) : CPL_ENOMEM;
    for (int r = 0; r < 5 && !status; r++) {
        status = cpl_queue_finish(b->queue);
        double begin = now_us();
        for (int i = 0; i < runs && !status; i++) status = run_once(b, m, a, type, x, y, n);
        if (!status) status = cpl_queue_finish(b->queue);
        double us = (now_us() - begin) / runs;
        if (r == 0 || us < best) best = us;
    }
    if (!bad(b, name, status))
        figure(b, name, (double)n * (double)cpl_type_size(type) * (a->scans ? 2 : 1) / best * 1e-3,
               "GB/s");
    cpl_array_release(x);
    cpl_array_release(y);
}

/* What an algorithm has to do with: elements, results, an int64 for their number, more results. */
typedef cpl_status chosen_fn(bench *b, cpl_module *m, cpl_array *const arrays[4]);

static cpl_status keep(bench *b, cpl_module *m, const char *condition, cpl_array *const arrays[4])
{
    cpl_launch_options o = on_queue(b);
    cpl_choice choice;
    cpl_choice_init(&choice);
    cpl_arg in = cpl_arg_of_array(arrays[0]), out = cpl_arg_of_array(arrays[1]),
            many = cpl_arg_of_array(arrays[2]);
    choice.out = &out;
    choice.out_count = 1;
    choice.number = &many;
    choice.condition = cpl_bind_expression(condition);
    return cpl_compact(m, &choice, &o, &in, 1);
}

static cpl_status choose_once(bench *b, cpl_module *m, cpl_array *const arrays[4])
{
    return keep(b, m, "lambda i, x: x[i] & 1", arrays);
}

static cpl_status unite_once(bench *b, cpl_module *m, cpl_array *const arrays[4])
{
    return keep(b, m, "lambda i, x: i == 0 or x[i] != x[i - 1]", arrays);
}

static cpl_status count_once(bench *b, cpl_module *m, cpl_array *const arrays[4])
{
    cpl_launch_options o = on_queue(b);
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec);
    cpl_arg in = cpl_arg_of_array(arrays[0]), out = cpl_arg_of_array(arrays[1]);
    spec.bin = cpl_bind_expression("lambda i, x: x[i] & 255");
    return cpl_histogram(m, &spec, &o, &out, &in, 1);
}

static cpl_status by_key_once(bench *b, cpl_module *m, cpl_array *const arrays[4])
{
    cpl_launch_options o = on_queue(b);
    cpl_reduce_spec spec;
    cpl_runs runs;
    cpl_reduce_spec_init(&spec);
    cpl_runs_init(&runs);
    cpl_arg in[] = {cpl_arg_of_array(arrays[0]), cpl_arg_of_array(arrays[0])},
            out = cpl_arg_of_array(arrays[1]), many = cpl_arg_of_array(arrays[2]),
            keys = cpl_arg_of_array(arrays[3]);
    spec.op = cpl_bind_expression("a + b");
    runs.out = &out;
    runs.keys = &keys;
    runs.number = &many;
    return cpl_reduce_by_key(m, &spec, &o, &runs, in, 2);
}

/* Whether n elements x have these results: what comes of the n at y, and how many. */
typedef bool right_fn(const int32_t *x, int64_t n, const int32_t *y, int64_t many);

static bool odd_ones(const int32_t *x, int64_t n, const int32_t *y, int64_t many)
{
    int64_t k = 0;
    bool right = true;
    for (int64_t i = 0; i < n; i++)
        if (x[i] & 1) right &= y[k++] == x[i];
    return right && k == many;
}

static bool first_ones(const int32_t *x, int64_t n, const int32_t *y, int64_t many)
{
    int64_t k = 0;
    bool right = true;
    for (int64_t i = 0; i < n; i++)
        if (i == 0 || x[i] != x[i - 1]) right &= y[k++] == x[i];
    return right && k == many;
}

static bool counts(const int32_t *x, int64_t n, const int32_t *y, int64_t many)
{
    int64_t count[256] = {0};
    bool right = !many; /* nobody asked */
    for (int64_t i = 0; i < n; i++) count[x[i] & 255]++;
    for (int k = 0; k < 256; k++) right &= y[k] == count[k];
    return right;
}

static bool totals(const int32_t *x, int64_t n, const int32_t *y, int64_t many)
{
    int64_t k = -1;
    uint32_t sum = 0;
    bool right = true;
    for (int64_t i = 0; i < n; i++) {
        bool begins = i == 0 || x[i] != x[i - 1];
        if (begins && k++ >= 0) right &= y[k - 1] == (int32_t)sum;
        sum = begins ? (uint32_t)x[i] : sum + (uint32_t)x[i];
    }
    return right && k + 1 == many && y[k] == (int32_t)sum;
}

typedef struct chosen {
    const char *name, *elements;
    chosen_fn *call;
    right_fn *right;
    double bytes; /* read and written for each element */
} chosen;

/* Of so many that to look at them takes no longer than the launches. */
static cpl_status checked(const chosen *c, cpl_array *const arrays[4], int64_t n)
{
    enum { MOST = 1 << 24 };
    if (n > MOST) return CPL_OK;
    int32_t *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    int64_t many;
    cpl_status status = x && y ? cpl_array_read(arrays[0], NULL, x, NULL) : CPL_ENOMEM;
    if (!status) status = cpl_array_read(arrays[1], NULL, y, NULL);
    if (!status) status = cpl_array_read(arrays[2], NULL, &many, NULL);
    if (!status && !c->right(x, n, y, many)) status = CPL_EINTERNAL;
    free(x);
    free(y);
    return status;
}

static void chosen_at(bench *b, cpl_module *m, const chosen *c, int log)
{
    char name[64];
    int64_t n = (int64_t)1 << log;
    int runs = log > 24 ? 10 : 100;
    double best = 0;
    snprintf(name, sizeof name, "%s 2^%d", c->name, log);
    if (!is_asked(b, name)) return;
    bool counts = c->call == count_once, by_key = c->call == by_key_once;
    cpl_array *arrays[] = {filled(b, CPL_INT32, n, c->elements),
                           filled(b, CPL_INT32, counts ? 256 : n, "0"),
                           filled(b, CPL_INT64, 1, "0"), filled(b, CPL_INT32, by_key ? n : 1, "0")};
    cpl_status status = CPL_OK;
    for (int i = 0; i < 4; i++)
        if (!arrays[i]) status = CPL_ENOMEM;
    for (int r = -1; r < 5 && !status; r++) {
        status = cpl_queue_finish(b->queue);
        double begin = now_us();
        for (int i = 0; i < (r < 0 ? 1 : runs) && !status; i++) status = c->call(b, m, arrays);
        if (!status) status = cpl_queue_finish(b->queue);
        double us = (now_us() - begin) / runs;
        if (r == 0 || (r > 0 && us < best)) best = us;
    }
    if (!status) status = checked(c, arrays, n);
    if (!bad(b, name, status)) figure(b, name, c->bytes * (double)n / best * 1e-3, "GB/s");
    for (int i = 0; i < 4; i++) cpl_array_release(arrays[i]);
}

/* A sum that is waited for. */
static void to_host(bench *b, cpl_module *m)
{
    enum { ROUND = 200, ROUNDS = 10, LENGTH = 1024 };
    const char *name = "reduce to the host, i32 2^10";
    double best = 0;
    int32_t sum;
    cpl_array *x = filled(b, CPL_INT32, LENGTH, "1");
    cpl_arg arg = cpl_arg_of_array(x);
    cpl_reduce_spec spec;
    cpl_launch_options o = on_queue(b);
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    o.result = &sum;
    cpl_status status = x ? cpl_reduce(m, &spec, &o, NULL, &arg, 1) : CPL_ENOMEM;
    for (int r = 0; r < ROUNDS && !status; r++) {
        double begin = now_us();
        for (int i = 0; i < ROUND && !status; i++) status = cpl_reduce(m, &spec, &o, NULL, &arg, 1);
        double us = (now_us() - begin) / ROUND;
        if (r == 0 || us < best) best = us;
    }
    if (!status && sum != LENGTH) status = CPL_EINTERNAL;
    if (!bad(b, name, status)) figure(b, name, best, "us");
    cpl_array_release(x);
}

/* 100 scans that a graph has recorded. */
static void recorded(bench *b, cpl_module *m)
{
    enum { LOG = 20, IN_A_ROW = 100 };
    static const algorithm a = {.name = "scan in a graph, + i32",
                                .op = "a + b",
                                .dtype = CPL_INT32,
                                .scans = true};
    char name[64];
    const cpl_type *type;
    int64_t n = (int64_t)1 << LOG;
    cpl_graph *graph = NULL;
    double best = 0;
    snprintf(name, sizeof name, "%s 2^%d", a.name, LOG);
    if (bad(b, name, cpl_type_parse(b->cx, cpl_dtype_name(a.dtype), &type))) return;
    cpl_array *x = filled(b, a.dtype, n, "i % 1000 - 300"), *y = filled(b, a.dtype, n, "0");
    cpl_status status = x && y ? run_once(b, m, &a, type, x, y, n) : CPL_ENOMEM;
    if (!status) status = cpl_graph_begin(b->queue);
    for (int i = 0; i < IN_A_ROW && !status; i++) status = run_once(b, m, &a, type, x, y, n);
    if (!status) status = cpl_graph_end(b->queue, &graph);
    for (int r = 0; r < 6 && !status; r++) {
        status = cpl_queue_finish(b->queue);
        double begin = now_us();
        if (!status) status = cpl_graph_launch(graph, b->queue, NULL);
        if (!status) status = cpl_queue_finish(b->queue);
        double us = (now_us() - begin) / IN_A_ROW;
        if (r == 1 || (r && us < best)) best = us;
    }
    if (!bad(b, name, status)) figure(b, name, 8 * (double)n / best * 1e-3, "GB/s");
    cpl_graph_release(graph);
    cpl_array_release(x);
    cpl_array_release(y);
}

void algorithms(bench *b)
{
    static const algorithm all[] = {
        {.name = "reduce + i32", .op = "a + b", .dtype = CPL_INT32},
        {.name = "reduce + f64", .op = "a + b", .dtype = CPL_FLOAT64},
        {.name = "reduce argmin",
         .op = "better",
         .neutral = "none",
         .record = "Best",
         .commutes = true},
        {.name = "reduce argmin, in order", .op = "better", .neutral = "none", .record = "Best"},
        {.name = "reduce squares f32",
         .op = "a + b",
         .map = "lambda i, x: x[i]*x[i]",
         .dtype = CPL_FLOAT32},
        {.name = "scan + i32", .op = "a + b", .dtype = CPL_INT32, .scans = true},
        {.name = "scan + f64", .op = "a + b", .dtype = CPL_FLOAT64, .scans = true},
        {.name = "scan max i32", .op = "max(a, b)", .dtype = CPL_INT32, .scans = true},
        {.name = "scan + i32, segments",
         .op = "a + b",
         .map = "lambda i, x, y: i % 37 == 0",
         .dtype = CPL_INT32,
         .scans = true},
        {.name = "scan affine",
         .op = "behind",
         .neutral = "still",
         .record = "Affine",
         .scans = true},
    };
    static const chosen choices[] = {
        {"select i32, half", "i*2654435761 >> 8", choose_once, odd_ones, 6},
        {"histogram i32, 256 bins", "i*2654435761 >> 8", count_once, counts, 4},
        {"unique i32, runs of 37", "i // 37", unite_once, first_ones, 4 + 4. / 37},
        {"reduce by key i32, runs of 37", "i // 37", by_key_once, totals, 8 + 8. / 37},
    };
    static const int logs[] = {16, 20, 24, 28};
    cpl_module *m = open_text(b, algorithm_text);
    for (size_t i = 0; m && i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < 4; k++)
            algorithm_at(b, m, &all[i], logs[k] - (all[i].record && k == 3));
    for (size_t k = 0; m && k < 4; k++) {
        for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
            chosen_at(b, m, &choices[i], logs[k]);
    }
    if (m && is_asked(b, "reduce to the host")) to_host(b, m);
    if (m && is_asked(b, "scan in a graph")) recorded(b, m);
    cpl_module_release(m);
}

/* --- sorts: keys a second --- */

typedef struct sort {
    const char *name;
    cpl_dtype key, value; /* CPL_VOID: nothing goes along */
} sort;

static cpl_status sort_once(bench *b, cpl_module *m, cpl_array *const arrays[4], size_t count)
{
    cpl_arg args[2] = {{0}}, out[2] = {{0}};
    cpl_launch_options o = on_queue(b);
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    spec.out = out;
    for (size_t i = 0; i < count; i++) {
        args[i] = cpl_arg_of_array(arrays[2 * i]);
        out[i] = cpl_arg_of_array(arrays[2 * i + 1]);
    }
    return cpl_sort(m, &spec, &o, args, count);
}

/* All that bits can be. */
static void fill_keys(bench *b, cpl_module *m, cpl_array *keys, cpl_dtype dtype)
{
    cpl_random_spec spec;
    cpl_launch_options o = on_queue(b);
    cpl_arg arg = cpl_arg_of_array(keys);
    cpl_random_spec_init(&spec);
    spec.kind = dtype == CPL_FLOAT32 ? CPL_RANDOM_NORMAL : CPL_RANDOM_BITS;
    bad(b, "keys", cpl_random_fill(m, &spec, &o, &arg));
}

static void sort_at(bench *b, cpl_module *m, const sort *a, int log)
{
    char name[64];
    int64_t n = (int64_t)1 << log;
    int runs = log > 24 ? 10 : 50;
    double best = 0;
    size_t count = a->value ? 2 : 1;
    cpl_array *arrays[4] = {NULL, NULL, NULL, NULL};
    cpl_status status = CPL_OK;
    snprintf(name, sizeof name, "%s 2^%d", a->name, log);
    if (!is_asked(b, name)) return;
    for (size_t i = 0; i < 2 * count && !status; i++)
        status = cpl_array_create(b->cx, b->device, i < 2 ? a->key : a->value, n, &arrays[i]);
    if (!status) fill_keys(b, m, arrays[0], a->key);
    if (!status && a->value) fill_keys(b, m, arrays[2], a->value);
    if (!status) status = sort_once(b, m, arrays, count);
    for (int r = 0; r < 5 && !status; r++) {
        status = cpl_queue_finish(b->queue);
        double begin = now_us();
        for (int i = 0; i < runs && !status; i++) status = sort_once(b, m, arrays, count);
        if (!status) status = cpl_queue_finish(b->queue);
        double us = (now_us() - begin) / runs;
        if (r == 0 || us < best) best = us;
    }
    if (!bad(b, name, status)) figure(b, name, (double)n / best * 1e-3, "Gkeys/s");
    for (size_t i = 0; i < 4; i++) cpl_array_release(arrays[i]);
}

void sorts(bench *b)
{
    static const sort all[] = {
        {"sort u32", CPL_UINT32, CPL_VOID},
        {"sort u32 + u32", CPL_UINT32, CPL_UINT32},
        {"sort u64", CPL_UINT64, CPL_VOID},
        {"sort f32 + i32", CPL_FLOAT32, CPL_INT32},
    };
    static const int logs[] = {16, 20, 24, 27};
    cpl_module *m = open_text(b, "");
    for (size_t i = 0; m && i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < 4; k++) sort_at(b, m, &all[i], logs[k]);
    cpl_module_release(m);
}
