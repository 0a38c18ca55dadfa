/* The event of an algorithm is that of the last kernel that it launches, whatever it is asked for
 * and however many elements there are. */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/cpl.h>

enum { MANY = 40000, ARRAYS = 12 };

static int32_t values[3 * ARRAYS][MANY];

/* The n first elements of one of them. */
static cpl_arg part(int i, int64_t n)
{
    return cpl_arg_array(CPL_INT32, values[i], n);
}

static void fill(int64_t n)
{
    for (int a = 0; a < 3 * ARRAYS; a++)
        for (int64_t i = 0; i < n; i++) values[a][i] = (int32_t)(i * 7919 % n);
}

/* --- the last kernel, and the event --- */

static void see_span(void *user, const cpl_profile_span *span)
{
    uint64_t *last = user;
    if (span->what != CPL_PROFILE_KERNEL) return;
    last[0]++;
    last[1] = span->end_ns - span->begin_ns;
}

/* Launches are told apart by how long they took, to the nanosecond. The last one may be of nothing,
 * whose event has no time. */
static void check_event(world *w, cpl_event *event, const char *what, int which, int64_t n)
{
    uint64_t last[2] = {0}, took;
    if (!event) fail_msg("%s %d of %lld elements: no event", what, which, (long long)n);
    OK(w, cpl_event_wait(event));
    OK(w, cpl_profile_each_span(w->cx, see_span, last));
    cpl_status status = cpl_event_duration(event, &took);
    if (status != CPL_EUNSUPPORTED && (status || took != last[1]))
        fail_msg("%s %d of %lld elements: the event is not of the last of %lld launches", what,
                 which, (long long)n, (long long)last[0]);
    cpl_event_release(event);
    cpl_profile_clear(w->cx);
}

/* --- calls --- */

enum { PLACES = 1, APART = 2, KINDS = 4 };

static cpl_status sort(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[ARRAYS], out[ARRAYS], order = part(2 * ARRAYS, n);
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    for (int i = 0; i < ARRAYS; i++) args[i] = part(i, n), out[i] = part(ARRAYS + i, n);
    if (which & PLACES) s.order = &order;
    if (which & APART) s.out = out;
    return cpl_sort(w->module, &s, o, args, 1 + (size_t)(which / KINDS) % ARRAYS);
}

static cpl_status compared(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[] = {part(0, n), part(1, n), part(2, n)};
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    s.before = cpl_bind_expression("a > b");
    return cpl_sort(w->module, &s, o, args, 1 + (size_t)which);
}

static cpl_status argsort(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg keys = part(0, n), order = part(1, n);
    (void)which;
    return cpl_argsort(w->module, NULL, o, &order, &keys);
}

static cpl_status selected(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg keys = part(0, n), out = part(1, n), order = part(2, n);
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    if (which % 3 != 0) s.order = &order;
    if (which % 3 != 1) s.out = &out;
    return cpl_select(w->module, &s, o, which < 3 ? n / 50 : which < 6 ? n : 0, &keys);
}

static cpl_status scanned(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[] = {part(0, n), part(1, n)};
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    if (which & 1) s.segment = cpl_bind_expression("lambda i, x, y: i % 5 == 0");
    if (which & 2) s.output = cpl_bind_function("last");
    if (which & 2) s.flags = CPL_SCAN_LAST;
    return cpl_scan(w->module, &s, o, args, 2);
}

static cpl_status reduced(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[] = {part(0, n), part(1, n)}, out = part(2, which == 1 ? 9 : n + 1),
            offsets = part(3, 10);
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.neutral = cpl_bind_expression("0");
    OK(w, cpl_type_parse(w->cx, "int32", &s.type));
    cpl_segments segments;
    cpl_segments_init(&segments);
    segments.offsets = &offsets;
    segments.out = &out;
    cpl_runs runs;
    cpl_runs_init(&runs);
    runs.out = &out;
    int64_t number;
    cpl_arg to = cpl_arg_array(CPL_INT64, &number, 1);
    runs.number = &to;
    for (int i = 0; i < 10; i++) values[3][i] = (int32_t)(n * i / 9);
    if (which == 0) return cpl_reduce(w->module, &s, o, &out, args, 1);
    if (which == 1) return cpl_reduce_segments(w->module, &s, o, &segments, args, 1);
    return cpl_reduce_by_key(w->module, &s, o, &runs, args, 2);
}

static cpl_status counted(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg bins = part(1, which % 2 ? n + 1 : 20), order = part(2, n), keys = part(0, n);
    cpl_histogram_spec s;
    cpl_histogram_spec_init(&s);
    cpl_cells cells;
    cpl_cells_init(&cells);
    cells.order = &order;
    cells.offsets = &bins;
    if (which < 2) return cpl_histogram(w->module, &s, o, &bins, &keys, 1);
    return cpl_sort_cells(w->module, &cells, o, &keys, 1);
}

static cpl_status moved(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[ARRAYS], out[ARRAYS], indices = part(2 * ARRAYS, n);
    cpl_gather_spec s;
    cpl_gather_spec_init(&s);
    for (int i = 0; i < ARRAYS; i++) args[i] = part(i, n), out[i] = part(ARRAYS + i, n);
    s.indices = &indices;
    s.out = out;
    size_t count = which / 2 ? ARRAYS : 1;
    return which % 2 ? cpl_scatter(w->module, &s, o, args, count)
                     : cpl_take(w->module, &s, o, args, count);
}

static cpl_status chosen(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg args[ARRAYS], out[ARRAYS], order = part(2 * ARRAYS, n);
    int64_t number;
    cpl_arg to = cpl_arg_array(CPL_INT64, &number, 1);
    cpl_choice c;
    cpl_choice_init(&c);
    for (int i = 0; i < ARRAYS; i++) args[i] = part(i, n), out[i] = part(ARRAYS + i, n);
    c.condition = cpl_bind_expression("lambda i, *x: i % 3 == 0");
    c.out = out;
    c.out_count = (size_t)(which / 4) * 4;
    if (which & 2 || !c.out_count) c.order = &order;
    c.number = &to;
    return which % 2 ? cpl_compact(w->module, &c, o, args, c.out_count + 1)
                     : cpl_partition(w->module, &c, o, args, c.out_count + 1);
}

static cpl_status sorted(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg a[] = {part(0, n), part(1, n)}, b[] = {part(2, n), part(3, n)},
            out[] = {part(4, MANY), part(5, MANY)};
    int64_t number;
    cpl_arg to = cpl_arg_array(CPL_INT64, &number, 1), first = part(6, n), inverse = part(7, n),
            counts = part(8, n);
    cpl_sorted_spec s;
    cpl_sorted_spec_init(&s);
    s.out = out;
    for (int i = 0; i < 4; i++)
        for (int64_t k = 0; k < n; k++) values[i][k] = (int32_t)k / 3;
    if (which == 0) return cpl_search_sorted(w->module, &s, o, a, b);
    if (which < 3) return cpl_merge(w->module, &s, o, a, b, (size_t)which);
    s.number = &to;
    if (which < 7) return cpl_set_of(w->module, &s, o, (cpl_set)(which - 3), a, b);
    cpl_unique_spec u;
    cpl_unique_spec_init(&u);
    u.number = &to;
    which -= 7;
    if (which & 1) u.out = out;
    if (which & 2) u.first = &first;
    if (which & 4) u.inverse = &inverse;
    if (which & 8) u.counts = &counts;
    return cpl_unique(w->module, &u, o, a);
}

static cpl_status drawn(world *w, const cpl_launch_options *o, int which, int64_t n)
{
    cpl_arg out = part(0, n);
    cpl_random_spec s;
    cpl_random_spec_init(&s);
    s.kind = CPL_RANDOM_INTEGERS;
    s.to = MANY;
    return which ? cpl_random_permutation(w->module, &s, o, &out)
                 : cpl_random_fill(w->module, &s, o, &out);
}

/* Each in as many ways. */
static const struct {
    const char *name;
    cpl_status (*call)(world *w, const cpl_launch_options *o, int which, int64_t n);
    int ways;
} calls[] = {
    {"sort", sort, KINDS * ARRAYS},
    {"sort that compares", compared, 3},
    {"argsort", argsort, 1},
    {"select", selected, 9},
    {"scan", scanned, 4},
    {"reduction", reduced, 3},
    {"histogram, cells", counted, 4},
    {"take, scatter", moved, 4},
    {"choice", chosen, 12},
    {"sorted", sorted, 7 + 16},
    {"random", drawn, 2},
};

static void of_the_last_kernel(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 300, MANY / 2};
    cpl_event *event;
    cpl_launch_options o = rounds_on(NULL, CPL_AUTO, &event);
    OK(w, cpl_context_set_option(w->cx, "opt_level", 0));
    OK(w, cpl_profile_enable(w->cx, true));
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (int which = 0; which < calls[c].ways; which++)
            for (size_t l = 0; l < sizeof some / sizeof *some; l++) {
                int64_t n = some[l];
                fill(n);
                forget(w);
                if (calls[c].call(w, &o, which, n))
                    fail_msg("%s %d of %lld: %s", calls[c].name, which, (long long)n, w->said.text);
                check_event(w, event, calls[c].name, which, n);
            }
}

static const char kernels[] = "def last(i, item, prev_item, last_item, N, x, y):\n"
                              "    y[i] = last_item\n";

static int set_up_kernels(void **state)
{
    return set_up_source(state, "events.py", kernels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_the_last_kernel, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
