/*
 * Drivers that take long over the code that they are given, those of the stand-in: calls that wait
 * for them end when they are told to, or after compile_timeout, and the code is there later.
 */
#include "device_world.h"
#include "launches.h"

#include "standin.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void run_inc(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *x = *(double *const *)args[1];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) x[i] += 1;
}

static int set_up_standin(void **state)
{
    standin_reset();
    standin_register("inc", run_inc);
    return standin_use() ? set_up_module(state) : -1;
}

static int tear_down_standin(void **state)
{
    tear_down(state);
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    return standin_misuses() != 0;
}

/* A driver on another thread gets so far, or the test ends here. */
static void wait_until(bool (*so)(void))
{
    for (int i = 0; i < 10000 && !so(); i++) usleep(1000);
    assert_true(so());
}

static bool is_held(void)
{
    return standin_held() == 1;
}

static bool is_gone(void)
{
    return standin_live_all() == 0;
}

static uint64_t builds(void)
{
    return standin_count("cuModuleLoadDataEx") + standin_count("clBuildProgram");
}

/* A kernel that is compiled, and not yet loaded. */
static cpl_kernel *increments(world *w, cpl_device *d, cpl_array *x)
{
    cpl_kernel *k;
    cpl_arg arg = cpl_arg_of_array(x);
    cpl_launch_options o = rounds_on(cpl_device_queue(d), CPL_AUTO, NULL);
    OK(w, cpl_kernel_for(w->module, "inc", &o, &arg, 1, &k));
    return k;
}

static cpl_status launch(cpl_kernel *k, cpl_array *x)
{
    cpl_arg arg = cpl_arg_of_array(x);
    return cpl_kernel_launch(k, NULL, &arg, 1);
}

static int stop_when_held(void *user)
{
    (void)user;
    return is_held();
}

static void waits_are_cancelled(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_kernel *k = increments(w, d, x);
        uint64_t before = builds();
        standin_hold(1);
        cpl_context_set_poll(w->cx, stop_when_held, NULL);
        FAILS(w, launch(k, x), CPL_ECANCELLED, "the compilation was cancelled");
        size_t most = 1;
        FAILS(w, cpl_kernel_max_group(k, cpl_device_queue(d), &most), CPL_ECANCELLED, "cancelled");
        assert_int_equal(most, 0);
        standin_hold(0);
        OK(w, launch(k, x)); /* what the first one began, or made */
        expect_ramp(w, x, 1, 1);
        assert_int_equal(builds() - before, 1);
        cpl_context_set_poll(w->cx, NULL, NULL);
        cpl_kernel_release(k);
        cpl_array_release(x);
    }
}

static void waits_are_bounded(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        char text[128];
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_kernel *k = increments(w, d, x);
        snprintf(text, sizeof text,
                 "the driver of %s took more than 1 s over the code of 'inc' (option "
                 "compile_timeout)",
                 info_of(d).label);
        OK(w, cpl_context_set_option(w->cx, "compile_timeout", 1));
        standin_hold(1);
        FAILS(w, launch(k, x), CPL_ECOMPILER, text);
        assert_true(is_held());
        standin_hold(0);
        OK(w, cpl_context_set_option(w->cx, "compile_timeout", 0));
        OK(w, launch(k, x));
        expect_ramp(w, x, 1, 1);
        cpl_kernel_release(k);
        cpl_array_release(x);
    }
}

typedef struct other {
    pthread_t thread;
    cpl_kernel *kernel;
    cpl_queue *queue;
    cpl_status status;
} other;

static void *load_too(void *arg)
{
    other *o = arg;
    size_t most;
    o->status = cpl_kernel_max_group(o->kernel, o->queue, &most);
    return NULL;
}

/* Two that need the same code have it made once, and both are told why there is none. */
static void it_is_loaded_once(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        bool cuda = info_of(d).kind == CPL_DEVICE_CUDA;
        for (int fails = 1; fails >= 0; fails--) {
            cpl_array *x = ramp(w, d, 0, 1);
            cpl_kernel *k = increments(w, d, x);
            other others[3];
            uint64_t before = builds();
            if (fails) standin_fail_name(cuda ? "cuModuleLoadDataEx" : "clBuildProgram", 0, -11);
            standin_hold(1);
            forget(w);
            for (int i = 0; i < 3; i++) {
                others[i] = (other){.kernel = k, .queue = cpl_device_queue(d)};
                assert_int_equal(pthread_create(&others[i].thread, NULL, load_too, &others[i]), 0);
            }
            wait_until(is_held);
            usleep(20000);
            standin_hold(0);
            for (int i = 0; i < 3; i++) {
                pthread_join(others[i].thread, NULL);
                assert_int_equal(others[i].status, fails ? CPL_EDEVICE : CPL_OK);
            }
            assert_in_range(builds() - before, 1, fails ? 3 : 1);
            assert_int_equal(w->said.n > 0, fails);
            standin_fail_name("", 0, 0);
            cpl_kernel_release(k);
            cpl_array_release(x);
        }
    }
}

/* The driver still has what everybody else has released: it goes when that is done. */
static void nobody_waits(void **unused)
{
    (void)unused;
    for (size_t i = 1; i <= 2; i++) {
        void *state;
        assert_int_equal(set_up_standin(&state), 0);
        world *w = state;
        cpl_device *d = cpl_device_get(w->cx, i);
        cpl_array *x = ramp(w, d, 0, 1);
        cpl_kernel *k = increments(w, d, x);
        standin_hold(1);
        cpl_context_set_poll(w->cx, stop_when_held, NULL);
        FAILS(w, launch(k, x), CPL_ECANCELLED, "cancelled");
        cpl_kernel_release(k);
        cpl_array_release(x);
        tear_down(&state);
        assert_true(is_held());
        assert_true(standin_live_all() > 0);
        standin_hold(0);
        wait_until(is_gone);
        assert_int_equal(standin_misuses(), 0);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_standin, tear_down_standin)
    const struct CMUnitTest tests[] = {
        TEST(waits_are_cancelled),
        TEST(waits_are_bounded),
        TEST(it_is_loaded_once),
        cmocka_unit_test(nobody_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
