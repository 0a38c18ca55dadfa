/* Memory runs out in algorithms and in arithmetic on arrays. */
#include "fault_alloc.h"

#include <cpl/algorithm.h>
#include <cpl/numeric.h>
#include <cpl/random.h>
#include <cpl/sort.h>

enum { PIECES = 5000 }; /* elements: more than a piece of a reduction or a scan */

/* By an operator that has no name, and of two arguments, so that all texts are made. */
static cpl_status reduce_with(world *w, const cpl_launch_options *o)
{
    static int64_t x[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, PIECES), cpl_arg_int(3)};
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("b if b > a else a");
    spec.neutral = cpl_bind_expression("-1");
    return cpl_reduce(w->m, &spec, o, NULL, args, 2);
}

static cpl_status reduce(world *w)
{
    int64_t got = 0;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    cpl_status status = reduce_with(w, &o);
    assert_true(status != CPL_OK || got == PIECES - 1);
    if (status) return status;
    got = 0;
    o.interpret = true;
    status = reduce_with(w, &o);
    assert_true(status != CPL_OK || got == PIECES - 1);
    return status;
}

static cpl_status reduce_kernels(world *w)
{
    int64_t got;
    cpl_kernels found = {.target = "opencl:c1.2"};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    o.kernels = &found;
    cpl_status status = reduce_with(w, &o);
    assert_true(status != CPL_OK || found.count == 2);
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    return status;
}

/* --- kernels for devices that need not be there --- */

/* Lets go of the kernels, of which there are so many. */
static cpl_status count_kernels(cpl_status status, const cpl_kernels *found, size_t count)
{
    if (status == CPL_OK) assert_int_equal(found->count, count);
    for (size_t i = 0; i < found->count; i++) cpl_kernel_release(found->kernels[i]);
    return status;
}

/* Of so many elements that tiles take them. */
static cpl_arg far_array(cpl_dtype dtype)
{
    static double x[1 << 20];
    return cpl_arg_array(dtype, x, 1 << 20);
}

/* A map that is too large to be written out as often as a small one. */
static cpl_status reduce_large(world *w)
{
    cpl_kernels found = {.target = "cuda"};
    cpl_arg in = far_array(CPL_FLOAT64);
    cpl_launch_options o;
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    cpl_launch_options_init(&o);
    double got;
    o.result = &got;
    o.kernels = &found;
    spec.op = cpl_bind_expression("a + b");
    spec.map = cpl_bind_function("large");
    return count_kernels(cpl_reduce(w->m, &spec, &o, NULL, &in, 1), &found, 1);
}

static cpl_status histogram_large(world *w)
{
    static int64_t bins[7];
    cpl_kernels found = {.target = "cuda"};
    cpl_arg in = far_array(CPL_FLOAT64), out = cpl_arg_array(CPL_INT64, bins, 7);
    cpl_launch_options o;
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec);
    cpl_launch_options_init(&o);
    o.kernels = &found;
    spec.bin = cpl_bind_expression("lambda i, x: i % 7");
    spec.map = cpl_bind_expression("lambda i, x: int(large(i, x))");
    return count_kernels(cpl_histogram(w->m, &spec, &o, &out, &in, 1), &found, 2);
}

static cpl_status unique_by_tiles(world *w)
{
    cpl_kernels found = {.target = "cuda"};
    static int32_t keys[PIECES], values[PIECES], counts[PIECES];
    cpl_arg in = cpl_arg_array(CPL_INT32, keys, PIECES),
            out = cpl_arg_array(CPL_INT32, values, PIECES),
            many = cpl_arg_array(CPL_INT32, counts, PIECES);
    cpl_launch_options o;
    cpl_unique_spec spec;
    cpl_unique_spec_init(&spec);
    cpl_launch_options_init(&o);
    o.kernels = &found;
    spec.out = &out;
    spec.counts = &many;
    return count_kernels(cpl_unique(w->m, &spec, &o, &in), &found, 6); /* of the sort, too */
}

/* --- what runs --- */

static cpl_status several(world *w)
{
    static double x[PIECES];
    struct {
        double sum;
        int64_t least;
    } got;
    for (int i = 0; i < PIECES; i++) x[i] = 1;
    cpl_arg in = cpl_arg_array(CPL_FLOAT64, x, PIECES);
    cpl_reduce_spec sum, least;
    cpl_reduce_spec_init(&sum);
    cpl_reduce_spec_init(&least);
    least.op = cpl_bind_expression("b if b < a else a");
    least.neutral = cpl_bind_expression("INFINITY");
    least.map = cpl_bind_expression("lambda i, x: i + 3");
    sum.op = cpl_bind_expression("a + b");
    sum.next = &least;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    cpl_status status = cpl_reduce(w->m, &sum, &o, NULL, &in, 1);
    assert_true(status != CPL_OK || (got.sum == PIECES && got.least == 3));
    return status;
}

static cpl_status count_bins(world *w)
{
    static int32_t x[PIECES];
    int64_t bins[3];
    for (int i = 0; i < PIECES; i++) x[i] = i % 5;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), out = cpl_arg_array(CPL_INT64, bins, 3);
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec);
    cpl_status status = cpl_histogram(w->m, &spec, NULL, &out, &in, 1);
    assert_true(status != CPL_OK || (bins[0] == PIECES / 5 && bins[2] == PIECES / 5));
    return status;
}

static cpl_status reduce_segments(world *w)
{
    static double x[PIECES];
    int64_t at[] = {0, 2, 2, PIECES};
    double got[3];
    for (int i = 0; i < PIECES; i++) x[i] = 1;
    cpl_arg in = cpl_arg_array(CPL_FLOAT64, x, PIECES), offsets = cpl_arg_array(CPL_INT64, at, 4),
            out = cpl_arg_array(CPL_FLOAT64, got, 3);
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    cpl_segments segments;
    cpl_segments_init(&segments);
    segments.offsets = &offsets;
    segments.out = &out;
    cpl_status status = cpl_reduce_segments(w->m, &spec, NULL, &segments, &in, 1);
    assert_true(status != CPL_OK || (got[0] == 2 && got[1] == 0 && got[2] == PIECES - 2));
    return status;
}

static cpl_status reduce_by_key(world *w)
{
    static int32_t k[PIECES];
    static double x[PIECES];
    double got[4];
    int32_t keys[4];
    int64_t number = 0;
    for (int i = 0; i < PIECES; i++) k[i] = i / 2000, x[i] = 1;
    cpl_arg in[] = {cpl_arg_array(CPL_INT32, k, PIECES), cpl_arg_array(CPL_FLOAT64, x, PIECES)},
            out = cpl_arg_array(CPL_FLOAT64, got, 4), of = cpl_arg_array(CPL_INT32, keys, 4);
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    cpl_runs runs;
    cpl_runs_init(&runs);
    runs.out = &out;
    runs.keys = &of;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &number;
    cpl_status status = cpl_reduce_by_key(w->m, &spec, &o, &runs, in, 2);
    assert_true(status != CPL_OK ||
                (number == 3 && got[0] == 2000 && got[2] == PIECES - 4000 && keys[2] == 2));
    return status;
}

/* By a border, which takes memory of its own, and all keys. */
static cpl_status select_least(world *w)
{
    enum { KEYS = 20000 };
    static int32_t x[KEYS];
    int32_t least[3], places[3];
    for (int i = 0; i < KEYS; i++) x[i] = KEYS - i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, KEYS), out = cpl_arg_array(CPL_INT32, least, 3),
            order = cpl_arg_array(CPL_INT32, places, 3);
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    spec.out = &out;
    spec.order = &order;
    cpl_status status = cpl_select(w->m, &spec, NULL, 3, &in);
    assert_true(status != CPL_OK ||
                (least[0] == 1 && least[2] == 3 && places[0] == KEYS - 1 && places[2] == KEYS - 3));
    return status;
}

static cpl_status scatter(world *w)
{
    int32_t k[] = {2, 0, -2}, got[4] = {0}, x[] = {10, 11, 12};
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 3), indices = cpl_arg_array(CPL_INT32, k, 3),
            out = cpl_arg_array(CPL_INT32, got, 4);
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = &indices;
    spec.out = &out;
    k[2] = 3;
    cpl_status status = cpl_scatter(w->m, &spec, NULL, &in, 1);
    assert_true(status != CPL_OK || (got[2] == 10 && got[0] == 11 && got[3] == 12));
    return status;
}

static cpl_status compact(world *w)
{
    static int32_t x[PIECES], y[PIECES];
    int64_t number;
    for (int i = 0; i < PIECES; i++) x[i] = i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), out = cpl_arg_array(CPL_INT32, y, PIECES);
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.condition = cpl_bind_expression("lambda i, x: x[i] % 2 == 1");
    choice.out = &out;
    choice.out_count = 1;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &number;
    cpl_status status = cpl_compact(w->m, &choice, &o, &in, 1);
    assert_true(status != CPL_OK || (number == PIECES / 2 && y[1] == 3));
    return status;
}

/* With all kernels that there are. */
static cpl_status scan(world *w)
{
    static int32_t x[PIECES], y[PIECES], last[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = 1;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, PIECES), cpl_arg_array(CPL_INT32, y, PIECES),
                      cpl_arg_array(CPL_INT32, last, PIECES)};
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.segment = cpl_bind_expression("lambda i, x, y, z: i % 4100 == 0");
    spec.output = cpl_bind_function("keep");
    spec.flags = CPL_SCAN_LAST;
    cpl_status status = cpl_scan(w->m, &spec, NULL, args, 3);
    assert_true(status != CPL_OK || (y[4099] == 4100 && y[4100] == 1 && last[0] == 4100));
    return status;
}

/* Keys with two arrays that go along: an order of the library's own, then all moves. */
static cpl_status sort(world *w)
{
    static int32_t x[PIECES], y[PIECES];
    static int64_t z[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = y[i] = (int32_t)(z[i] = PIECES - i);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, PIECES), cpl_arg_array(CPL_INT32, y, PIECES),
                      cpl_arg_array(CPL_INT64, z, PIECES)};
    cpl_status status = cpl_sort(w->m, NULL, NULL, args, 3);
    assert_true(status != CPL_OK || (x[0] == 1 && y[7] == 8 && z[PIECES - 1] == PIECES));
    return status;
}

/* Keys that are compared, in numbers of pieces that merge. */
static cpl_status sort_complex(world *w)
{
    static double x[2 * PIECES];
    for (int i = 0; i < PIECES; i++) x[2 * i] = 1, x[2 * i + 1] = PIECES - i;
    cpl_arg keys = cpl_arg_array(CPL_COMPLEX128, x, PIECES);
    cpl_status status = cpl_sort(w->m, NULL, NULL, &keys, 1);
    assert_true(status != CPL_OK || (x[0] == 1 && x[1] == 1 && x[2 * PIECES - 1] == PIECES));
    return status;
}

/* Few cells, which are counted, and many, which are sorted. */
static cpl_status cells_of(world *w, int64_t offsets_count, int32_t second)
{
    static int32_t x[PIECES], order[PIECES], offsets[2 * PIECES + 1];
    for (int i = 0; i < PIECES; i++) x[i] = PIECES - 1 - i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), to = cpl_arg_array(CPL_INT32, order, PIECES),
            starts = cpl_arg_array(CPL_INT32, offsets, offsets_count);
    cpl_cells cells;
    cpl_cells_init(&cells);
    cells.order = &to;
    cells.offsets = &starts;
    cpl_status status = cpl_sort_cells(w->m, &cells, NULL, &in, 1);
    assert_true(status != CPL_OK ||
                (order[0] == PIECES - 1 && order[1] == second && offsets[1] == 1));
    return status;
}

static cpl_status sort_few_cells(world *w)
{
    return cells_of(w, 2, 0);
}

static cpl_status sort_many_cells(world *w)
{
    return cells_of(w, 2 * PIECES + 1, PIECES - 2);
}

static cpl_status take(world *w)
{
    int32_t k[] = {2, 0, -1}, got[3] = {0}, x[] = {10, 11, 12};
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 3), indices = cpl_arg_array(CPL_INT32, k, 3),
            out = cpl_arg_array(CPL_INT32, got, 3);
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = &indices;
    spec.out = &out;
    cpl_status status = cpl_take(w->m, &spec, NULL, &in, 1);
    assert_true(status != CPL_OK || (got[0] == 12 && got[1] == 10 && got[2] == 12));
    return status;
}

static cpl_status partition(world *w)
{
    static int32_t x[PIECES], y[PIECES];
    int64_t number;
    for (int i = 0; i < PIECES; i++) x[i] = i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), out = cpl_arg_array(CPL_INT32, y, PIECES);
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.condition = cpl_bind_expression("lambda i, x: x[i] % 2 == 1");
    choice.out = &out;
    choice.out_count = 1;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &number;
    cpl_status status = cpl_partition(w->m, &choice, &o, &in, 1);
    assert_true(status != CPL_OK || (number == PIECES / 2 && y[1] == 3 && y[number] == 0));
    return status;
}

/* What is made of sorted arrays, each by itself: what fails late has to compile but its own. */
static cpl_sorted_spec sorted_spec(const cpl_arg *out)
{
    cpl_sorted_spec spec;
    cpl_sorted_spec_init(&spec);
    spec.out = out;
    return spec;
}

static cpl_status unite(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, all[6];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, all, 6);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_set_of(w->m, &spec, NULL, CPL_SET_UNION, &a, &b);
    assert_true(status != CPL_OK || (all[0] == 1 && all[1] == 2 && all[2] == 3 && all[3] == 5));
    return status;
}

static cpl_status merge(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, all[6];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, all, 6);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_merge(w->m, &spec, NULL, &a, &b, 1);
    assert_true(status != CPL_OK || (all[2] == 2 && all[3] == 2 && all[4] == 3 && all[5] == 5));
    return status;
}

static cpl_status make_unique(world *w)
{
    int32_t x[] = {1, 2, 2, 2, 3, 5}, first[6] = {0}, counts[6] = {0};
    cpl_arg keys = cpl_arg_array(CPL_INT32, x, 6), to = cpl_arg_array(CPL_INT32, first, 6),
            many = cpl_arg_array(CPL_INT32, counts, 6);
    cpl_unique_spec unique;
    cpl_unique_spec_init(&unique);
    unique.first = &to;
    unique.counts = &many;
    cpl_status status = cpl_unique(w->m, &unique, NULL, &keys);
    assert_true(status != CPL_OK || (first[2] == 4 && counts[1] == 3));
    return status;
}

static cpl_status search(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, at[2];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, at, 2);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_search_sorted(w->m, &spec, NULL, &a, &b);
    assert_true(status != CPL_OK || (at[0] == 1 && at[1] == 3));
    return status;
}

/* Of blocks and of edges. */
static cpl_status fill_random(world *w)
{
    int64_t x[9] = {0};
    cpl_random_spec spec;
    cpl_random_spec_init(&spec);
    spec.kind = CPL_RANDOM_INTEGERS;
    spec.from = 5, spec.to = 6, spec.offset = 1;
    cpl_arg out = cpl_arg_array(CPL_INT64, x, 9);
    cpl_status status = cpl_random_fill(w->m, &spec, NULL, &out);
    for (int i = 0; i < 9 && !status; i++) assert_int_equal(x[i], 5);
    return status;
}

static cpl_status permute(world *w)
{
    int64_t y[5];
    cpl_random_spec spec;
    cpl_random_spec_init(&spec);
    spec.kind = CPL_RANDOM_INTEGERS;
    cpl_arg order = cpl_arg_array(CPL_INT64, y, 5);
    cpl_status status = cpl_random_permutation(w->m, &spec, NULL, &order);
    assert_true(status || y[0] + y[1] + y[2] + y[3] + y[4] == 10);
    return status;
}

/* An expression into a new array, one that overlaps what it is of, and sums in pieces. */
static cpl_status compute(world *w)
{
    enum { SIZE = 9000 };
    static double v[SIZE], sum;
    cpl_array *x = NULL, *y = NULL, *low = NULL, *total = NULL;
    for (int i = 0; i < SIZE; i++) v[i] = 1;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = SIZE - 1;
    o.offset = sizeof(double);
    const cpl_bind f = cpl_bind_expression("lambda a, b: a + b");
    cpl_status status = cpl_array_create(w->cx, NULL, CPL_FLOAT64, SIZE, &x);
    if (!status) status = cpl_array_write(x, NULL, v, NULL);
    const cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(2)};
    if (!status) status = cpl_array_map(NULL, &f, NULL, &y, args, 2);
    o.shape[0] = SIZE;
    o.offset = (SIZE - 1) * sizeof(double);
    o.strides[0] = -(int64_t)sizeof(double);
    if (!status) status = cpl_array_view(y, &o, &low);
    const cpl_arg turned[] = {cpl_arg_of_array(low), cpl_arg_of_array(x)};
    if (!status) status = cpl_array_map(NULL, &f, NULL, &y, turned, 2);
    if (!status) status = cpl_array_sum(y, CPL_ALL_AXES, NULL, &total);
    if (!status) status = cpl_array_read(total, NULL, &sum, NULL);
    assert_true(status || sum == 4 * SIZE);
    cpl_array_release(total);
    cpl_array_release(low);
    cpl_array_release(y);
    cpl_array_release(x);
    return status;
}

/* --- each call of numeric.h, into an array that it makes, with an event --- */

enum { LINES = 3, LINE = 40, CALLS = 13 };

typedef struct given {
    cpl_array *x, *at; /* ones, of LINES lines; the indices 2, 0 */
    cpl_launch_options o;
} given;

static cpl_status call_scan(const given *g, int axis, cpl_array **out)
{
    const cpl_arg x = cpl_arg_of_array(g->x);
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.input = cpl_bind_expression("lambda a: 2*a");
    return cpl_array_scan(NULL, &spec, &g->o, axis, out, &x, 1);
}

static cpl_status call_reduce(const given *g, cpl_array **out)
{
    const cpl_arg x = cpl_arg_of_array(g->x);
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    return cpl_array_reduce(NULL, &spec, &g->o, 1, out, &x, 1);
}

/* The last element of the results. */
static const double wanted[CALLS] = {2,    2 * LINES, 2 * LINE, LINES, 1, LINE, 1, LINES * LINE,
                                     LINE, 0,         LINE - 1, 1,     1};

static cpl_status call_one(const given *g, int call, cpl_array **out)
{
    cpl_array *const both[] = {g->x, g->x};
    const cpl_arg x = cpl_arg_of_array(g->x), args[] = {x, x};
    const cpl_bind f = cpl_bind_expression("lambda a, b: a + b");
    switch (call) {
    case 0: return cpl_array_map(NULL, &f, &g->o, out, args, 2);
    case 1: return call_scan(g, 0, out);
    case 2: return call_scan(g, 1, out);
    case 3: return call_reduce(g, out);
    case 4: return cpl_array_where(x, x, x, &g->o, out);
    case 5: return cpl_array_sum(g->x, 2, &g->o, out);
    case 6: return cpl_array_take(g->x, g->at, 0, CPL_INDEX_RAISE, &g->o, out);
    case 7: return cpl_array_dot(g->x, g->x, &g->o, out);
    case 8: return cpl_array_cumsum(g->x, 1, &g->o, out);
    case 9: return cpl_array_diff(g->x, 3, 1, &g->o, out);
    case 10: return cpl_array_trapz(g->x, NULL, 1, 1, &g->o, out);
    case 11: return cpl_array_concatenate(both, 2, 0, &g->o, out);
    default: return cpl_array_min(g->x, 1, &g->o, out);
    }
}

static cpl_status call_and_look(given *g, int call)
{
    double got[2 * LINES * LINE];
    cpl_array *out = NULL;
    cpl_event *event = NULL;
    g->o.event = &event;
    cpl_status status = call_one(g, call, &out);
    if (!status) status = cpl_event_wait(event);
    cpl_event_release(event);
    cpl_array_info info = {.size = sizeof info};
    if (!status) status = cpl_array_info_get(out, &info);
    if (!status) status = cpl_array_read(out, NULL, got, NULL);
    if (!status && got[info.length - 1] != wanted[call])
        fail_msg("call %d: %g instead of %g", call, got[info.length - 1], wanted[call]);
    cpl_array_release(out);
    return status;
}

static cpl_status call_alone(world *w, int call)
{
    static const int32_t indices[] = {2, 0};
    double ones[LINES * LINE];
    given g = {0};
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 2;
    o.shape[0] = LINES;
    o.shape[1] = LINE;
    cpl_launch_options_init(&g.o);
    for (int i = 0; i < LINES * LINE; i++) ones[i] = 1;
    cpl_status status = cpl_array_wrap(w->cx, NULL, &o, ones, &g.x);
    if (!status) status = cpl_array_create(w->cx, NULL, CPL_INT32, 2, &g.at);
    if (!status) status = cpl_array_write(g.at, NULL, indices, NULL);
    if (!status) status = call_and_look(&g, call);
    cpl_array_release(g.at);
    cpl_array_release(g.x);
    return status;
}

#define CALL(name, call)                                                                           \
    static cpl_status name(world *w)                                                               \
    {                                                                                              \
        return call_alone(w, call);                                                                \
    }
CALL(alone_map, 0)
CALL(alone_scan_down, 1)
CALL(alone_scan, 2)
CALL(alone_reduce, 3)
CALL(alone_where, 4)
CALL(alone_sum, 5)
CALL(alone_take, 6)
CALL(alone_dot, 7)
CALL(alone_cumsum, 8)
CALL(alone_diff, 9)
CALL(alone_trapz, 10)
CALL(alone_concatenate, 11)
CALL(alone_min, 12)
#undef CALL

/* Of rows, to a new array and into what they are taken from. */
static cpl_status take_along(world *w)
{
    static const int32_t v[] = {1, 2, 3, 4, 5, 6}, k[] = {2, 0, -1};
    int32_t got[6] = {0};
    cpl_array *x = NULL, *rows = NULL, *at = NULL, *out = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 2;
    o.shape[0] = 3;
    o.shape[1] = 2;
    cpl_status status = cpl_array_create(w->cx, NULL, CPL_INT32, 6, &x);
    if (!status) status = cpl_array_write(x, NULL, v, NULL);
    if (!status) status = cpl_array_view(x, &o, &rows);
    if (!status) status = cpl_array_create(w->cx, NULL, CPL_INT32, 3, &at);
    if (!status) status = cpl_array_write(at, NULL, k, NULL);
    if (!status) status = cpl_array_take(rows, at, 0, CPL_INDEX_RAISE, NULL, &out);
    if (!status) status = cpl_array_take(rows, at, 0, CPL_INDEX_WRAP, NULL, &rows);
    if (!status) status = cpl_array_read(out, NULL, got, NULL);
    assert_true(status || (got[0] == 5 && got[2] == 1 && got[5] == 6));
    if (!status) status = cpl_array_read(rows, NULL, got, NULL);
    assert_true(status || (got[0] == 5 && got[2] == 1 && got[5] == 6));
    cpl_array_release(out);
    cpl_array_release(at);
    cpl_array_release(rows);
    cpl_array_release(x);
    return status;
}

static const char large[] = "def large(i, x):\n    v = x[i]\n"
#define TERMS "    v = v*v - 1.5 if v < 3 else v + 2*v*v*v - 7*v\n"
#define TEN   TERMS TERMS TERMS TERMS TERMS TERMS TERMS TERMS TERMS TERMS
    TEN TEN TEN TEN TEN "    return v\n";

const scenario fault_alloc_algorithms[] = {
    {"kernels of a large map", large, reduce_large, .fresh = true},
    {"kernels of a histogram with a large map", large, histogram_large, .fresh = true},
    {"kernels of unique by tiles", "", unique_by_tiles, .fresh = false},
    {"several reductions", "", several, .fresh = true},
    {"histogram", "", count_bins, .fresh = true},
    {"segments", "", reduce_segments, .fresh = true},
    {"runs", "", reduce_by_key, .fresh = true},
    {"selection", "", select_least, .fresh = false},
    {"scatter", "", scatter, .fresh = true},
    {"compaction", "", compact, .fresh = true},
    {"reduction", "", reduce, .fresh = true},
    {"kernels of a reduction", "", reduce_kernels, .fresh = true},
    {"scan", "def keep(i, item, before, last, n, x, y, z):\n    y[i] = item\n    z[i] = last\n",
     scan, .fresh = true},
    {"sort", "", sort, .fresh = true},
    {"sort of complex keys", "", sort_complex, .fresh = true},
    {"sort by few cells", "", sort_few_cells, .fresh = true},
    {"sort by many cells", "", sort_many_cells, .fresh = true},
    {"take", "", take, .fresh = true},
    {"partition", "", partition, .fresh = true},
    {"union", "", unite, .fresh = true},
    {"merge", "", merge, .fresh = true},
    {"unique", "", make_unique, .fresh = true},
    {"search", "", search, .fresh = true},
    {"random numbers", "", fill_random, .fresh = true},
    {"permutation", "", permute, .fresh = true},
    {"arithmetic on arrays", "", compute, .fresh = true},
    {"elements along an axis", "", take_along, .fresh = true},
    {"map", "", alone_map, .fresh = true},
    {"scan of columns", "", alone_scan_down, .fresh = true},
    {"scan of rows", "", alone_scan, .fresh = true},
    {"reduction of columns", "", alone_reduce, .fresh = true},
    {"where", "", alone_where, .fresh = true},
    {"sum of rows", "", alone_sum, .fresh = true},
    {"rows that are taken", "", alone_take, .fresh = true},
    {"dot", "", alone_dot, .fresh = true},
    {"cumsum", "", alone_cumsum, .fresh = true},
    {"differences of differences", "", alone_diff, .fresh = true},
    {"trapz", "", alone_trapz, .fresh = true},
    {"concatenation", "", alone_concatenate, .fresh = true},
    {"minimum of columns", "", alone_min, .fresh = true},
    {0},
};
