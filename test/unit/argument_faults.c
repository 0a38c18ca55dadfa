/*
 * Every way into a launch, with each argument made wrong in each way that there is: it is refused
 * with CPL_EARG, nothing is run and no memory changes, on the host and on devices (the stand-in
 * driver), by name and by handle. A new entry is a row of `entries`, a new fault one of `faults`.
 */
#include "world.h"
#include "launches.h"

#include "standin.h"

#include <stdio.h>

static const char source[] = "from compyle.low_level import GID_0, LDIM_0, LID_0\n"
                             "@struct\n"
                             "class Pair:\n"
                             "    first: 'int'\n"
                             "    second: 'double'\n"
                             "def each(i, x, y, p, a):\n"
                             "    y[i] = x[i] + p[i].second + a\n"
                             "def once(x, y, p, a):\n"
                             "    y[0] = x[0] + p[0].second + a\n"
                             "def item(x, y, p, a, t):\n"
                             "    t[LID_0] = x[0]\n"
                             "    y[0] = x[0] + p[0].second + a\n";

enum { N = 8, X = 0, Y = 1, P = 2, A = 3, T = 4, MOST = 5 };

typedef struct pair {
    int32_t first;
    double second;
} pair;

typedef struct bench { /* a context with arguments of each kind, and kernels for them */
    world *w;
    double x[2 * N], y[2 * N];
    pair p[2 * N];
    const cpl_type *pair_type, *other_type, *foreign_type, *scalar_type;
    cpl_context *foreign;
    cpl_kernel *each, *each_strided, *each_there, *item_there, *once, *once_there;
    cpl_device *device;
    cpl_queue *there, *here;
    cpl_array *device_x, *device_y, *device_p;
} bench;

/* --- entries --- */

/* What an entry is like. */
enum {
    BY_NAME = 1,   /* arguments of other types are another specialisation */
    STRIDED = 2,   /* made for arrays with strides */
    LOCAL = 4,     /* takes local memory too */
    ON_DEVICE = 8, /* data of arrays is the device's */
};

typedef struct entry {
    const char *name;
    cpl_status (*run)(bench *b, cpl_arg *args, size_t count);
    int is;
} entry;

static cpl_status by_name(bench *b, cpl_arg *args, size_t count)
{
    return launch_rounds(b->w->module, "each", NULL, args, count, CPL_AUTO, NULL);
}

static cpl_status by_name_with_count(bench *b, cpl_arg *args, size_t count)
{
    return launch_rounds(b->w->module, "each", NULL, args, count, N, NULL);
}

static cpl_status by_name_on_a_queue(bench *b, cpl_arg *args, size_t count)
{
    return launch_rounds(b->w->module, "each", b->here, args, count, CPL_AUTO, NULL);
}

static cpl_status by_handle(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each, NULL, args, count, CPL_AUTO, NULL);
}

static cpl_status by_handle_for_nothing(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each, NULL, args, count, 0, NULL);
}

static cpl_status by_handle_on_a_queue(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each, b->here, args, count, CPL_AUTO, NULL);
}

static cpl_status by_handle_strided(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each_strided, NULL, args, count, CPL_AUTO, NULL);
}

static cpl_status call(bench *b, cpl_arg *args, size_t count)
{
    return call_once(b->w->module, "once", args, count, NULL, NULL);
}

static cpl_status call_on(bench *b, cpl_arg *args, size_t count)
{
    return call_once_on(b->w->module, "once", b->here, args, count, NULL, NULL);
}

static cpl_status call_by_handle(bench *b, cpl_arg *args, size_t count)
{
    return run_once(b->once, NULL, args, count, NULL);
}

static cpl_status call_by_handle_on(bench *b, cpl_arg *args, size_t count)
{
    return run_once(b->once, b->here, args, count, NULL);
}

static cpl_status interpret_each(bench *b, cpl_arg *args, size_t count)
{
    return interpret_rounds(b->w->module, "each", CPL_FORM_ELEMENTWISE, args, count, CPL_AUTO, NULL,
                            NULL);
}

static cpl_status interpret_once(bench *b, cpl_arg *args, size_t count)
{
    return interpret_rounds(b->w->module, "once", CPL_FORM_FUNCTION, args, count, 0, NULL, NULL);
}

static const int64_t one[] = {1, 1, 1}, nothing[] = {0, 1, 1};

static cpl_status interpret_item(bench *b, cpl_arg *args, size_t count)
{
    return interpret_grid(b->w->module, "item", one, NULL, args, count);
}

static cpl_status kernel_of(cpl_status status, cpl_kernel *kernel)
{
    cpl_kernel_release(kernel);
    return status;
}

static cpl_status kernel_for_host(bench *b, cpl_arg *args, size_t count)
{
    cpl_kernel *k;
    cpl_status status = rounds_kernel(b->w->module, "each", args, count, &k);
    return kernel_of(status, k);
}

static cpl_status kernel_for_queue(bench *b, cpl_arg *args, size_t count)
{
    cpl_kernel *k;
    cpl_status status = rounds_kernel_for(b->w->module, "each", b->here, args, count, &k);
    return kernel_of(status, k);
}

static cpl_status kernel_for_device(bench *b, cpl_arg *args, size_t count)
{
    cpl_kernel *k;
    cpl_status status = grid_kernel(b->w->module, "item", b->there, args, count, &k);
    return kernel_of(status, k);
}

static cpl_status kernel_for_calls(bench *b, cpl_arg *args, size_t count)
{
    cpl_kernel *k;
    cpl_status status = once_kernel(b->w->module, "once", NULL, args, count, &k);
    return kernel_of(status, k);
}

static cpl_status by_name_there(bench *b, cpl_arg *args, size_t count)
{
    return launch_rounds(b->w->module, "each", b->there, args, count, CPL_AUTO, NULL);
}

static cpl_status by_handle_there(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each_there, b->there, args, count, CPL_AUTO, NULL);
}

static cpl_status by_handle_there_for_nothing(bench *b, cpl_arg *args, size_t count)
{
    return run_rounds(b->each_there, b->there, args, count, 0, NULL);
}

static cpl_status launch_there(bench *b, cpl_arg *args, size_t count)
{
    return run_grid(b->item_there, b->there, one, NULL, args, count, NULL);
}

static cpl_status launch_nothing_there(bench *b, cpl_arg *args, size_t count)
{
    return run_grid(b->item_there, b->there, nothing, NULL, args, count, NULL);
}

static cpl_status call_there(bench *b, cpl_arg *args, size_t count)
{
    return call_once_on(b->w->module, "once", b->there, args, count, NULL, NULL);
}

static cpl_status call_by_handle_there(bench *b, cpl_arg *args, size_t count)
{
    return run_once(b->once_there, b->there, args, count, NULL);
}

static const entry entries[] = {
    {"by name", by_name, BY_NAME},
    {"by name, n given", by_name_with_count, BY_NAME},
    {"by name, on a queue of the host", by_name_on_a_queue, BY_NAME},
    {"by handle", by_handle, 0},
    {"by handle, nothing to do", by_handle_for_nothing, 0},
    {"by handle, on a queue of the host", by_handle_on_a_queue, 0},
    {"by handle, with strides", by_handle_strided, STRIDED},
    {"a call", call, BY_NAME},
    {"a call on a queue of the host", call_on, BY_NAME},
    {"a call by handle", call_by_handle, 0},
    {"a call by handle on a queue of the host", call_by_handle_on, 0},
    {"interpreted", interpret_each, BY_NAME},
    {"an interpreted call", interpret_once, BY_NAME},
    {"an interpreted kernel", interpret_item, BY_NAME | LOCAL},
    {"a kernel for the host", kernel_for_host, BY_NAME},
    {"a kernel for a queue of the host", kernel_for_queue, BY_NAME},
    {"a kernel for calls", kernel_for_calls, BY_NAME},
    {"a kernel for a device", kernel_for_device, BY_NAME | LOCAL | ON_DEVICE},
    {"on a device by name", by_name_there, BY_NAME | ON_DEVICE},
    {"on a device by handle", by_handle_there, ON_DEVICE},
    {"on a device by handle, nothing to do", by_handle_there_for_nothing, ON_DEVICE},
    {"on a device over a grid", launch_there, LOCAL | ON_DEVICE},
    {"on a device over no grid", launch_nothing_there, LOCAL | ON_DEVICE},
    {"a call on a device", call_there, BY_NAME | ON_DEVICE},
    {"a call on a device by handle", call_by_handle_there, ON_DEVICE},
};

/* --- faults --- */

enum { ARRAYS = 1, SCALARS = 2, LOCALS = 4 };

/* When a fault is none. */
enum {
    OTHER_TYPE = 1, /* right by name: another specialisation */
    OTHER_STEP = 2, /* right by name, and where the kernel was made for strides */
    ADDRESS = 4,    /* about plain addresses: memory is read to be moved */
};

typedef struct fault {
    const char *name;
    void (*make)(bench *b, cpl_arg *arg);
    int kinds; /* of arguments that it is about */
    int is;
} fault;

static void negative_length(bench *b, cpl_arg *arg)
{
    (void)b, arg->length = -1;
}
static void least_length(bench *b, cpl_arg *arg)
{
    (void)b, arg->length = INT64_MIN;
}
static void largest_length(bench *b, cpl_arg *arg)
{
    (void)b, arg->length = INT64_MAX;
}
static void too_long(bench *b, cpl_arg *arg)
{
    (void)b, arg->length = INT64_MAX / 8 + 1;
}
static void past_the_end(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->data = (void *)(UINTPTR_MAX - 63);
}
static void before_the_start(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->data = (void *)(uintptr_t)32;
    arg->stride = -16;
}
static void wide_stride(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->stride = INT64_MAX / 2 & ~INT64_C(15);
}
static void no_data(bench *b, cpl_arg *arg)
{
    (void)b, arg->data = NULL;
}
static void misaligned(bench *b, cpl_arg *arg)
{
    (void)b, arg->data = (char *)arg->data + 1;
}
static void misaligned_stride(bench *b, cpl_arg *arg)
{
    (void)b, arg->stride = 20;
}
static void stride(bench *b, cpl_arg *arg)
{
    (void)b, arg->stride = 32;
}
static void backwards(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->data = (char *)arg->data + 16 * (N - 1);
    arg->stride = -16;
}
static void no_type(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->dtype = CPL_VOID;
    arg->record = NULL;
}
static void reserved_type(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->dtype = CPL_BFLOAT16;
    arg->record = NULL;
}
static void unknown_type(bench *b, cpl_arg *arg)
{
    (void)b;
    arg->dtype = (cpl_dtype)200;
    arg->record = NULL;
}
static void other_elements(bench *b, cpl_arg *arg)
{
    arg->dtype = arg->dtype == CPL_FLOAT64 ? CPL_INT64 : CPL_FLOAT64;
    arg->record = NULL;
    (void)b;
}
static void foreign_struct(bench *b, cpl_arg *arg)
{
    arg->record = b->foreign_type;
}
static void other_struct(bench *b, cpl_arg *arg)
{
    arg->record = b->other_type;
}
static void no_struct(bench *b, cpl_arg *arg)
{
    arg->record = b->scalar_type;
}
static void is_number(bench *b, cpl_arg *arg)
{
    (void)b, *arg = cpl_arg_int(1);
}
static void is_array(bench *b, cpl_arg *arg)
{
    *arg = cpl_arg_array(CPL_FLOAT64, b->x, N);
}
static void is_local(bench *b, cpl_arg *arg)
{
    (void)b, *arg = cpl_arg_local(CPL_FLOAT64, 4);
}
static void no_kind(bench *b, cpl_arg *arg)
{
    (void)b, arg->kind = (cpl_arg_kind)77;
}
static void negative_kind(bench *b, cpl_arg *arg)
{
    (void)b, arg->kind = (cpl_arg_kind)-1;
}
static void huge_local(bench *b, cpl_arg *arg)
{
    (void)b, arg->length = (int64_t)INT32_MAX + 1;
}
static void reserved(bench *b, cpl_arg *arg)
{
    (void)b, arg->reserved = 1;
}
static void does_not_fit(bench *b, cpl_arg *arg)
{
    (void)b;
    *arg = cpl_arg_int(INT64_C(1) << 40);
}

static const fault faults[] = {
    {"a negative length", negative_length, ARRAYS | LOCALS, 0},
    {"the least length", least_length, ARRAYS | LOCALS, 0},
    {"the largest length", largest_length, ARRAYS | LOCALS, 0},
    {"more bytes than there are", too_long, ARRAYS | LOCALS, 0},
    {"elements past the last address", past_the_end, ARRAYS, ADDRESS},
    {"elements before the first address", before_the_start, ARRAYS, ADDRESS},
    {"a stride past all memory", wide_stride, ARRAYS, 0},
    {"NULL with a length", no_data, ARRAYS, 0},
    {"a misaligned address", misaligned, ARRAYS, 0},
    {"a misaligned stride", misaligned_stride, ARRAYS, 0},
    {"a stride", stride, ARRAYS, OTHER_STEP},
    {"a stride backwards", backwards, ARRAYS, OTHER_STEP},
    {"no type", no_type, ARRAYS | LOCALS, 0},
    {"a type without an implementation", reserved_type, ARRAYS | LOCALS, 0},
    {"an unknown type", unknown_type, ARRAYS | LOCALS, 0},
    {"elements of another type", other_elements, ARRAYS | LOCALS, OTHER_TYPE},
    {"a struct of another context", foreign_struct, ARRAYS, 0},
    {"another struct", other_struct, ARRAYS, OTHER_TYPE},
    {"a record that is no struct", no_struct, ARRAYS, 0},
    {"a number", is_number, ARRAYS | LOCALS, OTHER_TYPE},
    {"an array", is_array, SCALARS | LOCALS, OTHER_TYPE},
    {"local memory", is_local, ARRAYS | SCALARS, OTHER_TYPE},
    {"no kind", no_kind, ARRAYS | SCALARS | LOCALS, 0},
    {"a negative kind", negative_kind, ARRAYS | SCALARS | LOCALS, 0},
    {"too much local memory", huge_local, LOCALS, 0},
    {"something reserved", reserved, ARRAYS | SCALARS | LOCALS, 0},
    {"a number that does not fit", does_not_fit, SCALARS, OTHER_TYPE},
};

static int kind_of(int index)
{
    return index == A ? SCALARS : index == T ? LOCALS : ARRAYS;
}

/* --- the set-up --- */

static size_t good_arguments(bench *b, const entry *e, cpl_arg args[MOST])
{
    args[X] = cpl_arg_array(CPL_FLOAT64, b->x, N);
    args[Y] = cpl_arg_array(CPL_FLOAT64, b->y, N);
    args[P] = cpl_arg_array(CPL_VOID, b->p, N);
    args[P].record = b->pair_type;
    args[A] = cpl_arg_int(3);
    args[T] = cpl_arg_local(CPL_FLOAT64, 4);
    for (int i = X; e->is & STRIDED && i <= P; i++) args[i].stride = i == P ? 32 : 16;
    return e->is & LOCAL ? MOST : MOST - 1;
}

static void run_nothing(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)args, (void)global, (void)local;
}

static int set_up_bench(void **state)
{
    assert_int_equal(set_up(state), 0);
    bench *b = calloc(1, sizeof *b);
    b->w = *state;
    *state = b;
    cpl_context *cx = b->w->cx;
    standin_reset();
    static const char *const names[] = {"each", "once", "item"};
    for (int i = 0; i < 3; i++) standin_register(names[i], run_nothing);
    assert_true(standin_use());
    assert_int_equal(cpl_module_from_source(cx, "k.py", source, sizeof source - 1, &b->w->module),
                     CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "Pair", &b->pair_type), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "float64", &b->scalar_type), CPL_OK);
    const cpl_field fields[] = {{"first", b->scalar_type, 0}, {"second", b->scalar_type, 0}};
    assert_int_equal(cpl_type_struct(cx, "Other", fields, 2, &b->other_type), CPL_OK);
    assert_int_equal(cpl_context_create(NULL, &b->foreign), CPL_OK);
    const cpl_type *f64;
    assert_int_equal(cpl_type_parse(b->foreign, "float64", &f64), CPL_OK);
    const cpl_field same[] = {{"first", f64, 0}, {"second", f64, 0}};
    assert_int_equal(cpl_type_struct(b->foreign, "Pair", same, 2, &b->foreign_type), CPL_OK);
    assert_int_equal(cpl_device_find(cx, "cuda", &b->device), CPL_OK);
    b->here = cpl_device_queue(cpl_device_get(cx, 0));
    b->there = cpl_device_queue(b->device);
    /* plain memory goes to the device and comes back: the same arguments serve everywhere */
    assert_int_equal(cpl_context_set_option(cx, "automatic", 1), CPL_OK);
    cpl_arg args[MOST];
    good_arguments(b, &(entry){.is = STRIDED}, args);
    assert_int_equal(rounds_kernel(b->w->module, "each", args, 4, &b->each_strided), CPL_OK);
    good_arguments(b, &(entry){0}, args);
    assert_int_equal(rounds_kernel(b->w->module, "each", args, 4, &b->each), CPL_OK);
    assert_int_equal(rounds_kernel_for(b->w->module, "each", b->there, args, 4, &b->each_there),
                     CPL_OK);
    assert_int_equal(grid_kernel(b->w->module, "item", b->there, args, MOST, &b->item_there),
                     CPL_OK);
    assert_int_equal(once_kernel(b->w->module, "once", NULL, args, 4, &b->once), CPL_OK);
    assert_int_equal(once_kernel(b->w->module, "once", b->there, args, 4, &b->once_there), CPL_OK);
    return 0;
}

static int tear_down_bench(void **state)
{
    bench *b = *state;
    cpl_kernel *const kernels[] = {b->each,       b->each_strided, b->each_there,
                                   b->item_there, b->once,         b->once_there};
    for (int i = 0; i < 6; i++) cpl_kernel_release(kernels[i]);
    cpl_context_release(b->foreign);
    *state = b->w;
    free(b);
    return tear_down(state);
}

static void fill(bench *b)
{
    for (int i = 0; i < 2 * N; i++) {
        b->x[i] = i;
        b->y[i] = -1;
        b->p[i] = (pair){i, 0.5};
    }
}

/* --- the tests --- */

/* Runs an entry; nothing may have changed, nor been launched, unless it worked. */
static void expect(bench *b, const entry *e, cpl_arg *args, size_t count, cpl_status expected,
                   const char *what)
{
    bench before;
    fill(b);
    memcpy(&before, b, sizeof before);
    b->w->said.n = 0;
    uint64_t launches = standin_launches();
    cpl_status status = e->run(b, args, count);
    if (status != expected || (status && b->w->said.n == 0))
        fail_msg("%s: %s: %s: %.300s", e->name, what, cpl_status_message(status),
                 b->w->said.n ? b->w->said.text : "no message");
    if (expected == CPL_OK) return;
    assert_int_equal(standin_launches(), launches);
    if (memcmp(before.x, b->x, sizeof b->x) || memcmp(before.y, b->y, sizeof b->y) ||
        memcmp(before.p, b->p, sizeof b->p))
        fail_msg("%s: %s: memory has changed", e->name, what);
}

static bool is_right(const entry *e, const fault *f)
{
    return (f->is & OTHER_TYPE && e->is & BY_NAME) ||
           (f->is & OTHER_STEP && e->is & (BY_NAME | STRIDED));
}

static cpl_status expected_of(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_LOCAL && arg->length > INT32_MAX ? CPL_ELIMIT : CPL_EARG;
}

static void each_argument(void **state)
{
    bench *b = *state;
    long tried = 0;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const entry *e = &entries[i];
        cpl_arg args[MOST];
        size_t count = good_arguments(b, e, args);
        expect(b, e, args, count, CPL_OK, "as they should be");
        for (size_t k = 0; k < count; k++)
            for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
                const fault *wrong = &faults[f];
                if (!(wrong->kinds & kind_of((int)k)) || is_right(e, wrong)) continue;
                if (k == P && wrong->make == other_elements && e->is & BY_NAME) continue;
                good_arguments(b, e, args);
                wrong->make(b, &args[k]);
                char what[128];
                snprintf(what, sizeof what, "argument %zu: %s", k + 1, wrong->name);
                expect(b, e, args, count, expected_of(&args[k]), what);
                tried++;
            }
    }
    print_message("%ld wrong arguments\n", tried);
    assert_true(tried > 1000);
}

/* Too few, too many, none, more than there can be. */
static void each_number(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const entry *e = &entries[i];
        cpl_arg args[70];
        size_t count = good_arguments(b, e, args);
        for (size_t k = count; k < 70; k++) args[k] = cpl_arg_int(1);
        expect(b, e, args, 65, CPL_ELIMIT, "65 arguments");
        expect(b, e, args, count - 1, CPL_EARG, "one too few");
        expect(b, e, args, count + 1, CPL_EARG, "one too many");
        expect(b, e, args, 0, CPL_EARG, "none");
    }
}

/* What looks wrong and is right: strides that do not matter, nothing at NULL. */
static void odd_but_right(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const entry *e = &entries[i];
        cpl_arg args[MOST];
        size_t count = good_arguments(b, e, args);
        if (e->is & STRIDED)
            for (int k = X; k <= P; k++) args[k].stride = 0;
        expect(b, e, args, count, CPL_OK, "no stride");
        for (int k = X; k <= P; k++) args[k].stride = k == P ? 16 : 8;
        expect(b, e, args, count, CPL_OK, "the stride of neighbours");
        for (int k = X; k <= P; k++) args[k].length = 1, args[k].stride = 64;
        if (e->run != by_name_with_count) expect(b, e, args, count, CPL_OK, "a stride of one");
    }
}

/* Strides given to a kernel that was made for them count, whatever they are. */
static void strides_count(void **state)
{
    bench *b = *state;
    static const int64_t steps[] = {8, 16, 0, -8, -16};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        int64_t step = steps[k] ? steps[k] : 8, first = step < 0 ? -step / 8 * 3 : 0;
        cpl_arg args[MOST];
        good_arguments(b, &(entry){.is = STRIDED}, args);
        for (int i = X; i <= Y; i++) {
            args[i].length = 4;
            args[i].stride = steps[k];
        }
        args[X].data = b->x + first;
        args[Y].data = b->y + first;
        fill(b);
        assert_int_equal(by_handle_strided(b, args, 4), CPL_OK);
        double expected[2 * N];
        for (int i = 0; i < 2 * N; i++) expected[i] = -1;
        for (int i = 0; i < 4; i++) {
            int64_t at = first + i * step / 8;
            expected[at] = (double)at + 0.5 + 3;
        }
        assert_memory_equal(b->y, expected, sizeof expected);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_argument, set_up_bench, tear_down_bench),
        cmocka_unit_test_setup_teardown(each_number, set_up_bench, tear_down_bench),
        cmocka_unit_test_setup_teardown(odd_but_right, set_up_bench, tear_down_bench),
        cmocka_unit_test_setup_teardown(strides_count, set_up_bench, tear_down_bench),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
