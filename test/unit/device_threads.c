/*
 * Many threads in one context, on the host, on whatever devices there are, and with ON_STANDIN on
 * those of the stand-in driver: each has arrays of its own, while modules, kernels, plans, the
 * module of conversions and half of the queues are shared, and nothing was made before they begin.
 * A build with ThreadSanitizer sees what they share without a lock.
 */
#include "fault.h"
#include "launches.h"

#ifdef ON_STANDIN
#include "standin.h"
#endif

#include <pthread.h>

static const char source[] = "from compyle.low_level import GID_0, LDIM_0, LID_0\n"
                             "def inc(i, x):\n"
                             "    x[i] += 1\n"
                             "def twice(x, n):\n"
                             "    i = GID_0*LDIM_0 + LID_0\n"
                             "    if i < n:\n"
                             "        x[i] = 2*x[i]\n"
                             "def total(x, n):\n"
                             "    s = 0.0\n"
                             "    for i in prange(n):\n"
                             "        s += x[i]\n"
                             "    return s\n";

enum { N = 300, THREADS = 6, STEPS = 6, GROUP = 64 };

/* --- what the kernels do; the stand-in runs no code --- */

#ifdef ON_STANDIN
typedef const size_t dims[3];

static void run_inc(void *const *args, dims global, dims local)
{
    (void)global, (void)local;
    double *x = *(double *const *)args[1];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) x[i] += 1;
}

static void run_twice(void *const *args, dims global, dims local)
{
    (void)global, (void)local;
    double *x = *(double *const *)args[0];
    for (int32_t i = 0; i < *(const int32_t *)args[1]; i++) x[i] *= 2;
}

static void run_parts(void *const *args, dims global, dims local)
{
    (void)global, (void)local;
    const double *x = *(double *const *)args[0];
    double sum = 0;
    for (int32_t i = 0; i < *(const int32_t *)args[1]; i++) sum += x[i];
    **(double *const *)args[2] = sum;
}

static void run_total(void *const *args, dims global, dims local)
{
    (void)global, (void)local;
    **(double *const *)args[3] = **(double *const *)args[2];
}

static void run_convert(void *const *args, dims global, dims local)
{
    (void)global, (void)local;
    int32_t *to = *(int32_t *const *)args[1];
    const double *from = *(double *const *)args[2];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) to[i] = (int32_t)from[i];
}

static void use_standin(void)
{
    setenv("CPL_STANDIN_DEVICES", "2", 1);
    assert_true(standin_use());
    standin_reset();
    standin_register("inc", run_inc);
    standin_register("twice", run_twice);
    standin_register("total_parts", run_parts);
    standin_register("total", run_total);
    standin_register("convert", run_convert);
}

static void leave_standin(void)
{
    char text[256];
    if (standin_live_all()) print_error("%s left\n", standin_live_text(text, sizeof text));
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    assert_int_equal(standin_live_all(), 0);
    assert_int_equal(standin_misuses(), 0);
}
#endif

/* --- a thread --- */

typedef struct job {
    cpl_context *cx;
    cpl_module *module;
    cpl_device *device, *next; /* its arrays' home; where they are copied to and stay valid */
    pthread_barrier_t *start;
    int number;
    const char *failed; /* the step, or NULL */
    cpl_status status;
    cpl_queue *q;
    cpl_array *x, *y;
} job;

static cpl_status make(job *j)
{
    double values[N];
    for (int i = 0; i < N; i++) values[i] = i + j->number;
    cpl_status status = CPL_OK;
    if (j->number % 2) status = cpl_queue_create(j->device, NULL, &j->q);
    if (!status) status = cpl_array_create(j->cx, j->device, CPL_FLOAT64, N, &j->x);
    if (!status) status = cpl_array_create(j->cx, j->device, CPL_INT32, N, &j->y);
    return status ? status : cpl_array_write(j->x, j->q, values, NULL);
}

/* 2*(x + 1) */
static cpl_status launch(job *j)
{
    static const int64_t global[3] = {(N + GROUP - 1) / GROUP * GROUP, 1, 1},
                         local[3] = {GROUP, 1, 1};
    cpl_arg args[] = {cpl_arg_of_array(j->x), cpl_arg_int(N)};
    cpl_queue *q = j->q ? j->q : cpl_device_queue(j->device);
    cpl_launch_options o = grid_on(q, global, local, NULL);
    cpl_status status = launch_rounds(j->module, "inc", q, args, 1, CPL_AUTO, NULL);
    return status ? status : cpl_launch(j->module, "twice", &o, args, 2);
}

static cpl_status compile_ahead(job *j, int step)
{
    cpl_compile *c;
    cpl_arg args[] = {cpl_arg_of_array(j->x), cpl_arg_int(N)};
    cpl_kernel *k = NULL;
    cpl_launch_options o = once_on(j->q ? j->q : cpl_device_queue(j->device), NULL, NULL);
    cpl_status status = cpl_compile_begin(j->module, "total", &o, args, 2, &c);
    if (status) return status;
    if ((j->number + step) % 3 == 0) cpl_compile_cancel(c);
    else status = cpl_compile_wait(c, -1, &k);
    cpl_kernel_release(k);
    cpl_compile_release(c);
    return status;
}

static cpl_status sum_up(job *j)
{
    double sum = 0, values[N];
    cpl_arg args[] = {cpl_arg_of_array(j->x), cpl_arg_int(N)};
    cpl_queue *q = j->q ? j->q : cpl_device_queue(j->device);
    cpl_launch_options o = once_on(q, &sum, NULL);
    cpl_status status = cpl_launch(j->module, "total", &o, args, 2);
    if (!status) status = cpl_array_read(j->x, j->q, values, NULL);
    for (int i = 0; i < N; i++) sum -= values[i];
    return status ? status : sum == 0 ? CPL_OK : CPL_EINTERNAL;
}

static cpl_status convert(job *j)
{
    int32_t there[N];
    double values[N];
    cpl_status status = cpl_array_copy(j->y, j->x, j->q, NULL);
    if (!status) status = cpl_array_read(j->y, j->q, there, NULL);
    if (!status) status = cpl_array_read(j->x, j->q, values, NULL);
    for (int i = 0; i < N && !status; i++)
        if (there[i] != (int32_t)values[i]) status = CPL_EINTERNAL;
    return status;
}

static cpl_status expect(job *j)
{
    double values[N];
    cpl_status status = cpl_array_read(j->x, j->q, values, NULL);
    for (int i = 0; i < N && !status; i++) {
        double x = i + j->number;
        for (int step = 0; step < STEPS; step++) x = 2 * (x + 1);
        if (values[i] != x) status = CPL_EINTERNAL;
    }
    return status;
}

#define DO(j, call)                                                                                \
    if (!(j)->status && ((j)->status = (call))) (j)->failed = #call

static void *work(void *arg)
{
    job *j = arg;
    pthread_barrier_wait(j->start);
    DO(j, make(j));
    for (int step = 0; step < STEPS; step++) {
        if ((j->number + step) % 2) DO(j, compile_ahead(j, step));
        DO(j, launch(j));
        DO(j, sum_up(j));
        DO(j, convert(j));
        DO(j, cpl_array_push(j->x, cpl_device_queue(j->next), NULL));
        cpl_stats stats = {.size = sizeof stats};
        DO(j, cpl_context_stats(j->cx, &stats));
        DO(j, cpl_profile_enable(j->cx, (j->number + step) % 4 < 2));
    }
    DO(j, expect(j));
    cpl_array_release(j->x);
    cpl_array_release(j->y);
    cpl_queue_release(j->q);
    return NULL;
}

/* --- all of them --- */

static void at_once(cpl_context *cx, const messages *said)
{
    enum { ALL = THREADS * 4 };
    pthread_t threads[ALL];
    pthread_barrier_t start;
    job jobs[ALL] = {0};
    cpl_module *m = fault_module(cx, source);
    int count = (int)cpl_device_count(cx) > 4 ? ALL : (int)cpl_device_count(cx) * THREADS;
    pthread_barrier_init(&start, NULL, (unsigned)count);
    for (int i = 0; i < count; i++) {
        jobs[i] = (job){.cx = cx, .module = m, .start = &start, .number = i};
        jobs[i].device = cpl_device_get(cx, (size_t)(i / THREADS));
        jobs[i].next = cpl_device_get(cx, (size_t)(i / THREADS + 1) % cpl_device_count(cx));
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < count; i++) {
        if (jobs[i].failed)
            print_error("%d: %s: %s\n%s", i, jobs[i].failed, cpl_status_message(jobs[i].status),
                        said->text);
        assert_null(jobs[i].failed);
    }
    cpl_module_release(m);
}

static void threads_share_a_context(void **state)
{
    (void)state;
    for (long round = 0; round < test_rounds(5, 200); round++) {
        fault_heap heap = {0};
        messages said = {0};
        cpl_context *cx = fault_context(&heap, &said);
        at_once(cx, &said);
        cpl_context_release(cx);
        assert_int_equal(atomic_load(&heap.live), 0);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_context)};
#ifdef ON_STANDIN
    use_standin();
#endif
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
#ifdef ON_STANDIN
    leave_standin();
#endif
    return failed;
}
