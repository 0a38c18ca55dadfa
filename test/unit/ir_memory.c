/* The builder of cpl/ir.h where no memory is left: each of its calls, repeated until there is none,
 * says so, gives nothing, and leaves nothing. */
#include "unit.h"

#include "cpl/cpl.h"

#include <stdio.h>

typedef struct hands {
    cpl_ir_builder *b;
    cpl_ir_func *f, *g;
    cpl_ir_var *x, *i;
    const cpl_type *f64, *i32, *pair;
    int calls;
} hands;

static bool make_function(hands *h)
{
    char name[32];
    snprintf(name, sizeof name, "g_%d", h->calls);
    return (h->g = cpl_ir_function(h->b, name, CPL_IR_INTERNAL, h->f64)) != NULL;
}

static bool make_param(hands *h)
{
    if (h->calls % 50 == 0 && !make_function(h)) return false;
    return cpl_ir_param(h->b, h->g, "y", h->f64, 0) != NULL;
}

static cpl_ir_value *zero(hands *h)
{
    return cpl_ir_int(h->b, CPL_INT32, 0);
}

static bool make_local(hands *h)
{
    return cpl_ir_local(h->b, "y", h->f64) != NULL;
}
static bool make_local_memory(hands *h)
{
    return cpl_ir_local_memory(h->b, "t", h->f64) != NULL;
}
static bool make_int(hands *h)
{
    return zero(h) != NULL;
}
static bool make_float(hands *h)
{
    return cpl_ir_float(h->b, CPL_FLOAT64, 0.5) != NULL;
}
static bool make_use(hands *h)
{
    return cpl_ir_use(h->b, h->x) != NULL;
}
static bool make_addr(hands *h)
{
    return cpl_ir_addr(h->b, h->x) != NULL;
}
static bool make_index(hands *h)
{
    return cpl_ir_index(h->b, CPL_IR_GROUP_ID, 1) != NULL;
}

/* The operand is one value used again and again, which is copied. */
static bool make_op(hands *h, cpl_ir_value *x)
{
    return cpl_ir_op2(h->b, "mul", x, x) != NULL;
}
static bool make_typed(hands *h, cpl_ir_value *x)
{
    return cpl_ir_typed_op(h->b, "convert", h->i32, x) != NULL;
}
static bool make_call(hands *h, cpl_ir_value *x)
{
    return cpl_ir_call(h->b, h->f, &x, 1) != NULL;
}
static bool make_field(hands *h, cpl_ir_value *p)
{
    return cpl_ir_field(h->b, p, "second") != NULL;
}
static bool make_atomic(hands *h, cpl_ir_value *p)
{
    return cpl_ir_atomic(h->b, "atomic_load", CPL_IR_RELAXED, CPL_IR_DEVICE, &p, 1) != NULL;
}

static bool make_assign(hands *h, cpl_ir_value *x)
{
    cpl_ir_assign(h->b, h->x, x);
    return !cpl_ir_builder_status(h->b);
}

static bool make_printf(hands *h, cpl_ir_value *x)
{
    cpl_ir_printf(h->b, "%g", &x, 1);
    return !cpl_ir_builder_status(h->b);
}

static bool make_return(hands *h, cpl_ir_value *x)
{
    cpl_ir_return(h->b, x);
    return !cpl_ir_builder_status(h->b);
}

static bool make_barrier(hands *h)
{
    cpl_ir_barrier(h->b, CPL_IR_SPACE_LOCAL);
    return !cpl_ir_builder_status(h->b);
}

static bool make_break(hands *h)
{
    cpl_ir_break(h->b);
    return !cpl_ir_builder_status(h->b);
}

static bool make_continue(hands *h)
{
    cpl_ir_continue(h->b);
    return !cpl_ir_builder_status(h->b);
}

static bool make_vcopy(hands *h, cpl_ir_value *p)
{
    cpl_ir_vcopy(h->b, 4, p, p);
    return !cpl_ir_builder_status(h->b);
}

static bool make_if(hands *h, cpl_ir_value *c)
{
    cpl_ir_if(h->b, c);
    cpl_ir_end(h->b);
    return !cpl_ir_builder_status(h->b);
}

static bool make_while(hands *h, cpl_ir_value *c)
{
    cpl_ir_while(h->b, c);
    cpl_ir_end(h->b);
    return !cpl_ir_builder_status(h->b);
}

static bool make_for(hands *h, cpl_ir_value *n)
{
    cpl_ir_for(h->b, h->i, n, n, n);
    cpl_ir_end(h->b);
    return !cpl_ir_builder_status(h->b);
}

static bool make_parallel_for(hands *h, cpl_ir_value *n)
{
    cpl_ir_parallel_for(h->b, h->i, n, n, n, NULL);
    cpl_ir_end(h->b);
    return !cpl_ir_builder_status(h->b);
}

static const struct {
    const char *name;
    bool (*alone)(hands *h);
    bool (*with)(hands *h, cpl_ir_value *operand);
    enum { FLOAT, INT, BOOL, PAIR, ADDRESS } operand;
} repeated[] = {
    {"function", make_function, NULL, 0},
    {"param", make_param, NULL, 0},
    {"local", make_local, NULL, 0},
    {"local_memory", make_local_memory, NULL, 0},
    {"int", make_int, NULL, 0},
    {"float", make_float, NULL, 0},
    {"use", make_use, NULL, 0},
    {"addr", make_addr, NULL, 0},
    {"index", make_index, NULL, 0},
    {"barrier", make_barrier, NULL, 0},
    {"break", make_break, NULL, 0},
    {"continue", make_continue, NULL, 0},
    {"op", NULL, make_op, FLOAT},
    {"typed_op", NULL, make_typed, FLOAT},
    {"call", NULL, make_call, FLOAT},
    {"field", NULL, make_field, PAIR},
    {"atomic", NULL, make_atomic, ADDRESS},
    {"assign", NULL, make_assign, FLOAT},
    {"printf", NULL, make_printf, FLOAT},
    {"return", NULL, make_return, FLOAT},
    {"vcopy", NULL, make_vcopy, ADDRESS},
    {"if", NULL, make_if, BOOL},
    {"while", NULL, make_while, BOOL},
    {"for", NULL, make_for, INT},
    {"parallel_for", NULL, make_parallel_for, INT},
};

static cpl_ir_value *operand_of(hands *h, int kind)
{
    switch (kind) {
    case FLOAT: return cpl_ir_use(h->b, h->x);
    case INT: return zero(h);
    case BOOL: return cpl_ir_int(h->b, CPL_BOOL, 1);
    case PAIR: return cpl_ir_addr(h->b, cpl_ir_local(h->b, "pair", h->pair));
    default: return cpl_ir_addr(h->b, h->x);
    }
}

static void memory_ends_in_each_call(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof repeated / sizeof *repeated; k++) {
        flaky memory = {0};
        cpl_context *cx = NULL;
        hands h = {0};
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.alloc = flaky_alloc;
        options.alloc_user = &memory;
        assert_int_equal(cpl_context_create(&options, &cx), CPL_OK);
        assert_int_equal(cpl_type_parse(cx, "float64", &h.f64), CPL_OK);
        assert_int_equal(cpl_type_parse(cx, "int32", &h.i32), CPL_OK);
        const cpl_field fields[] = {{"first", h.i32, 0}, {"second", h.f64, 0}};
        assert_int_equal(cpl_type_struct(cx, "Pair", fields, 2, &h.pair), CPL_OK);
        assert_int_equal(cpl_ir_builder_create(cx, "made", &h.b), CPL_OK);
        h.f = cpl_ir_function(h.b, "f", CPL_IR_ENTRY, h.f64);
        h.x = cpl_ir_param(h.b, h.f, "x", h.f64, 0);
        cpl_ir_begin(h.b, h.f);
        h.i = cpl_ir_local(h.b, "i", h.i32);
        cpl_ir_value *operand = operand_of(&h, (int)repeated[k].operand);
        for (int i = 0; i < 20 && repeated[k].with; i++) assert_true(repeated[k].with(&h, operand));
        memory.fail_at = memory.requests + 1;
        bool made = true;
        for (; made && h.calls < 100000; h.calls++)
            made = repeated[k].with ? repeated[k].with(&h, operand) : repeated[k].alone(&h);
        if (made || cpl_ir_builder_status(h.b) != CPL_ENOMEM)
            fail_msg("%s: status %d after %d calls", repeated[k].name, cpl_ir_builder_status(h.b),
                     h.calls);
        cpl_module *m = NULL;
        assert_int_equal(cpl_ir_finish(h.b, &m), CPL_ENOMEM);
        assert_null(m);
        cpl_ir_builder_free(h.b);
        cpl_context_release(cx);
        assert_int_equal(memory.live_bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_ends_in_each_call)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
