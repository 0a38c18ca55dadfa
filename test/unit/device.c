/*
 * Devices, queues, launches and graphs on whatever devices there are; the host is always one. Which
 * ones were found, and which kinds are absent, is printed. Run it on a machine with a GPU to check
 * CUDA's side.
 */
#include "device_world.h"
#include "launches.h"

#include <pthread.h>

/* --- devices --- */

static void devices_are_found(void **state)
{
    world *w = *state;
    size_t count = cpl_device_count(w->cx);
    assert_true(count >= 1);
    assert_true(is_host(cpl_device_get(w->cx, 0)));
    assert_null(cpl_device_get(w->cx, count));
    EACH_DEVICE(w, d)
    {
        cpl_device_info info = info_of(d);
        print_message("%s: %s, %s, target %s\n", info.label, info.name, info.driver, info.target);
        assert_true(info.units >= 1);
        assert_true(info.max_group_size >= 1);
        cpl_device *found;
        OK(w, cpl_device_find(w->cx, info.label, &found));
        cpl_device *like;
        cpl_device_info own = {.size = sizeof own};
        OK(w, cpl_device_find(w->cx, info.target, &like));
        OK(w, cpl_device_info_get(like, &own));
        assert_string_equal(own.target, info.target);
        assert_ptr_equal(found, d);
        cpl_queue *q = cpl_device_queue(d);
        assert_non_null(q);
        assert_ptr_equal(cpl_device_queue(d), q);
        assert_ptr_equal(cpl_queue_device(q), d);
        assert_string_equal(cpl_queue_target(q), info.target);
        OK(w, cpl_queue_finish(q));
        if (!is_host(d)) assert_non_null(cpl_device_native(d, NULL));
    }
    for (int kind = CPL_DEVICE_CUDA; kind <= CPL_DEVICE_OPENCL; kind++) {
        const char *why = cpl_device_absent(w->cx, kind);
        cpl_device *d;
        const char *name = kind == CPL_DEVICE_CUDA ? "cuda" : "opencl";
        if (!why) continue;
        print_message("%s absent (its tests are skipped): %s\n", name, why);
        FAILS(w, cpl_device_find(w->cx, name, &d), CPL_ENODEVICE, why);
        assert_null(d);
    }
    cpl_device *d;
    FAILS(w, cpl_device_find(w->cx, "tpu", &d), CPL_EARG, "'tpu' names no device");
    FAILS(w, cpl_device_find(w->cx, "cude", &d), CPL_EARG, "'cude' names no device");
    FAILS(w, cpl_device_find(w->cx, "openct:0", &d), CPL_EARG, "'openct:0' names no device");
    FAILS(w, cpl_device_find(w->cx, "cuda:99", &d), CPL_ENODEVICE, "there is no device");
}

static void queues_refuse_nonsense(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue_options options;
        cpl_queue_options_init(&options);
        cpl_queue *q;
        options.target = "vliw";
        FAILS(w, cpl_queue_create(d, &options, &q), CPL_EARG, "no target 'vliw'");
        assert_null(q);
        options.target = is_host(d) ? "cuda:sm_75" : "host";
        FAILS(w, cpl_queue_create(d, &options, &q), CPL_EARG, "runs no code for the target");
        OK(w, cpl_queue_create(d, NULL, &q));
        assert_int_equal(cpl_graph_end(q, &(cpl_graph *){NULL}), CPL_EARG);
        cpl_queue_release(q);
    }
    assert_int_equal(cpl_queue_finish(NULL), CPL_OK);
    assert_int_equal(cpl_event_wait(NULL), CPL_OK);
    cpl_event_release(NULL);
}

/* --- launches --- */

static void elementwise_runs_on_each_device(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        cpl_queue *q = cpl_device_queue(d);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2),
                          cpl_arg_int(3)};
        cpl_event *event;
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, &event));
        assert_non_null(event);
        OK(w, cpl_event_wait(event));
        bool done;
        OK(w, cpl_event_done(event, &done));
        assert_true(done);
        uint64_t ns;
        FAILS(w, cpl_event_duration(event, &ns), CPL_EUNSUPPORTED, "profiling");
        cpl_event_release(event);
        expect_ramp(w, y, 3, 2);
        /* where the first array lives */
        OK(w, launch_rounds(w->module, "axpb", NULL, args, 4, CPL_AUTO, NULL));
        args[0] = cpl_arg_of_array(y);
        OK(w, launch_rounds(w->module, "inc", q, args, 1, 0, &event));
        OK(w, cpl_event_wait(event));
        cpl_event_release(event);
        expect_ramp(w, y, 3, 2);
        FAILS(w, launch_rounds(w->module, "inc", q, args, 1, -7, NULL), CPL_EARG, "negative");
        cpl_kernel *k;
        OK(w, rounds_kernel_for(w->module, "inc", q, args, 1, &k));
        for (int i = 0; i < 5; i++) OK(w, run_rounds(k, q, args, 1, CPL_AUTO, NULL));
        expect_ramp(w, y, 8, 2);
        if (!is_host(d))
            FAILS(w, run_rounds(k, cpl_device_queue(cpl_device_get(w->cx, 0)), NULL, 0, 5, NULL),
                  CPL_EARG, "compiled for");
        cpl_kernel_release(k);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

static void queues_wait_for_each_others_arrays(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *a, *b;
        OK(w, cpl_queue_create(d, NULL, &a));
        OK(w, cpl_queue_create(d, NULL, &b));
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x)};
        for (int i = 0; i < 20; i++)
            OK(w, launch_rounds(w->module, "inc", i % 2 ? a : b, args, 1, CPL_AUTO, NULL));
        cpl_event *event;
        OK(w, cpl_queue_record(a, &event));
        OK(w, cpl_queue_wait(b, event));
        cpl_event_release(event);
        expect_ramp(w, x, 20, 1);
        OK(w, cpl_queue_finish(a));
        OK(w, cpl_queue_finish(b));
        cpl_queue_release(a);
        cpl_queue_release(b);
        cpl_array_release(x);
    }
}

static void faults_come_with_the_wait(void **state)
{
    world *w = *state;
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(5)};
        cpl_event *event = NULL;
        forget(w);
        cpl_status status = launch_rounds(w->module, "shifted", q, args, 2, CPL_AUTO, &event);
        if (!is_host(d)) {
            assert_int_equal(status, CPL_OK);
            status = cpl_event_wait(event);
        }
        assert_int_equal(status, CPL_EBOUNDS);
        assert_non_null(strstr(w->said.text, "in 'shifted'"));
        assert_non_null(strstr(w->said.text, "out of bounds of 'x', which has 10007 elements"));
        cpl_event_release(event);
        OK(w, cpl_queue_finish(q)); /* reported once */
        args[1] = cpl_arg_int(0);
        OK(w, launch_rounds(w->module, "shifted", q, args, 2, CPL_AUTO, NULL));
        OK(w, cpl_queue_finish(q));
        args[1] = cpl_arg_int(-1);
        forget(w);
        status = launch_rounds(w->module, "shifted", q, args, 2, CPL_AUTO, NULL);
        if (!is_host(d)) status = cpl_queue_finish(q);
        assert_int_equal(status, CPL_EBOUNDS);
        assert_non_null(strstr(w->said.text, "index -1 is out of bounds"));
        cpl_array_release(x);
    }
}

/* Whatever waits for a launch tells of its faults, once. */
static cpl_status wait_in_a_way(world *w, int way, cpl_queue *q, cpl_event *event, cpl_array *x)
{
    static double values[N];
    cpl_array *part;
    cpl_array_options half;
    cpl_array_options_init(&half);
    half.dims = 1;
    half.shape[0] = N / 2;
    half.strides[0] = 2 * sizeof *values;
    cpl_array *here;
    cpl_status status = CPL_OK;
    switch (way) {
    case 0: return cpl_queue_finish(q);
    case 1: return cpl_queue_finish_within(q, 100000);
    case 2: return cpl_event_wait(event);
    case 3: return cpl_event_wait_within(event, 100000);
    case 4: return cpl_array_read(x, q, values, NULL);
    case 5: return cpl_array_read(x, NULL, values, NULL);
    case 6: return cpl_array_pull(x, q);
    case 7: return cpl_array_pull(x, NULL);
    case 8:
        OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, N, &here));
        status = cpl_array_copy(here, x, q, NULL);
        cpl_array_release(here);
        return status;
    default:
        OK(w, cpl_array_view(x, &half, &part));
        status = cpl_array_read(part, q, values, NULL);
        cpl_array_release(part);
        return status;
    }
}

static void faults_come_with_each_wait(void **state)
{
    enum { WAYS = 10 };
    world *w = *state;
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        for (int way = 0; way < WAYS && !is_host(d); way++) {
            cpl_array *x = ramp(w, d, 0, 1);
            cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(5)};
            cpl_event *event = NULL;
            forget(w);
            OK(w, launch_rounds(w->module, "shifted", q, args, 2, CPL_AUTO, &event));
            cpl_status status = wait_in_a_way(w, way, q, event, x);
            if (status != CPL_EBOUNDS) print_error("way %d: status %d\n", way, status);
            assert_int_equal(status, CPL_EBOUNDS);
            assert_non_null(strstr(w->said.text, "in 'shifted'"));
            OK(w, cpl_event_wait(event));
            OK(w, cpl_queue_finish(q));
            cpl_event_release(event);
            cpl_array_release(x);
        }
    }
}

static void expect_fault(world *w, cpl_status status, const char *kernel)
{
    static const char *const all[] = {"in 'one'", "in 'two'", "in 'three'"};
    assert_int_equal(status, CPL_EBOUNDS);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool said = strstr(w->said.text, all[i]);
        if (said != (strcmp(all[i], kernel) == 0))
            fail_msg("%s was expected: %s", kernel, w->said.text);
    }
    forget(w);
}

/* Of three kernels on a queue, all of which fail: whoever waits for one hears of that alone, in
 * whatever order they are asked about, and the queue's wait of those that nobody waited for. */
static void faults_come_with_their_own_kernel(void **state)
{
    enum { KERNELS = 3, ORDERS = 6 };
    world *w = *state;
    static const char text[] = "def one(i, x, k):\n    x[i + k] = 1\n"
                               "def two(i, x, k):\n    x[i + k] = 2\n"
                               "def three(i, x, k):\n    x[i + k] = 3\n";
    static const char *const names[] = {"one", "two", "three"}, *const said[] = {"in 'one'",
                                                                                 "in 'two'",
                                                                                 "in 'three'"};
    static const int orders[ORDERS][KERNELS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    cpl_module *m;
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, cpl_module_from_source(w->cx, "three.py", text, sizeof text - 1, &m));
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(3)};
        for (int order = 0; order < ORDERS && !is_host(d); order++) {
            cpl_event *events[KERNELS];
            for (int k = 0; k < KERNELS; k++)
                OK(w, launch_rounds(m, names[k], q, args, 2, CPL_AUTO, &events[k]));
            forget(w);
            const int *o = orders[order];
            expect_fault(w, cpl_event_wait(events[o[0]]), said[o[0]]);
            OK(w, cpl_event_wait(events[o[0]])); /* reported once */
            expect_fault(w, cpl_event_wait(events[o[1]]), said[o[1]]);
            expect_fault(w, cpl_queue_finish(q), said[o[2]]);
            for (int k = 0; k < KERNELS; k++) OK(w, cpl_event_wait(events[k]));
            for (int k = 0; k < KERNELS; k++) cpl_event_release(events[k]);
        }
        cpl_array_release(x);
    }
    cpl_module_release(m);
}

static void low_level_kernels_run(void **state)
{
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        /* M is no multiple: the last group is whole, and the kernel looks at n */
        enum { GROUP = 64, M = 1000 };
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x, *y;
        int32_t values[M];
        OK(w, cpl_array_create(w->cx, d, CPL_INT32, M, &x));
        OK(w, cpl_array_create(w->cx, d, CPL_INT32, M, &y));
        for (int i = 0; i < M; i++) values[i] = i + 1;
        OK(w, cpl_array_write(x, q, values, NULL));
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_local(CPL_INT32, GROUP),
                          cpl_arg_int(M)};
        cpl_kernel *k;
        OK(w, grid_kernel(w->module, "reverse", q, args, 4, &k));
        const int64_t global[3] = {M, 1, 1}, local[3] = {GROUP}, none[3] = {M, 0, 1},
                      wide[3] = {1 << 20, 1, 1}, less[3] = {GROUP, 1, -1};
        OK(w, run_grid(k, q, global, local, args, 4, NULL));
        OK(w, cpl_array_read(y, q, values, NULL));
        for (int i = 0; i < M; i++) {
            int group = i / GROUP, mirrored = group * GROUP + GROUP - 1 - i % GROUP;
            assert_int_equal(values[i], mirrored < M ? mirrored + 1 : 0);
        }
        OK(w, run_grid(k, q, none, local, args, 4, NULL));
        FAILS(w, run_grid(k, q, global, wide, args, 4, NULL), CPL_ELIMIT, "work-items");
        FAILS(w, run_grid(k, q, global, less, args, 4, NULL), CPL_EARG, "local one of -1");
        size_t most = 0;
        OK(w, cpl_kernel_max_group(k, q, &most));
        assert_true(most >= GROUP);
        const int64_t larger[3] = {(int64_t)most + 1, 1, 1};
        FAILS(w, run_grid(k, q, larger, larger, args, 4, NULL), CPL_ELIMIT, "work-items");
        cpl_queue *host = cpl_device_queue(cpl_device_get(w->cx, 0));
        if (!is_host(d))
            FAILS(w, cpl_kernel_max_group(k, host, &most), CPL_EARG, "the queue runs the host");
        assert_int_equal(cpl_kernel_max_group(NULL, q, &most), CPL_EARG);
        assert_int_equal(most, 0);
        args[2] = cpl_arg_of_array(x);
        FAILS(w, run_grid(k, q, global, local, args, 4, NULL), CPL_EARG,
              "'t' must be local memory");
        args[2] = cpl_arg_local(CPL_FLOAT64, GROUP);
        FAILS(w, run_grid(k, q, global, local, args, 4, NULL), CPL_EARG,
              "'t' has elements of float64");
        args[2] = cpl_arg_local(CPL_INT32, M);
        OK(w, run_grid(k, q, global, NULL, args, 4, NULL)); /* a group size that divides 1000 */
        OK(w, cpl_queue_finish(q));
        cpl_kernel_release(k);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

/* Compiled or loaded. */
static uint64_t kernels_made(const world *w)
{
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(w->cx, &stats);
    return stats.compiles + stats.disk_hits;
}

/* Devices have code for arrays that share no memory, and other code for those that do; a kernel
 * held on to stands for both. */
static void arrays_may_be_the_same(void **state)
{
    world *w = *state;
    char seen[1024] = ""; /* devices with the same target share kernels */
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        cpl_arg apart[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)}, same[] = {apart[1], apart[1]};
        uint64_t before = kernels_made(w);
        OK(w, launch_rounds(w->module, "bumps", q, apart, 2, CPL_AUTO, NULL));
        expect_ramp(w, y, 1, 3);
        OK(w, launch_rounds(w->module, "bumps", q, same, 2, CPL_AUTO, NULL));
        expect_ramp(w, y, 6, 9);
        cpl_kernel *k;
        OK(w, rounds_kernel_for(w->module, "bumps", q, apart, 2, &k));
        OK(w, run_rounds(k, q, apart, 2, CPL_AUTO, NULL));
        expect_ramp(w, y, 1, 3);
        OK(w, run_rounds(k, q, same, 2, CPL_AUTO, NULL));
        expect_ramp(w, y, 6, 9);
        cpl_kernel_release(k);
        if (!is_host(d)) {
            cpl_arg low[] = {apart[0], apart[1], cpl_arg_int(N)};
            const int64_t global[3] = {N, 1, 1}, local[3] = {32, 1, 1};
            OK(w, grid_kernel(w->module, "bumped", q, low, 3, &k));
            OK(w, run_grid(k, q, global, local, low, 3, NULL));
            expect_ramp(w, y, 1, 3);
            low[0] = low[1];
            OK(w, run_grid(k, q, global, local, low, 3, NULL));
            expect_ramp(w, y, 6, 9);
            cpl_kernel_release(k);
        }
        if (!is_host(d) && !strstr(seen, info_of(d).target))
            assert_int_equal(kernels_made(w), before + 4);
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s ", info_of(d).target);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

static void functions_are_called(void **state)
{
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        cpl_arg args[] = {cpl_arg_float(3), cpl_arg_float(4)};
        double result = 0;
        const cpl_type *type;
        OK(w, call_once_on(w->module, "hyp", cpl_device_queue(d), args, 2, &result, &type));
        assert_true(result == 25);
        assert_string_equal(cpl_type_text(type), "float64");
    }
}

/* The same by a handle, and what is none for that. */
static uint64_t artifacts(world *w)
{
    cpl_stats stats = {.size = sizeof stats};
    OK(w, cpl_context_stats(w->cx, &stats));
    return stats.compiles + stats.disk_hits;
}

static void functions_are_held(void **state)
{
    world *w = *state;
    needs_code();
    cpl_kernel *elsewhere = NULL;
    EACH_DEVICE(w, d)
    {
        cpl_kernel *total, *each;
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(7)};
        OK(w, once_kernel(w->module, "total", q, args, 2, &total));
        assert_string_equal(cpl_type_text(cpl_kernel_result(total)), "float64");
        uint64_t made = artifacts(w);
        for (int64_t n = 0; n < 5; n++) {
            double result = -1;
            args[1] = cpl_arg_int(n);
            OK(w, run_once(total, n % 2 ? q : NULL, args, 2, n == 4 ? NULL : &result));
            double count = (double)n, sum = count * (count - 1) / 2 + 0.5 * (count - 1);
            assert_true(result == (n == 4 ? -1 : sum));
        }
        assert_int_equal(artifacts(w), made); /* all its kernels were there */
        OK(w, rounds_kernel_for(w->module, "inc", q, args, 1, &each));
        OK(w, run_once(each, q, args, 1, NULL)); /* a kernel knows what it is */
        FAILS(w, run_once(total, q, args, 1, NULL), CPL_EARG, "takes 2 arguments, not 1");
        cpl_event *event = (cpl_event *)1; /* it has run when the call returns */
        cpl_launch_options o = once_on(q, NULL, NULL);
        o.event = &event;
        OK(w, cpl_kernel_launch(total, &o, args, 2));
        assert_null(event);
        if (elsewhere) FAILS(w, run_once(elsewhere, q, args, 2, NULL), CPL_EARG, "compiled for");
        assert_int_equal(run_once(NULL, q, args, 2, NULL), CPL_EARG);
        assert_int_equal(run_once(total, q, NULL, 2, NULL), CPL_EARG);
        if (is_host(d)) cpl_kernel_retain(elsewhere = total);
        cpl_kernel_release(total);
        cpl_kernel_release(each);
        cpl_array_release(x);
    }
    cpl_kernel_release(elsewhere);
}

/* Reductions: exact where the numbers are, the same bits every time where they are not, and
 * checked. */
static void reductions_are_calls(void **state)
{
    world *w = *state;
    needs_code();
    enum { MOST = 1 << 19 };
    double *values = malloc(MOST * sizeof *values);
    static const int64_t counts[] = {0, 1, 1000, 1024, 1025, MOST};
    EACH_DEVICE(w, d)
    {
        cpl_array *x;
        OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, MOST, &x));
        for (int i = 0; i < MOST; i++) values[i] = i;
        OK(w, cpl_array_write(x, NULL, values, NULL));
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            double n = (double)counts[k], result = 0;
            cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(counts[k])};
            OK(w, call_once_on(w->module, "total", cpl_device_queue(d), args, 2, &result, NULL));
            /* most is -1 where there is nothing */
            double expected = n * (n - 1) / 2 + 0.5 * (n - 1);
            if (result != expected)
                print_error("%s, %g rounds: %.17g, not %.17g\n", info_of(d).label, n, result,
                            expected);
            assert_true(result == expected);
        }
        for (int i = 0; i < MOST; i++) values[i] = 1 / (i + 1.0);
        OK(w, cpl_array_write(x, NULL, values, NULL));
        double results[3];
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(MOST - 1)};
        for (int i = 0; i < 3; i++)
            OK(w,
               call_once_on(w->module, "total", cpl_device_queue(d), args, 2, &results[i], NULL));
        assert_memory_equal(&results[0], &results[1], sizeof *results);
        assert_memory_equal(&results[0], &results[2], sizeof *results);
        /* the harmonic number of MOST - 1, and a half */
        assert_true(results[0] > 14.24701 && results[0] < 14.24702);
        OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
        args[1] = cpl_arg_int(MOST + 1);
        FAILS(w, call_once_on(w->module, "total", cpl_device_queue(d), args, 2, &results[0], NULL),
              CPL_EBOUNDS, "out of bounds of 'x'");
        OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
        cpl_array_release(x);
    }
    free(values);
}

/* What a graph's kernel reads decides at each launch whether a check stops it. */
static void graphs_find_faults(void **state)
{
    world *w = *state;
    static const char text[] = "def put(i, x, at):\n    x[at[i]] = 1\n";
    cpl_module *m;
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, cpl_module_from_source(w->cx, "put.py", text, sizeof text - 1, &m));
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 0), *at;
        OK(w, cpl_array_create(w->cx, d, CPL_INT32, 2, &at));
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(at)};
        cpl_graph *graph;
        OK(w, cpl_graph_begin(q));
        OK(w, launch_rounds(m, "put", q, args, 2, 2, NULL));
        OK(w, cpl_graph_end(q, &graph));
        for (int i = 0; i < 5; i++) {
            const int32_t places[] = {i, i % 2 ? N : i};
            OK(w, cpl_array_write(at, q, places, NULL));
            forget(w);
            cpl_status status = cpl_graph_launch(graph, q, NULL);
            if (!status) status = cpl_queue_finish(q);
            assert_int_equal(status, i % 2 ? CPL_EBOUNDS : CPL_OK);
            assert_true(!(i % 2) == !strstr(w->said.text, "index 10007 is out of bounds of 'x'"));
        }
        double values[N];
        OK(w, cpl_array_read(x, q, values, NULL));
        for (int i = 0; i < N; i++) assert_true(values[i] == (i < 5));
        cpl_graph_release(graph);
        cpl_array_release(x);
        cpl_array_release(at);
    }
    cpl_module_release(m);
}

static void graphs_repeat_launches(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_graph *graph;
        cpl_event *event;
        OK(w, cpl_queue_create(d, NULL, &q));
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2),
                          cpl_arg_int(0)};
        OK(w, cpl_graph_begin(q));
        FAILS(w, cpl_graph_begin(q), CPL_EARG, "records a graph already");
        OK(w, launch_rounds(w->module, "inc", q, args, 1, CPL_AUTO, NULL));
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL));
        OK(w, cpl_array_copy(x, y, q, NULL));
        if (!is_host(d)) FAILS(w, cpl_array_pull(x, q), CPL_EARG, "records a graph");
        FAILS(w, cpl_queue_finish(q), CPL_EARG, "records a graph");
        OK(w, cpl_graph_end(q, &graph));
        expect_ramp(w, x, 0, 1); /* nothing ran */
        OK(w, cpl_graph_launch(graph, q, NULL));
        expect_ramp(w, x, 2, 2);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        OK(w, cpl_graph_launch(graph, cpl_device_queue(d), &event));
        OK(w, cpl_event_wait(event));
        cpl_event_release(event);
        expect_ramp(w, y, 14, 8); /* 2(2(2(x+1)+1)+1) */
        cpl_array_release(x);     /* the graph keeps the memory */
        OK(w, cpl_graph_launch(graph, q, NULL));
        expect_ramp(w, y, 30, 16);
        cpl_graph_release(graph);
        OK(w, cpl_queue_finish(q));
        cpl_queue_release(q);
        OK(w, cpl_queue_create(d, NULL, &q));
        OK(w, cpl_graph_begin(q));
        OK(w, launch_rounds(w->module, "inc", q, &args[1], 1, CPL_AUTO, NULL));
        cpl_queue_release(q); /* drops what was recorded */
        expect_ramp(w, y, 30, 16);
        cpl_array_release(y);
    }
}

/* --- profiling --- */

typedef struct seen {
    const char *device;
    uint64_t launches, bytes, copies;
} seen;

static void see_row(void *user, const cpl_profile_row *row)
{
    seen *s = user;
    if (strcmp(row->device, s->device) != 0) return;
    if (row->what == CPL_PROFILE_KERNEL && strcmp(row->name, "axpb") == 0) {
        s->launches += row->count;
        s->bytes += row->bytes;
    }
    if (row->what == CPL_PROFILE_TO_DEVICE || row->what == CPL_PROFILE_TO_HOST)
        s->copies += row->count;
}

static void profiling_counts(void **state)
{
    world *w = *state;
    OK(w, cpl_profile_enable(w->cx, true));
    EACH_DEVICE(w, d)
    {
        cpl_profile_clear(w->cx);
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2),
                          cpl_arg_int(3)};
        cpl_event *event;
        for (int i = 0; i < 3; i++)
            OK(w, launch_rounds(w->module, "axpb", cpl_device_queue(d), args, 4, CPL_AUTO, NULL));
        OK(w, launch_rounds(w->module, "axpb", cpl_device_queue(d), args, 4, CPL_AUTO, &event));
        uint64_t ns = 0;
        OK(w, cpl_event_duration(event, &ns));
        assert_true(ns > 0);
        cpl_event_release(event);
        cpl_queue *q = cpl_device_queue(d);
        cpl_graph *graph;
        OK(w, cpl_graph_begin(q));
        OK(w, launch_rounds(w->module, "axpb", q, args, 4, CPL_AUTO, NULL));
        OK(w, cpl_graph_end(q, &graph));
        OK(w, cpl_graph_launch(graph, q, NULL));
        cpl_graph_release(graph);
        seen s = {info_of(d).label, 0, 0, 0};
        OK(w, cpl_profile_each_row(w->cx, see_row, &s));
        /* a graph of CUDA's own is one thing */
        assert_int_equal(s.launches, info_of(d).kind == CPL_DEVICE_CUDA ? 4 : 5);
        assert_int_equal(s.bytes, s.launches * 2 * N * sizeof(double));
        if (!is_host(d)) assert_true(s.copies == 2);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

/* --- threads, memory --- */

typedef struct job {
    world *w;
    cpl_device *device;
    bool good;
} job;

static void *launch_many(void *arg)
{
    job *j = arg;
    cpl_queue *q = NULL;
    cpl_array *x = NULL;
    double values[100] = {0};
    j->good = !cpl_queue_create(j->device, NULL, &q) &&
              !cpl_array_create(j->w->cx, j->device, CPL_FLOAT64, 100, &x);
    cpl_arg args[] = {cpl_arg_of_array(x)};
    for (int i = 0; i < 50 && j->good; i++)
        j->good = !launch_rounds(j->w->module, "inc", q, args, 1, CPL_AUTO, NULL);
    j->good = j->good && !cpl_array_read(x, q, values, NULL);
    for (int i = 0; i < 100; i++) j->good = j->good && values[i] == 50;
    cpl_array_release(x);
    cpl_queue_release(q);
    return NULL;
}

static void threads_launch_at_once(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        pthread_t threads[4];
        job jobs[4];
        for (int i = 0; i < 4; i++) {
            jobs[i] = (job){w, d, false};
            assert_int_equal(pthread_create(&threads[i], NULL, launch_many, &jobs[i]), 0);
        }
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
        for (int i = 0; i < 4; i++) assert_true(jobs[i].good);
    }
}

/* Everything once; the first failure ends it. */
static cpl_status everything(cpl_context *cx, const char *label)
{
    cpl_device *d = NULL;
    cpl_queue *q = NULL;
    cpl_module *m = NULL;
    cpl_array *x = NULL, *v = NULL;
    cpl_graph *graph = NULL;
    cpl_event *event = NULL;
    double values[100] = {0};
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = 10;
    cpl_status status = cpl_device_find(cx, label, &d);
    if (!status) status = cpl_module_from_source(cx, "device.py", source, sizeof source - 1, &m);
    if (!status) status = cpl_queue_create(d, NULL, &q);
    if (!status) status = cpl_array_create(cx, d, CPL_FLOAT64, 100, &x);
    if (!status) status = cpl_array_view(x, &o, &v);
    cpl_arg args[] = {cpl_arg_of_array(x)}, view[] = {cpl_arg_of_array(v)};
    if (!status) status = launch_rounds(m, "inc", q, args, 1, CPL_AUTO, &event);
    if (!status) status = cpl_event_wait(event);
    if (!status) status = cpl_graph_begin(q);
    if (!status) status = launch_rounds(m, "inc", q, view, 1, CPL_AUTO, NULL);
    if (!status) status = cpl_graph_end(q, &graph);
    if (!status) status = cpl_graph_launch(graph, q, NULL);
    if (!status) status = cpl_array_pull(x, q);
    if (!status) status = cpl_array_read(v, q, values, NULL);
    if (!status && (values[0] != 2 || values[9] != 2)) status = CPL_EINTERNAL;
    cpl_event_release(event);
    cpl_graph_release(graph);
    cpl_array_release(v);
    cpl_array_release(x);
    cpl_queue_release(q);
    cpl_module_release(m);
    return status;
}

/* A queue that nobody will ask for its graph any more forgets what it recorded, and the arrays with
 * it. */
static void recordings_are_given_up(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        const char *label = info_of(d).label;
        flaky f = {0, 1000000000, 0};
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.alloc = flaky_alloc;
        options.alloc_user = &f;
        cpl_context *cx;
        cpl_device *own;
        cpl_queue *q;
        cpl_module *m;
        cpl_array *x, *v;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 1;
        o.shape[0] = 10;
        assert_int_equal(cpl_context_create(&options, &cx), CPL_OK);
        assert_int_equal(cpl_device_find(cx, label, &own), CPL_OK);
        assert_int_equal(cpl_module_from_source(cx, "device.py", source, sizeof source - 1, &m),
                         CPL_OK);
        assert_int_equal(cpl_queue_create(own, NULL, &q), CPL_OK);
        assert_int_equal(cpl_array_create(cx, own, CPL_FLOAT64, 100, &x), CPL_OK);
        assert_int_equal(cpl_array_view(x, &o, &v), CPL_OK);
        cpl_arg args[] = {cpl_arg_of_array(x)}, view[] = {cpl_arg_of_array(v)};
        assert_int_equal(launch_rounds(m, "inc", q, args, 1, CPL_AUTO, NULL), CPL_OK);
        assert_int_equal(cpl_graph_begin(q), CPL_OK);
        assert_int_equal(launch_rounds(m, "inc", q, view, 1, CPL_AUTO, NULL), CPL_OK);
        cpl_array_release(v);
        cpl_array_release(x);
        cpl_queue_release(q);
        cpl_module_release(m);
        cpl_context_release(cx);
        assert_int_equal(f.live_bytes, 0);
    }
}

/* The n-th request for memory fails, for each n: an error, nothing leaks, nothing crashes. */
static void memory_runs_out(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        const char *label = info_of(d).label;
        cpl_status status = CPL_ENOMEM;
        long limit = 0;
        for (long n = 1; status != CPL_OK; n += n < 40 ? 1 : n / 8) {
            flaky f = {0, n, 0};
            messages said = {"", 0};
            cpl_context_options options;
            cpl_context_options_init(&options);
            options.alloc = flaky_alloc;
            options.alloc_user = &f;
            options.sink = collect;
            options.sink_user = &said;
            cpl_context *cx = NULL;
            status = cpl_context_create(&options, &cx);
            if (!status) status = everything(cx, label);
            cpl_context_release(cx);
            if (f.live_bytes)
                print_error("request %ld on %s: bytes are left; %s\n%s", n, label,
                            cpl_status_message(status), said.text);
            assert_int_equal(f.live_bytes, 0);
            if (status != CPL_OK && status != CPL_ENOMEM && status != CPL_ENODEVICE)
                print_error("request %ld on %s: %s\n%s", n, label, cpl_status_message(status),
                            said.text);
            assert_true(status == CPL_OK || status == CPL_ENOMEM || status == CPL_ENODEVICE);
            assert_true(++limit < 2000);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_module, tear_down_module)
    const struct CMUnitTest tests[] = {
        TEST(devices_are_found),
        TEST(queues_refuse_nonsense),
        TEST(elementwise_runs_on_each_device),
        TEST(queues_wait_for_each_others_arrays),
        TEST(faults_come_with_the_wait),
        TEST(faults_come_with_each_wait),
        TEST(faults_come_with_their_own_kernel),
        TEST(low_level_kernels_run),
        TEST(arrays_may_be_the_same),
        TEST(functions_are_called),
        TEST(functions_are_held),
        TEST(reductions_are_calls),
        TEST(graphs_find_faults),
        TEST(graphs_repeat_launches),
        TEST(profiling_counts),
        TEST(threads_launch_at_once),
        TEST(recordings_are_given_up),
        TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
