/* ir_verify on what no text can say: nodes, loops, variables and functions that a careless pass
   could leave behind. Each is one fault in a module that is right otherwise, and has one message of
   its own. */
#include "compiling.h"

#include "lib/ir/ir.h"

#include <stdio.h>

typedef struct world {
    compilation c;
    jmp_buf on_oom;
    ir_module *m;
    ir_func *f, *half, *work, *part; /* of the text below */
    ir_var *x, *a, *i, *n, *b, *p, *s, *big, *rows;
} world;

static const char text[] =
    "cir 1\n"
    "struct Pair { first: int32, second: float64 }\n"
    "struct Big { items: float64[1000] }\n"
    "func half(a: float64) -> float64 { return mul(a, 0.5:float64) }\n"
    "func work(captures: uint8*, first: int64, end: int64) { }\n"
    "func no_result(captures: uint8*, first: int64, end: int64) -> int32 { return 0:int32 }\n"
    "func first(captures: uint8*, first: int32, end: int64) { }\n"
    "func end(captures: uint8*, first: int64, end: int32) { }\n"
    "extern func outside(uint8*, int64, int64)\n"
    "kernel func part(x: float64 global*, i: int32) { var shared: int32 local }\n"
    "entry func f(x: float64*, a: float64, i: int32, n: int64, b: bool, p: uint8*) {\n"
    "  var s: Pair\n"
    "  var big: Big\n"
    "  var rows: float64[3]\n"
    "}\n";

static ir_var *var(const ir_func *f, const char *name)
{
    for (uint32_t i = 0; i < f->params.n; i++)
        if (strcmp(f->params.at[i]->name, name) == 0) return f->params.at[i];
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (strcmp(f->vars.at[i]->name, name) == 0) return f->vars.at[i];
    return NULL;
}

static ir_module *parse(world *w, const char *source_text)
{
    source src = {.id = 1, .name = "test.cir", .text = source_text, .size = strlen(source_text)};
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    return m;
}

/* A module without a fault. */
static void fresh(world *w)
{
    w->m = parse(w, text);
    w->f = ir_find(w->m, "f");
    w->half = ir_find(w->m, "half");
    w->work = ir_find(w->m, "work");
    w->part = ir_find(w->m, "part");
    w->x = var(w->f, "x"), w->a = var(w->f, "a"), w->i = var(w->f, "i"), w->n = var(w->f, "n"),
    w->b = var(w->f, "b");
    w->p = var(w->f, "p"), w->s = var(w->f, "s"), w->big = var(w->f, "big"),
    w->rows = var(w->f, "rows");
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    compiling_begin(&w->c, &mem_libc, &w->on_oom);
    fresh(w);
    assert_true(ir_verify(w->m, NULL));
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

/* The verifier has this to say first, of function f; then all begins again. */
static void refused(world *w, const char *message)
{
    if (ir_verify(w->m, "test")) fail_msg("accepted: %s", message);
    char expected[256];
    snprintf(expected, sizeof expected, "test: function 'f': %s", message);
    assert_non_null(w->c.diags.first);
    assert_string_equal(w->c.diags.first->message, expected);
    assert_int_equal(w->c.diags.first->status, CPL_EIR);
    w->c.diags = (diag_list){.arena = &w->c.arena};
    fresh(w);
}

static const cpl_type *scalar(world *w, cpl_dtype d)
{
    return comp_scalar(&w->c, d);
}

static ir_node *use(world *w, ir_var *v)
{
    return ir_use(w->m, v, (cpl_span){0});
}

static ir_node *put(world *w, ir_node *stmt)
{
    ir_append(w->m, w->f->body, stmt);
    return stmt;
}

static ir_node *set(world *w, ir_var *v, ir_node *value)
{
    return put(w, ir_assign(w->m, v, value, (cpl_span){0}));
}

static ir_node *op1(world *w, ir_op op, ir_node *a)
{
    return ir_op1(w->m, op, a, (cpl_span){0});
}

static ir_node *op2(world *w, ir_op op, ir_node *a, ir_node *b)
{
    return ir_op2(w->m, op, a, b, (cpl_span){0});
}

static ir_node *addr(world *w, ir_var *v)
{
    return ir_addr(w->m, v, (cpl_span){0});
}

static ir_node *typed(world *w, ir_op op, cpl_dtype d, ir_node *a)
{
    return ir_typed(w->m, op, scalar(w, d), a, (cpl_span){0});
}

/* A loop over n with an empty body, at the end of f. */
static ir_node *loop(world *w, ir_op op)
{
    ir_block *body = ir_block_new(w->m);
    ir_node *zero = ir_int(w->m, w->n->type, 0, (cpl_span){0}),
            *one = ir_int(w->m, w->n->type, 1, (cpl_span){0});
    return put(w, ir_for(w->m, op, w->n, zero, use(w, w->n), one, body, (cpl_span){0}));
}

static void operands(void **state)
{
    world *w = *state;
    set(w, w->a, op1(w, IR_NEG, use(w, w->a)))->kids[0]->kids[0] = NULL;
    refused(w, "neg: operand 1 is missing");
    set(w, w->a, op2(w, IR_ADD, use(w, w->a), use(w, w->a)))->kids[0]->kids[1]->type = NULL;
    refused(w, "add: operand 2 is missing");
    set(w, w->a, op1(w, IR_NEG, use(w, w->a)))->kids[0]->kids[0]->op = IR_OP_COUNT;
    refused(w, "neg: operand 1 is missing");
    set(w, w->a, use(w, w->a))->kids[0]->op = IR_OP_COUNT;
    refused(w, "assign: operand 1 is missing");
    put(w, op2(w, IR_STORE, use(w, w->x), use(w, w->a)))->kids[1] = NULL;
    refused(w, "store: operand 2 is missing");
    set(w, w->a, op2(w, IR_NEG, use(w, w->a), use(w, w->a)));
    refused(w, "neg: 2 operands, expected 1");
    put(w, op1(w, IR_EVAL, op1(w, IR_NEG, use(w, w->a))));
    refused(w, "eval: the value of neg is not used");
    put(w, ir_eval(w->m, ir_call(w->m, w->half, (ir_node *[]){use(w, w->a)}, 1, (cpl_span){0}),
                   (cpl_span){0}))
        ->kid_count = 0;
    refused(w, "eval: 0 operands, expected 1");
    set(w, w->a, op1(w, IR_NEG, use(w, w->a)))->kids[0]->type = w->i->type;
    refused(w, "neg: has the type int32, expected float64");
    set(w, w->b, op2(w, IR_LT, use(w, w->a), use(w, w->a)))->kids[0]->type = w->i->type;
    refused(w, "lt: has the type int32, expected bool");
    set(w, w->a, op1(w, IR_LOAD, use(w, w->x)))->kids[0]->type = w->i->type;
    refused(w, "load: has the type int32, expected float64");
    set(w, w->a, op2(w, IR_ATOMIC_ADD, use(w, w->a), use(w, w->a)));
    refused(w, "atomic_add: operand 1 is float64, expected a pointer");
    put(w, op2(w, IR_STORE, use(w, w->a), use(w, w->a)));
    refused(w, "store: operand 1 is float64, expected a pointer");
    set(w, w->a, op2(w, IR_LDEXP, use(w, w->a), use(w, w->a)));
    refused(w, "ldexp: operand 2 is float64, expected an integer");
    set(w, w->i, op1(w, IR_FENCE, use(w, w->a)));
    refused(w, "fence: a statement, and no value");
    set(w, w->a,
        op1(w, IR_NEG, ir_call(w->m, w->half, (ir_node *[]){use(w, w->a)}, 1, (cpl_span){0})));
    refused(w, "call: stands alone or is the whole right side of an assignment");
}

static void variables(void **state)
{
    world *w = *state;
    set(w, w->a, use(w, w->a))->kids[0]->var = NULL;
    refused(w, "var: variable is missing");
    set(w, w->a, use(w, var(w->half, "a")));
    refused(w, "var: variable 'a' is not of this function");
    set(w, w->a, op1(w, IR_LOAD, addr(w, w->a)))->kids[0]->kids[0]->var = NULL;
    refused(w, "addr: variable is missing");
    set(w, w->a, op1(w, IR_LOAD, addr(w, w->a)))->kids[0]->kids[0]->var = w->i;
    refused(w, "addr: has the type float64 private*, expected int32 private*");
    set(w, w->a, use(w, w->a))->var = NULL;
    refused(w, "assign: variable is missing");
    set(w, w->a, use(w, w->a))->kids[0]->type = w->i->type;
    refused(w, "var: has the type int32, expected float64");
    set(w, w->a, use(w, w->i));
    refused(w, "assign: the value is int32, expected float64 as 'a'");
    w->a->type = NULL;
    refused(w, "variable 'a' cannot be without a type");
    w->s->type = scalar(w, CPL_VOID);
    refused(w, "variable 's' cannot be void");
    w->x->type = comp_parse_type(&w->c, "float64[:]");
    refused(w, "variable 'x' cannot be float64[:]");
    w->x->type = w->rows->type;
    refused(w, "parameter 'x' cannot be an array; pass a pointer");
    w->x->type = w->big->type;
    refused(w, "parameter 'x' of type Big is too large; pass a pointer");
    w->s->local = true;
    refused(w, "'s' cannot be local: only variables of a kernel are");
    w->s->is_param = true;
    refused(w, "variable 's' is in the wrong list");
    w->a->extent = w->n;
    refused(w, "variable 'a' has an extent but is no pointer");
    w->x->extent = w->i;
    refused(w, "the extent 'i' of 'x' is no int64 variable of this function");
    w->x->extent = var(w->work, "end");
    refused(w, "the extent 'end' of 'x' is no int64 variable of this function");
    w->s->name = "x";
    refused(w, "two variables are called 'x'");
    w->part->params.at[0]->local = true;
    assert_false(ir_verify(w->m, NULL));
    assert_string_equal(w->c.diags.first->message,
                        "function 'part': 'x' cannot be local: only variables of a kernel are");
}

static void memory(void **state)
{
    world *w = *state;
    set(w, w->big, use(w, w->big));
    refused(w, "var: a Big of 8000 bytes is too large to be moved whole: 4096 at most");
    set(w, w->rows, use(w, w->rows));
    refused(w, "var: float64[3] is not moved whole; use item");
    set(w, w->big, op1(w, IR_LOAD, addr(w, w->big)));
    refused(w, "load: a Big of 8000 bytes is too large to be moved whole: 4096 at most");
    set(w, w->a, op1(w, IR_LOAD, op2(w, IR_ITEM, use(w, w->x), use(w, w->i))));
    refused(w, "item: operand 1 is float64*, expected a pointer to a fixed array");
    set(w, w->a, op1(w, IR_LOAD, ir_field(w->m, use(w, w->x), 0, (cpl_span){0})));
    refused(w, "field: operand 1 is float64*, expected a pointer to a struct");
    set(w, w->a, op1(w, IR_LOAD, ir_field(w->m, addr(w, w->s), 2, (cpl_span){0})));
    refused(w, "field: Pair has no field 2");
    set(w, w->a, op1(w, IR_LOAD, ir_field(w->m, addr(w, w->s), 1, (cpl_span){0})))
        ->kids[0]
        ->kids[0]
        ->field = 0;
    refused(w, "field: has the type float64 private*, expected int32 private*");
    set(w, w->i, typed(w, IR_RAWCONVERT, CPL_FLOAT64, use(w, w->a)));
    refused(w, "rawconvert: float64 is no integer type");
    set(w, w->x, typed(w, IR_PTRCAST, CPL_FLOAT64, use(w, w->x)));
    refused(w, "ptrcast: float64 is no pointer type");
    set(w, w->b, typed(w, IR_BITS, CPL_BOOL, ir_int(w->m, scalar(w, CPL_INT8), 1, (cpl_span){0})));
    refused(w, "bits: int8 and bool are not scalars of one size");
    set(w, w->i, typed(w, IR_BITS, CPL_INT8, use(w, w->b)));
    refused(w, "bits: bool and int8 are not scalars of one size");
    set(w, w->x, ir_typed(w->m, IR_BITS, w->x->type, use(w, w->n), (cpl_span){0}));
    refused(w, "bits: int64 and float64* are not scalars of one size");
    set(w, w->x, ir_typed(w->m, IR_CONVERT, w->x->type, use(w, w->n), (cpl_span){0}));
    refused(w, "convert: float64* is no scalar type");
    put(w, ir_lanes(w->m, IR_VCOPY, 2, use(w, w->x), use(w, w->p), (cpl_span){0}));
    refused(w, "vcopy: float64* and uint8* do not point to the same scalar type");
    put(w, ir_lanes(w->m, IR_VCOPY, 2, addr(w, w->s), addr(w, w->s), (cpl_span){0}));
    refused(w, "vcopy: Pair private* and Pair private* do not point to the same scalar type");
    put(w, ir_lanes(w->m, IR_VCOPY, 5, use(w, w->x), use(w, w->x), (cpl_span){0}));
    refused(w, "vcopy: 5 elements are no vector");
}

static void constants(void **state)
{
    world *w = *state;
    set(w, w->x, ir_node_new(w->m, IR_CONST, w->x->type, (cpl_span){0}, 0));
    refused(w, "const: float64* is no scalar type");
    set(w, w->i, ir_int(w->m, w->i->type, 1, (cpl_span){0}))->kids[0]->bits = UINT64_C(1) << 32;
    refused(w, "const: the value does not fit int32");
    set(w, w->b, ir_int(w->m, w->b->type, 1, (cpl_span){0}))->kids[0]->bits = 2;
    refused(w, "const: the value does not fit bool");
    ir_node *third = ir_float(w->m, scalar(w, CPL_FLOAT32), 0.25, (cpl_span){0});
    set(w, w->a, typed(w, IR_CONVERT, CPL_FLOAT64, third));
    third->number = 1.0 / 3;
    refused(w, "const: the value does not fit float32");
    set(w, w->a, ir_float(w->m, w->a->type, strtod("nan", NULL), (cpl_span){0}));
    assert_true(ir_verify(w->m, NULL));
}

static ir_node *fence(world *w, ir_order order, ir_scope scope)
{
    ir_node *n = put(w, ir_op_new(w->m, IR_FENCE, NULL, 0, (cpl_span){0}));
    n->order = order;
    n->scope = scope;
    return n;
}

static void atomics(void **state)
{
    world *w = *state;
    fence(w, IR_ORDER_COUNT, IR_SCOPE_DEVICE);
    refused(w, "fence: unknown memory order or scope");
    fence(w, IR_SEQ_CST, IR_SCOPE_COUNT);
    refused(w, "fence: unknown memory order or scope");
    fence(w, IR_RELAXED, IR_SCOPE_DEVICE);
    refused(w, "fence: cannot be relaxed");
    static const struct {
        ir_op op;
        ir_order order;
        const char *message;
    } orders[] = {
        {IR_ATOMIC_LOAD, IR_RELEASE, "atomic_load: cannot be release"},
        {IR_ATOMIC_LOAD, IR_ACQ_REL, "atomic_load: cannot be acq_rel"},
        {IR_ATOMIC_STORE, IR_ACQUIRE, "atomic_store: cannot be acquire"},
        {IR_ATOMIC_STORE, IR_ACQ_REL, "atomic_store: cannot be acq_rel"},
    };
    for (size_t k = 0; k < COUNT_OF(orders); k++) {
        ir_node *kids[2] = {use(w, w->x), use(w, w->a)};
        ir_node *n = ir_op_new(w->m, orders[k].op, kids, orders[k].op == IR_ATOMIC_LOAD ? 1 : 2,
                               (cpl_span){0});
        n->order = orders[k].order;
        put(w, ir_eval(w->m, n, (cpl_span){0}));
        refused(w, orders[k].message);
    }
    set(w, w->a, op2(w, IR_ATOMIC_XOR, use(w, w->x), use(w, w->a)));
    refused(w, "atomic_xor: float64 has no such atomic, expected an integer of 32 or 64 bits");
    put(w, ir_eval(w->m, op1(w, IR_ATOMIC_LOAD, use(w, w->p)), (cpl_span){0}));
    refused(
        w,
        "atomic_load: uint8 has no such atomic, expected an integer or a float of 32 or 64 bits");
    put(w, ir_eval(w->m, op1(w, IR_ATOMIC_LOAD, addr(w, w->s)), (cpl_span){0}));
    refused(
        w, "atomic_load: Pair has no such atomic, expected an integer or a float of 32 or 64 bits");
    set(w, w->i, ir_index(w->m, IR_LOCAL_ID, 3, (cpl_span){0}));
    refused(w, "local_id: unknown dimension 3");
    set(w, w->n, ir_index(w->m, IR_GROUP_ID, 0, (cpl_span){0}))->kids[0]->type = w->i->type;
    refused(w, "group_id: has the type int32, expected int64");
    put(w, ir_barrier(w->m, SPACE_PRIVATE, (cpl_span){0}));
    refused(w, "barrier: orders local or global memory, no other");
}

static ir_node *call(world *w, ir_func *f, uint32_t n)
{
    ir_node *args[2] = {use(w, w->a), use(w, w->a)};
    return put(w, ir_eval(w->m, ir_call(w->m, f, args, n, (cpl_span){0}), (cpl_span){0}));
}

static void calls(void **state)
{
    world *w = *state;
    call(w, w->half, 1)->kids[0]->func = NULL;
    refused(w, "call: the function is not of this module");
    call(w, ir_find(parse(w, "cir 1 func other() { }"), "other"), 0);
    refused(w, "call: the function is not of this module");
    call(w, w->half, 2);
    refused(w, "call: 'half' has 1 parameter, not 2");
    call(w, w->work, 2);
    refused(w, "call: 'work' has 3 parameters, not 2");
    call(w, w->part, 2);
    refused(w, "call: 'part' is a kernel, which only a launch runs");
    call(w, w->half, 1)->kids[0]->type = w->i->type;
    refused(w, "call: has the type int32, expected float64");
    ir_node *n = put(w, op2(w, IR_FORK, use(w, w->p), use(w, w->n)));
    n->loop = arena_new(&w->c.arena, ir_loop);
    refused(w, "fork: the function is not of this module");
    put(w, op2(w, IR_FORK, use(w, w->p), use(w, w->n)))->func = w->work;
    refused(w, "fork: the function is not of this module");
    static const char *const misfits[] = {"half",  "part", "f",      "no_result",
                                          "first", "end",  "outside"};
    for (size_t k = 0; k < COUNT_OF(misfits); k++) {
        n = put(w, op2(w, IR_FORK, use(w, w->p), use(w, w->n)));
        n->loop = arena_new(&w->c.arena, ir_loop);
        n->func = ir_find(w->m, misfits[k]);
        char message[128];
        snprintf(message, sizeof message,
                 "fork: '%s' does not have the parameters (uint8*, int64, int64) and no result",
                 n->func->name);
        refused(w, message);
    }
    n = put(w, op2(w, IR_FORK, use(w, w->p), use(w, w->i)));
    n->loop = arena_new(&w->c.arena, ir_loop);
    n->func = w->work;
    refused(w, "fork: operand 2 is int32, expected int64");
}

static void loops(void **state)
{
    world *w = *state;
    loop(w, IR_FOR)->loop = NULL;
    refused(w, "for: has no variable");
    loop(w, IR_FOR)->loop->var = NULL;
    refused(w, "for: variable is missing");
    loop(w, IR_FOR)->loop->var = w->i;
    refused(w, "for: 'i' is int32, but the bounds are int64");
    loop(w, IR_FOR)->body = NULL;
    refused(w, "for: has no body");
    loop(w, IR_PARALLEL_FOR)->loop->schedule = IR_SCHEDULE_COUNT;
    refused(w, "parallel for: unknown schedule");
    loop(w, IR_PARALLEL_FOR)->loop->chunk = -1;
    refused(w, "parallel for: a negative option");
    loop(w, IR_PARALLEL_FOR)->loop->threads = -1;
    refused(w, "parallel for: a negative option");
    ir_node *n = loop(w, IR_FOR);
    vec_push(&w->c.arena, &n->loop->privates, w->a);
    refused(w, "for: has no reduce and no private");
    n = loop(w, IR_PARALLEL_FOR);
    vec_push(&w->c.arena, &n->loop->privates, NULL);
    refused(w, "parallel for: private variable is missing");
    static const struct {
        ir_op op;
        char var;
        const char *message;
    } reductions[] = {
        {IR_ADD, '-', "parallel for: reduced variable is missing"},
        {IR_SUB, 'a', "parallel for: 'a' of type float64 cannot be reduced so"},
        {IR_ADD, 'b', "parallel for: 'b' of type bool cannot be reduced so"},
        {IR_OR, 'a', "parallel for: 'a' of type float64 cannot be reduced so"},
        {IR_ADD, 'n', "parallel for: reduces its own variable"},
    };
    for (size_t k = 0; k < COUNT_OF(reductions); k++) {
        char name[2] = {reductions[k].var, 0};
        ir_reduction r = {reductions[k].op, var(w->f, name)};
        n = loop(w, IR_PARALLEL_FOR);
        vec_push(&w->c.arena, &n->loop->reductions, r);
        refused(w, reductions[k].message);
    }
    ir_reduction fine[] = {{IR_XOR, w->b}, {IR_AND, w->i}, {IR_MAX, w->a}};
    n = loop(w, IR_PARALLEL_FOR);
    for (size_t k = 0; k < COUNT_OF(fine); k++)
        vec_push(&w->c.arena, &n->loop->reductions, fine[k]);
    assert_true(ir_verify(w->m, NULL));
    ir_append(w->m, n->body, ir_while(w->m, use(w, w->b), ir_block_new(w->m), (cpl_span){0}));
    w->c.max_loops = 2;
    assert_true(ir_verify(w->m, NULL));
    w->c.max_loops = 1;
    assert_false(ir_verify(w->m, NULL));
    assert_int_equal(w->c.diags.first->status, CPL_ELIMIT);
    assert_string_equal(w->c.diags.first->message,
                        "function 'f': more than 1 loops inside each other");
}

/* With what stands behind the extent, one or two. */
static void put_fault(world *w, ir_node *round, ir_node *more)
{
    ir_node *kids[5] = {use(w, w->p), use(w, w->n), use(w, w->n), round, more};
    put(w, ir_op_new(w->m, IR_FAULT, kids, more ? 5 : 4, (cpl_span){0}));
}

static void statements(void **state)
{
    world *w = *state;
    put(w, NULL);
    refused(w, "a missing node: stands alone but is no statement");
    put(w, use(w, w->a));
    refused(w, "var: stands alone but is no statement");
    fence(w, IR_SEQ_CST, IR_SCOPE_DEVICE)->type = NULL;
    refused(w, "a missing node: stands alone but is no statement");
    fence(w, IR_SEQ_CST, IR_SCOPE_DEVICE)->op = IR_OP_COUNT;
    refused(w, "a missing node: stands alone but is no statement");
    put(w, ir_while(w->m, use(w, w->b), NULL, (cpl_span){0}));
    refused(w, "while: has no body");
    put(w, ir_if(w->m, use(w, w->b), NULL, NULL, (cpl_span){0}));
    refused(w, "if: has no body");
    put(w, ir_op_new(w->m, IR_PRINTF, NULL, 0, (cpl_span){0}));
    refused(w, "printf: has no format");
    ir_node *n = put(w, op1(w, IR_PRINTF, use(w, w->s)));
    n->text = "%d";
    refused(w, "printf: argument 1 is Pair, expected a scalar");
    ir_node *kids[3] = {use(w, w->p), use(w, w->n), use(w, w->n)};
    put(w, ir_op_new(w->m, IR_FAULT, kids, 3, (cpl_span){0}));
    refused(w, "fault: unknown site 0");
    put_fault(w, use(w, w->a), NULL);
    refused(w, "fault: behind the extent is one round, an integer");
    put_fault(w, use(w, w->n), use(w, w->n));
    refused(w, "fault: behind the extent is one round, an integer");
    put(w, ir_return(w->m, use(w, w->a), (cpl_span){0}));
    refused(w, "return: 1 value, but the result is void");
    put(w, ir_op_new(w->m, IR_BREAK, NULL, 0, (cpl_span){0}));
    refused(w, "break: not inside a loop");
    n = loop(w, IR_PARALLEL_FOR);
    ir_append(w->m, n->body, ir_op_new(w->m, IR_BREAK, NULL, 0, (cpl_span){0}));
    refused(w, "break: does not leave a parallel for or independent loop");
    n = loop(w, IR_FOR);
    n->loop->independent = true;
    ir_append(w->m, n->body, ir_return(w->m, NULL, (cpl_span){0}));
    refused(w, "return: not inside a parallel for");
    n = put(w, op1(w, IR_PRINTF, use(w, w->x)));
    n->text = "%p";
    assert_true(ir_verify(w->m, NULL));
}

static void roles(void **state)
{
    world *w = *state;
    ir_set_role(w->s, PARAM_FAULT, NULL);
    refused(w, "'s' has a role, which parameters of functions with a body have");
    w->i->role = PARAM_COUNT;
    refused(w, "'i' is no first parameter of an elementwise entry, yet its count");
    w->n->role = PARAM_LENGTH;
    refused(w, "parameter 'n' has a role that is of a pointer, and no pointer");
    ir_set_role(w->p, PARAM_FAULT, w->x);
    refused(w, "parameter 'p' has a role that is of no other, and another");
    w->n->of = w->x;
    refused(w, "parameter 'n' has a role that is of no other, and another");
    ir_set_role(w->n, PARAM_STRIDE, var(w->work, "captures"));
    refused(w, "'captures', whose stride is 'n', is no pointer parameter of this function");
    ir_set_role(w->n, PARAM_LENGTH, w->x);
    w->x->extent = NULL;
    refused(w, "'n' is the length of 'x', whose extent is another");
    vec_push(&w->c.arena, &w->f->vars, w->p); /* in the wrong list, with a role */
    w->f->params.n--;
    ir_set_role(w->p, PARAM_FAULT, NULL);
    refused(w, "variable 'p' is in the wrong list");
    ir_set_role(ir_find(w->m, "outside")->params.at[0], PARAM_FAULT, NULL);
    assert_false(ir_verify(w->m, NULL));
    assert_string_equal(w->c.diags.first->message,
                        "function 'outside': 'p0' has a role, which parameters of functions with a "
                        "body have");
}

static void functions(void **state)
{
    world *w = *state;
    w->f->result = NULL;
    refused(w, "cannot have the result of no type");
    w->f->result = w->rows->type;
    refused(w, "cannot have the result float64[3]");
    w->f->result = w->big->type;
    refused(w, "cannot have the result Big");
    w->f->linkage = IR_EXTERN;
    refused(w, "is extern but has a body");
    w->f->body = NULL;
    refused(w, "has no body");
    w->f->pure = true;
    refused(w, "is pure but not extern");
    static const char elementwise[] =
        "is elementwise, so it is an entry with an integer first parameter and no result";
    w->f->elementwise = true;
    w->x->role = PARAM_COUNT;
    refused(w, elementwise);
    w->f->elementwise = true;
    w->x->type = w->n->type;
    refused(w, elementwise);
    w->f->elementwise = true;
    w->f->params.n = 0;
    refused(w, elementwise);
    w->f->elementwise = true;
    w->f->linkage = IR_INTERNAL;
    w->x->type = w->n->type;
    w->x->role = PARAM_COUNT;
    refused(w, elementwise);
    w->f->elementwise = true;
    w->x->type = w->n->type;
    w->x->role = PARAM_COUNT;
    w->f->result = w->n->type;
    refused(w, elementwise);
    w->f->kernel = true;
    w->f->result = w->a->type;
    refused(w, "is a kernel, so it has a body and no result");
    w->f->kernel = true;
    w->f->body = NULL;
    w->f->linkage = IR_EXTERN;
    refused(w, "is a kernel, so it has a body and no result");
    w->half->name = "f";
    assert_false(ir_verify(w->m, "test"));
    assert_string_equal(w->c.diags.first->message, "test: two functions are called 'f'");
}

/* The sizes that are refused are those of an entry with all it calls, each function counted
 * once. */
static void limits(void **state)
{
    static const char chain[] = "cir 1 func a(i: int32) { i = neg(i) i = neg(i) call b(i) }\n"
                                "func b(i: int32) { i = neg(i) i = neg(i) call a(i) call b(i) }\n";
    static const char entries[] = "entry func small(i: int32) { }\n"
                                  "entry func large(i: int32) { call a(i) call a(i) call b(i) }\n";
    world *w = *state;
    char both[512];
    snprintf(both, sizeof both, "%s%s", chain, entries);
    ir_module *m = parse(w, both);
    uint32_t size = 0;
    for (uint32_t i = 0; i < m->funcs.n; i++) size += ir_func_size(m->funcs.at[i]);
    w->c.max_ops = size;
    assert_true(ir_verify(m, NULL));
    w->c.max_ops = size - 1;
    assert_false(ir_verify(m, NULL));
    assert_int_equal(w->c.diags.first->status, CPL_ELIMIT);
    assert_non_null(
        strstr(w->c.diags.first->message, "function 'large' and what it calls have more than"));
    w->c.diags = (diag_list){.arena = &w->c.arena};
    ir_find(m, "large")->linkage = IR_INTERNAL; /* nothing that an entry needs is too large now */
    assert_true(ir_verify(m, NULL));
    ir_find(m, "small")->linkage = IR_INTERNAL;
    assert_false(ir_verify(m, NULL));
    assert_non_null(
        strstr(w->c.diags.first->message, "function 'a' and what it calls have more than"));
    w->c.diags = (diag_list){.arena = &w->c.arena};
    w->c.max_ops = 0;
    m = parse(w, "cir 1 func f() { var a: float64[70000] var b: float64[70000] }");
    assert_false(ir_verify(m, NULL));
    assert_string_equal(
        w->c.diags.first->message,
        "'f' has more than 1048576 bytes of matrices and structs of its own, 'a' the most of them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(operands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(atomics, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(loops, set_up, tear_down),
        cmocka_unit_test_setup_teardown(statements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(roles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
