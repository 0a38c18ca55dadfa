/*
 * Where the arrays of a launch are, and which parts of memory views are, on whatever devices there
 * are: what is elsewhere is refused or moved, and what was written is valid there alone.
 */
#include "device_world.h"
#include "launches.h"

static void arrays_elsewhere_are_refused_or_moved(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, NULL, 0, 1), *y = ramp(w, d, 0, 0);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2),
                          cpl_arg_int(3)};
        FAILS(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL), CPL_EARG,
              "argument 1 is on the host and the launch runs on");
        assert_non_null(strstr(w->said.text, info_of(d).label));
        cpl_queue *host = cpl_device_queue(cpl_device_get(w->cx, 0));
        FAILS(w, launch_rounds(w->module, "axpb", host, args, 4, CPL_AUTO, NULL), CPL_EARG,
              "the launch runs on the host");
        double plain[4] = {1, 2, 3, 4};
        cpl_arg raw[] = {cpl_arg_array(CPL_FLOAT64, plain, 4)};
        FAILS(w, launch_rounds(w->module, "inc", q, raw, 1, CPL_AUTO, NULL), CPL_EARG,
              "a plain pointer");
        OK(w, cpl_context_set_option(w->cx, "automatic", 1));
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL));
        expect_ramp(w, y, 3, 2);
        assert_true(cpl_array_valid(x, NULL) && cpl_array_valid(x, d)); /* only read */
        OK(w, launch_rounds(w->module, "inc", host, &args[1], 1, CPL_AUTO, NULL));
        expect_ramp(w, y, 4, 2);
        assert_false(cpl_array_valid(y, d));
        OK(w, launch_rounds(w->module, "inc", q, raw, 1, CPL_AUTO, NULL));
        for (int i = 0; i < 4; i++) assert_true(plain[i] == 2 + i);
        OK(w, cpl_context_set_option(w->cx, "automatic", 0));
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

static void a_launch_can_move_what_it_uses(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        double plain[4] = {1, 2, 3, 4};
        cpl_array *x = ramp(w, NULL, 0, 1);
        cpl_arg raw[] = {cpl_arg_array(CPL_FLOAT64, plain, 4)}, made[] = {cpl_arg_of_array(x)};
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.queue = cpl_device_queue(d);
        o.automatic = true;
        OK(w, cpl_launch(w->module, "inc", &o, raw, 1));
        for (int i = 0; i < 4; i++) assert_true(plain[i] == 2 + i);
        OK(w, cpl_launch(w->module, "inc", &o, made, 1));
        expect_ramp(w, x, 1, 1);
        o.automatic = false; /* of the one launch alone */
        if (!is_host(d)) FAILS(w, cpl_launch(w->module, "inc", &o, raw, 1), CPL_EARG, "a plain");
        cpl_array_release(x);
    }
}

/* Of four plain pointers each two, or all, may be one array, which is moved once. */
static void pointers_to_one_array(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        for (int same = 0; same < 1 << 6; same++) {
            double arrays[4][N];
            int of[4] = {0, 1, 2, 3}, bit = 0;
            for (int i = 0; i < 4; i++)
                for (int k = i + 1; k < 4; k++)
                    if (same >> bit++ & 1) of[k] = of[i];
            cpl_arg args[4];
            for (int i = 0; i < 4; i++) {
                args[i] = cpl_arg_array(CPL_FLOAT64, arrays[of[i]], N);
                for (int k = 0; k < N; k++) arrays[i][k] = 100 * i + k;
            }
            OK(w, launch_rounds(w->module, "marks", cpl_device_queue(d), args, 4, N, NULL));
            for (int i = 0; i < 4; i++) {
                double more = 0;
                for (int k = 0; k < 4; k++) more += of[k] == i ? 1 << k : 0;
                for (int k = 0; k < N; k++) assert_true(arrays[i][k] == 100 * i + k + more);
            }
        }
    }
}

/* Arguments that stand for something lie among those that are moved, or are there. */
static void bound_arguments_move_nothing(void **state)
{
    world *w = *state;
    cpl_bind next = cpl_bind_expression("lambda t: t + 1"), two = cpl_bind_integer(2);
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        for (int plain = 0; plain < 4; plain++) {
            double from[N], to[N];
            cpl_array *x = ramp(w, NULL, 5, 1), *y = ramp(w, NULL, 0, 0);
            for (int i = 0; i < N; i++) from[i] = 5 + i, to[i] = 0;
            cpl_arg args[] = {cpl_arg_bound(&next),
                              plain & 1 ? cpl_arg_array(CPL_FLOAT64, from, N) : cpl_arg_of_array(x),
                              cpl_arg_bound(&two),
                              plain & 2 ? cpl_arg_array(CPL_FLOAT64, to, N) : cpl_arg_of_array(y)};
            OK(w, launch_rounds(w->module, "mapped", cpl_device_queue(d), args, 4, N, NULL));
            if (!(plain & 2)) {
                assert_int_equal(cpl_array_valid(y, NULL), is_host(d));
                OK(w, cpl_array_read(y, NULL, to, NULL));
            }
            assert_true(cpl_array_valid(x, NULL));
            for (int i = 0; i < N; i++) assert_true(from[i] == 5 + i && to[i] == 8 + i);
            cpl_array_release(x);
            cpl_array_release(y);
        }
    }
}

static void views_are_arguments(void **state)
{
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1), *low, *high, *odd;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 1;
        o.shape[0] = 1024;
        OK(w, cpl_array_view(x, &o, &low));
        o.offset = 1024 * 8;
        OK(w, cpl_array_view(x, &o, &high));
        cpl_arg args[] = {cpl_arg_of_array(low), cpl_arg_of_array(high), cpl_arg_float(2),
                          cpl_arg_float(0.5)};
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL));
        double values[1024];
        OK(w, cpl_array_read(high, NULL, values, NULL));
        for (int i = 0; i < 1024; i++) assert_true(values[i] == 2 * i + 0.5);
        /* every third element; without addresses a view begins at an aligned byte */
        o.offset = 0;
        o.shape[0] = 300;
        o.strides[0] = 24;
        OK(w, cpl_array_view(x, &o, &odd));
        args[0] = cpl_arg_of_array(odd);
        OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL));
        OK(w, cpl_array_read(low, NULL, values, NULL));
        for (int i = 0; i < 1024; i++) assert_true(values[i] == i + (i % 3 == 0 && i < 900));
        cpl_array *tilted;
        o.strides[0] = 0;
        o.offset = 8;
        OK(w, cpl_array_view(x, &o, &tilted));
        args[0] = cpl_arg_of_array(tilted);
        if (info_of(d).pointers) OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL));
        else
            FAILS(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL), CPL_EARG,
                  "begins at byte 8");
        if (!is_host(d)) {
            args[0] = cpl_arg_of_array(x);
            args[1] = cpl_arg_of_array(high);
            FAILS(w, launch_rounds(w->module, "axpb", q, args, 4, 10, NULL), CPL_EOVERLAP,
                  "overlap partly");
        }
        cpl_array_release(tilted);
        cpl_array_release(odd);
        cpl_array_release(low);
        cpl_array_release(high);
        cpl_array_release(x);
    }
}

/* Elements in the gaps of others are shared with nobody: on every device, in one launch. */
static void views_in_gaps(void **state)
{
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        if (!info_of(d).pointers) continue; /* a view begins at an aligned byte */
        cpl_array *x = ramp(w, d, 0, 1), *even, *odd;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 1;
        o.shape[0] = 400;
        o.strides[0] = 16;
        OK(w, cpl_array_view(x, &o, &even));
        o.offset = 8;
        OK(w, cpl_array_view(x, &o, &odd));
        cpl_arg args[] = {cpl_arg_of_array(even), cpl_arg_of_array(odd), cpl_arg_float(2),
                          cpl_arg_float(0.5)};
        OK(w, launch_rounds(w->module, "axpb", NULL, args, 4, CPL_AUTO, NULL));
        double values[400];
        OK(w, cpl_array_read(odd, NULL, values, NULL));
        for (int i = 0; i < 400; i++) assert_true(values[i] == 4 * i + 0.5);
        OK(w, cpl_array_read(even, NULL, values, NULL));
        for (int i = 0; i < 400; i++) assert_true(values[i] == 2 * i);
        cpl_array_release(even);
        cpl_array_release(odd);
        cpl_array_release(x);
    }
}

/* What a kernel wrote before a check stopped it counts: no other place is valid. */
static void stopped_kernels_wrote(void **state)
{
    world *w = *state;
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    cpl_device *host = cpl_device_get(w->cx, 0);
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(5)};
        OK(w, cpl_array_pull(x, NULL));
        FAILS(w,
              launch_rounds(w->module, "shifted", cpl_device_queue(host), args, 2, CPL_AUTO, NULL),
              CPL_EBOUNDS, "in 'shifted'");
        assert_true(cpl_array_valid(x, NULL));
        assert_int_equal(cpl_array_valid(x, d), is_host(d));
        cpl_array_release(x);
    }
}

/* Each way to give an array a queue, or a device, that another context has. */
static void queues_of_another_context_are_refused(void **state)
{
    world *w = *state;
    cpl_context *other;
    assert_int_equal(cpl_context_create(NULL, &other), CPL_OK);
    EACH_DEVICE(w, d)
    {
        cpl_device *twin;
        OK(w, cpl_device_find(other, info_of(d).label, &twin));
        cpl_queue *q = cpl_device_queue(twin);
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, NULL, 0, 1), *made = NULL;
        double values[8] = {0};
        const char *said = "the queue belongs to another context than the array";
        FAILS(w, cpl_array_push(x, q, NULL), CPL_EARG, said);
        FAILS(w, cpl_array_push(y, q, NULL), CPL_EARG, said);
        FAILS(w, cpl_array_pull(x, q), CPL_EARG, said);
        FAILS(w, cpl_array_write(x, q, values, NULL), CPL_EARG, said);
        FAILS(w, cpl_array_read(x, q, values, NULL), CPL_EARG, said);
        FAILS(w, cpl_array_copy(x, y, q, NULL), CPL_EARG, said);
        FAILS(w, cpl_array_written(x, d, q), CPL_EARG, said);
        FAILS(w, cpl_array_written(x, twin, NULL), CPL_EARG, "no memory on");
        FAILS(w, cpl_queue_wait_array(q, x), CPL_EARG, said);
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.queue = q;
        FAILS(w, cpl_array_fill(x, cpl_arg_int(1), &o), CPL_EARG, said);
        cpl_array *theirs;
        OK(w, cpl_array_create(other, twin, CPL_FLOAT64, 8, &theirs));
        const cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(theirs)};
        said = "the queue belongs to another context than the function";
        FAILS(w, cpl_launch(w->module, "inc", &o, args, 1), CPL_EARG, said);
        said = "argument 1 belongs to another context";
        FAILS(w, cpl_launch(w->module, "inc", NULL, &args[1], 1), CPL_EARG, said);
        cpl_reduce_spec sum;
        cpl_reduce_spec_init(&sum);
        sum.op = cpl_bind_expression("a + b");
        said = "the place of the result belongs to another context";
        FAILS(w, cpl_reduce(w->module, &sum, NULL, &args[1], &args[0], 1), CPL_EARG, said);
        cpl_array_release(theirs);
        cpl_array_options made_so;
        cpl_array_options_init(&made_so);
        made_so.dtype = CPL_FLOAT64;
        made_so.pinned = true;
        made_so.pinned_for = twin;
        said = "the device belongs to another context";
        FAILS(w, cpl_array_create_with(w->cx, NULL, &made_so, &made), CPL_EARG, said);
        FAILS(w, cpl_array_wrap(w->cx, NULL, &made_so, values, &made), CPL_EARG, said);
        expect_ramp(w, x, 0, 1);
        cpl_array_release(x);
        cpl_array_release(y);
    }
    cpl_context_release(other);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_module, tear_down_module)
    const struct CMUnitTest tests[] = {
        TEST(arrays_elsewhere_are_refused_or_moved),
        TEST(a_launch_can_move_what_it_uses),
        TEST(pointers_to_one_array),
        TEST(bound_arguments_move_nothing),
        TEST(views_are_arguments),
        TEST(views_in_gaps),
        TEST(stopped_kernels_wrote),
        TEST(queues_of_another_context_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
