/* Sorts on whatever devices there are, graphs that record them, and the kernels that they are made
 * of. */
#include "sort_world.h"

/* What a sort would launch: nothing runs. */
static void kernels_are_handed_out(void **state)
{
    world *w = *state;
    arrays *a = make_arrays(), *b = make_arrays();
    cpl_kernels found = {0};
    cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
    o.kernels = &found;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, b->keys, BIG),
                      cpl_arg_array(CPL_FLOAT64, b->d, BIG), cpl_arg_array(CPL_UINT8, b->b, BIG),
                      cpl_arg_array(CPL_FLOAT64, b->d_out, BIG)};
    OK(w, cpl_sort(w->module, NULL, &o, args, 4));
    assert_int_equal(found.count, 11); /* seven, and two for each type that goes along */
    assert_memory_equal(a->keys, b->keys, sizeof a->keys);
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    free(a);
    free(b);
}

/* A graph sorts what is there when it is launched; the second time other keys, the third time
 * sorted ones. */
static void recorded(void **state)
{
    world *w = *state;
    asked ask = {.type = CPL_FLOAT32};
    EACH_DEVICE(w, d)
    {
        cpl_graph *graph;
        arrays *a = make_arrays(), *b = make_arrays();
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *keys = on_device(w, d, CPL_FLOAT32, a->keys, BIG),
                  *x = on_device(w, d, CPL_FLOAT64, a->d, BIG),
                  *y = on_device(w, d, CPL_UINT8, a->b, BIG);
        cpl_arg args[] = {cpl_arg_of_array(keys), cpl_arg_of_array(x), cpl_arg_of_array(y)};
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_sort(w->module, NULL, NULL, args, 3));
        OK(w, cpl_graph_end(q, &graph));
        for (int turn = 0; turn < 3; turn++) {
            if (turn == 1) fill(CPL_FLOAT32, a->keys, BIG, random_bits);
            if (turn == 2) memcpy(a->keys, b->keys, sizeof a->keys);
            expect(&ask, a->keys, BIG, a->expected);
            OK(w, cpl_array_write(keys, NULL, a->keys, NULL));
            OK(w, cpl_array_write(x, NULL, a->d, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(keys, NULL, b->keys, NULL));
            OK(w, cpl_array_read(x, NULL, b->d, NULL));
            check(a->expected, a->keys, b->keys, 4, BIG, "recorded keys");
            check(a->expected, a->d, b->d, 8, BIG, "recorded doubles");
        }
        cpl_graph_release(graph);
        cpl_array_release(keys);
        cpl_array_release(x);
        cpl_array_release(y);
        free(a);
        free(b);
    }
}

static void on_devices(void **state)
{
    world *w = *state;
    static const int64_t some[] = {1, 3000, BIG};
    asked ask = {.type = CPL_FLOAT32};
    EACH_DEVICE(w, d)
    for (size_t l = 0; l < COUNT_OF(some); l++) {
        int64_t n = some[l];
        arrays *a = make_arrays(), *b = make_arrays();
        expect(&ask, a->keys, n, a->expected);
        cpl_array *keys = on_device(w, d, CPL_FLOAT32, a->keys, n),
                  *x = on_device(w, d, CPL_FLOAT64, a->d, n),
                  *y = on_device(w, d, CPL_UINT8, a->b, n),
                  *order = on_device(w, d, CPL_INT32, a->order, n);
        cpl_arg args[] = {cpl_arg_of_array(keys), cpl_arg_of_array(x), cpl_arg_of_array(y)},
                to = cpl_arg_of_array(order);
        OK(w, cpl_argsort(w->module, NULL, NULL, &to, args));
        OK(w, cpl_sort(w->module, NULL, NULL, args, 3));
        OK(w, cpl_array_read(keys, NULL, b->keys, NULL));
        OK(w, cpl_array_read(x, NULL, b->d, NULL));
        OK(w, cpl_array_read(y, NULL, b->b, NULL));
        OK(w, cpl_array_read(order, NULL, b->order, NULL));
        check(a->expected, a->keys, b->keys, 4, n, "keys on a device");
        check(a->expected, a->d, b->d, 8, n, "doubles on a device");
        check(a->expected, a->b, b->b, 1, n, "bytes on a device");
        for (int64_t i = 0; i < n; i++) assert_int_equal(b->order[i], a->expected[i].at);
        cpl_array_release(keys);
        cpl_array_release(x);
        cpl_array_release(y);
        cpl_array_release(order);
        free(a);
        free(b);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(kernels_are_handed_out), TEST(recorded),
                                       TEST(on_devices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
