/* Arrays on whatever devices there are, the host among them: copies, views, memory of the caller's,
 * memory used again. */
#include "device_world.h"
#include "launches.h"

#include <unistd.h>

static void arrays_move(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *a;
        OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, N, &a));
        expect_ramp(w, a, 0, 0);
        cpl_array_release(a);
        a = ramp(w, d, 1, 2);
        expect_ramp(w, a, 1, 2);
        assert_true(cpl_array_valid(a, d));
        assert_int_equal(cpl_array_valid(a, NULL), is_host(d));
        OK(w, cpl_array_pull(a, NULL));
        assert_true(cpl_array_valid(a, NULL));
        double *host = cpl_array_address(a, NULL, NULL);
        assert_true(host[N - 1] == 1 + 2.0 * (N - 1));
        for (int i = 0; i < N; i++) host[i] = -host[i];
        OK(w, cpl_array_written(a, NULL, NULL));
        assert_int_equal(cpl_array_valid(a, d), is_host(d));
        cpl_event *event;
        OK(w, cpl_array_push(a, cpl_device_queue(d), &event));
        OK(w, cpl_event_wait(event));
        cpl_event_release(event);
        assert_true(cpl_array_valid(a, d));
        expect_ramp(w, a, -1, -2);
        cpl_array_release(a);
    }
}

static void arrays_are_copied_between_any_two_places(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, from) EACH_DEVICE(w, to)
    {
        cpl_array *a = ramp(w, from, 3, 1), *b = ramp(w, to, 0, 0);
        OK(w, cpl_array_copy(b, a, NULL, NULL));
        static const double zeros[N];
        OK(w, cpl_array_write(a, NULL, zeros, NULL));
        expect_ramp(w, b, 3, 1);
        expect_ramp(w, a, 0, 0);
        OK(w, cpl_array_push(b, cpl_device_queue(from), NULL));
        assert_true(cpl_array_valid(b, from) && cpl_array_valid(b, to));
        cpl_array_release(a);
        cpl_array_release(b);
    }
    cpl_array *a, *b;
    OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, 3, &a));
    OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, 4, &b));
    FAILS(w, cpl_array_copy(a, b, NULL, NULL), CPL_EARG, "3 and 4 elements");
    cpl_array_release(b);
    OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT32, 3, &b));
    FAILS(w, cpl_array_copy(a, a, NULL, NULL), CPL_EOVERLAP, "overlap");
    cpl_array_release(b);
    cpl_array_release(a);
}

static uint64_t counted(world *w, cpl_profile_what direction, uint64_t *bytes)
{
    uint64_t count;
    OK(w, cpl_profile_copies(w->cx, direction, &count, bytes));
    return count;
}

/* Without profiling; between places and inside them. */
static void copies_are_counted(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *a = ramp(w, d, 1, 0), *b = ramp(w, d, 2, 0);
        cpl_profile_what in = is_host(d) ? CPL_PROFILE_ON_DEVICE : CPL_PROFILE_TO_DEVICE,
                         out = is_host(d) ? CPL_PROFILE_ON_DEVICE : CPL_PROFILE_TO_HOST;
        const cpl_profile_what steps[] = {in, out, CPL_PROFILE_ON_DEVICE};
        double values[N] = {0};
        for (int i = 0; i < 3; i++) {
            uint64_t bytes, more, before = counted(w, steps[i], &bytes);
            if (i == 0) OK(w, cpl_array_write(a, NULL, values, NULL));
            if (i == 1) OK(w, cpl_array_read(a, NULL, values, NULL));
            if (i == 2) OK(w, cpl_array_copy(a, b, NULL, NULL));
            assert_int_equal(counted(w, steps[i], &more), before + 1);
            assert_int_equal(more, bytes + sizeof values);
        }
        cpl_graph *graph; /* what is recorded has not been copied */
        cpl_queue *q = cpl_device_queue(d);
        uint64_t before = counted(w, CPL_PROFILE_ON_DEVICE, NULL);
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_array_copy(a, b, q, NULL));
        OK(w, cpl_graph_end(q, &graph));
        assert_int_equal(counted(w, CPL_PROFILE_ON_DEVICE, NULL), before);
        cpl_graph_release(graph);
        cpl_array_release(a);
        cpl_array_release(b);
    }
    uint64_t count = 1, bytes = 1;
    assert_int_equal(cpl_profile_copies(w->cx, CPL_PROFILE_KERNEL, &count, &bytes), CPL_EARG);
    assert_int_equal(count + bytes, 0);
    assert_int_equal(cpl_profile_copies(w->cx, CPL_PROFILE_COMPILE, NULL, NULL), CPL_EARG);
    OK(w, cpl_profile_copies(w->cx, CPL_PROFILE_TO_HOST, NULL, NULL));
}

/* What 200.75 becomes, and what becomes of it again; float16 has 8 fractions of it. */
static void copies_convert(void **state)
{
    world *w = *state;
    static const struct {
        cpl_dtype type;
        double kept;
    } rows[] = {{CPL_BOOL, 1},     {CPL_INT8, 127},       {CPL_UINT8, 200},
                {CPL_INT16, 200},  {CPL_INT64, 200},      {CPL_FLOAT16, 200.75},
                {CPL_UINT32, 200}, {CPL_FLOAT32, 200.75}, {CPL_FLOAT64, 200.75}};
    needs_code();
    EACH_DEVICE(w, from) EACH_DEVICE(w, to)
    {
        cpl_array *a = ramp(w, from, 200.75, 0), *back = ramp(w, from, 0, 0);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            cpl_array *b;
            cpl_event *event;
            bool half = rows[i].type == CPL_FLOAT16;
            if (half && !(info_of(to).fp16 || is_host(to))) continue;
            if (half && !(info_of(from).fp16 || is_host(from))) continue;
            OK(w, cpl_array_create(w->cx, to, rows[i].type, N, &b));
            OK(w, cpl_array_copy(b, a, i % 2 ? cpl_device_queue(from) : NULL, &event));
            OK(w, cpl_event_wait(event));
            assert_string_equal(w->said.text, "");
            assert_true(cpl_array_valid(a, to) && cpl_array_valid(b, to));
            OK(w, cpl_array_copy(back, b, cpl_device_queue(from), NULL));
            expect_ramp(w, back, rows[i].kept, 0);
            cpl_event_release(event);
            cpl_array_release(b);
        }
        cpl_array_release(a);
        cpl_array_release(back);
    }
    cpl_field field = {.name = "x"};
    OK(w, cpl_type_parse(w->cx, "float64", &field.type));
    cpl_array_options o;
    cpl_array *a, *b;
    cpl_array_options_init(&o);
    OK(w, cpl_type_struct(w->cx, "One", &field, 1, &o.record));
    o.dims = 1;
    o.shape[0] = N;
    OK(w, cpl_array_create_with(w->cx, NULL, &o, &b));
    OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, N, &a));
    FAILS(w, cpl_array_copy(a, b, NULL, NULL), CPL_EARG, "one of them a struct");
    cpl_array_release(a);
    cpl_array_release(b);
}

/* Larger than what passes through the host or page-locked memory at a time. */
static void large_copies_arrive_whole(void **state)
{
    world *w = *state;
    int64_t n = (9 << 20) + 13;
    uint32_t *values = malloc((size_t)n * 4), *back = malloc((size_t)n * 4);
    for (int64_t i = 0; i < n; i++) values[i] = (uint32_t)(i * 2654435761u);
    EACH_DEVICE(w, d)
    {
        cpl_array *a, *b;
        OK(w, cpl_array_create(w->cx, d, CPL_UINT32, n, &a));
        OK(w, cpl_array_create(w->cx, d, CPL_UINT32, n, &b));
        OK(w, cpl_array_write(a, NULL, values, NULL));
        OK(w, cpl_array_copy(b, a, NULL, NULL));
        memset(back, 0, (size_t)n * 4);
        OK(w, cpl_array_read(b, NULL, back, NULL));
        assert_memory_equal(values, back, (size_t)n * 4);
        cpl_array_release(a);
        cpl_array_release(b);
    }
    free(values);
    free(back);
}

static void views_share_memory(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *a = ramp(w, d, 0, 1), *half, *odd;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 1;
        o.shape[0] = 100;
        o.offset = 4096;
        OK(w, cpl_array_view(a, &o, &half));
        o.shape[0] = 50;
        o.strides[0] = 16;
        o.offset = 8;
        OK(w, cpl_array_view(half, &o, &odd));
        double values[100], some[50];
        OK(w, cpl_array_read(half, NULL, values, NULL));
        for (int i = 0; i < 100; i++) assert_true(values[i] == 512 + i);
        OK(w, cpl_array_read(odd, NULL, some, NULL));
        for (int i = 0; i < 50; i++) assert_true(some[i] == 513 + 2 * i);
        for (int i = 0; i < 50; i++) some[i] = -1;
        OK(w, cpl_array_write(odd, NULL, some, NULL));
        assert_true(cpl_array_valid(a, d));
        OK(w, cpl_array_read(half, NULL, values, NULL));
        for (int i = 0; i < 100; i++) assert_true(values[i] == (i % 2 ? -1 : 512 + i));
        o.strides[0] = 0;
        o.offset = (N - 10) * 8;
        cpl_array *bad;
        FAILS(w, cpl_array_view(a, &o, &bad), CPL_EARG, "does not lie in");
        o.offset = 3;
        FAILS(w, cpl_array_view(a, &o, &bad), CPL_EARG, "not aligned");
        o.offset = (size_t)-8; /* a view may begin in front of what it is a view of */
        FAILS(w, cpl_array_view(a, &o, &bad), CPL_EARG, "bytes -8 to 392 does not lie in");
        cpl_array *before;
        OK(w, cpl_array_view(half, &o, &before));
        OK(w, cpl_array_read(before, NULL, some, NULL));
        for (int i = 0; i < 50; i++) assert_true(some[i] == (i % 2 ? 511 + i : i ? -1 : 511));
        cpl_array_release(before);
        cpl_array_info info = {.size = sizeof info};
        OK(w, cpl_array_info_get(odd, &info));
        assert_int_equal(info.offset, 4104);
        assert_int_equal(info.length, 50);
        assert_false(info.contiguous);
        assert_ptr_equal(info.parent, half);
        assert_ptr_equal(info.home, d);
        cpl_array_release(a); /* views hold the memory */
        cpl_array_release(half);
        OK(w, cpl_array_read(odd, NULL, some, NULL));
        assert_true(some[49] == -1);
        cpl_array_release(odd);
    }
}

static void count_call(void *user, void *memory)
{
    (void)memory;
    ++*(int *)user;
}

static void wrapped_memory_is_used_in_place(void **state)
{
    world *w = *state;
    double mine[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    int calls = 0;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 2;
    o.shape[0] = 3;
    o.shape[1] = 2;
    o.offset = 16;
    o.deleter = count_call;
    o.deleter_user = &calls;
    cpl_array *a, *v;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, mine, &a));
    assert_ptr_equal(cpl_array_address(a, NULL, NULL), &mine[2]);
    cpl_arg args[] = {cpl_arg_of_array(a)};
    OK(w, launch_rounds(w->module, "inc", NULL, args, 1, CPL_AUTO, NULL));
    assert_true(mine[1] == 1 && mine[2] == 3 && mine[7] == 8);
    cpl_array_options part;
    cpl_array_options_init(&part);
    OK(w, cpl_array_view(a, &part, &v));
    cpl_array_release(a);
    assert_int_equal(calls, 0);
    cpl_array_release(v);
    assert_int_equal(calls, 1);
    o.deleter = NULL;
    FAILS(w, cpl_array_wrap(w->cx, NULL, &o, (char *)mine + 3, &a), CPL_EARG, "not aligned");
    FAILS(w, cpl_array_wrap(w->cx, NULL, &o, NULL, &a), CPL_EARG, "NULL");
    /* A device's memory, as another library's array would be wrapped. */
    EACH_DEVICE(w, d)
    {
        cpl_array *owner = ramp(w, d, 1, 1), *alias;
        size_t offset;
        void *memory = cpl_array_address(owner, d, &offset);
        cpl_array_options_init(&o);
        o.dtype = CPL_FLOAT64;
        o.dims = 1;
        o.shape[0] = N;
        o.is_pointer = info_of(d).pointers;
        OK(w, cpl_array_wrap(w->cx, d, &o, memory, &alias));
        args[0] = cpl_arg_of_array(alias);
        OK(w, launch_rounds(w->module, "inc", cpl_device_queue(d), args, 1, CPL_AUTO, NULL));
        expect_ramp(w, alias, 2, 1);
        expect_ramp(w, owner, 2, 1);
        cpl_array_release(alias);
        cpl_array_release(owner);
    }
}

static cpl_array *wrap(world *w, double *memory, int64_t length, int *calls)
{
    cpl_array *a;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = length;
    o.deleter = calls ? count_call : NULL;
    o.deleter_user = calls;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, memory, &a));
    return a;
}

/* Arrays over one memory know where it is valid, whichever of them it was moved by. */
static void wraps_share_where_they_are_valid(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        double memory[N] = {0}, values[N];
        int calls[2] = {0};
        cpl_array *a = wrap(w, memory, N, &calls[0]), *b = wrap(w, memory, N, &calls[1]),
                  *part = wrap(w, memory, 3, NULL);
        OK(w, cpl_array_push(a, cpl_device_queue(d), NULL));
        assert_true(cpl_array_valid(b, d) && cpl_array_valid(part, d));
        for (int i = 0; i < N; i++) values[i] = i;
        OK(w, cpl_array_write(b, cpl_device_queue(d), values, NULL));
        assert_int_equal(cpl_array_valid(a, NULL), is_host(d));
        OK(w, cpl_array_pull(part, NULL));
        assert_true(cpl_array_valid(a, NULL) && memory[N - 1] == N - 1);
        cpl_array_release(a);
        cpl_array_release(part);
        assert_int_equal(calls[0], 0);
        expect_ramp(w, b, 0, 1);
        cpl_array_release(b);
        assert_int_equal(calls[0], 1);
        assert_int_equal(calls[1], 1);
        cpl_array_options o; /* a number that is another place's address is other memory */
        cpl_array *other;
        cpl_array_options_init(&o);
        o.dtype = CPL_FLOAT64;
        o.dims = 1;
        o.shape[0] = N;
        bool cuda = info_of(d).kind == CPL_DEVICE_CUDA;
        if (cuda) OK(w, cpl_array_wrap(w->cx, d, &o, memory, &other));
        a = wrap(w, memory, N, NULL); /* nobody has it any more */
        if (cuda) {
            assert_true(cpl_array_valid(other, d) && !cpl_array_valid(other, NULL));
            cpl_array_release(other);
        }
        assert_true(cpl_array_valid(a, NULL));
        assert_int_equal(cpl_array_valid(a, d), is_host(d));
        cpl_array_release(a);
    }
}

/* Parts are wrapped before the whole: what a device wrote to one would be lost to the other. */
static void wraps_that_overlap_stay(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        double memory[N] = {0}, values[N];
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *part = wrap(w, memory, 3, NULL), *more = wrap(w, memory + 3, 2, NULL),
                  *last = wrap(w, memory + 6, 1, NULL), *const parts[] = {part, more, last};
        for (int i = 0; i < N; i++) values[i] = i + 1;
        for (int i = 0; i < 3; i++) OK(w, cpl_array_push(parts[i], q, NULL));
        for (int i = 0; i < 3; i++) OK(w, cpl_array_write(parts[i], q, values, NULL));
        cpl_array *whole = wrap(w, memory, N, NULL), *late = wrap(w, memory + 2, N - 2, NULL);
        for (int i = 0; i < 3; i++) assert_true(cpl_array_valid(parts[i], NULL));
        const double wanted[] = {1, 2, 3, 1, 2, 0, 1, 0};
        assert_memory_equal(memory, wanted, sizeof wanted);
        cpl_array *const all[] = {part, more, last, whole, late};
        for (int i = 0; i < 5 && !is_host(d); i++)
            FAILS(w, cpl_array_push(all[i], q, NULL), CPL_EARG, "or two arrays wrap parts of it");
        for (int i = 0; i < 5; i++) cpl_array_release(all[i]);
        whole = wrap(w, memory, N, NULL); /* alone by now */
        OK(w, cpl_array_push(whole, q, NULL));
        cpl_array_release(whole);
    }
}

/* What lies in wrapped memory is a part of it, and what is written comes back with the last one. */
static void parts_of_wrapped_memory(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        double memory[N] = {0}, values[N];
        for (int i = 0; i < N; i++) values[i] = i;
        cpl_array *a = wrap(w, memory, N, NULL), *part = wrap(w, memory + 3, N - 3, NULL);
        OK(w, cpl_array_push(a, cpl_device_queue(d), NULL));
        assert_true(cpl_array_valid(part, d));
        OK(w, cpl_array_write(part, cpl_device_queue(d), values, NULL));
        cpl_array_release(part);
        assert_int_equal(cpl_array_valid(a, NULL), is_host(d));
        cpl_array_release(a);
        for (int i = 0; i < N; i++) assert_true(memory[i] == (i < 3 ? 0 : i - 3));
    }
}

/* For who has the memory alone. */
static void memory_that_arrays_wrap(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        double memory[N] = {0}, values[N], other[N] = {0};
        for (int i = 0; i < N; i++) values[i] = i;
        cpl_array *a = wrap(w, memory, N, NULL), *b = wrap(w, other, N, NULL);
        OK(w, cpl_memory_settle(w->cx, memory, sizeof memory, true));
        OK(w, cpl_array_push(a, cpl_device_queue(d), NULL));
        OK(w, cpl_array_write(a, cpl_device_queue(d), values, NULL));
        OK(w, cpl_memory_settle(w->cx, other, sizeof other, true));
        assert_int_equal(cpl_array_valid(a, NULL), is_host(d));
        OK(w, cpl_memory_settle(w->cx, memory + N - 1, 1, false));
        assert_true(memory[0] == 0 && memory[N - 1] == N - 1 && cpl_array_valid(a, d));
        memory[0] = -5;
        OK(w, cpl_memory_settle(w->cx, (void *)((uintptr_t)memory - 8), 9, true));
        assert_int_equal(cpl_array_valid(a, d), is_host(d));
        OK(w, cpl_array_read(a, cpl_device_queue(d), values, NULL));
        assert_true(values[0] == -5 && values[N - 1] == N - 1);
        OK(w, cpl_memory_settle(w->cx, memory, 0, true));
        cpl_array_release(a);
        cpl_array_release(b);
    }
    FAILS(w, cpl_memory_settle(NULL, w, 1, true), CPL_EARG, "");
    FAILS(w, cpl_memory_settle(w->cx, NULL, 1, true), CPL_EARG, "");
}

static void arrays_that_stay(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_array *a = ramp(w, NULL, 1, 2), *there = ramp(w, d, 1, 2);
        OK(w, cpl_array_push(a, cpl_device_queue(d), NULL));
        OK(w, cpl_array_stay(a));
        OK(w, cpl_array_stay(a));
        assert_true(cpl_array_valid(a, NULL));
        assert_int_equal(cpl_array_valid(a, d), is_host(d));
        if (is_host(d)) {
            OK(w, cpl_array_push(a, cpl_device_queue(d), NULL));
            OK(w, cpl_array_stay(there));
        } else {
            FAILS(w, cpl_array_push(a, cpl_device_queue(d), NULL), CPL_EARG,
                  "the array stays in main memory (cpl_array_stay, or two arrays wrap parts of it) "
                  "and "
                  "cannot be moved to");
            FAILS(w, cpl_array_stay(there), CPL_EARG, "the array lives on");
        }
        expect_ramp(w, a, 1, 2);
        cpl_array_release(a);
        cpl_array_release(there);
    }
    FAILS(w, cpl_array_stay(NULL), CPL_EARG, "");
}

static void bad_arrays_are_refused(void **state)
{
    world *w = *state;
    cpl_array *a;
    FAILS(w, cpl_array_create(w->cx, NULL, CPL_VOID, 3, &a), CPL_EARG, "element type");
    FAILS(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, -1, &a), CPL_EARG, "negative");
    FAILS(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, INT64_MAX / 4, &a), CPL_EARG, "64 bits");
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_INT8;
    o.dims = 9;
    FAILS(w, cpl_array_create_with(w->cx, NULL, &o, &a), CPL_EARG, "up to 8 dimensions");
    EACH_DEVICE(w, d)
    {
        forget(w);
        assert_int_equal(cpl_array_create(w->cx, d, CPL_FLOAT64, (int64_t)1 << 50, &a), CPL_ENOMEM);
        assert_null(a);
        assert_non_null(strstr(w->said.text, "memory"));
        OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, 0, &a));
        OK(w, cpl_array_read(a, NULL, NULL, NULL));
        cpl_array_release(a);
    }
}

static void released_memory_is_used_again(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        uint64_t used, pooled;
        cpl_array *a = ramp(w, d, 0, 1);
        void *memory = cpl_array_address(a, d, NULL);
        cpl_array_release(a);
        cpl_device_memory(d, &used, &pooled);
        assert_int_equal(used, 0);
        assert_true(pooled >= N * sizeof(double));
        a = ramp(w, d, 5, 1);
        assert_ptr_equal(cpl_array_address(a, d, NULL), memory);
        expect_ramp(w, a, 5, 1);
        cpl_array_release(a);
        OK(w, cpl_device_trim(d));
        cpl_device_memory(d, &used, &pooled);
        assert_int_equal(used + pooled, 0);
    }
}

/* The flags of the pages around an address, as the kernel lists them; "" if it lists none. */
/* The interpreter is on the host: arrays are there or may be moved, and what it wrote is there
 * alone. */
static void arrays_are_interpreted_on_the_host(void **state)
{
    world *w = *state;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    EACH_DEVICE(w, d)
    {
        double plain[N];
        cpl_array *x = ramp(w, d, 1, 2), *y = ramp(w, NULL, 0, 0);
        cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_float(2),
                          cpl_arg_int(1)};
        o.automatic = false;
        if (!is_host(d)) {
            FAILS(w, cpl_interpret(w->module, "axpb", &o, args, 4), CPL_EARG, "argument 1 is on ");
            expect_ramp(w, y, 0, 0);
        }
        o.automatic = true;
        OK(w, cpl_interpret(w->module, "axpb", &o, args, 4));
        expect_ramp(w, y, 3, 4);
        OK(w, cpl_array_push(y, cpl_device_queue(d), NULL));
        OK(w, cpl_interpret(w->module, "inc", &o, &args[1], 1));
        assert_true(cpl_array_valid(y, NULL));
        assert_int_equal(cpl_array_valid(y, d), is_host(d));
        for (int i = 0; i < N; i++) plain[i] = -i;
        args[0] = cpl_arg_array(CPL_FLOAT64, plain, N);
        args[2] = cpl_arg_float(3);
        OK(w, cpl_interpret(w->module, "axpb", &o, args, 4));
        expect_ramp(w, y, 1, -3);
        cpl_array_release(x);
        cpl_array_release(y);
    }
}

static void flags_at(const void *address, char *flags, size_t size)
{
    char line[512];
    unsigned long first, end;
    bool here = false;
    FILE *maps = fopen("/proc/self/smaps", "r");
    flags[0] = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
            here = first <= (uintptr_t)address && (uintptr_t)address < end;
        if (here && !strncmp(line, "VmFlags:", 8)) snprintf(flags, size, "%s", line);
    }
    if (maps) fclose(maps);
}

static void large_arrays_of_the_host_have_huge_pages(void **state)
{
    world *w = *state;
    cpl_array *a;
    char flags[512];
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK)) skip();
    OK(w, cpl_array_create(w->cx, NULL, CPL_UINT8, 32 << 20, &a));
    flags_at((char *)cpl_array_address(a, NULL, NULL) + (16 << 20), flags, sizeof flags);
    cpl_array_release(a);
    if (!flags[0]) skip();
    assert_non_null(strstr(flags, " hg"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_module, tear_down_module)
    const struct CMUnitTest tests[] = {
        TEST(arrays_move),
        TEST(arrays_are_copied_between_any_two_places),
        TEST(copies_are_counted),
        TEST(copies_convert),
        TEST(large_copies_arrive_whole),
        TEST(views_share_memory),
        TEST(wrapped_memory_is_used_in_place),
        TEST(wraps_share_where_they_are_valid),
        TEST(wraps_that_overlap_stay),
        TEST(parts_of_wrapped_memory),
        TEST(memory_that_arrays_wrap),
        TEST(arrays_that_stay),
        TEST(arrays_are_interpreted_on_the_host),
        TEST(bad_arrays_are_refused),
        TEST(released_memory_is_used_again),
        TEST(large_arrays_of_the_host_have_huge_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
