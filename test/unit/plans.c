/*
 * Plans: two kernels with memory between them run as one launch, on the host, on whatever devices
 * there are, and with ON_STANDIN on those of the stand-in driver. y = (2x) + n: the first leaves 2x
 * in memory of the plan's, and x in more of it, the second adds n, a scalar of the plan's.
 */
#include "fault.h"
#include "launches.h"

#ifdef ON_STANDIN
#include "standin.h"
#endif

#include "runtime/device/device.h"

static const char kernels[] = "def twice(i, x, t, u):\n"
                              "    t[i] = 2*x[i]\n"
                              "    u[i] = x[i]\n"
                              "def put(i, y, t, a):\n"
                              "    y[i] = t[i] + a\n";
enum { N = 1000, THREADS = 4 };

/* --- what the kernels do; the stand-in runs no code --- */

#ifdef ON_STANDIN
static uint64_t apart; /* bytes between the arrays in between, of the last launch */
static void run_twice(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    const double *x = *(double *const *)args[1];
    double *t = *(double *const *)args[2], *u = *(double *const *)args[3];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) t[i] = 2 * x[i], u[i] = x[i];
    apart = (uint64_t)((uintptr_t)u - (uintptr_t)t);
}

static void run_put(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *y = *(double *const *)args[1];
    const double *t = *(double *const *)args[2];
    for (int64_t i = 0; i < *(const int64_t *)args[0]; i++) y[i] = t[i] + *(const int32_t *)args[3];
}
#endif

/* --- the set-up --- */

typedef struct world {
    fault_heap heap;
    messages said;
    cpl_context *cx;
    cpl_module *module;
} world;

static int open_world(void **state)
{
#ifdef ON_STANDIN
    setenv("CPL_STANDIN_DEVICES", "2", 1);
    assert_true(standin_use());
    standin_reset();
    standin_register("twice", run_twice);
    standin_register("put", run_put);
#endif
    world *w = *state = calloc(1, sizeof *w);
    w->cx = fault_context(&w->heap, &w->said);
    w->module = fault_module(w->cx, kernels);
    return 0;
}

static int close_world(void **state)
{
    world *w = *state;
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    long live = atomic_load(&w->heap.live);
    if (live) print_error("%ld bytes are left\n", live);
    free(w);
#ifdef ON_STANDIN
    char text[256];
    if (standin_live_all()) print_error("%s left\n", standin_live_text(text, sizeof text));
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    return live || standin_live_all() || standin_misuses();
#else
    return live != 0;
#endif
}

#define OK(w, call) ok(w, call, #call, __LINE__)
static void ok(world *w, cpl_status status, const char *call, int line)
{
    if (status)
        print_error("line %d: %s: %s\n%s", line, call, cpl_status_message(status), w->said.text);
    assert_int_equal(status, CPL_OK);
}

#define EACH_DEVICE(w, d)                                                                          \
    for (size_t d##_i = 0; d##_i < cpl_device_count((w)->cx); d##_i++)                             \
        for (cpl_device *d = cpl_device_get((w)->cx, d##_i); d; d = NULL)

static cpl_array *ramp(world *w, cpl_device *d, double first, double step)
{
    double values[N];
    cpl_array *a;
    for (int i = 0; i < N; i++) values[i] = first + step * i;
    OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, N, &a));
    OK(w, cpl_array_write(a, NULL, values, NULL));
    return a;
}

static void expect_ramp(world *w, cpl_array *a, double first, double step)
{
    double values[N];
    OK(w, cpl_array_read(a, NULL, values, NULL));
    for (int i = 0; i < N; i++) assert_true(values[i] == first + step * i);
}

/* --- the plan --- */

static cpl_status kernel_of(cpl_module *m, const char *function, const char *target,
                            cpl_kernel **kernel)
{
    const cpl_type *types[3];
    cpl_context *cx = module_context(m);
    cpl_status status = cpl_type_parse(cx, "float64[]", &types[0]);
    if (!status) status = cpl_type_parse(cx, "int32", &types[2]);
    if (status) return status;
    types[1] = types[0];
    if (strcmp(function, "twice") == 0) types[2] = types[0];
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.target = target;
    spec.types = types;
    spec.type_count = 3;
    status = spec_kernel(m, function, &spec, kernel);
    if (!status) cpl_kernel_release(*kernel); /* the module has it */
    return status;
}

static int64_t scratch_length; /* CPL_AUTO: n */
static cpl_status sizes(plan_launch *l)
{
    int64_t length = scratch_length == CPL_AUTO ? l->n : scratch_length;
    assert_int_equal(l->count, 2);
    l->own[0] = cpl_arg_array(CPL_FLOAT64, NULL, length);
    l->own[1] = cpl_arg_array(CPL_FLOAT64, NULL, l->n + 1);
    l->own[2] = cpl_arg_int(l->n);
    for (size_t i = 0; i < l->plan->step_count; i++) l->steps[i].n = l->n;
    return CPL_OK;
}

static atomic_int made;
static cpl_status make(void *user, cpl_kernel *last, plan *p)
{
    (void)user;
    cpl_kernel *first;
    atomic_fetch_add(&made, 1);
    cpl_status status = kernel_of(last->module, "twice", last->target, &first);
    if (status) return status;
    *p = (plan){.rule = sizes,
                .arg_count = 2,
                .own_count = 3,
                .step_count = 2,
                .steps = {{first, 3, {0, PLAN_OWN(0), PLAN_OWN(1)}},
                          {last, 3, {1, PLAN_OWN(0), PLAN_OWN(2)}}}};
    return CPL_OK;
}

static size_t given = 2; /* arguments */
static cpl_status run(world *w, cpl_queue *q, cpl_array *x, cpl_array *y, cpl_event **event)
{
    placed p;
    plan *whole;
    cpl_kernel *last;
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.event = event;
    o.queue = q;
    memset(&p, 0x5a, sizeof p); /* as a stack may be */
    cpl_status status = place_begin(&p, w->cx, &o, args, given);
    if (!status) status = kernel_of(w->module, "put", is_host(q->device) ? NULL : q->target, &last);
    if (!status) status = plan_find(last, make, NULL, &whole);
    if (!status) status = plan_submit(whole, &p, &o, N);
    return place_end(&p, status);
}

/* --- tests --- */

static void steps_run_in_order(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_event *event;
        cpl_array *x = ramp(w, d, 1, 1), *y = ramp(w, d, 0, 0);
        OK(w, cpl_queue_create(d, NULL, &q));
        int before = atomic_load(&made);
        OK(w, run(w, q, x, y, NULL));
        expect_ramp(w, y, 2 + N, 2);
        OK(w, run(w, cpl_device_queue(d), y, x, NULL)); /* behind what q still does with y */
        OK(w, run(w, q, x, x, &event));
        OK(w, cpl_event_wait(event));
        expect_ramp(w, x, 2 * (2 * (2 + N) + N) + N, 8);
        assert_in_range(atomic_load(&made), before, before + 1);
        w->said.n = 0;
        given = 1;
        assert_int_equal(run(w, q, x, y, NULL), CPL_EARG);
        given = 2;
        assert_non_null(strstr(w->said.text, "takes 2 arguments, not 1"));
        cpl_event_release(event);
        cpl_array_release(x);
        cpl_array_release(y);
        cpl_queue_release(q);
    }
}

#ifdef ON_STANDIN
/* What is in one block is aligned as blocks of the driver's are, whatever its length. */
static void parts_of_a_block_are_aligned(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (d->info.kind != CPL_DEVICE_CUDA) continue;
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 1, 1), *y = ramp(w, d, 0, 0);
        for (scratch_length = N; scratch_length < N + 64; scratch_length++) {
            OK(w, run(w, q, x, y, NULL));
            OK(w, cpl_queue_finish(q));
            uint64_t bytes = (uint64_t)scratch_length * sizeof(double);
            if (apart % 256 || apart < bytes || apart > bytes + 256)
                fail_msg("%llu bytes, and the next one %llu behind", (unsigned long long)bytes,
                         (unsigned long long)apart);
        }
        scratch_length = CPL_AUTO;
        cpl_array_release(x);
        cpl_array_release(y);
    }
}
#endif

/* Two queues at once, each with memory of its own, taken from the pool and put back. */
static void queues_share_no_scratch(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q[2];
        cpl_array *x[2], *y[2];
        for (int i = 0; i < 2; i++) {
            OK(w, cpl_queue_create(d, NULL, &q[i]));
            x[i] = ramp(w, d, 10 * i, 1);
            y[i] = ramp(w, d, 0, 0);
        }
        uint64_t used, after;
        cpl_device_memory(d, &used, NULL);
        for (int k = 0; k < 6; k++) OK(w, run(w, q[k % 2], x[k % 2], y[k % 2], NULL));
        cpl_device_memory(d, &after, NULL);
        if (used != after) /* but for the kernels' own */
            assert_true(is_host(d));
        for (int i = 0; i < 2; i++) {
            expect_ramp(w, y[i], 20 * i + N, 2);
            cpl_array_release(x[i]);
            cpl_array_release(y[i]);
            cpl_queue_release(q[i]);
        }
    }
}

static void expect_zeros(world *w, cpl_queue *q)
{
    static const uint8_t none[QUEUE_ZEROS];
    static uint8_t found[QUEUE_ZEROS];
    memset(found, 0x5a, sizeof found);
    OK(w, q->device->ops->read(q, &q->zeros, 0, found, sizeof found, NULL));
    assert_memory_equal(found, none, sizeof none);
}

/* What launches of a queue leave to each other comes from the pool once; each queue has its own. */
static void queues_keep_memory(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (d->info.kind != CPL_DEVICE_CUDA) continue;
        cpl_queue *q[2];
        uint64_t zeros[2], again, used, after;
        dev_block one, other;
        cpl_device_memory(d, &used, NULL);
        for (int i = 0; i < 2; i++) {
            OK(w, cpl_queue_create(d, NULL, &q[i]));
            OK(w, queue_zeros(q[i], &zeros[i]));
            expect_zeros(w, q[i]);
        }
        assert_int_not_equal(zeros[0], zeros[1]);
        OK(w, queue_zeros(q[0], &again));
        assert_int_equal(zeros[0], again);
        OK(w, queue_take(q[0], 1000, &one));
        uint64_t address = one.address;
        queue_put(q[0], &one);
        OK(w, queue_take(q[0], 500, &one));
        assert_int_equal(one.address, address);
        OK(w, queue_take(q[0], 100000, &other));
        assert_int_not_equal(other.address, address);
        queue_put(q[0], &one);
        queue_put(q[0], &other); /* it is larger: the first one goes to the pool */
        cpl_device_memory(d, &after, NULL);
        assert_int_equal(used, after);
        OK(w, queue_take(q[0], 1000, &one));
        assert_in_range(one.size, 100000, SIZE_MAX);
        queue_put(q[0], &one);
        for (int i = 0; i < 2; i++) cpl_queue_release(q[i]);
        cpl_device_memory(d, &after, NULL);
        assert_int_equal(used, after);
    }
}

/* A block that was zeroed on a queue, late, comes to another one, which writes it: that is what is
 * there in the end. */
static void expect_handed_on(world *w, cpl_queue *from, cpl_queue *to, uint64_t address)
{
    dev_block block = {0};
    uint8_t ones[1000], seen[1000];
    const dev_ops *ops = to->device->ops;
    memset(ones, 1, sizeof ones);
    OK(w, pool_alloc(to->device, to, sizeof ones, &block));
    assert_int_equal(block.address, address);
    OK(w, ops->write(to, (dev_span){&block, 0, false}, ones, sizeof ones, false, NULL));
    OK(w, cpl_queue_finish(to));
    if (from) OK(w, cpl_queue_finish(from));
    OK(w, cpl_queue_finish(cpl_device_queue(to->device)));
    OK(w, ops->read(to, &block, 0, seen, sizeof seen, NULL));
    assert_memory_equal(seen, ones, sizeof ones);
    queue_remember(&block.last, to);
    pool_free(&block);
}

/* What a queue kept goes behind all that it was given, however it goes: for a larger block, with
 * the queue, or because nobody wants it. */
static void kept_memory_goes_behind_its_queue(void **state)
{
    enum { REPLACED, WITH_ITS_QUEUE, SMALLER, WAYS, ROUNDS = 4 * WAYS };
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (d->info.kind != CPL_DEVICE_CUDA) continue;
        for (int round = 0, way = 0; round < ROUNDS; round++, way = round % WAYS) {
            cpl_queue *q, *other;
            dev_block small, large;
            OK(w, cpl_queue_create(d, NULL, &q));
            OK(w, cpl_queue_create(d, NULL, &other));
            OK(w, queue_take(q, 1000, &small));
            OK(w, queue_take(q, 100000, &large));
            uint64_t address = small.address;
            if (way == SMALLER) queue_put(q, &large);
            queue_gave(q);
            OK(w, d->ops->zero(q, &small, 0, small.size));
            queue_put(q, &small);
            if (way == REPLACED) queue_put(q, &large);
            if (way == WITH_ITS_QUEUE) {
                cpl_queue_release(q);
                q = NULL;
            }
            expect_handed_on(w, q, other, address);
            if (way == WITH_ITS_QUEUE) pool_free(&large);
            cpl_queue_release(q);
            cpl_queue_release(other);
        }
    }
}

static void graphs_keep_scratch(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_graph *graph;
        uint64_t before, with, after;
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0), *z = ramp(w, d, 5, 0);
        OK(w, cpl_queue_create(d, NULL, &q));
        OK(w, run(w, q, x, z, NULL));
        cpl_device_memory(d, &before, NULL);
        OK(w, cpl_graph_begin(q));
        OK(w, run(w, q, x, y, NULL));
        cpl_event *event;
        w->said.n = 0;
        assert_int_equal(run(w, q, x, y, &event), CPL_EARG); /* and nothing of it is recorded */
        assert_non_null(strstr(w->said.text, "an event waits, and the queue records a graph"));
        OK(w, cpl_graph_end(q, &graph));
        expect_ramp(w, y, 0, 0);
        OK(w, run(w, cpl_device_queue(d), z, z, NULL)); /* takes other memory */
        OK(w, cpl_graph_launch(graph, q, NULL));
        OK(w, cpl_graph_launch(graph, cpl_device_queue(d), NULL));
        expect_ramp(w, y, N, 2);
        expect_ramp(w, z, 3 * N, 4);
        cpl_device_memory(d, &with, NULL);
        cpl_graph_release(graph);
        cpl_device_memory(d, &after, NULL);
        assert_true(is_host(d) || with > before);
        assert_true(is_host(d) || after == before);
        cpl_array_release(x);
        cpl_array_release(y);
        cpl_array_release(z);
        cpl_queue_release(q);
    }
}

typedef struct rows {
    const char *device;
    uint64_t twice, put, others;
} rows;

static void see_row(void *user, const cpl_profile_row *row)
{
    rows *r = user;
    if (row->what != CPL_PROFILE_KERNEL || strcmp(row->device, r->device) != 0) return;
    if (!strcmp(row->name, "twice")) r->twice += row->count;
    else if (!strcmp(row->name, "put")) r->put += row->count;
    else r->others += row->count;
}

static void each_step_is_a_row(void **state)
{
    world *w = *state;
    OK(w, cpl_profile_enable(w->cx, true));
    EACH_DEVICE(w, d)
    {
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        for (int i = 0; i < 3; i++) OK(w, run(w, cpl_device_queue(d), x, y, NULL));
        cpl_device_info info = {.size = sizeof info};
        OK(w, cpl_device_info_get(d, &info));
        rows r = {.device = info.label};
        OK(w, cpl_profile_each_row(w->cx, see_row, &r));
        assert_int_equal(r.twice, 3);
        assert_int_equal(r.put, 3);
        assert_int_equal(r.others, 0);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

typedef struct finder {
    pthread_barrier_t *start;
    cpl_kernel *last;
    plan *found;
} finder;

static void *find_it(void *user)
{
    finder *f = user;
    pthread_barrier_wait(f->start);
    return plan_find(f->last, make, NULL, &f->found) ? NULL : f;
}

static void threads_find_one(void **state)
{
    world *w = *state;
    pthread_barrier_t start;
    pthread_t threads[THREADS];
    finder finders[THREADS];
    cpl_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    cpl_kernel *last;
    OK(w, kernel_of(w->module, "put", NULL, &last));
    OK(w, cpl_context_stats(w->cx, &before));
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        finders[i] = (finder){&start, last, NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, find_it, &finders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *good;
        pthread_join(threads[i], &good);
        assert_non_null(good);
        assert_ptr_equal(finders[i].found, finders[0].found);
    }
    pthread_barrier_destroy(&start);
    OK(w, cpl_context_stats(w->cx, &after));
    assert_int_equal(after.compiles + after.disk_hits, before.compiles + before.disk_hits + 1);
}

/* Each request for memory fails in turn, of a first launch, of one more, and of one recorded. */
static void memory_ends(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q;
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        OK(w, cpl_queue_create(d, NULL, &q));
        cpl_status status = CPL_ENOMEM;
        for (int records = 0; records < 2; records++) {
            for (long n = 1; status; n++) {
                cpl_graph *graph;
                if (records) OK(w, cpl_graph_begin(q));
                fault_arm(&w->heap, n, n % 2);
                status = run(w, q, x, y, NULL);
                assert_true(status == CPL_ENOMEM || !status);
                if (!status && atomic_load(&w->heap.failed)) status = CPL_ENOMEM;
                fault_arm(&w->heap, 0, false);
                if (records) OK(w, cpl_graph_end(q, &graph)), cpl_graph_release(graph);
                assert_true(n < 20000);
            }
            OK(w, cpl_queue_finish(q));
            status = CPL_ENOMEM;
        }
        OK(w, run(w, q, x, y, NULL));
        expect_ramp(w, y, N, 2);
        cpl_array_release(x);
        cpl_array_release(y);
        cpl_queue_release(q);
    }
}

static void the_device_is_full(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = ramp(w, d, 0, 1), *y = ramp(w, d, 0, 0);
        scratch_length = INT64_C(1) << 45;
        cpl_status status = run(w, q, x, y, NULL);
        scratch_length = CPL_AUTO;
        assert_int_equal(status, CPL_ENOMEM);
        expect_ramp(w, y, 0, 0);
        OK(w, run(w, q, x, y, NULL));
        expect_ramp(w, y, N, 2);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
int main(void)
{
    scratch_length = CPL_AUTO;
    const struct CMUnitTest tests[] = {
        TEST(steps_run_in_order),
        TEST(queues_share_no_scratch),
        TEST(queues_keep_memory),
        TEST(kept_memory_goes_behind_its_queue),
        TEST(graphs_keep_scratch),
        TEST(each_step_is_a_row),
        TEST(threads_find_one),
        TEST(memory_ends),
        TEST(the_device_is_full),
#ifdef ON_STANDIN
        TEST(parts_of_a_block_are_aligned),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
