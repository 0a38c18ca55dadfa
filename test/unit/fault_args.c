/*
 * Launches with arguments of every sort: arrays that overlap at every distance give what one
 * iteration after the other gives; wrong kinds, types, lengths, strides, NULL and misaligned
 * pointers are refused by the argument's number or name; nothing at all, and more than 2^31
 * elements, work.
 */
#include "fault.h"
#include "launches.h"

#include <sys/mman.h>

typedef struct world {
    messages said;
    cpl_context *cx;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    w->cx = fault_context(NULL, &w->said);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

/* Overlap. Two (or three) arrays of 64 in one buffer, at every distance in elements; the model runs
 * on a copy. */

enum { LENGTH = 64, ROOM = 8 * LENGTH };

#define OVERLAP(T, DTYPE, NAME)                                                                    \
    static void NAME(cpl_module *m, int64_t x_at, int64_t x_step, int64_t y_at, int64_t y_step)    \
    {                                                                                              \
        T ours[ROOM], model[ROOM];                                                                 \
        for (int i = 0; i < ROOM; i++) ours[i] = model[i] = (T)(i % 100);                          \
        for (int i = 0; i < LENGTH; i++)                                                           \
            model[y_at + i * y_step] =                                                             \
                (T)(model[x_at + i * x_step] + model[y_at + i * y_step] / 2 + 1);                  \
        cpl_arg args[] = {cpl_arg_array(DTYPE, ours + x_at, LENGTH),                               \
                          cpl_arg_array(DTYPE, ours + y_at, LENGTH)};                              \
        if (x_step != 1) args[0].stride = x_step * (int64_t)sizeof(T);                             \
        if (y_step != 1) args[1].stride = y_step * (int64_t)sizeof(T);                             \
        assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, CPL_AUTO, NULL), CPL_OK);           \
        if (memcmp(ours, model, sizeof ours) != 0)                                                 \
            fail_msg(#T ": x at %ld step %ld, y at %ld step %ld", (long)x_at, (long)x_step,        \
                     (long)y_at, (long)y_step);                                                    \
    }
OVERLAP(int8_t, CPL_INT8, overlap_int8)
OVERLAP(int32_t, CPL_INT32, overlap_int32)
OVERLAP(double, CPL_FLOAT64, overlap_float64)

static void overlap_at_every_distance(void **state)
{
    world *w = *state;
    static const int64_t steps[] = {1, 2, -1, 3};
    cpl_module *whole = fault_module(w->cx, "def f(i, x, y):\n    y[i] = x[i] + y[i]//2 + 1\n");
    cpl_module *real = fault_module(w->cx, "def f(i, x, y):\n    y[i] = x[i] + y[i]/2 + 1\n");
    long cases = 0;
    for (size_t a = 0; a < sizeof steps / sizeof *steps; a++)
        for (size_t b = 0; b < sizeof steps / sizeof *steps; b++)
            for (int64_t distance = -LENGTH - 2; distance <= LENGTH + 2;
                 distance += a || b ? 5 : 1) {
                int64_t x = 4 * LENGTH - 32, y = x + distance;
                if (x + (LENGTH - 1) * steps[a] < 0 || x + (LENGTH - 1) * steps[a] >= ROOM)
                    continue;
                if (y < 0 || y >= ROOM || y + (LENGTH - 1) * steps[b] < 0 ||
                    y + (LENGTH - 1) * steps[b] >= ROOM)
                    continue;
                overlap_int8(whole, x, steps[a], y, steps[b]);
                overlap_int32(whole, x, steps[a], y, steps[b]);
                overlap_float64(real, x, steps[a], y, steps[b]);
                cases += 3;
            }
    assert_true(cases > 3 * 133);
    fault_figures("overlap", "\"cases\": %ld, \"mismatches\": 0", cases);
    cpl_module_release(whole);
    cpl_module_release(real);
}

/* Arrays of different types over the same bytes: byte distances that keep both aligned. */
static void overlap_of_types(void **state)
{
    world *w = *state;
    cpl_module *m = fault_module(w->cx, "def f(i, x, y):\n    y[i] = x[i]*3 + 1\n");
    for (int64_t byte = 0; byte <= 1024; byte += 4) {
        int64_t ours[256], model[256];
        for (int i = 0; i < 256; i++) ours[i] = model[i] = i * 0x100000001;
        char *from = (char *)(model + 64), *to = (char *)model + byte;
        for (int i = 0; i < LENGTH; i++) {
            int64_t x;
            memcpy(&x, from + 8 * i, 8);
            int32_t y = (int32_t)(x * 3 + 1);
            memcpy(to + 4 * i, &y, 4);
        }
        cpl_arg args[] = {cpl_arg_array(CPL_INT64, ours + 64, LENGTH),
                          cpl_arg_array(CPL_INT32, (char *)ours + byte, LENGTH)};
        assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
        if (memcmp(ours, model, sizeof ours) != 0) fail_msg("int32 at byte %ld", (long)byte);
    }
    cpl_module_release(m);
}

/* Arguments at random, and a model of what is wrong with them. */

enum { CAPACITY = 96 };
static _Alignas(16) unsigned char memory[3][8 * CAPACITY + 64];

static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

static cpl_arg random_array(unsigned *r, int place, bool *bad)
{
    static const cpl_dtype types[] = {CPL_INT32, CPL_FLOAT64, CPL_INT32, CPL_FLOAT64, CPL_INT8};
    static const cpl_dtype wrong[] = {CPL_VOID, CPL_BFLOAT16, (cpl_dtype)77, (cpl_dtype)255};
    cpl_dtype dtype = types[next_random(r) % 5];
    size_t size = cpl_dtype_size(dtype);
    cpl_arg a = cpl_arg_array(dtype, memory[place], 1 + (int64_t)(next_random(r) % (CAPACITY / 2)));
    if (next_random(r) % 3 == 0) a.stride = (int64_t)size * 2;
    if (next_random(r) % 5 == 0) a.stride = (int64_t)size;
    switch (next_random(r) % 24) {
    case 0:
        a.data = NULL;
        *bad = true;
        break;
    case 1:
        a.length = -1 - (int64_t)(next_random(r) % 5);
        *bad = true;
        break;
    case 2:
        a.length = INT64_MIN;
        *bad = true;
        break;
    case 3:
        a.dtype = wrong[next_random(r) % 4];
        *bad = true;
        break;
    /* refused if not aligned */
    case 4: a.data = memory[place] + 1 + next_random(r) % 7 % (size ? size : 1); break;
    case 5: a.stride += 1; break;
    case 6: a.length = 0; break;
    case 7:
        a.length = 0;
        a.data = NULL;
        break;
    default: break;
    }
    /* no stride leads anywhere in one element, nor does anything in none */
    uint64_t places = (uintptr_t)a.data | (a.length > 1 ? (uint64_t)a.stride : 0);
    if (size > 1 && a.length && (places & (size - 1))) *bad = true;
    return a;
}

static cpl_arg random_scalar(unsigned *r, bool *bad)
{
    cpl_arg a = cpl_arg_int((int64_t)(next_random(r) % 200) - 100);
    switch (next_random(r) % 12) {
    case 0: a = cpl_arg_float(1.5); break;
    case 1: a = cpl_arg_float(1e300); break;
    case 2: a.value.i = INT64_MIN; break;
    case 3:
        a.kind = CPL_ARG_SCALAR;
        a.dtype = CPL_INT8;
        break;
    case 4:
        a.kind = CPL_ARG_SCALAR;
        a.dtype = (cpl_dtype)99;
        *bad = true;
        break;
    case 5:
        a.kind = (cpl_arg_kind)42;
        *bad = true;
        break;
    default: break;
    }
    return a;
}

static void arguments_at_random(void **state)
{
    world *w = *state;
    cpl_module *m = fault_module(w->cx, "def f(i, x, y, a):\n    y[i] = x[i]*a\n");
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", 0), CPL_OK);
    unsigned r = 2463534242u;
    long refused = 0, ran = 0, n = test_rounds(10000, 100000);
    for (long k = 0; k < n; k++) {
        bool bad = false;
        size_t count = 3;
        cpl_arg args[5] = {random_array(&r, 0, &bad), random_array(&r, 1, &bad),
                           random_scalar(&r, &bad)};
        /* the call has another shape than the kernel: the kernel's own checks refuse it */
        bool shape = false;
        switch (next_random(&r) % 40) {
        case 0:
            count = next_random(&r) % 3;
            shape = true;
            break;
        case 1:
            args[3] = args[4] = cpl_arg_int(1);
            count = 5;
            shape = true;
            break;
        case 2:
            args[0] = random_scalar(&r, &bad);
            shape = true;
            break;
        case 3:
            args[2] = random_array(&r, 2, &bad);
            shape = true;
            break;
        default: break;
        }
        int64_t least = args[0].length < args[1].length ? args[0].length : args[1].length;
        w->said.n = 0;
        cpl_status status = launch_rounds(m, next_random(&r) % 2 ? "f" : NULL, NULL, args, count,
                                          bad || shape ? 1 : least, NULL);
        w->said.text[w->said.n < sizeof w->said.text ? w->said.n : sizeof w->said.text - 1] = 0;
        if (bad && !shape) {
            if (status != CPL_EARG || !strstr(w->said.text, "argument "))
                fail_msg("%ld: status %d: %s", k, status, w->said.text);
        } else if (shape) {
            if (status == CPL_OK || !w->said.n)
                fail_msg("%ld: ran, or was refused without a word", k);
        } else if (status == CPL_EARG) { /* a number that its type cannot hold */
            if (!strstr(w->said.text, "'a' does not fit its type"))
                fail_msg("%ld: %s", k, w->said.text);
        } else if (status && status != CPL_ETYPE) {
            fail_msg("%ld: status %d: %s", k, status, w->said.text);
        }
        refused += status != CPL_OK;
        ran += status == CPL_OK;
    }
    assert_true(ran > n / 4 && refused > n / 4);
    fault_figures("arguments", "\"combinations\": %ld, \"refused\": %ld, \"ran\": %ld", n, refused,
                  ran);
    cpl_module_release(m);
}

/* NULL where an object is wanted. */
static void objects_that_are_not_there(void **state)
{
    world *w = *state;
    cpl_module *m = fault_module(w->cx, "def f(i, x):\n    x[i] = 1\n"), *none;
    cpl_arg x = cpl_arg_array(CPL_INT32, memory[0], 4);
    cpl_kernel *k = NULL;
    cpl_spec spec;
    cpl_spec_init(&spec);
    const cpl_type *t;
    cpl_blob blob;
    int64_t value;
    assert_int_equal(launch_rounds(NULL, "f", NULL, &x, 1, 1, NULL), CPL_EARG);
    assert_int_equal(launch_rounds(m, "f", NULL, NULL, 1, 1, NULL), CPL_EARG);
    assert_int_equal(run_rounds(NULL, NULL, &x, 1, 1, NULL), CPL_EARG);
    assert_int_equal(rounds_kernel(m, "f", &x, 1, NULL), CPL_EARG);
    assert_int_equal(rounds_kernel(NULL, "f", &x, 1, &k), CPL_EARG);
    assert_int_equal(call_once(NULL, "f", &x, 1, NULL, NULL), CPL_EARG);
    assert_int_equal(call_once(m, "f", NULL, 1, NULL, NULL), CPL_EARG);
    assert_int_equal(interpret_rounds(NULL, "f", CPL_FORM_FUNCTION, &x, 1, 1, NULL, NULL),
                     CPL_EARG);
    assert_int_equal(spec_kernel(NULL, "f", &spec, &k), CPL_EARG);
    assert_int_equal(spec_kernel(m, "f", &spec, NULL), CPL_EARG);
    spec.type_count = 1;
    assert_int_equal(spec_kernel(m, "f", &spec, &k), CPL_EARG);
    spec.type_count = 0;
    spec.size = sizeof spec + 1;
    assert_int_equal(spec_kernel(m, "f", &spec, &k), CPL_EARG);
    assert_int_equal(cpl_kernel_report(NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_module_from_source(w->cx, NULL, "", 0, &none), CPL_EARG);
    assert_int_equal(cpl_module_from_file(w->cx, NULL, &none), CPL_EARG);
    assert_int_equal(cpl_module_emit(NULL, NULL, NULL, CPL_STAGE_IR, NULL, &blob), CPL_EARG);
    assert_int_equal(cpl_type_parse(w->cx, NULL, &t), CPL_EARG);
    assert_int_equal(cpl_type_parse(NULL, "int32", &t), CPL_EARG);
    assert_int_equal(cpl_type_struct(w->cx, NULL, NULL, 0, &t), CPL_EARG);
    assert_int_equal(cpl_context_set_option(NULL, "opt_level", 1), CPL_EARG);
    assert_int_equal(cpl_context_get_option(w->cx, NULL, &value), CPL_EARG);
    assert_int_equal(cpl_context_stats(NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_extern_register(w->cx, "f", "float64()", NULL, true), CPL_EARG);
    assert_int_equal(cpl_extern_register_library(w->cx, "f", "float64()", NULL, "f", true),
                     CPL_EARG);
    assert_int_equal(cpl_cache_each(w->cx, NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_cache_clear(NULL, NULL), CPL_EARG);
    assert_null(cpl_cache_directory(NULL));
    cpl_blob_free(NULL);
    cpl_module_release(m);
}

static void nothing_to_do(void **state)
{
    world *w = *state;
    cpl_module *m = fault_module(w->cx, "def f(i, x, y):\n    y[i] = x[i]\n");
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, NULL, 0), cpl_arg_array(CPL_INT32, NULL, 0)};
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 0, NULL), CPL_OK);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, -5, NULL), CPL_EARG);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, INT64_MIN, NULL), CPL_EARG);
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 0, NULL), CPL_OK);
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 1, NULL), CPL_EBOUNDS);
    cpl_module_release(m);
}

/* Memory that is there when it is touched: most of it never is. */
static void more_than_an_int32(void **state)
{
    world *w = *state;
    const int64_t n = ((int64_t)1 << 31) + 7;
    int8_t *x = mmap(NULL, (size_t)n, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (x == MAP_FAILED) skip();
    cpl_module *m =
        fault_module(w->cx, "def f(i, x):\n    if x[i] != 0:\n        x[i] = x[i] + 1\n\n"
                            "def last(x, n):\n    s = 0\n    for i in range(n - 9, n):\n        s "
                            "+= x[i]\n    return s\n\n"
                            "def far(i, x, s):\n    x[i*s] = 5\n");
    const int64_t places[] = {
        0, 1, 12345, ((int64_t)1 << 31) - 1, (int64_t)1 << 31, ((int64_t)1 << 31) + 1, n - 1};
    enum { PLACES = sizeof places / sizeof *places };
    for (int k = 0; k < PLACES; k++) x[places[k]] = (int8_t)(k + 1);
    cpl_arg args[] = {cpl_arg_array(CPL_INT8, x, n)};
    assert_int_equal(launch_rounds(m, "f", NULL, args, 1, CPL_AUTO, NULL), CPL_OK);
    for (int k = 0; k < PLACES; k++) assert_int_equal(x[places[k]], k + 2);
    assert_int_equal(x[2], 0);
    assert_int_equal(x[n - 2], 0);
    cpl_arg call[] = {args[0], cpl_arg_int(n)};
    int64_t sum = 0;
    assert_int_equal(call_once(m, "last", call, 2, &sum, NULL), CPL_OK);
    assert_int_equal(sum, 5 + 6 + 7 + 8);
    cpl_arg far[] = {args[0], cpl_arg_int(((int64_t)1 << 31) + 3)};
    assert_int_equal(launch_rounds(m, "far", NULL, far, 2, 2, NULL), CPL_OK);
    assert_int_equal(x[((int64_t)1 << 31) + 3], 5);
    /* a stride that takes far more than 2^31 bytes in few steps */
    cpl_arg wide[] = {cpl_arg_array(CPL_INT8, x, 3)};
    wide[0].stride = (int64_t)1 << 30;
    x[(int64_t)1 << 30] = 7;
    assert_int_equal(launch_rounds(m, "f", NULL, wide, 1, CPL_AUTO, NULL), CPL_OK);
    assert_int_equal(x[(int64_t)1 << 30], 8);
    assert_int_equal(x[(int64_t)1 << 31], 7);
    cpl_module_release(m);
    munmap(x, (size_t)n);
}

/* Lengths and strides whose product is no number of bytes. */
static void arrays_that_cannot_be(void **state)
{
    world *w = *state;
    cpl_module *m = fault_module(w->cx, "def f(i, x, y):\n    y[i] = x[i]\n");
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, memory[0], INT64_MAX),
                      cpl_arg_array(CPL_FLOAT64, memory[1], 4)};
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 4, NULL), CPL_EARG);
    args[0].length = 4;
    args[0].stride = INT64_MAX - 7;
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 4, NULL), CPL_EARG);
    args[0].stride = INT64_MIN;
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 4, NULL), CPL_EARG);
    assert_non_null(strstr(w->said.text, "argument 1 is larger than memory can be"));
    args[0].length = 1; /* the stride of one element leads nowhere */
    assert_int_equal(launch_rounds(m, NULL, NULL, args, 2, 1, NULL), CPL_OK);
    cpl_module_release(m);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(overlap_at_every_distance, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overlap_of_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arguments_at_random, set_up, tear_down),
        cmocka_unit_test_setup_teardown(objects_that_are_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_to_do, set_up, tear_down),
        cmocka_unit_test_setup_teardown(more_than_an_int32, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arrays_that_cannot_be, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
