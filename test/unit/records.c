/*
 * Arrays of records in launches: those of one type after those of another, by every way to launch,
 * with records side by side and apart, reach the fields of their own type, and the profile counts
 * their bytes.
 */
#include "world.h"
#include "launches.h"

#include <stdio.h>

enum { RECORDS = 4, MOST_WORDS = 4 };

/* Structs of int32; `value` is the field that kernels use. Two are of one size, two begin alike. */
static const struct {
    const char *name;
    int words, value;
} layouts[] = {{"First", 2, 0}, {"Second", 2, 1}, {"Alone", 1, 0}, {"Wide", 4, 3}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

typedef enum way { ELEMENTWISE, HANDLE, CALL, INTERPRET, WAYS } way;

static const char kernels[] = "def f(i, x, y):\n"
                              "    y[i] = x[i].value\n"
                              "    x[i].value = 7\n"
                              "def g(x, y):\n"
                              "    for i in range(len(y)):\n"
                              "        y[i] = x[i].value\n"
                              "        x[i].value = 7\n";

typedef struct launches {
    world *w;
    cpl_module *m;
    const cpl_type *types[LAYOUTS];
    uint64_t bytes, counted; /* of profiled launches; as the profile has it */
} launches;

static void declare(launches *l)
{
    static const char *const before[] = {"a", "b", "c", "d"};
    const cpl_type *i32;
    assert_int_equal(cpl_type_parse(l->w->cx, "int32", &i32), CPL_OK);
    for (int t = 0; t < LAYOUTS; t++) {
        cpl_field fields[MOST_WORDS];
        for (int k = 0; k < layouts[t].words; k++)
            fields[k] = (cpl_field){k == layouts[t].value ? "value" : before[k], i32, 0};
        assert_int_equal(cpl_type_struct(l->w->cx, layouts[t].name, fields,
                                         (size_t)layouts[t].words, &l->types[t]),
                         CPL_OK);
    }
}

static cpl_status run(launches *l, way how, cpl_arg *args)
{
    cpl_kernel *k;
    cpl_status status;
    switch (how) {
    case ELEMENTWISE: return launch_rounds(l->m, "f", NULL, args, 2, CPL_AUTO, NULL);
    case HANDLE:
        status = rounds_kernel(l->m, "f", args, 2, &k);
        if (!status) status = run_rounds(k, NULL, args, 2, CPL_AUTO, NULL);
        cpl_kernel_release(k);
        return status;
    case CALL: return call_once(l->m, "g", args, 2, NULL, NULL);
    default:
        return interpret_rounds(l->m, "f", CPL_FORM_ELEMENTWISE, args, 2, CPL_AUTO, NULL, NULL);
    }
}

/* Records of a layout, each `apart` times as far from the next as it is long. */
static void launch(launches *l, way how, int t, int apart)
{
    int32_t x[RECORDS * MOST_WORDS * 2], y[RECORDS] = {0};
    int step = layouts[t].words * apart, value = layouts[t].value;
    for (int i = 0; i < RECORDS * step; i++) x[i] = 100 + i;
    cpl_arg args[] = {cpl_arg_array(CPL_VOID, x, RECORDS), cpl_arg_array(CPL_INT32, y, RECORDS)};
    args[0].record = l->types[t];
    if (apart > 1) args[0].stride = step * (int)sizeof *x;
    cpl_status status = run(l, how, args);
    bool right = status == CPL_OK;
    for (int i = 0; i < RECORDS * step; i++)
        right = right && x[i] == (i % step == value ? 7 : 100 + i);
    for (int i = 0; i < RECORDS; i++) right = right && y[i] == 100 + i * step + value;
    if (!right)
        fail_msg("%s, way %d, %d apart: status %d, y[1] = %d: %s", layouts[t].name, (int)how, apart,
                 (int)status, y[1], l->w->said.text);
    if (how != INTERPRET) l->bytes += RECORDS * (size_t)(layouts[t].words + 1) * sizeof *x;
}

/* A kernel for elements apart takes those side by side, with their stride and without, backwards,
 * and one alone. */
static void one_kernel_for_every_stride(void **state)
{
    enum { MOST_STEP = 3 * MOST_WORDS };
    launches l = {.w = *state};
    assert_int_equal(cpl_module_from_source(l.w->cx, "k.py", kernels, strlen(kernels), &l.m),
                     CPL_OK);
    declare(&l);
    for (int t = 0; t < LAYOUTS; t++) {
        int32_t x[RECORDS * MOST_STEP] = {0}, y[RECORDS], words = layouts[t].words;
        cpl_arg args[] = {cpl_arg_array(CPL_VOID, x, RECORDS),
                          cpl_arg_array(CPL_INT32, y, RECORDS)};
        args[0].record = l.types[t];
        args[0].stride = 2 * words * (int)sizeof *x;
        cpl_kernel *k;
        assert_int_equal(rounds_kernel(l.m, "f", args, 2, &k), CPL_OK);
        for (int length = 1; length <= RECORDS; length += RECORDS - 1)
            for (int apart = -3; apart <= 3; apart++) {
                int step = (apart ? apart : 1) * words,
                    first = apart < 0 ? -step * (length - 1) : 0;
                for (int i = 0; i < RECORDS * MOST_STEP; i++) x[i] = 100 + i;
                args[0].data = x + first;
                args[0].stride = apart * words * (int)sizeof *x;
                args[0].length = length;
                assert_int_equal(run_rounds(k, NULL, args, 2, length, NULL), CPL_OK);
                for (int i = 0; i < length; i++) {
                    int at = first + i * step + layouts[t].value;
                    assert_int_equal(y[i], 100 + at);
                    assert_int_equal(x[at], 7);
                }
            }
        cpl_kernel_release(k);
    }
    cpl_module_release(l.m);
}

static void count_bytes(void *user, const cpl_profile_row *row)
{
    launches *l = user;
    if (row->what == CPL_PROFILE_KERNEL) l->counted += row->bytes;
}

static void one_after_another(void **state)
{
    launches l = {.w = *state};
    assert_int_equal(cpl_profile_enable(l.w->cx, true), CPL_OK);
    assert_int_equal(cpl_module_from_source(l.w->cx, "k.py", kernels, strlen(kernels), &l.m),
                     CPL_OK);
    declare(&l);
    for (int how = 0; how < WAYS; how++)
        for (int a = 0; a < LAYOUTS; a++)
            for (int b = 0; b < LAYOUTS; b++)
                for (int apart = 1; apart <= 2; apart++) {
                    launch(&l, (way)how, a, apart);
                    launch(&l, (way)how, b, 3 - apart);
                }
    assert_int_equal(cpl_profile_each_row(l.w->cx, count_bytes, &l), CPL_OK);
    assert_int_equal(l.counted, l.bytes);
    cpl_module_release(l.m);
}

/* A record of 5 bytes whose value is aligned to none, by every way, side by side and apart. */
static void packed(void **state)
{
    launches l = {.w = *state};
    const cpl_type *i8, *i32, *odd;
    assert_int_equal(cpl_module_from_source(l.w->cx, "k.py", kernels, strlen(kernels), &l.m),
                     CPL_OK);
    assert_int_equal(cpl_type_parse(l.w->cx, "int8", &i8), CPL_OK);
    assert_int_equal(cpl_type_parse(l.w->cx, "int32", &i32), CPL_OK);
    cpl_field fields[] = {{"tag", i8, 0}, {"value", i32, 1}};
    assert_int_equal(cpl_type_struct_at(l.w->cx, NULL, fields, 2, 5, 1, &odd), CPL_OK);
    for (int how = 0; how < WAYS; how++)
        for (int apart = 5; apart <= 7; apart += 2) {
            unsigned char x[RECORDS * 7], was[sizeof x];
            int32_t y[RECORDS] = {0}, value, seven = 7;
            for (size_t i = 0; i < sizeof x; i++) was[i] = x[i] = (unsigned char)(i * 37 + 1);
            cpl_arg args[] = {cpl_arg_array(CPL_VOID, x, RECORDS),
                              cpl_arg_array(CPL_INT32, y, RECORDS)};
            args[0].record = odd;
            if (apart > 5) args[0].stride = apart;
            assert_int_equal(run(&l, (way)how, args), CPL_OK);
            for (int i = 0; i < RECORDS; i++) {
                memcpy(&value, was + i * apart + 1, sizeof value);
                memcpy(was + i * apart + 1, &seven, sizeof seven);
                assert_int_equal(y[i], value);
            }
            assert_memory_equal(x, was, sizeof x);
        }
    cpl_module_release(l.m);
}

/* Arrays of one type of record, or of int32, are no copy of another's, of whatever size. */
static void copies_of_one_type(void **state)
{
    launches l = {.w = *state};
    cpl_array *x[2 * LAYOUTS + 2];
    enum { ARRAYS = sizeof x / sizeof *x };
    declare(&l);
    for (int i = 0; i < ARRAYS; i++) {
        cpl_array_options o;
        cpl_array_options_init(&o);
        if (i / 2 < LAYOUTS) o.record = l.types[i / 2];
        else o.dtype = CPL_INT32;
        o.dims = 1;
        o.shape[0] = RECORDS;
        assert_int_equal(cpl_array_create_with(l.w->cx, NULL, &o, &x[i]), CPL_OK);
    }
    for (int a = 0; a < ARRAYS; a++)
        for (int b = 0; b < ARRAYS; b++)
            if (a != b)
                assert_int_equal(cpl_array_copy(x[a], x[b], NULL, NULL),
                                 a / 2 == b / 2 ? CPL_OK : CPL_EARG);
    for (int i = 0; i < ARRAYS; i++) cpl_array_release(x[i]);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_after_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_kernel_for_every_stride, set_up, tear_down),
        cmocka_unit_test_setup_teardown(packed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_of_one_type, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
