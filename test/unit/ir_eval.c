/* ir_eval_op: what each scalar op means at the edges of its types. */
#include "unit.h"

#include "lib/ir/ir.h"

#include <math.h>

static type_table *types;

static int set_up(void **state)
{
    (void)state;
    types = type_table_create(&mem_libc);
    return types == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    type_table_free(types);
    return 0;
}

/* The result of an op on integers of one type; "undefined" where it has none. */
enum { UNDEFINED = 0x7bad };

static int64_t ints(ir_op op, cpl_dtype dtype, int64_t a, int64_t b)
{
    const cpl_type *t = type_scalar(types, dtype);
    ir_value v[2] = {{.bits = ir_wrap_to(t, (uint64_t)a)}, {.bits = ir_wrap_to(t, (uint64_t)b)}}, r;
    const cpl_type *result = ir_ops[op].result == IR_RESULT_BOOL ? type_scalar(types, CPL_BOOL) : t;
    return ir_eval_op(op, result, t, v, &r) ? (int64_t)r.bits : UNDEFINED;
}

static double floats(ir_op op, cpl_dtype dtype, double a, double b)
{
    const cpl_type *t = type_scalar(types, dtype);
    ir_value v[2] = {{.number = a}, {.number = b}}, r;
    assert_true(ir_eval_op(op, t, t, v, &r));
    return r.number;
}

static void wrapping(void **state)
{
    (void)state;
    assert_int_equal(ints(IR_ADD, CPL_INT8, 127, 1), -128);
    assert_int_equal(ints(IR_ADD, CPL_UINT8, 255, 1), 0);
    assert_int_equal(ints(IR_SUB, CPL_UINT32, 0, 1), UINT32_MAX);
    assert_int_equal(ints(IR_MUL, CPL_INT32, 65536, 32768), INT32_MIN);
    assert_true(ints(IR_MUL, CPL_INT64, INT64_MIN, -1) == INT64_MIN);
    assert_int_equal(ints(IR_NEG, CPL_INT16, -32768, 0), -32768);
    assert_int_equal(ints(IR_ABS, CPL_INT8, -128, 0), -128);
    assert_int_equal(ints(IR_ABS, CPL_UINT8, 200, 0), 200);
    assert_int_equal(ints(IR_NOT, CPL_BOOL, 1, 0), 0);
    assert_int_equal(ints(IR_NOT, CPL_UINT8, 1, 0), 254);
    assert_int_equal(ints(IR_MIN, CPL_UINT8, 255, 1), 1);
    assert_int_equal(ints(IR_MAX, CPL_INT8, 255, 1), 1);
    assert_int_equal(ints(IR_LT, CPL_UINT64, -1, 1), 0);
    assert_int_equal(ints(IR_LT, CPL_INT64, -1, 1), 1);
}

static void division(void **state)
{
    (void)state;
    static const cpl_dtype widths[] = {CPL_INT8, CPL_INT16, CPL_INT32, CPL_INT64};
    for (size_t i = 0; i < 4; i++) {
        int64_t least = -((int64_t)1 << (8 * (1 << i) - 2)) * 2;
        assert_true(ints(IR_DIV, widths[i], least, -1) == least);
        assert_true(ints(IR_FLOORDIV, widths[i], least, -1) == least);
        assert_int_equal(ints(IR_REM, widths[i], least, -1), 0);
        assert_int_equal(ints(IR_FLOORMOD, widths[i], least, -1), 0);
        assert_int_equal(ints(IR_DIV, widths[i], 7, 0), 0);
        assert_int_equal(ints(IR_REM, widths[i], 7, 0), 0);
        assert_int_equal(ints(IR_FLOORDIV, widths[i], 7, 0), 0);
        assert_int_equal(ints(IR_FLOORMOD, widths[i], 7, 0), 0);
        assert_int_equal(ints(IR_RAWDIV, widths[i], 7, 0), UNDEFINED);
        assert_int_equal(ints(IR_RAWREM, widths[i], least, -1), UNDEFINED);
    }
    for (int a = -7; a <= 7; a++)
        for (int b = -3; b <= 3; b++) {
            if (b == 0) continue;
            int64_t floored = (int64_t)floor((double)a / b);
            assert_int_equal(ints(IR_DIV, CPL_INT32, a, b), a / b);
            assert_int_equal(ints(IR_REM, CPL_INT32, a, b), a % b);
            assert_int_equal(ints(IR_FLOORDIV, CPL_INT32, a, b), floored);
            assert_int_equal(ints(IR_FLOORMOD, CPL_INT32, a, b), a - floored * b);
        }
    assert_int_equal(ints(IR_FLOORDIV, CPL_UINT8, 250, 7), 35);
}

static void shifts(void **state)
{
    (void)state;
    assert_int_equal(ints(IR_SHL, CPL_INT32, 1, 33), 2);
    assert_int_equal(ints(IR_SHL, CPL_INT8, 1, 7), -128);
    assert_int_equal(ints(IR_SHL, CPL_INT32, 1, -1), INT32_MIN);
    assert_int_equal(ints(IR_SHR, CPL_INT32, -8, 1), -4);
    assert_int_equal(ints(IR_SHR, CPL_INT64, -1, 63), -1);
    assert_int_equal(ints(IR_SHR, CPL_UINT32, -8, 28), 15);
    assert_int_equal(ints(IR_RAWSHL, CPL_INT32, 1, 32), UNDEFINED);
    assert_int_equal(ints(IR_RAWSHR, CPL_INT32, 1, -1), UNDEFINED);
    assert_int_equal(ints(IR_RAWSHR, CPL_INT32, -16, 2), -4);
}

/* Python's a // b and a % b, as Python prints them. */
static void float_floor(void **state)
{
    (void)state;
    assert_true(floats(IR_FLOORDIV, CPL_FLOAT64, -7, 2) == -4);
    assert_true(floats(IR_FLOORMOD, CPL_FLOAT64, -7, 2) == 1);
    assert_true(floats(IR_FLOORMOD, CPL_FLOAT64, 7, -2) == -1);
    assert_true(floats(IR_FLOORDIV, CPL_FLOAT64, 1, 0.1) == 9);
    assert_true(floats(IR_FLOORMOD, CPL_FLOAT64, 1, 0.1) == 0.09999999999999995);
    assert_true(signbit(floats(IR_FLOORMOD, CPL_FLOAT64, 4, -2)));
    assert_true(signbit(floats(IR_FLOORDIV, CPL_FLOAT64, -0.0, 2)));
    assert_true(floats(IR_FLOORDIV, CPL_FLOAT64, 1, 0) == INFINITY);
    assert_true(isnan(floats(IR_FLOORMOD, CPL_FLOAT64, 1, 0)));
    assert_true(floats(IR_FLOORMOD, CPL_FLOAT64, -1, INFINITY) == INFINITY);
    assert_true(floats(IR_FLOORDIV, CPL_FLOAT64, -1, INFINITY) == -1);
    assert_true(floats(IR_REM, CPL_FLOAT64, -7, 2) == -1);
    assert_true(floats(IR_FLOORDIV, CPL_FLOAT32, 1, 0.1f) == 9);
}

/* Python's rules for min and max decide what NaN does: the first operand stays unless the second is
 * less. */
static void float_choice(void **state)
{
    (void)state;
    assert_true(isnan(floats(IR_MIN, CPL_FLOAT64, NAN, 1)));
    assert_true(floats(IR_MIN, CPL_FLOAT64, 1, NAN) == 1);
    assert_true(isnan(floats(IR_MAX, CPL_FLOAT64, NAN, 1)));
    assert_true(signbit(floats(IR_MAX, CPL_FLOAT64, -0.0, 0.0)));
    assert_true(floats(IR_ROUND, CPL_FLOAT64, 2.5, 0) == 3);
    assert_true(floats(IR_RINT, CPL_FLOAT64, 2.5, 0) == 2);
}

static void narrow_floats(void **state)
{
    (void)state;
    assert_true(floats(IR_ADD, CPL_FLOAT32, 16777216, 1) == 16777216);
    assert_true(floats(IR_DIV, CPL_FLOAT32, 1, 3) == (double)(1.0f / 3.0f));
    assert_true(floats(IR_SIN, CPL_FLOAT32, 1, 0) == (double)sinf(1));
    assert_true(floats(IR_MUL, CPL_FLOAT32, 3e38f, 2) == INFINITY);
    assert_true(floats(IR_ADD, CPL_FLOAT16, 2048, 1) == 2048);
    assert_true(floats(IR_ADD, CPL_FLOAT16, 2048, 3) == 2052);
    assert_true(floats(IR_ADD, CPL_FLOAT16, 65504, 16) == INFINITY);
    const cpl_type *f64 = type_scalar(types, CPL_FLOAT64);
    ir_value v[2] = {{.number = 1.5}, {.bits = 3}}, r;
    assert_true(ir_eval_op(IR_LDEXP, f64, f64, v, &r) && r.number == 12);
    v[1].bits = (uint64_t)INT64_MIN;
    assert_true(ir_eval_op(IR_LDEXP, f64, f64, v, &r) && r.number == 0);
}

/* Every float16 survives, and the points half-way between two round to the even one. */
static void halves(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        double value = half_value((uint16_t)bits);
        if (isnan(value)) {
            assert_true((bits & 0x7c00) == 0x7c00);
            continue;
        }
        assert_int_equal(half_bits(value), bits);
        if ((bits & 0x7fff) >= 0x7bff) continue; /* the next one is infinity */
        double next = half_value((uint16_t)(bits + 1)), middle = (value + next) / 2;
        assert_int_equal(half_bits(middle), bits & 1 ? bits + 1 : bits);
        assert_int_equal(half_bits(nextafter(middle, next)), bits + 1);
        assert_int_equal(half_bits(nextafter(middle, value)), bits);
    }
    assert_int_equal(half_bits(65519.99), 0x7bff);
    assert_int_equal(half_bits(65520), 0x7c00);
    assert_int_equal(half_bits(-1e300), 0xfc00);
    assert_int_equal(half_bits(1e-300), 0);
}

static ir_value converted(ir_op op, cpl_dtype to, cpl_dtype from, ir_value v, bool *defined)
{
    ir_value r;
    *defined = ir_eval_op(op, type_scalar(types, to), type_scalar(types, from), &v, &r);
    return r;
}

static int64_t to_int(cpl_dtype to, double value)
{
    bool defined, fits;
    ir_value v = {.number = value};
    int64_t r = (int64_t)converted(IR_CONVERT, to, CPL_FLOAT64, v, &defined).bits;
    assert_true(defined);
    int64_t raw = (int64_t)converted(IR_RAWCONVERT, to, CPL_FLOAT64, v, &fits).bits;
    assert_true(!fits || raw == r);
    return r;
}

static void conversions(void **state)
{
    (void)state;
    bool defined;
    assert_int_equal(to_int(CPL_INT32, -1.9), -1);
    assert_int_equal(to_int(CPL_INT32, 1e10), INT32_MAX);
    assert_int_equal(to_int(CPL_INT32, -1e10), INT32_MIN);
    assert_int_equal(to_int(CPL_INT32, NAN), 0);
    assert_int_equal(to_int(CPL_INT8, 127.9), 127);
    assert_int_equal(to_int(CPL_INT8, -128.9), -128);
    assert_int_equal(to_int(CPL_UINT8, -0.5), 0);
    assert_int_equal(to_int(CPL_UINT8, -3), 0);
    assert_int_equal(to_int(CPL_UINT8, 300), 255);
    assert_true(to_int(CPL_INT64, 9.3e18) == INT64_MAX);
    assert_true(to_int(CPL_INT64, -INFINITY) == INT64_MIN);
    assert_true((uint64_t)to_int(CPL_UINT64, 1.8e19) == UINT64_C(18000000000000000000));
    assert_true((uint64_t)to_int(CPL_UINT64, INFINITY) == UINT64_MAX);
    converted(IR_RAWCONVERT, CPL_INT8, CPL_FLOAT64, (ir_value){.number = 128}, &defined);
    assert_false(defined);
    converted(IR_RAWCONVERT, CPL_INT8, CPL_FLOAT64, (ir_value){.number = -128.5}, &defined);
    assert_true(defined);
    assert_int_equal(
        converted(IR_CONVERT, CPL_BOOL, CPL_FLOAT64, (ir_value){.number = NAN}, &defined).bits, 1);
    assert_int_equal(
        converted(IR_CONVERT, CPL_BOOL, CPL_INT32, (ir_value){.bits = 256}, &defined).bits, 1);
    assert_int_equal(
        converted(IR_CONVERT, CPL_INT8, CPL_INT32, (ir_value){.bits = 200}, &defined).bits,
        (uint64_t)-56);
    /* by way of float64 this would be rounded twice */
    ir_value tricky = {.bits = (UINT64_C(1) << 62) + (UINT64_C(1) << 38) + 1};
    assert_true(converted(IR_CONVERT, CPL_FLOAT32, CPL_INT64, tricky, &defined).number ==
                (double)(float)(int64_t)tricky.bits);
    assert_true(
        converted(IR_CONVERT, CPL_FLOAT64, CPL_UINT64, (ir_value){.bits = UINT64_MAX}, &defined)
            .number == 18446744073709551616.0);
    assert_true(
        converted(IR_CONVERT, CPL_FLOAT16, CPL_INT32, (ir_value){.bits = 65520}, &defined).number ==
        INFINITY);
}

/* A magnitude to so many bits, to nearest even, by integers alone. */
static double rounded(uint64_t magnitude, int bits)
{
    int shift = 0;
    while (magnitude >> shift >> bits) shift++;
    if (!shift) return (double)magnitude;
    uint64_t kept = magnitude >> shift, rest = magnitude & ((UINT64_C(1) << shift) - 1),
             half = UINT64_C(1) << (shift - 1);
    if (rest > half || (rest == half && (kept & 1))) kept++;
    return ldexp((double)kept, shift);
}

static void check_rounding(cpl_dtype from, uint64_t value)
{
    static const struct {
        cpl_dtype to;
        int bits;
    } floats[] = {{CPL_FLOAT16, 11}, {CPL_FLOAT32, 24}, {CPL_FLOAT64, 53}};
    const cpl_type *type = type_scalar(types, from);
    uint64_t held = ir_wrap_to(type, value);
    bool below = type_is_signed(type) && (int64_t)held < 0, defined;
    for (size_t i = 0; i < 3; i++) {
        double expected = rounded(below ? 0 - held : held, floats[i].bits);
        if (i == 0 && expected > 65504) expected = INFINITY;
        double found =
            converted(IR_CONVERT, floats[i].to, from, (ir_value){.bits = held}, &defined).number;
        if (found != (below ? -expected : expected))
            fail_msg("%s %llx to %d bits: %.17g", type->text, (unsigned long long)held,
                     floats[i].bits, found);
        assert_true(defined);
    }
}

/* Of each type of integers to each of floats: around every number half way between two floats. */
static void integers_are_rounded_once(void **state)
{
    (void)state;
    static const cpl_dtype from[] = {CPL_BOOL,  CPL_INT8,   CPL_INT16,  CPL_INT32, CPL_INT64,
                                     CPL_UINT8, CPL_UINT16, CPL_UINT32, CPL_UINT64};
    for (size_t t = 0; t < COUNT_OF(from); t++)
        for (int top = 0; top < 64; top++)
            for (int low = 0; low <= top; low++)
                for (int odd = 0; odd < 2; odd++)
                    for (int near = -1; near < 2; near++) {
                        uint64_t v = (UINT64_C(1) << top | UINT64_C(1) << low) +
                                     ((uint64_t)odd << low << 1) + (uint64_t)(int64_t)near;
                        check_rounding(from[t], v);
                        check_rounding(from[t], 0 - v);
                    }
}

static void bits(void **state)
{
    (void)state;
    bool defined;
    assert_true(
        converted(IR_BITS, CPL_INT32, CPL_FLOAT32, (ir_value){.number = -0.0}, &defined).bits ==
        (uint64_t)(int64_t)INT32_MIN);
    assert_true(
        converted(IR_BITS, CPL_UINT64, CPL_FLOAT64, (ir_value){.number = 1}, &defined).bits ==
        UINT64_C(0x3ff0000000000000));
    assert_true(
        converted(IR_BITS, CPL_FLOAT32, CPL_UINT32, (ir_value){.bits = 0x3f800000}, &defined)
            .number == 1);
    assert_true(
        converted(IR_BITS, CPL_FLOAT16, CPL_INT16, (ir_value){.bits = 0x3c00}, &defined).number ==
        1);
    assert_true(
        converted(IR_BITS, CPL_INT16, CPL_FLOAT16, (ir_value){.number = -2}, &defined).bits ==
        (uint64_t)(int64_t)(int16_t)0xc000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrapping),
        cmocka_unit_test(division),
        cmocka_unit_test(shifts),
        cmocka_unit_test(float_floor),
        cmocka_unit_test(float_choice),
        cmocka_unit_test(narrow_floats),
        cmocka_unit_test(halves),
        cmocka_unit_test(conversions),
        cmocka_unit_test(integers_are_rounded_once),
        cmocka_unit_test(bits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
