/*
 * Order between queues, and what is released while it is at work, on the stand-in driver. It shows
 * where streams run late (CPL_STANDIN_LATE): what nobody made wait for something else then runs
 * before it, and memory or code that goes too early is a misuse of the driver.
 */
#include "unit.h"
#include "launches.h"

#include "collect.h"

#include "standin.h"

#include <stdio.h>

static const char source[] = "def add(i, x, y, a):\n"
                             "    y[i] = y[i] + a*x[i]\n"
                             "def put(i, x, a):\n"
                             "    x[i] = a\n"
                             "def square(x, a):\n"
                             "    x[0] = a*a\n"
                             "    return a*a\n";

enum { N = 600 };

/* What the kernels do; the stand-in runs no code. */
static void run_add(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    const double *x = *(double *const *)args[1];
    double *y = *(double *const *)args[2], a = *(const double *)args[3];
    for (int64_t i = 0; i < n; i++) y[i] += a * x[i];
}

static bool checked; /* put has checks, and writes to the record of its fault */
static void run_put(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    int64_t n = *(const int64_t *)args[0];
    double *x = *(double *const *)args[1], a = *(const double *)args[2];
    for (int64_t i = 0; i < n; i++) x[i] = a;
    if (checked) memset(*(void *const *)args[4], 0x77, sizeof(cpl_fault));
}

static void run_square(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    double *x = *(double *const *)args[0], a = *(const double *)args[1];
    x[0] = a * a;
    memcpy(*(void *const *)args[2], &x[0], sizeof x[0]);
}

/* --- the set-up: a device with two queues and a second device --- */

typedef struct world {
    messages said;
    cpl_context *cx;
    cpl_module *module;
    cpl_device *device, *other;
    cpl_queue *a, *b;
    bool cuda;
} world;

#define OK(w, call) ok(w, call, #call, __LINE__)
static void ok(world *w, cpl_status status, const char *call, int line)
{
    if (status)
        print_error("line %d: %s: %s\n%s", line, call, cpl_status_message(status), w->said.text);
    assert_int_equal(status, CPL_OK);
}

static void open_world(world *w, const char *kind)
{
    char second[16];
    *w = (world){.cuda = !strcmp(kind, "cuda")};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    assert_int_equal(cpl_context_create(&options, &w->cx), CPL_OK);
    OK(w, cpl_module_from_source(w->cx, "order.py", source, sizeof source - 1, &w->module));
    snprintf(second, sizeof second, "%s:1", kind);
    OK(w, cpl_device_find(w->cx, kind, &w->device));
    OK(w, cpl_device_find(w->cx, second, &w->other));
    OK(w, cpl_queue_create(w->device, NULL, &w->a));
    OK(w, cpl_queue_create(w->device, NULL, &w->b));
}

static void close_world(world *w)
{
    char live[256];
    cpl_queue_release(w->a);
    cpl_queue_release(w->b);
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    if (standin_live_all()) print_error("%s left\n", standin_live_text(live, sizeof live));
    if (standin_misuses()) print_error("%s\n", standin_misuse());
    assert_int_equal(standin_live_all(), 0);
    assert_int_equal(standin_misuses(), 0);
}

static void on_each(void (*test)(world *w))
{
    static const char *const kinds[] = {"cuda", "opencl", "opencl"}, *const svm[] = {"1", "1", "0"};
    for (int i = 0; i < 3; i++) {
        world w;
        setenv("CPL_STANDIN_DEVICES", "2", 1);
        setenv("CPL_STANDIN_SVM", svm[i], 1);
        assert_true(standin_use());
        standin_reset();
        standin_register("add", run_add);
        standin_register("put", run_put);
        standin_register("square", run_square);
        checked = false;
        open_world(&w, kinds[i]);
        test(&w);
        close_world(&w);
    }
}

#define TEST(name)                                                                                 \
    static void name(void **state)                                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        on_each(test_##name);                                                                      \
    }

static bool has_pointers(const world *w)
{
    cpl_device_info info = {.size = sizeof info};
    return !cpl_device_info_get(w->device, &info) && info.pointers;
}

/* N doubles in a place (NULL: the host), which may be page-locked. */
static cpl_array *make(world *w, cpl_device *d, bool pinned)
{
    cpl_array *x;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = N;
    o.pinned = pinned;
    o.pinned_for = w->device;
    OK(w, cpl_array_create_with(w->cx, d, &o, &x));
    return x;
}

static void put(world *w, cpl_queue *q, cpl_array *x, double value)
{
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_float(value)};
    OK(w, launch_rounds(w->module, "put", q, args, 2, CPL_AUTO, NULL));
}

static void add(world *w, cpl_queue *q, cpl_array *x, cpl_array *y, double factor)
{
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(factor)};
    OK(w, launch_rounds(w->module, "add", q, args, 3, CPL_AUTO, NULL));
}

static void write_all(world *w, cpl_array *x, cpl_queue *q, double value)
{
    double values[N];
    for (int i = 0; i < N; i++) values[i] = value;
    OK(w, cpl_array_write(x, q, values, NULL));
    memset(values, 0x55, sizeof values); /* write is done with it */
}

static void finish(world *w)
{
    OK(w, cpl_queue_finish(w->b));
    OK(w, cpl_queue_finish(w->a));
    OK(w, cpl_queue_finish(cpl_device_queue(w->device)));
}

#define EXPECT(w, x, value) expect(w, x, value, __LINE__)
static void expect(world *w, cpl_array *x, double value, int line)
{
    double values[N] = {0};
    OK(w, cpl_array_read(x, NULL, values, NULL));
    for (int i = 0; i < N; i++)
        if (values[i] != value) {
            print_error("line %d: element %d is %g, not %g\n", line, i, values[i], value);
            fail();
        }
}

static void release(cpl_array *const *arrays, int count)
{
    for (int i = 0; i < count; i++) cpl_array_release(arrays[i]);
}

/* --- order --- */

/* Code of the host program's runs behind what other queues do with an array once its queue was told
 * to wait; it sees the array's memory itself. */
static void wait_at(world *w, cpl_device *home)
{
    cpl_array *x = make(w, home, false);
    cpl_event *event;
    size_t offset;
    OK(w, cpl_array_push(x, cpl_device_queue(w->device), NULL));
    finish(w);
    put(w, w->a, x, 3);
    OK(w, cpl_queue_wait_array(w->b, x));
    OK(w, cpl_queue_record(w->b, &event));
    OK(w, cpl_event_wait(event));
    const double *there = cpl_array_address(x, w->device, &offset);
    for (int i = 0; has_pointers(w) && i < N; i++) assert_true(there[i] == 3);
    assert_int_equal(cpl_queue_wait_array(NULL, x), CPL_EARG);
    assert_int_equal(cpl_queue_wait_array(w->b, NULL), CPL_EARG);
    OK(w, cpl_graph_begin(w->b));
    assert_int_equal(cpl_queue_wait_array(w->b, x), CPL_EARG);
    cpl_graph *graph;
    OK(w, cpl_graph_end(w->b, &graph));
    cpl_graph_release(graph);
    cpl_event_release(event);
    cpl_array_release(x);
}

static void test_wait_for_array(world *w)
{
    wait_at(w, w->device);
    wait_at(w, NULL);
    /* who reads it is waited for too: the array is valid on the host as well */
    cpl_array *x = make(w, NULL, false), *y = make(w, w->device, false);
    cpl_event *event;
    size_t offset;
    write_all(w, x, NULL, 2);
    OK(w, cpl_array_push(x, cpl_device_queue(w->device), NULL));
    finish(w);
    add(w, w->a, x, y, 1);
    OK(w, cpl_queue_wait_array(w->b, x));
    OK(w, cpl_queue_record(w->b, &event));
    OK(w, cpl_event_wait(event));
    const double *there = cpl_array_address(y, w->device, &offset);
    for (int i = 0; has_pointers(w) && i < N; i++) assert_true(there[i] == 2);
    cpl_event_release(event);
    cpl_array_release(x);
    cpl_array_release(y);
}
TEST(wait_for_array)

/* A launch behind what another queue does with its arrays: writes, and reads. */
static void test_launches_wait_for_arrays(world *w)
{
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false);
    write_all(w, x, w->a, 3);
    add(w, w->b, x, y, 2);
    finish(w);
    EXPECT(w, y, 6);
    add(w, w->a, x, y, 1);
    put(w, w->b, x, 100);
    finish(w);
    EXPECT(w, y, 9);
    add(w, w->a, x, y, 1);
    add(w, w->b, y, x, 1);
    finish(w);
    EXPECT(w, x, 209);
    release((cpl_array *[]){x, y}, 2);
}
TEST(launches_wait_for_arrays)

static void test_copies_wait_for_arrays(world *w)
{
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false);
    write_all(w, x, w->a, 3);
    add(w, w->a, x, y, 2);
    write_all(w, x, w->b, 50); /* behind the launch that reads it */
    finish(w);
    EXPECT(w, y, 6);
    put(w, w->a, x, 4);
    OK(w, cpl_array_copy(y, x, w->b, NULL)); /* behind what writes from, ... */
    put(w, w->a, x, 5);                      /* before what writes it again, ... */
    finish(w);
    EXPECT(w, y, 4);
    add(w, w->a, y, x, 1);
    OK(w, cpl_array_copy(y, x, w->b, NULL)); /* ... and behind who reads to */
    finish(w);
    EXPECT(w, x, 9);
    EXPECT(w, y, 9);
    put(w, w->a, x, 8);
    EXPECT(w, x, 8); /* a read waits for the kernel, on any queue */
    double first;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = 1;
    cpl_array *view;
    OK(w, cpl_array_view(x, &o, &view));
    put(w, w->a, x, 7);
    OK(w, cpl_array_read(view, w->b, &first, NULL));
    assert_true(first == 7);
    release((cpl_array *[]){view, x, y}, 3);
}
TEST(copies_wait_for_arrays)

/* A kernel that the host holds, behind copies to and from page-locked memory that it reads and
 * writes. */
static void test_held_kernels_wait_for_copies(world *w)
{
    cpl_array *x = make(w, NULL, true), *y = make(w, NULL, false),
              *there = make(w, w->device, false);
    cpl_kernel *reads, *writes;
    const cpl_arg sum[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(1)},
                  fill[] = {cpl_arg_of_array(x), cpl_arg_float(9)};
    OK(w, cpl_kernel_for(w->module, "add", NULL, sum, 3, &reads));
    OK(w, cpl_kernel_for(w->module, "put", NULL, fill, 2, &writes));
    put(w, w->a, there, 4);
    OK(w, cpl_array_copy(x, there, w->a, NULL));
    OK(w, cpl_kernel_launch(reads, NULL, sum, 3));
    EXPECT(w, y, 4);
    finish(w);
    OK(w, cpl_array_copy(there, x, w->a, NULL));
    OK(w, cpl_kernel_launch(writes, NULL, fill, 2));
    finish(w);
    EXPECT(w, there, 4);
    EXPECT(w, x, 9);
    cpl_kernel_release(reads);
    cpl_kernel_release(writes);
    release((cpl_array *[]){x, y, there}, 3);
}
TEST(held_kernels_wait_for_copies)

/* Page-locked memory is read late: whoever changes it waits. */
static void test_uploads_keep_host_memory(world *w)
{
    cpl_array *x = make(w, NULL, true), *y = make(w, w->device, false);
    write_all(w, x, NULL, 3);
    OK(w, cpl_array_push(x, w->a, NULL));
    write_all(w, x, NULL, 4); /* on the device, where it is valid first of all */
    OK(w, cpl_array_pull(x, NULL));
    OK(w, cpl_array_copy(y, x, w->a, NULL));
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_float(5)};
    OK(w, launch_rounds(w->module, "put", cpl_device_queue(cpl_device_get(w->cx, 0)), args, 2,
                        CPL_AUTO, NULL)); /* on the host */
    finish(w);
    EXPECT(w, y, 4);
    OK(w, cpl_array_copy(y, x, w->a, NULL));
    cpl_array_release(x); /* while it is read */
    EXPECT(w, y, 5);
    cpl_array_release(y);
}
TEST(uploads_keep_host_memory)

/* The same where a copy from a device, one on the host or the caller changes it. */
static void test_uploads_keep_what_they_read(world *w)
{
    enum { FROM_DEVICE, ON_HOST, WRITTEN, PULLED, WAYS };
    double sevens[N];
    for (int i = 0; i < N; i++) sevens[i] = 7;
    for (int way = 0; way < WAYS; way++) {
        cpl_array *x = make(w, NULL, true), *y = make(w, w->device, false),
                  *z = make(w, way == ON_HOST ? NULL : w->other, false);
        write_all(w, x, NULL, 5);
        write_all(w, z, NULL, 7);
        OK(w, cpl_array_copy(y, x, w->a, NULL)); /* reads x late */
        switch (way) {
        case FROM_DEVICE:
        case ON_HOST: OK(w, cpl_array_copy(x, z, NULL, NULL)); break;
        case WRITTEN: OK(w, cpl_array_write(x, NULL, sevens, NULL)); break;
        default:
            OK(w, cpl_array_push(x, cpl_device_queue(w->other), NULL));
            put(w, cpl_device_queue(w->other), x, 7);
            OK(w, cpl_array_pull(x, NULL));
        }
        finish(w);
        EXPECT(w, x, 7);
        EXPECT(w, y, 5);
        release((cpl_array *[]){x, y, z}, 3);
    }
}
TEST(uploads_keep_what_they_read)

/* Memory of the caller's that is page-locked for an array is read late, and let go in time. */
static void test_wrapped_memory_is_pinned(world *w)
{
    double memory[N];
    for (int i = 0; i < N; i++) memory[i] = 6;
    int64_t before = standin_live(STANDIN_PINNED);
    cpl_array *x, *y = make(w, w->device, false);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = N;
    o.pinned = true;
    o.pinned_for = w->device;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, memory, &x));
    cpl_device_info info = {.size = sizeof info};
    OK(w, cpl_device_info_get(w->device, &info));
    assert_int_equal(standin_live(STANDIN_PINNED) - before, info.kind == CPL_DEVICE_CUDA);
    OK(w, cpl_array_copy(y, x, w->a, NULL));
    cpl_array_release(x); /* while it is read */
    assert_int_equal(standin_live(STANDIN_PINNED), before);
    memset(memory, 0, sizeof memory);
    EXPECT(w, y, 6);
    cpl_array_release(y);
}
TEST(wrapped_memory_is_pinned)

/* More than two of the pieces that ordinary memory is copied through. */
static void test_pieces_are_not_overtaken(world *w)
{
    enum { SIZE = 9 << 20 };
    cpl_array *x;
    unsigned char *bytes = malloc(SIZE), *seen = calloc(SIZE, 1);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_UINT8;
    o.dims = 1;
    o.shape[0] = SIZE;
    o.uninitialized = true;
    OK(w, cpl_array_create_with(w->cx, w->device, &o, &x));
    for (int i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i >> 20);
    OK(w, cpl_array_write(x, w->a, bytes, NULL));
    OK(w, cpl_array_read(x, w->a, seen, NULL));
    assert_memory_equal(seen, bytes, SIZE);
    free(bytes);
    free(seen);
    cpl_array_release(x);
}
TEST(pieces_are_not_overtaken)

static void test_devices_wait_for_each_other(world *w)
{
    cpl_queue *there;
    OK(w, cpl_queue_create(w->other, NULL, &there));
    cpl_array *x = make(w, w->device, false), *y = make(w, w->other, false),
              *z = make(w, w->other, false);
    put(w, w->a, x, 3);
    OK(w, cpl_array_copy(y, x, there, NULL)); /* behind the queue of the other device */
    put(w, w->b, x, 4);                       /* behind the copy */
    add(w, NULL, y, z, 2);
    put(w, there, y, 9);
    finish(w);
    EXPECT(w, z, 6);
    OK(w, cpl_array_copy(y, x, w->a, NULL)); /* on a queue of the other device */
    add(w, there, y, z, 1);
    cpl_array_release(x); /* while it is copied */
    cpl_queue_release(there);
    cpl_array *again = make(w, w->device, false);
    put(w, w->b, again, 77);
    finish(w);
    EXPECT(w, z, 10);
    EXPECT(w, y, 4);
    release((cpl_array *[]){again, y, z}, 3);
}
TEST(devices_wait_for_each_other)

static void test_events_stand_for_what_was_given(world *w)
{
    cpl_array *x = make(w, NULL, true), *y = make(w, w->device, false);
    cpl_event *event;
    bool done = false;
    write_all(w, x, NULL, 3);
    OK(w, cpl_array_push(x, w->a, NULL));
    OK(w, cpl_array_push(x, w->b, &event)); /* is there or on its way: the event says when */
    OK(w, cpl_event_wait(event));
    cpl_event_release(event);
    const double *seen = w->cuda ? cpl_array_address(x, w->device, NULL) : NULL;
    if (seen) assert_true(seen[N - 1] == 3); /* the stand-in's memory is the host's */

    put(w, w->a, x, 4);
    OK(w, cpl_queue_record(w->a, &event));
    OK(w, cpl_queue_wait(w->b, event));
    OK(w, cpl_queue_finish(w->b));
    OK(w, cpl_event_done(event, &done));
    assert_true(done);
    cpl_event_release(event);

    for (int i = 0; i < 2; i++) { /* asking alone gets there */
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_float(4)};
        if (i) OK(w, cpl_array_copy(y, x, w->a, &event));
        else OK(w, launch_rounds(w->module, "put", w->a, args, 2, CPL_AUTO, &event));
        while (OK(w, cpl_event_done(event, &done)), !done) continue;
        cpl_event_release(event);
    }
    put(w, w->a, x, 5);
    OK(w, cpl_array_copy(y, x, w->a, &event));
    OK(w, cpl_queue_wait(w->b, event));
    OK(w, cpl_queue_finish(w->b));
    OK(w, cpl_event_done(event, &done));
    assert_true(done);
    cpl_event_release(event);
    EXPECT(w, y, 5);
    release((cpl_array *[]){x, y}, 2);
}
TEST(events_stand_for_what_was_given)

/* --- memory that was used before --- */

static void test_pool_waits_for_who_was_last(world *w)
{
    cpl_array *x = make(w, w->device, false), *y = make(w, NULL, false), *z;
    const void *before = cpl_array_address(x, w->device, NULL);
    put(w, w->a, x, 3);
    cpl_array_release(x); /* while it is written */
    write_all(w, y, NULL, 5);
    OK(w, cpl_array_push(y, w->b, NULL));
    if (w->cuda) assert_ptr_equal(cpl_array_address(y, w->device, NULL), before);
    finish(w);
    OK(w, cpl_array_written(y, w->device, w->b)); /* so that it is read there */
    EXPECT(w, y, 5);

    put(w, w->a, y, 6);
    cpl_array_release(y);
    z = make(w, w->device, false); /* zeroed, on the default queue */
    finish(w);
    EXPECT(w, z, 0);

    double result = 0; /* a place for it comes from the pool */
    cpl_arg args[] = {cpl_arg_of_array(z), cpl_arg_float(3)};
    OK(w, call_once_on(w->module, "square", w->a, args, 2, &result, NULL));
    assert_true(result == 9);
    cpl_array_release(z);
}
TEST(pool_waits_for_who_was_last)

/* A fault record goes with its kernel, and kernels that nobody waited for may write it yet. */
static void test_fault_records_are_memory_too(world *w)
{
    enum { FEW = 8, MANY = 6 };
    cpl_array *x = make(w, w->device, false), *small[MANY];
    checked = true;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    put(w, w->a, x, 3);
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
    cpl_module_release(w->module); /* and with it the kernel */
    double values[FEW] = {1, 2, 3, 4, 5, 6, 7, 8}, seen[FEW];
    for (int i = 0; i < MANY; i++) {
        OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, FEW, &small[i]));
        OK(w, cpl_array_write(small[i], NULL, values, NULL));
        OK(w, cpl_array_push(small[i], w->b, NULL));
    }
    finish(w);
    for (int i = 0; i < MANY; i++) {
        OK(w, cpl_array_written(small[i], w->device, w->b)); /* so that it is read there */
        OK(w, cpl_array_read(small[i], w->b, seen, NULL));
        assert_memory_equal(seen, values, sizeof seen);
    }
    release(small, MANY);
    cpl_array_release(x);
    OK(w, cpl_module_from_source(w->cx, "order.py", source, sizeof source - 1, &w->module));
}
TEST(fault_records_are_memory_too)

/* 64 and 66 MiB share a bin of the pool. */
static void test_blocks_are_large_enough(world *w)
{
    static const int64_t mib = 1 << 20;
    uint64_t used, pooled;
    cpl_array *x, *last;
    cpl_array_options o, one;
    cpl_array_options_init(&o);
    o.dtype = CPL_UINT8;
    o.dims = 1;
    o.uninitialized = true;
    o.shape[0] = 64 * mib;
    OK(w, cpl_array_create_with(w->cx, w->device, &o, &x));
    cpl_array_release(x);
    o.shape[0] = 66 * mib;
    OK(w, cpl_array_create_with(w->cx, w->device, &o, &x));
    cpl_device_memory(w->device, &used, &pooled);
    assert_true(used >= 66 * (uint64_t)mib && pooled >= 64 * (uint64_t)mib);
    cpl_array_options_init(&one);
    one.dims = 1;
    one.shape[0] = 1;
    one.offset = (size_t)(66 * mib - 1);
    OK(w, cpl_array_view(x, &one, &last));
    OK(w, cpl_array_write(last, NULL, "x", NULL));
    release((cpl_array *[]){last, x}, 2);
    o.shape[0] = 63 * mib; /* rounded up to 64: either does */
    OK(w, cpl_array_create_with(w->cx, w->device, &o, &x));
    cpl_device_memory(w->device, &used, &pooled);
    assert_true(used >= 64 * (uint64_t)mib && used + pooled == 130 * (uint64_t)mib);
    cpl_array_release(x);
}
TEST(blocks_are_large_enough)

static cpl_array *part(world *w, cpl_array *x, int first, int count)
{
    cpl_array *view;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = count;
    o.offset = (size_t)first * sizeof(double);
    OK(w, cpl_array_view(x, &o, &view));
    return view;
}

static void test_halves_are_copied(world *w)
{
    cpl_device *const places[] = {cpl_device_get(w->cx, 0), w->device};
    for (int i = 0; i < 2; i++) {
        cpl_array *x = make(w, places[i], false), *low = part(w, x, 0, N / 2),
                  *high = part(w, x, N / 2, N / 2), *middle = part(w, x, N / 2 - 1, N / 2);
        double values[N];
        for (int k = 0; k < N; k++) values[k] = k;
        OK(w, cpl_array_write(x, NULL, values, NULL));
        OK(w, cpl_array_copy(high, low, NULL, NULL));
        OK(w, cpl_array_read(x, NULL, values, NULL));
        for (int k = 0; k < N; k++) assert_true(values[k] == k % (N / 2));
        for (int k = N / 2; k < N; k++) values[k] = -k;
        OK(w, cpl_array_write(x, NULL, values, NULL));
        OK(w, cpl_array_copy(low, high, NULL, NULL));
        OK(w, cpl_array_read(x, NULL, values, NULL));
        for (int k = 0; k < N; k++) assert_true(values[k] == -(k % (N / 2)) - N / 2);
        assert_int_equal(cpl_array_copy(middle, low, NULL, NULL), CPL_EOVERLAP);
        assert_int_equal(cpl_array_copy(low, middle, NULL, NULL), CPL_EOVERLAP);
        assert_int_equal(cpl_array_copy(high, middle, NULL, NULL), CPL_EOVERLAP);
        assert_int_equal(cpl_array_copy(middle, high, NULL, NULL), CPL_EOVERLAP);
        assert_int_equal(cpl_array_copy(low, low, NULL, NULL), CPL_EOVERLAP);
        release((cpl_array *[]){low, high, middle, x}, 4);
    }
}
TEST(halves_are_copied)

/* --- released while it is at work --- */

static void test_released_at_work(world *w)
{
    cpl_kernel *kernel;
    cpl_queue *q;
    cpl_event *event;
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false);
    put(w, w->a, x, 3);
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2)};
    OK(w, cpl_queue_create(w->device, NULL, &q));
    OK(w, rounds_kernel_for(w->module, "add", q, args, 3, &kernel));
    OK(w, run_rounds(kernel, q, args, 3, CPL_AUTO, &event));
    cpl_event_release(event);
    cpl_kernel_release(kernel);
    cpl_module_release(w->module);
    cpl_queue_release(q);
    cpl_array_release(x);
    EXPECT(w, y, 6);
    OK(w, cpl_module_from_source(w->cx, "order.py", source, sizeof source - 1, &w->module));
    put(w, w->b, y, 3); /* the context goes while it runs */
    cpl_array_release(y);
}
TEST(released_at_work)

static void test_trimmed_at_work(world *w)
{
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false);
    put(w, w->a, x, 3);
    add(w, w->b, x, y, 1);
    cpl_array_release(x);
    OK(w, cpl_device_trim(w->device));
    EXPECT(w, y, 3);
    cpl_array_release(y);
}
TEST(trimmed_at_work)

/* Memory of the host program's, page-locked or not, and of the device, where that has pointers, is
 * its own again once the array is released: all is there, and nobody reads it. */
static void test_wrapped_memory_is_given_back(world *w)
{
    enum { COPIED_FROM, COPIED_TO, BY_A_VIEW, CHANGED, READ, WAYS };
    double memory[N];
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = N;
    o.pinned_for = w->device;
    cpl_array *owner = make(w, w->device, false), *y = make(w, w->device, false), *wrapped, *view;
    double *there = w->cuda ? cpl_array_address(owner, w->device, NULL) : NULL;
    for (int place = 0; place < (there ? 3 : 2); place++)
        for (int way = 0; way < WAYS; way++) {
            double *at = place == 2 ? there : memory; /* the stand-in's memory is the host's */
            o.pinned = place == 1;
            o.is_pointer = place == 2;
            for (int k = 0; k < N; k++) at[k] = 3;
            write_all(w, y, NULL, 5);
            OK(w, cpl_array_wrap(w->cx, place == 2 ? w->device : NULL, &o, at, &wrapped));
            view = part(w, wrapped, 0, N);
            if (way >= CHANGED && place != 2) OK(w, cpl_array_push(wrapped, w->a, NULL));
            switch (way) {
            case COPIED_FROM: OK(w, cpl_array_copy(y, wrapped, w->a, NULL)); break;
            case COPIED_TO: OK(w, cpl_array_copy(wrapped, y, w->a, NULL)); break;
            case BY_A_VIEW: OK(w, cpl_array_copy(view, y, w->a, NULL)); break;
            case CHANGED: put(w, w->a, wrapped, 5); break;
            default: add(w, w->a, wrapped, y, 1);
            }
            release((cpl_array *[]){view, wrapped}, 2);
            bool reads = way == COPIED_FROM || way == READ;
            if (at[0] != (reads ? 3 : 5) || at[N - 1] != (reads ? 3 : 5))
                fail_msg("place %d, way %d: %g, %g", place, way, at[0], at[N - 1]);
            for (int k = 0; k < N; k++) at[k] = 100;
            EXPECT(w, y, way == COPIED_FROM ? 3 : way == READ ? 8 : 5);
        }
    release((cpl_array *[]){owner, y}, 2);
}
TEST(wrapped_memory_is_given_back)

/* --- graphs --- */

/* While a queue records, the other queues wait for what it was given before, and never for what it
 * records. */
static void test_others_while_a_queue_records(world *w)
{
    cpl_graph *graph;
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false),
              *z = make(w, w->device, false), *gone = make(w, w->device, false),
              *sent = make(w, NULL, true);
    put(w, w->a, x, 3);
    put(w, w->a, z, 5);
    put(w, w->a, gone, 9);
    OK(w, cpl_array_push(sent, w->a, NULL));
    OK(w, cpl_graph_begin(w->a));
    add(w, w->a, x, y, 1);
    add(w, w->b, x, z, 1); /* behind the first */
    release((cpl_array *[]){gone, sent}, 2);
    cpl_array *fresh = make(w, w->device, false); /* over the memory of the one that is gone */
    OK(w, cpl_queue_finish(w->b));
    EXPECT(w, z, 8);
    EXPECT(w, fresh, 0);
    OK(w, cpl_array_copy(fresh, z, w->b, NULL));
    add(w, w->a, x, y, 1);
    OK(w, cpl_graph_end(w->a, &graph));
    EXPECT(w, y, 0);
    put(w, w->b, x, 10);
    OK(w, cpl_graph_launch(graph, w->a, NULL)); /* behind b */
    add(w, w->b, y, z, 1);                      /* behind the graph */
    finish(w);
    EXPECT(w, z, 28);
    put(w, w->b, x, 1);
    OK(w, cpl_graph_launch(graph, w->b, NULL)); /* on another queue */
    cpl_graph_release(graph);                   /* while it runs */
    put(w, w->a, x, 100);
    finish(w);
    EXPECT(w, y, 22);
    EXPECT(w, fresh, 8);
    release((cpl_array *[]){x, y, z, fresh}, 4);
}
TEST(others_while_a_queue_records)

/* What is made while the default queue records is there at once, and is no part of the graph. */
static void test_arrays_made_while_it_records(world *w)
{
    cpl_graph *graph;
    cpl_queue *q = cpl_device_queue(w->device);
    cpl_array *x = make(w, w->device, false), *old = make(w, w->device, false);
    put(w, q, x, 3);
    put(w, q, old, 4);
    cpl_array_release(old);
    OK(w, cpl_graph_begin(q));
    cpl_array *y = make(w, w->device, false), *z = make(w, w->device, false);
    add(w, q, x, y, 1);
    put(w, w->a, z, 7); /* taken from the pool for another queue */
    OK(w, cpl_queue_finish(w->a));
    OK(w, cpl_graph_end(q, &graph));
    for (int i = 0; i < 2; i++) OK(w, cpl_graph_launch(graph, NULL, NULL));
    EXPECT(w, y, 6); /* not zeroed in between */
    EXPECT(w, z, 7);
    cpl_graph_release(graph);
    release((cpl_array *[]){x, y, z}, 3);
}
TEST(arrays_made_while_it_records)

/* Host memory that a graph copies from is read by each launch, and changed behind it. */
static void test_graphs_read_host_memory(world *w)
{
    for (int pinned = 0; pinned < 2; pinned++) {
        cpl_graph *graph;
        cpl_array *x = make(w, NULL, pinned), *y = make(w, w->device, false);
        write_all(w, x, NULL, 3);
        OK(w, cpl_graph_begin(w->a));
        OK(w, cpl_array_copy(y, x, w->a, NULL));
        OK(w, cpl_graph_end(w->a, &graph));
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        write_all(w, x, NULL, 4); /* waits for the graph */
        finish(w);
        EXPECT(w, y, 3);
        OK(w, cpl_graph_launch(graph, NULL, NULL));
        cpl_graph_release(graph);
        cpl_array_release(x);
        EXPECT(w, y, 4);
        cpl_array_release(y);
    }
}
TEST(graphs_read_host_memory)

/* A kernel goes while another queue records: a capture must not hear of it. */
static void test_kernels_go_while_it_records(world *w)
{
    cpl_graph *graph;
    cpl_module *module;
    cpl_array *x = make(w, w->device, false), *y = make(w, w->device, false),
              *z = make(w, w->device, false);
    OK(w, cpl_module_from_source(w->cx, "two.py", source, sizeof source - 1, &module));
    put(w, w->a, x, 3);
    cpl_arg args[] = {cpl_arg_of_array(z), cpl_arg_float(2)};
    OK(w, launch_rounds(module, "put", w->b, args, 2, CPL_AUTO, NULL));
    OK(w, cpl_graph_begin(w->a));
    add(w, w->a, x, y, 1);
    cpl_module_release(module);
    OK(w, cpl_graph_end(w->a, &graph));
    OK(w, cpl_graph_launch(graph, NULL, NULL));
    EXPECT(w, y, 3);
    EXPECT(w, z, 2);
    cpl_graph_release(graph);
    release((cpl_array *[]){x, y, z}, 3);
}
TEST(kernels_go_while_it_records)

static int stop(void *user)
{
    (void)user;
    return 1;
}

/* The context's poll function ends waits: what the device was given goes on, and what it works on
 * is there until it is done. MANY: a wait asks some hundred times before it asks that function. */
enum { MANY = 5000 };
static void test_waits_that_end(world *w)
{
    const char *seed = getenv("CPL_STANDIN_LATE");
    const bool slow = seed && !strcmp(seed, "1"); /* it runs a command each time it is asked */
    double values[N] = {0};
    cpl_event *event;
    cpl_array *x = make(w, w->device, false), *gone = make(w, w->device, false);
    for (int i = 0; i < MANY; i++) put(w, w->a, gone, i);
    put(w, w->a, x, 3);
    OK(w, cpl_queue_record(w->a, &event));
    cpl_context_set_poll(w->cx, stop, NULL);
    const cpl_status waits[] = {cpl_queue_finish(w->a), cpl_event_wait(event),
                                cpl_array_read(x, NULL, values, NULL)};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        assert_true(waits[i] == CPL_ECANCELLED || (!slow && waits[i] == CPL_OK));
    if (slow) assert_non_null(strstr(w->said.text, "was cancelled: what it was given goes on"));
    cpl_array_write(gone, w->a, values, NULL); /* CUDA's first one waits for nothing */
    const cpl_status second = cpl_array_write(gone, w->a, values, NULL);
    assert_true(second == CPL_ECANCELLED || (!slow && second == CPL_OK));
    cpl_array_release(gone);
    cpl_context_set_poll(w->cx, NULL, NULL);
    EXPECT(w, x, 3);
    cpl_event_release(event);
    cpl_array_release(x);
}
TEST(waits_that_end)

/* Waits that the time ends, without a poll function: the same, and later ones that are given enough
 * of it find what was computed. */
static void test_waits_within_a_time(world *w)
{
    const char *seed = getenv("CPL_STANDIN_LATE");
    const bool slow = seed && !strcmp(seed, "1");
    const bool is_host = cpl_queue_device(w->a) == cpl_device_get(w->cx, 0);
    cpl_event *event;
    cpl_array *x = make(w, w->device, false);
    for (int i = 0; i < MANY; i++) put(w, w->a, x, i);
    OK(w, cpl_queue_record(w->a, &event));
    w->said.n = 0;
    const cpl_status waits[] = {cpl_queue_finish_within(w->a, 0), cpl_event_wait_within(event, 0)};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        assert_true(waits[i] == CPL_ETIMEDOUT || (!slow && waits[i] == CPL_OK));
        if (is_host) assert_int_equal(waits[i], CPL_OK);
    }
    assert_int_equal(w->said.n, 0); /* an answer, and no error */
    OK(w, cpl_event_wait_within(event, INT64_MAX));
    OK(w, cpl_event_wait_within(event, 0));
    OK(w, cpl_queue_finish_within(w->a, -1));
    OK(w, cpl_queue_finish_within(w->a, 0));
    put(w, w->a, x, 5);
    OK(w, cpl_event_wait_within(event, 0));
    for (cpl_status s = CPL_ETIMEDOUT; s;) /* who asks again and again comes to an end */
        assert_true(!(s = cpl_queue_finish_within(w->a, 0)) || s == CPL_ETIMEDOUT);
    OK(w, cpl_queue_finish_within(NULL, 0));
    OK(w, cpl_event_wait_within(NULL, 0));
    EXPECT(w, x, 5);
    cpl_event_release(event);
    cpl_array_release(x);
}
TEST(waits_within_a_time)

/* Also the wait of an event that is over, for what its kernel's checks found: that is read behind
 * all that the queue was given since. */
static void test_waits_for_faults_end(world *w)
{
    const char *seed = getenv("CPL_STANDIN_LATE");
    const bool slow = seed && !strcmp(seed, "1");
    cpl_event *event;
    cpl_array *x = make(w, w->device, false);
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_float(3)};
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    OK(w, launch_rounds(w->module, "put", w->a, args, 2, CPL_AUTO, &event));
    OK(w, cpl_event_wait(event));
    for (int i = 0; i < MANY; i++) put(w, w->a, x, i);
    cpl_context_set_poll(w->cx, stop, NULL);
    const cpl_status status = cpl_event_wait(event);
    assert_true(status == CPL_ECANCELLED || (!slow && status == CPL_OK));
    cpl_context_set_poll(w->cx, NULL, NULL);
    EXPECT(w, x, MANY - 1);
    cpl_event_release(event);
    cpl_array_release(x);
}
TEST(waits_for_faults_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_that_end),
        cmocka_unit_test(waits_within_a_time),
        cmocka_unit_test(waits_for_faults_end),
        cmocka_unit_test(wait_for_array),
        cmocka_unit_test(launches_wait_for_arrays),
        cmocka_unit_test(copies_wait_for_arrays),
        cmocka_unit_test(held_kernels_wait_for_copies),
        cmocka_unit_test(uploads_keep_host_memory),
        cmocka_unit_test(uploads_keep_what_they_read),
        cmocka_unit_test(wrapped_memory_is_pinned),
        cmocka_unit_test(pieces_are_not_overtaken),
        cmocka_unit_test(devices_wait_for_each_other),
        cmocka_unit_test(events_stand_for_what_was_given),
        cmocka_unit_test(pool_waits_for_who_was_last),
        cmocka_unit_test(fault_records_are_memory_too),
        cmocka_unit_test(blocks_are_large_enough),
        cmocka_unit_test(halves_are_copied),
        cmocka_unit_test(released_at_work),
        cmocka_unit_test(trimmed_at_work),
        cmocka_unit_test(wrapped_memory_is_given_back),
        cmocka_unit_test(others_while_a_queue_records),
        cmocka_unit_test(arrays_made_while_it_records),
        cmocka_unit_test(graphs_read_host_memory),
        cmocka_unit_test(kernels_go_while_it_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
