/* Sorted arrays and what is unique on whatever devices there are, in graphs and of the host's
 * memory. */
#include "sorted_model.h"

static void sorted_there(world *w, cpl_device *d, room *r, int64_t m, int64_t n)
{
    const cpl_dtype T = CPL_FLOAT32;
    fill_room(r, T, m, n, 70, false);
    int64_t number = -1,
            count = find_set(r, T, m, n, CPL_SET_SYMMETRIC_DIFFERENCE, false, r->expected);
    cpl_array *a = on_device(w, d, T, r->a, m), *b = on_device(w, d, T, r->b, n),
              *out = on_device(w, d, T, r->out, m + n),
              *at = on_device(w, d, CPL_INT64, r->where, n);
    cpl_arg x = cpl_arg_of_array(a), y = cpl_arg_of_array(b), to = cpl_arg_of_array(out),
            where = cpl_arg_of_array(at);
    cpl_sorted_spec s = spec_of(&where, false);
    OK(w, cpl_search_sorted(w->module, &s, NULL, &x, &y));
    OK(w, cpl_array_read(at, NULL, r->where, NULL));
    check_search(r, T, m, n, false, false);
    s.out = &to;
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.result = &number;
    OK(w, cpl_set_of(w->module, &s, &o, CPL_SET_SYMMETRIC_DIFFERENCE, &x, &y));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    check_set(r, T, m, count, number);
    OK(w, cpl_merge(w->module, &s, NULL, &x, &y, 1));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    for (int64_t i = 1; i < m + n; i++)
        assert_true(rank_alike(T, r->out, i - 1) <= rank_alike(T, r->out, i));
    cpl_array_release(a);
    cpl_array_release(b);
    cpl_array_release(out);
    cpl_array_release(at);
}

static void unique_there(world *w, cpl_device *d, room *r, int64_t n)
{
    const cpl_dtype T = CPL_FLOAT32;
    fill(T, r->a, n, 9, 70);
    int64_t number = -1;
    cpl_array *keys = on_device(w, d, T, r->a, n), *out = on_device(w, d, T, r->a, n),
              *first = on_device(w, d, CPL_INT32, r->first, n),
              *inverse = on_device(w, d, CPL_INT32, r->inverse, n),
              *counts = on_device(w, d, CPL_INT32, r->counts, n),
              *told = on_device(w, d, CPL_INT64, &number, 1);
    cpl_arg in = cpl_arg_of_array(keys), to = cpl_arg_of_array(out), at = cpl_arg_of_array(first),
            of = cpl_arg_of_array(inverse), many = cpl_arg_of_array(counts),
            place = cpl_arg_of_array(told);
    cpl_unique_spec s;
    cpl_unique_spec_init(&s);
    s.out = &to, s.first = &at, s.inverse = &of, s.counts = &many, s.number = &place;
    OK(w, cpl_unique(w->module, &s, NULL, &in));
    OK(w, cpl_array_read(out, NULL, r->out, NULL));
    OK(w, cpl_array_read(first, NULL, r->first, NULL));
    OK(w, cpl_array_read(inverse, NULL, r->inverse, NULL));
    OK(w, cpl_array_read(counts, NULL, r->counts, NULL));
    OK(w, cpl_array_read(told, NULL, &number, NULL));
    check_unique(r, T, n, false, OUT | FIRST | INVERSE | COUNTS, number);
    cpl_array_release(keys);
    cpl_array_release(out);
    cpl_array_release(first);
    cpl_array_release(inverse);
    cpl_array_release(counts);
    cpl_array_release(told);
}

static void on_devices(void **state)
{
    world *w = *state;
    room r = make_room();
    memset(r.first, 0, MOST * 4);
    memset(r.inverse, 0, MOST * 4);
    memset(r.counts, 0, MOST * 4);
    EACH_DEVICE(w, d)
    {
        sorted_there(w, d, &r, 0, 5);
        sorted_there(w, d, &r, 9000, 11000);
        unique_there(w, d, &r, 0);
        unique_there(w, d, &r, 17000);
    }
    free_room(&r);
}

/* A graph finds what is unique when it is launched. */
static void recorded(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        enum { COUNT = 17000 };
        cpl_graph *graph;
        cpl_queue *q = cpl_device_queue(d);
        int64_t *x = calloc(COUNT, 8), number = 0;
        cpl_array *keys = on_device(w, d, CPL_INT64, x, COUNT),
                  *out = on_device(w, d, CPL_INT64, x, COUNT),
                  *counts = on_device(w, d, CPL_INT64, x, COUNT),
                  *told = on_device(w, d, CPL_INT64, &number, 1);
        cpl_arg in = cpl_arg_of_array(keys), to = cpl_arg_of_array(out),
                many = cpl_arg_of_array(counts), place = cpl_arg_of_array(told);
        cpl_unique_spec s;
        cpl_unique_spec_init(&s);
        s.out = &to, s.counts = &many, s.number = &place;
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_unique(w->module, &s, NULL, &in));
        OK(w, cpl_graph_end(q, &graph));
        for (int64_t values = 1; values < 9000; values *= 89) {
            for (int64_t i = 0; i < COUNT; i++) x[i] = i * 7 % values;
            OK(w, cpl_array_write(keys, NULL, x, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(told, NULL, &number, NULL));
            assert_int_equal(number, values);
            OK(w, cpl_array_read(out, NULL, x, NULL));
            for (int64_t i = 0; i < values; i++) assert_int_equal(x[i], i);
            OK(w, cpl_array_read(counts, NULL, x, NULL));
            for (int64_t i = 0; i < values; i++)
                assert_in_range(x[i], COUNT / values, COUNT / values + 1);
        }
        cpl_graph_release(graph);
        cpl_array_release(keys);
        cpl_array_release(out);
        cpl_array_release(counts);
        cpl_array_release(told);
        free(x);
    }
}

/* Memory of the host's own, which goes to a device and back. */
static void automatically(void **state)
{
    world *w = *state;
    room r = make_room();
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, cpl_device_queue(d));
        fill(CPL_FLOAT64, r.a, 17000, 5, 100);
        unique_here(w, &r, &o, CPL_FLOAT64, 17000, false, OUT | FIRST | INVERSE | COUNTS);
        fill_room(&r, CPL_INT16, 9000, 5000, 70, true);
        set_here(w, &r, &o, CPL_INT16, 9000, 5000, 3);
        search_here(w, &r, &o, CPL_INT16, 9000, 5000, 1);
    }
    free_room(&r);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(on_devices),
        TEST(recorded),
        TEST(automatically),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
