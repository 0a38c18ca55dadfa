/*
 * Sorts by cells, compared with a counting sort of plain C: from no cell to more than there are
 * elements, elements that are in none, any type of cells and of results, on the host with any
 * number of threads, by the interpreter, and on whatever devices there are.
 */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"
#include "sort_model.h"

#include <cpl/sort.h>

static const char kernels[] = "def square(i, x, y, side):\n"
                              "    return int(floor(x[i])) + side*int(floor(y[i]))\n";

/* Around the borders of pieces, and of what one worker sorts. */
static const int64_t lengths[] = {0, 1, 2, 4095, 4096, 4097, 16384, 16385, 100003};
/* Around what is counted, by one worker and by several. */
static const int64_t some_cells[] = {0,    1,    2,    255,  256,    257,
                                     1024, 1025, 4096, 4097, 100003, 300000};
enum { MOST = 100003, MOST_CELLS = 300000 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static int set_up_kernels(void **state)
{
    return set_up_source(state, "cells.py", kernels);
}

/* From -1 to m: some elements are in no cell. */
static int64_t cell_at(int64_t i, int64_t m)
{
    return (i * 2654435761 >> 7) % 1000003 % (m + 2) - 1;
}

/* --- what is to come out --- */

typedef struct room { /* for one sort */
    int32_t *cells, *order, *offsets;
    int64_t *expected, *borders;
} room;

static room make_room(void)
{
    room r = {malloc(MOST * 4), malloc(MOST * 4), malloc((MOST_CELLS + 1) * 4), malloc(MOST * 8),
              malloc((MOST_CELLS + 2) * 8)};
    return r;
}

static void free_room(room *r)
{
    free(r->cells);
    free(r->order);
    free(r->offsets);
    free(r->expected);
    free(r->borders);
}

static void fill(room *r, int64_t n, int64_t m)
{
    for (int64_t i = 0; i < n; i++) r->cells[i] = (int32_t)cell_at(i, m);
    memset(r->order, 0xAB, MOST * 4);
    memset(r->offsets, 0xAB, (MOST_CELLS + 1) * 4);
    expect_cells(r->cells, n, m, r->expected, r->borders);
}

static void check(const room *r, int64_t n, int64_t m)
{
    for (int64_t k = 0; k <= m; k++)
        if (r->offsets[k] != r->borders[k])
            fail_msg("%lld in %lld cells: cell %lld begins at %d, not %lld", (long long)n,
                     (long long)m, (long long)k, r->offsets[k], (long long)r->borders[k]);
    for (int64_t i = 0; i < n; i++)
        if (r->order[i] != r->expected[i])
            fail_msg("%lld in %lld cells: %d is number %lld, not %lld", (long long)n, (long long)m,
                     r->order[i], (long long)i, (long long)r->expected[i]);
}

static cpl_status sort_on(world *w, const cpl_launch_options *o, cpl_cells *s, cpl_arg cells,
                          cpl_arg order, cpl_arg offsets)
{
    s->order = &order;
    s->offsets = &offsets;
    return cpl_sort_cells(w->module, s, o, &cells, 1);
}

static void sort_here(world *w, const room *r, const cpl_launch_options *o, int64_t n, int64_t m)
{
    cpl_cells s;
    cpl_cells_init(&s);
    OK(w,
       sort_on(w, o, &s, cpl_arg_const_array(CPL_INT32, r->cells, n),
               cpl_arg_array(CPL_INT32, r->order, n), cpl_arg_array(CPL_INT32, r->offsets, m + 1)));
    check(r, n, m);
}

/* --- on the host --- */

static void every_size(void **state)
{
    world *w = *state;
    room r = make_room();
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t k = 0; k < COUNT_OF(some_cells); k++) {
            fill(&r, lengths[l], some_cells[k]);
            sort_here(w, &r, NULL, lengths[l], some_cells[k]);
        }
    free_room(&r);
}

/* All in one cell, in the first, in the last, in none, in rising and falling ones. */
static void patterns(void **state)
{
    world *w = *state;
    room r = make_room();
    for (int way = 0; way < 7; way++)
        for (size_t k = 1; k < COUNT_OF(some_cells); k++) {
            int64_t m = some_cells[k], n = 20000;
            fill(&r, n, m);
            for (int64_t i = 0; i < n; i++)
                r.cells[i] = (int32_t)(way == 0   ? 0
                                       : way == 1 ? m - 1
                                       : way == 2 ? m / 2
                                       : way == 3 ? m
                                       : way == 4 ? INT32_MIN
                                       : way == 5 ? i % m
                                                  : m - 1 - i % m);
            expect_cells(r.cells, n, m, r.expected, r.borders);
            sort_here(w, &r, NULL, n, m);
        }
    free_room(&r);
}

/* Cells of any integer type, what is beyond an int64 too. */
static void types_of_cells(void **state)
{
    world *w = *state;
    static const struct {
        cpl_dtype type;
        uint64_t mask;
    } rows[] = {{CPL_BOOL, 1},           {CPL_INT8, 127},         {CPL_UINT8, 255},
                {CPL_INT16, INT16_MAX},  {CPL_UINT16, 0xFFFF},    {CPL_UINT32, UINT32_MAX},
                {CPL_INT64, UINT64_MAX}, {CPL_UINT64, UINT64_MAX}};
    static const int64_t some[] = {1, 100, 5000};
    room r = make_room();
    uint64_t *cells = malloc(MOST * 8);
    enum { COUNT = 17000 };
    for (size_t t = 0; t < COUNT_OF(rows); t++)
        for (size_t k = 0; k < COUNT_OF(some); k++) {
            size_t size = cpl_dtype_size(rows[t].type);
            fill(&r, COUNT, some[k]);
            for (int64_t i = 0; i < COUNT; i++) {
                uint64_t raw = (uint64_t)r.cells[i] & rows[t].mask;
                memcpy((char *)cells + (size_t)i * size, &raw, size);
                r.cells[i] = raw > INT32_MAX ? -1 : (int32_t)raw;
            }
            expect_cells(r.cells, COUNT, some[k], r.expected, r.borders);
            cpl_cells s;
            cpl_cells_init(&s);
            OK(w, sort_on(w, NULL, &s, cpl_arg_array(rows[t].type, cells, COUNT),
                          cpl_arg_array(CPL_INT32, r.order, COUNT),
                          cpl_arg_array(CPL_INT32, r.offsets, some[k] + 1)));
            check(&r, COUNT, some[k]);
        }
    free(cells);
    free_room(&r);
}

/* Results of int64, one of them or both; every third element; what is behind stays as it is. */
static void types_of_results(void **state)
{
    world *w = *state;
    room r = make_room();
    int64_t *order = malloc(MOST * 24), *offsets = malloc((MOST_CELLS + 1) * 16);
    for (size_t k = 0; k < COUNT_OF(some_cells); k++)
        for (int way = 0; way < 3; way++) {
            int64_t n = 20000, m = some_cells[k];
            fill(&r, n, m);
            memset(order, 0xAB, MOST * 24);
            cpl_arg to = cpl_arg_array(CPL_INT64, order, n + 5),
                    at = cpl_arg_array(CPL_INT64, offsets, m + 1);
            if (way == 1) to = cpl_arg_array(CPL_INT32, r.order, n);
            if (way == 2) to.stride = 24, at.stride = 16;
            cpl_cells s;
            cpl_cells_init(&s);
            OK(w, sort_on(w, NULL, &s, cpl_arg_array(CPL_INT32, r.cells, n), to, at));
            for (int64_t i = 0; i < n && way != 1; i++)
                assert_int_equal(order[way == 2 ? 3 * i : i], r.expected[i]);
            for (int64_t c = 0; c <= m; c++)
                assert_int_equal(offsets[way == 2 ? 2 * c : c], r.borders[c]);
            assert_int_equal(order[way == 2 ? 1 : n], (int64_t)0xABABABABABABABAB);
        }
    free(order);
    free(offsets);
    free_room(&r);
}

/* Of points, by a function of arrays and a number, and by an expression; of the first n alone. */
static void by_functions(void **state)
{
    world *w = *state;
    enum { SIDE = 90, COUNT = 30000 };
    room r = make_room();
    double *x = malloc(COUNT * 8), *y = malloc(COUNT * 8);
    for (int64_t i = 0; i < COUNT; i++) {
        x[i] = (double)(cell_at(i, 9001) + 1) / 100;
        y[i] = (double)(cell_at(i + 7, 9001) + 1) / 100;
    }
    for (int way = 0; way < 4; way++) {
        int64_t m = way & 2 ? SIDE * SIDE : 100, n = COUNT - 77;
        for (int64_t i = 0; i < COUNT; i++) r.cells[i] = (int32_t)x[i] + SIDE * (int32_t)y[i];
        expect_cells(r.cells, n, m, r.expected, r.borders);
        cpl_cells s;
        cpl_cells_init(&s);
        s.cell = way & 1 ? cpl_bind_function("square")
                         : cpl_bind_expression("lambda i, x, y, s: int(x[i]) + s*int(y[i])");
        cpl_arg order = cpl_arg_array(CPL_INT32, r.order, n),
                offsets = cpl_arg_array(CPL_INT32, r.offsets, m + 1),
                args[] = {cpl_arg_array(CPL_FLOAT64, x, COUNT),
                          cpl_arg_array(CPL_FLOAT64, y, COUNT), cpl_arg_int(SIDE)};
        s.order = &order;
        s.offsets = &offsets;
        cpl_launch_options o = rounds_on(NULL, n, NULL);
        OK(w, cpl_sort_cells(w->module, &s, &o, args, 3));
        check(&r, n, m);
    }
    free(x);
    free(y);
    free_room(&r);
}

static void any_threads(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    room r = make_room();
    for (size_t t = 0; t < COUNT_OF(threads); t++) {
        OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
        for (size_t k = 0; k < COUNT_OF(some_cells); k++) {
            fill(&r, MOST, some_cells[k]);
            sort_here(w, &r, NULL, MOST, some_cells[k]);
        }
    }
    free_room(&r);
}

static void checked_and_interpreted(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 700, 5000};
    room r = make_room();
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.interpret = true;
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (size_t k = 0; k < COUNT_OF(some); k++) {
            fill(&r, some[l], some[k]);
            sort_here(w, &r, &o, some[l], some[k]);
            OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
            fill(&r, some[l], some[k]);
            sort_here(w, &r, NULL, some[l], some[k]);
            OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
        }
    free_room(&r);
}

/* A cell that is read past the end of an array: with bounds_check it is an error. */
static void cells_out_of_bounds(void **state)
{
    world *w = *state;
    room r = make_room();
    fill(&r, 100, 5000);
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    for (int64_t m = 5; m < 6000; m += 5000) {
        cpl_cells s;
        cpl_cells_init(&s);
        s.cell = cpl_bind_expression("lambda i, x: x[i + 1]");
        FAILS(w,
              sort_on(w, NULL, &s, cpl_arg_array(CPL_INT32, r.cells, 100),
                      cpl_arg_array(CPL_INT32, r.order, 100),
                      cpl_arg_array(CPL_INT32, r.offsets, m + 1)),
              CPL_EBOUNDS, "index 100 is out of bounds");
    }
    free_room(&r);
}

/* What a sort would launch: nothing runs. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    static const struct {
        int64_t n, m;
        size_t kernels;
    } rows[] = {{MOST, 5, 3}, {100, 4096, 3}, {MOST, MOST, 3}, {MOST, MOST + 1, 9}};
    room r = make_room();
    for (size_t k = 0; k < COUNT_OF(rows); k++) {
        cpl_kernels found = {0};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.kernels = &found;
        cpl_cells s;
        cpl_cells_init(&s);
        fill(&r, rows[k].n, rows[k].m);
        OK(w, sort_on(w, &o, &s, cpl_arg_array(CPL_INT32, r.cells, rows[k].n),
                      cpl_arg_array(CPL_INT32, r.order, rows[k].n),
                      cpl_arg_array(CPL_INT32, r.offsets, rows[k].m + 1)));
        assert_int_equal(found.count, rows[k].kernels);
        assert_int_equal(r.order[0], (int32_t)0xABABABAB);
        assert_int_equal(r.offsets[0], (int32_t)0xABABABAB);
        for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    }
    free_room(&r);
}

/* --- on devices --- */

static void sort_there(world *w, cpl_device *d, room *r, int64_t n, int64_t m)
{
    cpl_cells s;
    cpl_event *done = NULL;
    cpl_cells_init(&s);
    fill(r, n, m);
    cpl_array *cells = on_device(w, d, CPL_INT32, r->cells, n),
              *order = on_device(w, d, CPL_INT32, r->order, n),
              *offsets = on_device(w, d, CPL_INT32, r->offsets, m + 1);
    cpl_launch_options o = rounds_on(NULL, CPL_AUTO, &done);
    OK(w, sort_on(w, &o, &s, cpl_arg_of_array(cells), cpl_arg_of_array(order),
                  cpl_arg_of_array(offsets)));
    if (done) OK(w, cpl_event_wait(done));
    cpl_event_release(done);
    OK(w, cpl_array_read(order, NULL, r->order, NULL));
    OK(w, cpl_array_read(offsets, NULL, r->offsets, NULL));
    check(r, n, m);
    cpl_array_release(cells);
    cpl_array_release(order);
    cpl_array_release(offsets);
}

static void on_devices(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, 3000, 20000}, of[] = {0, 1, 200, 300, 30000};
    room r = make_room();
    EACH_DEVICE(w, d)
    for (size_t l = 0; l < COUNT_OF(some); l++)
        for (size_t k = 0; k < COUNT_OF(of); k++) sort_there(w, d, &r, some[l], of[k]);
    free_room(&r);
}

/* Memory of the host's own, which goes to a device and back. */
static void automatically(void **state)
{
    world *w = *state;
    room r = make_room();
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    for (int64_t m = 10; m < 100000; m *= 500) {
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, cpl_device_queue(d));
        fill(&r, 20000, m);
        sort_here(w, &r, &o, 20000, m);
    }
    free_room(&r);
}

/* A graph sorts what is there when it is launched. */
static void recorded(void **state)
{
    world *w = *state;
    enum { COUNT = 20000 };
    room r = make_room();
    EACH_DEVICE(w, d)
    for (int64_t m = 20; m < 100000; m *= 500) {
        cpl_graph *graph;
        cpl_cells s;
        cpl_cells_init(&s);
        fill(&r, COUNT, m);
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *cells = on_device(w, d, CPL_INT32, r.cells, COUNT),
                  *order = on_device(w, d, CPL_INT32, r.order, COUNT),
                  *offsets = on_device(w, d, CPL_INT32, r.offsets, m + 1);
        OK(w, cpl_graph_begin(q));
        OK(w, sort_on(w, NULL, &s, cpl_arg_of_array(cells), cpl_arg_of_array(order),
                      cpl_arg_of_array(offsets)));
        OK(w, cpl_graph_end(q, &graph));
        for (int turn = 0; turn < 2; turn++) {
            for (int64_t i = 0; i < COUNT; i++) r.cells[i] = (int32_t)cell_at(i * (3 + turn), m);
            expect_cells(r.cells, COUNT, m, r.expected, r.borders);
            OK(w, cpl_array_write(cells, NULL, r.cells, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(order, NULL, r.order, NULL));
            OK(w, cpl_array_read(offsets, NULL, r.offsets, NULL));
            check(&r, COUNT, m);
        }
        cpl_graph_release(graph);
        cpl_array_release(cells);
        cpl_array_release(order);
        cpl_array_release(offsets);
    }
    free_room(&r);
}

/* --- what is refused --- */

static void refused(void **state)
{
    world *w = *state;
    int32_t k[8] = {3, 1, 2}, o[8], b[5];
    double f[8];
    cpl_cells s;
    cpl_cells_init(&s);
    cpl_arg cells = cpl_arg_array(CPL_INT32, k, 8), order = cpl_arg_array(CPL_INT32, o, 8),
            offsets = cpl_arg_array(CPL_INT32, b, 5), floats = cpl_arg_array(CPL_FLOAT64, f, 8),
            one = cpl_arg_int(1);
    FAILS(w, sort_on(w, NULL, &s, one, order, offsets), CPL_EARG, "no array");
    FAILS(w, sort_on(w, NULL, &s, floats, order, offsets), CPL_EARG,
          "cells are integers, not float64");
    FAILS(w, sort_on(w, NULL, &s, cells, floats, offsets), CPL_EARG,
          "the order is no array of int32 or int64");
    FAILS(w, sort_on(w, NULL, &s, cells, one, offsets), CPL_EARG,
          "the order is no array of int32 or int64");
    FAILS(w, sort_on(w, NULL, &s, cells, order, floats), CPL_EARG,
          "the array of the offsets is no array of int32 or int64");
    order.length = 7;
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EARG,
          "the order has 7 elements and takes 8");
    order.length = 8;
    offsets.length = 0;
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EARG,
          "the array of the offsets has 0 elements and takes 1");
    offsets.length = 5;
    s.cell = cpl_bind_integer(1);
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EARG, "no expression");
    s.cell = cpl_bind_expression("lambda i, x: 0.5*x[i]");
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EARG,
          "cells are integers, and this gives float64");
    s.cell.reserved[0] = 1;
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EARG,
          "the function of cells has reserved members that are not zero");
    s.cell = cpl_bind_function("nobody");
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_ENOTFOUND, "nobody");
    s.cell = (cpl_bind){0};
    cpl_launch_options far = rounds_on(NULL, 9, NULL);
    FAILS(w, sort_on(w, &far, &s, cells, order, offsets), CPL_EARG, "to be 9");
    s.cell = cpl_bind_expression("lambda i, x: i");
    far.n = (int64_t)1 << 31;
    FAILS(w, sort_on(w, &far, &s, cells, order, offsets), CPL_EARG, "has 8 elements");
    far.n++;
    FAILS(w, sort_on(w, &far, &s, cells, order, offsets), CPL_EARG, "which are no int32");
    FAILS(w, cpl_sort_cells(w->module, NULL, NULL, &cells, 1), CPL_EARG, "");
    s.order = NULL;
    FAILS(w, cpl_sort_cells(w->module, &s, NULL, &cells, 1), CPL_EARG, "");
    s.order = &order;
    s.offsets = NULL;
    FAILS(w, cpl_sort_cells(w->module, &s, NULL, &cells, 1), CPL_EARG, "");
    s.offsets = &offsets;
    FAILS(w, cpl_sort_cells(NULL, &s, NULL, &cells, 1), CPL_EARG, "");
    s.cell = (cpl_bind){0};
    OK(w, sort_on(w, NULL, &s, cells, order, offsets));
}

static void overlaps(void **state)
{
    world *w = *state;
    int32_t x[64] = {3, 1, 2};
    cpl_cells s;
    cpl_cells_init(&s);
    cpl_arg cells = cpl_arg_array(CPL_INT32, x, 8), order = cpl_arg_array(CPL_INT32, x + 7, 8),
            offsets = cpl_arg_array(CPL_INT32, x + 20, 5), apart = order;
    apart.data = x + 40;
    FAILS(w, sort_on(w, NULL, &s, cells, order, offsets), CPL_EOVERLAP, "shares memory");
    offsets.data = x + 44;
    FAILS(w, sort_on(w, NULL, &s, cells, apart, offsets), CPL_EOVERLAP, "shares memory");
    offsets.data = x + 4;
    FAILS(w, sort_on(w, NULL, &s, cells, apart, offsets), CPL_EOVERLAP, "shares memory");
    for (int i = 3; i < 64; i++) assert_int_equal(x[i], 0);
    cells.stride = apart.stride = 8; /* between each other's elements */
    apart.data = x + 1;
    offsets.data = x + 20;
    OK(w, sort_on(w, NULL, &s, cells, apart, offsets));
    assert_int_equal(x[20 + 4], 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_size, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(patterns, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(types_of_cells, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(types_of_results, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(by_functions, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(any_threads, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(checked_and_interpreted, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(cells_out_of_bounds, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(kernels_are_handed_out, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(automatically, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(recorded, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
