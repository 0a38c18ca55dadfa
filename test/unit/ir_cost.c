/* The cost model: rounds of loops over constants, what bodies weigh, and that every op has a cost
   at every type it takes. */
#include "compiling.h"

#include "lib/ir/ir.h"

#include <stdio.h>

typedef struct world {
    compilation c;
    jmp_buf on_oom;
} world;

enum { OPEN_ROUNDS = 7, OUTSIDE = 33, NODE = 2, DEEP = 3, MOST = 100000 };
static const ir_guess guess = {.rounds = OPEN_ROUNDS, .call = OUTSIDE, .calls = DEEP, .most = MOST};

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    compiling_begin(&w->c, &mem_libc, &w->on_oom);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    compiling_end(&w->c);
    free(w);
    return 0;
}

/* The body of a function with these statements. */
static ir_block *body(world *w, const char *statements)
{
    char text[2048];
    int n = snprintf(text, sizeof text,
                     "cir 1\nextern func outside(float64) -> float64\n"
                     "func half(a: float64) -> float64 { return mul(a, 0.5:float64) }\n"
                     "func again(a: float64) -> float64 { a = call again(a) return a }\n"
                     "entry func f(x: float64*, a: float64, i: int32, j: int64, c: bool) {\n%s\n}",
                     statements);
    source src = {.id = 1, .name = "test.cir", .text = text, .size = (size_t)n};
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    assert_true(ir_verify(m, NULL));
    return ir_find(m, "f")->body;
}

static double cost(world *w, const char *statements)
{
    return ir_block_cost(body(w, statements), &guess);
}

static double class_cost(world *w, ir_cost_class class_)
{
    return ir_class_cost(class_, comp_scalar(&w->c, CPL_FLOAT64))->one;
}

static void rounds(void **state)
{
    static const struct {
        const char *bounds;
        double rounds; /* less than 0: not known */
    } rows[] = {
        {"(0:int64, 10:int64, 1:int64)", 10},
        {"(0:int64, 10:int64, 3:int64)", 4},
        {"(10:int64, 0:int64, -3:int64)", 4},
        {"(10:int64, 0:int64, 1:int64)", 0},
        {"(0:int64, 10:int64, 0:int64)", 0},
        {"(-9223372036854775808:int64, 9223372036854775807:int64, 1:int64)", 0x1p64},
        {"(0:int64, j, 1:int64)", -1},
        {"(j, 10:int64, 1:int64)", -1},
        {"(0:int64, 10:int64, j)", -1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        double got = -1;
        snprintf(text, sizeof text, "for j in %s { }", rows[i].bounds);
        ir_node *loop = body(*state, text)->at[0];
        assert_int_equal(ir_constant_rounds(loop, &got), rows[i].rounds >= 0);
        assert_true(got == rows[i].rounds);
    }
    double unused = 0;
    assert_false(ir_constant_rounds(body(*state, "while c { }")->at[0], &unused));
}

static void bodies(void **state)
{
    world *w = *state;
    const char *sum = "a = add(a, load(elem(x, i)))";
    double one = cost(w, sum), round = class_cost(w, IR_COST_ROUND);
    double branch = class_cost(w, IR_COST_BRANCH), call = class_cost(w, IR_COST_EXCHANGE);
    assert_true(one == class_cost(w, IR_COST_STEP) + class_cost(w, IR_COST_ACCESS));
    assert_true(cost(w, "") == 0);
    assert_true(cost(w, "a = 1.0:float64") == 0);
    assert_true(cost(w, "if c { a = add(a, load(elem(x, i))) } else { a = add(a, load(x)) }") ==
                2 * one + branch);
    assert_true(cost(w, "for i in (0:int32, 10:int32, 1:int32) { a = add(a, load(x)) }") ==
                10 * (one + round));
    assert_true(cost(w, "for i in (0:int32, i, 1:int32) { a = add(a, load(x)) }") ==
                OPEN_ROUNDS * (one + round));
    assert_true(cost(w, "for j in (0:int64, 5:int64, 1:int64) {\n"
                        "for i in (0:int32, 10:int32, 1:int32) { a = add(a, load(x)) } }") ==
                5 * (10 * (one + round) + round));
    assert_true(cost(w, "while lt(load(x), 1.0:float64) { a = add(a, load(x)) }") ==
                OPEN_ROUNDS * (2 * one + round));
    /* the bounds are evaluated once */
    assert_true(cost(w, "for j in (0:int64, convert<int64>(add(a, load(x))), 1:int64) { }") ==
                one + class_cost(w, IR_COST_CONVERT64) + OPEN_ROUNDS * round);
    assert_true(cost(w, "for i in (0:int32, i, 1:int32) independent { a = add(a, load(x)) }") ==
                one + round);
    assert_true(cost(w, "a = call outside(a)") == OUTSIDE + call);
    assert_true(cost(w, "a = call half(a)") == class_cost(w, IR_COST_MULTIPLY) + call + branch);
    assert_true(cost(w, "a = call again(a)") > MOST);
    assert_true(
        cost(w, "for j in (0:int64, 9223372036854775807:int64, 1:int64) { a = add(a, a) }") > MOST);
    ir_guess slow = guess;
    slow.node = NODE;
    assert_true(ir_block_cost(body(w, sum), &slow) == one + 7 * NODE);
}

/* The first operation of the first statement. */
static const ir_cost *first_cost(world *w, const char *statement)
{
    return ir_op_cost(body(w, statement)->at[0]->kids[0]);
}

static void refined(void **state)
{
    world *w = *state;
    const cpl_type *i32 = comp_scalar(&w->c, CPL_INT32), *f64 = comp_scalar(&w->c, CPL_FLOAT64);
    assert_ptr_equal(first_cost(w, "i = rawdiv(i, i)"), ir_class_cost(IR_COST_QUOTIENT, i32));
    assert_ptr_equal(first_cost(w, "i = rawdiv(i, 3:int32)"), ir_class_cost(IR_COST_SCALE, i32));
    assert_ptr_equal(first_cost(w, "i = convert<int32>(a)"), ir_class_cost(IR_COST_CONVERT, f64));
    assert_ptr_equal(first_cost(w, "j = convert<int64>(a)"), ir_class_cost(IR_COST_CONVERT64, f64));
    assert_ptr_equal(first_cost(w, "j = convert<int64>(i)"), ir_class_cost(IR_COST_CONVERT, i32));
}

static bool takes(char letter, cpl_dtype t)
{
    bool is_float = t >= CPL_FLOAT16, is_bool = t == CPL_BOOL;
    switch (letter) {
    case 'n': return !is_bool;
    case 'i':
    case 'x': return !is_bool && !is_float;
    case 'f': return is_float;
    case 'b': return is_bool;
    case 'k': return !is_float;
    default: return true;
    }
}

static void every_op(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT32,   CPL_INT64,
                                      CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};
    for (ir_op op = 0; op < IR_OP_COUNT; op++) {
        if (ir_ops[op].cost == IR_COST_FREE) continue;
        for (size_t i = 0; i < COUNT_OF(types); i++) {
            if (!takes(ir_ops[op].operands[0], types[i])) continue;
            const ir_cost *c = ir_class_cost(ir_ops[op].cost, comp_scalar(&w->c, types[i]));
            if (c->one > 0 && c->side + c->lane > 0 && c->device > 0) continue;
            fail_msg("%s has no cost on %s", ir_ops[op].text, cpl_dtype_name(types[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_op, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
