/* What a launch makes of its arrays, tried with every small shape against the bytes themselves:
 * whether two overlap, whether one fits into memory, which are too long for 32 bits. */
#include "unit.h"

#include "runtime/runtime.h"

/* The bytes from the first to the last that an array may touch. */
typedef struct bytes {
    int64_t begin, end;
} bytes;

static bytes touched(int64_t at, int64_t length, int64_t stride, int64_t size)
{
    bytes b = {0, 0};
    for (int64_t i = 0; i < length; i++) {
        int64_t first = at + i * stride;
        if (i == 0 || first < b.begin) b.begin = first;
        if (i == 0 || first + size > b.end) b.end = first + size;
    }
    return b;
}

/* Whether an element of one has bytes of one of the other, `distance` bytes in front of it. */
static bool elements_meet(int64_t distance, const cpl_arg *x, int64_t s, const cpl_arg *y,
                          int64_t t)
{
    for (int64_t i = 0; i < x->length; i++)
        for (int64_t k = 0; k < y->length; k++) {
            int64_t between = distance + k * t - i * s;
            if (between < (int64_t)cpl_dtype_size(x->dtype) &&
                -between < (int64_t)cpl_dtype_size(y->dtype))
                return true;
        }
    return false;
}

static const cpl_dtype dtypes[] = {CPL_INT8, CPL_INT16, CPL_FLOAT32, CPL_FLOAT64};
enum { LONGEST = 4, STEPS = 3, REACH = 80, TYPES = sizeof dtypes / sizeof *dtypes };
static _Alignas(8) uint8_t memory[400];

static cpl_arg array(int64_t at, int64_t length, int64_t step, cpl_dtype dtype)
{
    cpl_arg a = cpl_arg_array(dtype, memory + 200 + at, length);
    a.stride = step * (int64_t)cpl_dtype_size(dtype);
    return a;
}

static void agree(const cpl_arg *x, const cpl_arg *y)
{
    int64_t x_size = (int64_t)cpl_dtype_size(x->dtype), y_size = (int64_t)cpl_dtype_size(y->dtype);
    int64_t x_at = (uint8_t *)x->data - memory, y_at = (uint8_t *)y->data - memory;
    int64_t x_step = x->length < 2 ? 0
                     : x->stride   ? x->stride
                                   : x_size,
            y_step = y->length < 2 ? 0
                     : y->stride   ? y->stride
                                   : y_size;
    bytes a = touched(x_at, x->length, x_step, x_size),
          b = touched(y_at, y->length, y_step, y_size);
    bool meet =
        a.begin < b.end && b.begin < a.end && elements_meet(y_at - x_at, x, x_step, y, y_step);
    bool same = x_at == y_at && x->length == y->length && x_step == y_step && x_size == y_size;
    args_sharing want = !meet ? ARGS_APART : same ? ARGS_SAME : ARGS_CROSS;
    cpl_arg args[] = {*x, *y};
    if (args_share(NULL, args, 2) != want)
        fail_msg("at %d, %d in steps of %d bytes; at %d, %d in steps of %d bytes: %d, expected %d",
                 (int)x_at, (int)x->length, (int)x->stride, (int)y_at, (int)y->length,
                 (int)y->stride, args_share(NULL, args, 2), want);
}

/* Step 0 stands for elements side by side, as 1 does. */
static void every_distance(void **unused)
{
    (void)unused;
    for (int64_t s = -STEPS; s <= STEPS; s++)
        for (int64_t t = -STEPS; t <= STEPS; t++)
            for (int64_t n = 0; n <= LONGEST * (LONGEST + 1); n++)
                for (int type = 0; type < TYPES * TYPES; type++) {
                    cpl_dtype d = dtypes[type / TYPES], e = dtypes[type % TYPES];
                    cpl_arg x = array(0, n % (LONGEST + 1), s, d);
                    for (int64_t at = -REACH; at <= REACH; at += (int64_t)cpl_dtype_size(e)) {
                        cpl_arg y = array(at, n / (LONGEST + 1), t, e);
                        agree(&x, &y);
                    }
                }
}

/* An untyped integer is the first of int32, int64 and uint64 that holds it; an untyped float is as
 * wide as the widest array of floats, or of complex numbers of them, in whatever order they stand.
 */
static void types_of_numbers(void **unused)
{
    (void)unused;
    static const int64_t numbers[] = {INT64_MIN, (int64_t)INT32_MIN - 1, INT32_MIN, -1,
                                      INT32_MAX, (int64_t)INT32_MAX + 1, INT64_MAX};
    arg_code codes[5];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        cpl_arg a = cpl_arg_int(numbers[i]);
        bool small = numbers[i] == (int32_t)numbers[i];
        assert_int_equal(args_codes(NULL, &a, 1, true, codes), CPL_OK);
        assert_int_equal(codes[0].dtype, small ? CPL_INT32 : CPL_INT64);
        a.is_unsigned = true;
        assert_int_equal(args_codes(NULL, &a, 1, true, codes), CPL_OK);
        assert_int_equal(codes[0].dtype, CPL_UINT64);
    }
    static const cpl_dtype floats[] = {CPL_INT32,   CPL_FLOAT16,   CPL_FLOAT32,
                                       CPL_FLOAT64, CPL_COMPLEX64, CPL_COMPLEX128},
                           parts[] = {CPL_VOID,    CPL_FLOAT16, CPL_FLOAT32,
                                      CPL_FLOAT64, CPL_FLOAT32, CPL_FLOAT64};
    type_table *types = type_table_create(&mem_libc);
    for (int k = 0; k < 6 * 6 * 6; k++) {
        int of[] = {k % 6, k / 6 % 6, k / 36};
        cpl_dtype widest = CPL_VOID;
        cpl_arg args[4];
        for (int i = 0; i < 3; i++) {
            if (parts[of[i]] > widest) widest = parts[of[i]];
            args[i + (i > 1)] = array(0, 4, 0, floats[of[i]]);
        }
        args[2] = cpl_arg_float(0.5);
        const cpl_type *found[4];
        assert_int_equal(args_codes((cpl_module *)types, args, 4, true, codes), CPL_OK);
        assert_int_equal(args_types((cpl_context *)types, codes, 4, found), CPL_OK);
        assert_int_equal(found[2]->dtype, widest == CPL_VOID ? CPL_FLOAT64 : widest);
    }
    type_table_free(types);
}

/* Those that nothing is written through may overlap. */
static void only_what_is_written(void **unused)
{
    (void)unused;
    cpl_arg args[] = {cpl_arg_int(1), array(0, 4, 1, CPL_INT8), array(2, 4, 1, CPL_INT8),
                      array(20, 4, 1, CPL_INT8)};
    for (unsigned written = 0; written < 8; written++) {
        artifact_param params[5] = {{.role = PARAM_COUNT}, {.role = PARAM_ARG, .readonly = true}};
        for (unsigned i = 0; i < 3; i++)
            params[2 + i] = (artifact_param){.role = PARAM_ARG, .readonly = !(written & (1u << i))};
        artifact a = {.params = params, .param_count = 5};
        args[3].data = args[1].data;
        args_sharing apart = written & 3 ? ARGS_CROSS : written ? ARGS_SAME : ARGS_APART;
        if (written == 4) apart = ARGS_CROSS; /* the third meets the second, too */
        assert_int_equal(args_share(&a, args, 4), apart);
        args[3].data = memory;
        assert_int_equal(args_share(&a, args, 4), written & 3 ? ARGS_CROSS : ARGS_APART);
    }
}

static bool small(const cpl_arg *args, size_t count, int64_t n)
{
    return args_facts(NULL, args, count, n, 0) & CPL_FACT_SMALL;
}

static void lengths_of_32_bits(void **unused)
{
    (void)unused;
    cpl_arg args[] = {cpl_arg_int(INT64_MAX), array(0, 4, 0, CPL_INT8), array(0, 4, 0, CPL_INT8)};
    for (int i = 1; i < 3; i++) {
        args[i].length = INT32_MAX;
        assert_true(small(args, 3, INT32_MAX));
        assert_false(small(args, 3, (int64_t)INT32_MAX + 1));
        args[i].length++;
        assert_false(small(args, 3, 0));
        args[i].length = 4;
    }
    assert_true(small(NULL, 0, 0));
}

/* The byte behind an array is the last of the address space, or one too far; its reach is the
 * most that a pointer difference holds, or one more. */
static void ends_of_memory(void **unused)
{
    (void)unused;
    static const struct {
        uint64_t at;
        int64_t length, stride;
        bool fits;
    } cases[] = {
        {UINT64_MAX - 15, 1, 0, true},
        {UINT64_MAX - 7, 1, 8, false},
        {UINT64_MAX - 23, 2, 0, true},
        {UINT64_MAX - 23, 3, 0, false},
        {UINT64_MAX - 15, 2, -8, true},
        {UINT64_MAX - 15, 2, 8, false},
        {8, 2, -8, true},
        {8, 3, -8, false},
        {16, 3, -8, true},
        {16, 2, -16, true},
        {8, 2, -16, false},
        {8, 0, INT64_MIN, true},
        {8, 1, INT64_MIN, true},
        {8, 1, INT64_MAX - 7, true},
        {8, 2, INT64_MAX - 7, false},
        {8, 2, INT64_MAX - 15, true},
        {8, (INT64_MAX >> 3), 0, true},
        {8, (INT64_MAX >> 3) + 1, 0, false},
        {8, INT64_MAX, 0, false},
        {UINT64_MAX - 15, 2, INT64_MIN, false},
        {UINT64_MAX - 15, 2, INT64_MIN + 16, true},
        {UINT64_MAX - 15, 2, INT64_MIN + 8, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpl_arg a = cpl_arg_array(CPL_INT64, (void *)(uintptr_t)cases[i].at, cases[i].length);
        a.stride = cases[i].stride;
        if ((arg_check(NULL, (arg_name){0}, &a) == CPL_OK) != cases[i].fits)
            fail_msg("case %zu: %lld in steps of %lld", i, (long long)cases[i].length,
                     (long long)cases[i].stride);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_distance),       cmocka_unit_test(types_of_numbers),
        cmocka_unit_test(only_what_is_written), cmocka_unit_test(lengths_of_32_bits),
        cmocka_unit_test(ends_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
