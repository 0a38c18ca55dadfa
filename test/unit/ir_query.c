/* What the passes ask of the IR and build it with: names that stay unique, types of results,
   equality, assignments, rewriting, and which functions are recursive. */
#include "compiling.h"

#include "lib/ir/ir.h"

typedef struct world {
    compilation c;
    jmp_buf on_oom;
    ir_module *m;
    ir_func *f;
} world;

static const cpl_span nowhere = {0};

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    compiling_begin(&w->c, &mem_libc, &w->on_oom);
    w->m = ir_module_new(&w->c, "test");
    w->f = ir_func_new(w->m, "f", IR_ENTRY, comp_scalar(&w->c, CPL_VOID), nowhere);
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

static ir_var *local(world *w, const char *name)
{
    return ir_var_new(w->m, w->f, name, comp_scalar(&w->c, CPL_INT32), nowhere);
}

static const char *func(world *w, const char *name)
{
    return ir_func_new(w->m, name, IR_INTERNAL, comp_scalar(&w->c, CPL_VOID), nowhere)->name;
}

/* A name that is taken gets the number behind the highest in use; what looks like a number and is
 * none is part of the name. */
static void names(void **state)
{
    world *w = *state;
    static const struct {
        const char *wanted, *given;
    } locals[] = {
        {"i", "i"},
        {"i", "i_1"},
        {"i", "i_2"},
        {"i_7", "i_7"},
        {"i_7", "i_8"},
        {"i", "i_9"},
        {"i_3", "i_3"},
        {"i", "i_10"},
        {"", "_"},
        {"", "__1"},
        {"1st", "_st"},
        {"a b", "a_b"},
        {"true", "true_1"},
        {"false", "false_1"},
        {"call", "call_1"},
        {"x.y", "x_y"},
        {"x12", "x12"},
        {"x12", "x12_1"},
        {"_1", "_1"},
        {"_1", "_1_1"},
        {"123", "_23"},
        {"\xc3\xa9", "__"},
        {"n_123456789", "n_123456789"},
        {"n_123456789", "n_123456789_1"},
        {"Zz[0]{", "Zz_0__"},
    };
    for (size_t i = 0; i < COUNT_OF(locals); i++)
        assert_string_equal(local(w, locals[i].wanted)->name, locals[i].given);
    static const struct {
        const char *wanted, *given;
    } funcs[] = {
        {"f", "f.1"},   {"f", "f.2"},     {"f.1", "f.3"}, {"f.x", "f.x"},
        {"f.9", "f.9"}, {"f", "f.10"},    {".f", "_f"},   {"f.123456789", "f.123456789"},
        {"f", "f.11"},  {"f.5x", "f.5x"}, {"ff", "ff"},   {"f", "f.12"},
        {"0", "_"},     {"a:b", "a_b"},
    };
    for (size_t i = 0; i < COUNT_OF(funcs); i++)
        assert_string_equal(func(w, funcs[i].wanted), funcs[i].given);
    assert_ptr_equal(ir_find(w->m, "f"), w->f);
    assert_null(ir_find(w->m, "g"));
    assert_ptr_equal(ir_entry(w->m), w->f);
    w->f->linkage = IR_INTERNAL;
    assert_null(ir_entry(w->m));
}

static ir_node *number(world *w, cpl_dtype d, double value)
{
    const cpl_type *t = comp_scalar(&w->c, d);
    return type_is_float(t) ? ir_float(w->m, t, value, nowhere)
                            : ir_int(w->m, t, (int64_t)value, nowhere);
}

/* On operands that do not fit, the type of the first; the verifier refuses the node. */
static void result_types(void **state)
{
    world *w = *state;
    ir_node *one = number(w, CPL_INT32, 1), *half = number(w, CPL_FLOAT64, 0.5);
    assert_ptr_equal(ir_op1(w->m, IR_LOAD, one, nowhere)->type, one->type);
    assert_ptr_equal(ir_op1(w->m, IR_COND, one, nowhere)->type, one->type);
    assert_ptr_equal(ir_op3(w->m, IR_COND, one, half, half, nowhere)->type, half->type);
    assert_ptr_equal(ir_op2(w->m, IR_ITEM, one, one, nowhere)->type, one->type);
    assert_ptr_equal(ir_field(w->m, one, 0, nowhere)->type, one->type);
    assert_true(type_is_void(ir_op_new(w->m, IR_NEG, NULL, 0, nowhere)->type));
    ir_var *p = ir_var_new(w->m, w->f, "p", comp_parse_type(&w->c, "float64*"), nowhere);
    ir_node *pointer = ir_use(w->m, p, nowhere);
    assert_ptr_equal(ir_op2(w->m, IR_ITEM, pointer, one, nowhere)->type, p->type);
    assert_ptr_equal(ir_field(w->m, pointer, 0, nowhere)->type, p->type);
    assert_ptr_equal(ir_op1(w->m, IR_LOAD, pointer, nowhere)->type, half->type);
    cpl_field fields[] = {{"a", one->type, 0}, {"b", half->type, 0}};
    const cpl_type *pair;
    assert_int_equal(type_declare_struct(w->c.types, "Pair", fields, 2, &pair), CPL_OK);
    ir_node *s = ir_addr(w->m, ir_var_new(w->m, w->f, "s", pair, nowhere), nowhere);
    assert_ptr_equal(ir_field(w->m, s, 1, nowhere)->type,
                     comp_pointer(&w->c, half->type, SPACE_PRIVATE));
    assert_ptr_equal(ir_field(w->m, s, 2, nowhere)->type, s->type);
    assert_int_equal(w->m->structs.n, 1);
    int64_t value = 7;
    assert_true(ir_is_int_const(number(w, CPL_INT8, -3), &value));
    assert_int_equal(value, -3);
    assert_true(ir_is_int_const(one, NULL));
    assert_false(ir_is_int_const(half, &value));
    assert_false(ir_is_int_const(pointer, &value));
    assert_int_equal(value, -3);
}

static void equality(void **state)
{
    world *w = *state;
    ir_module *m = w->m;
    ir_var *a = local(w, "a"), *b = local(w, "b");
    ir_node *one = number(w, CPL_INT32, 1);
    assert_true(ir_equal(one, number(w, CPL_INT32, 1)));
    assert_false(ir_equal(one, number(w, CPL_INT32, 2)));
    assert_false(ir_equal(one, number(w, CPL_INT64, 1)));
    assert_false(ir_equal(number(w, CPL_FLOAT64, 0.0), number(w, CPL_FLOAT64, -0.0)));
    assert_true(ir_equal(number(w, CPL_FLOAT64, strtod("nan", NULL)),
                         number(w, CPL_FLOAT64, strtod("nan", NULL))));
    assert_true(ir_equal(ir_use(m, a, nowhere), ir_use(m, a, nowhere)));
    assert_false(ir_equal(ir_use(m, a, nowhere), ir_use(m, b, nowhere)));
    assert_false(ir_equal(ir_use(m, a, nowhere), one));
    assert_true(ir_equal(ir_addr(m, a, nowhere), ir_addr(m, a, nowhere)));
    assert_false(ir_equal(ir_addr(m, a, nowhere), ir_addr(m, b, nowhere)));
    assert_true(
        ir_equal(ir_index(m, IR_LOCAL_ID, 1, nowhere), ir_index(m, IR_LOCAL_ID, 1, nowhere)));
    assert_false(
        ir_equal(ir_index(m, IR_GROUP_COUNT, 1, nowhere), ir_index(m, IR_GROUP_COUNT, 2, nowhere)));
    ir_node *sum = ir_op2(m, IR_ADD, ir_use(m, a, nowhere), one, nowhere);
    assert_true(ir_equal(sum, ir_copy(m, sum)));
    assert_false(ir_equal(sum, ir_op2(m, IR_ADD, ir_use(m, b, nowhere), one, nowhere)));
    assert_false(ir_equal(sum, ir_op2(m, IR_SUB, ir_use(m, a, nowhere), one, nowhere)));
    assert_false(ir_equal(sum, ir_op1(m, IR_ADD, ir_use(m, a, nowhere), nowhere)));
    /* What has effects equals nothing, not even itself. */
    ir_node *call = ir_call(m, w->f, NULL, 0, nowhere);
    assert_false(ir_equal(call, call));
    assert_false(ir_equal(call, ir_copy(m, call)));
    assert_true(ir_has_load(
        ir_op1(m, IR_NEG, ir_op1(m, IR_LOAD, ir_addr(m, a, nowhere), nowhere), nowhere)));
    assert_true(ir_has_load(ir_op1(m, IR_NEG, call, nowhere)));
    assert_false(ir_has_load(sum));
}

/* An assignment, an address, a loop's variable, what it reduces and what is private to its rounds:
 * at any depth. */
static void assignments(void **state)
{
    world *w = *state;
    ir_module *m = w->m;
    const char *names_of[] = {"assigned", "addressed", "counted", "reduced",
                              "own",      "deep",      "other",   "read"};
    ir_var *v[COUNT_OF(names_of)];
    for (size_t i = 0; i < COUNT_OF(names_of); i++) v[i] = local(w, names_of[i]);
    ir_node *one = number(w, CPL_INT32, 1), *yes = number(w, CPL_BOOL, 1);
    ir_block *body = ir_block_new(m), *then = ir_block_new(m), *orelse = ir_block_new(m);
    ir_append(m, then, ir_assign(m, v[5], one, nowhere));
    ir_append(m, orelse, ir_assign(m, v[6], ir_use(m, v[7], nowhere), nowhere));
    ir_append(m, body, ir_if(m, yes, then, orelse, nowhere));
    ir_node *loop = ir_for(m, IR_PARALLEL_FOR, v[2], one, one, one, body, nowhere);
    ir_reduction r = {IR_ADD, v[3]};
    vec_push(&w->c.arena, &loop->loop->reductions, r);
    vec_push(&w->c.arena, &loop->loop->privates, v[4]);
    ir_append(m, w->f->body,
              ir_assign(m, v[0], ir_op1(m, IR_LOAD, ir_addr(m, v[1], nowhere), nowhere), nowhere));
    ir_append(m, w->f->body, loop);
    for (size_t i = 0; i < COUNT_OF(v); i++)
        assert_int_equal(ir_assigns(w->f->body, v[i]), i != COUNT_OF(v) - 1);
    ir_node *copy = ir_copy(m, loop);
    assert_int_equal(ir_size(copy), ir_size(loop));
    assert_ptr_not_equal(copy->loop, loop->loop);
    assert_ptr_equal(copy->loop->reductions.at[0].var, v[3]);
    assert_ptr_equal(copy->loop->privates.at[0], v[4]);
    copy->loop->reductions.at[0].var = v[7];
    assert_ptr_equal(loop->loop->reductions.at[0].var, v[3]);
}

/* Takes the assignments away, and makes the others' constants 2. */
static ir_node *rewriter(void *user, ir_node *n)
{
    if (n->op == IR_CONST && type_is_int(n->type)) return number(user, CPL_INT32, 2);
    return n->op == IR_ASSIGN ? NULL : n;
}

static void rewriting(void **state)
{
    world *w = *state;
    source src = {.id = 1,
                  .name = "t.cir",
                  .text = "cir 1 func f(i: int32, c: bool) -> int32 { i = 1:int32 if c { i = "
                          "3:int32 while c { i = 4:int32 } } else "
                          "{ i = 5:int32 printf(\"%d\", add(i, 6:int32)) } return 7:int32 }"};
    src.size = strlen(src.text);
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    ir_rewrite_block(m->funcs.at[0]->body, rewriter, w);
    strbuf sb = {0};
    sb_init(&sb, &mem_libc);
    ir_print(&sb, m);
    assert_string_equal(sb.at, "cir 1\n\nfunc f(i: int32, c: bool) -> int32 {\n  if c {\n    while "
                               "c {\n    }\n  } else {\n"
                               "    printf(\"%d\", add(i, 2:int32))\n  }\n  return 2:int32\n}\n");
    sb_free(&sb);
}

/* Recursive: what calls itself, whatever is on the way round. A function twice on the stack of
 * calls is not enough. */
static void recursion(void **state)
{
    world *w = *state;
    source src = {
        .id = 1,
        .name = "t.cir",
        .text = "cir 1 extern func host()\n"
                "entry func top() { call leaf() call self() call one() call leaf() call host() }\n"
                "func leaf() { }\n"
                "func self() { call leaf() call self() }\n"
                "func one() { call two() call leaf() }\n"
                "func two() { call three() call shared() }\n"
                "func three() { call one() call shared() call two() }\n"
                "func shared() { call leaf() }\n"
                "func body(p: uint8*, first: int64, end: int64) { fork body(p, first) }\n"};
    src.size = strlen(src.text);
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    ir_mark_recursive(m);
    static const char *const recursive[] = {"self", "one", "two", "three", "body"};
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        bool expected = false;
        for (size_t k = 0; k < COUNT_OF(recursive); k++)
            expected |= strcmp(m->funcs.at[i]->name, recursive[k]) == 0;
        assert_int_equal(m->funcs.at[i]->recursive, expected);
    }
}

/* Of a function printed alone a site has no name, and of a broken node there is something to print
 * too. */
static void printing(void **state)
{
    world *w = *state;
    ir_var *p = ir_var_new(w->m, w->f, "p", comp_parse_type(&w->c, "uint8*"), nowhere);
    ir_node *n = number(w, CPL_INT32, 1), *kids[3] = {ir_use(w->m, p, nowhere), n, n};
    ir_site site = {"f", "x", -1, nowhere, NULL};
    vec_push(&w->c.arena, &w->m->sites, site);
    ir_node *fault = ir_op_new(w->m, IR_FAULT, kids, 3, nowhere);
    ir_append(w->m, w->f->body, fault);
    strbuf sb = {0};
    sb_init(&sb, &mem_libc);
    ir_print(&sb, w->m);
    sb_put(&sb, "---\n");
    ir_print_node(&sb, fault);
    sb_put(&sb, "---\n");
    fault->site = 1;
    ir_print(&sb, w->m);
    sb_put(&sb, "---\n");
    ir_print_node(&sb, ir_field(w->m, n, 3, nowhere));
    ir_print_node(&sb, ir_field(w->m, kids[0], 3, nowhere));
    assert_string_equal(
        sb.at,
        "cir 1\n\nentry func f() {\n  var p: uint8*\n  fault<0, \"x\">(p, 1:int32, "
        "1:int32)\n}\n---\n"
        "fault<0>(p, 1:int32, 1:int32)---\n"
        "cir 1\n\nentry func f() {\n  var p: uint8*\n  fault<1>(p, 1:int32, 1:int32)\n}\n---\n"
        "field<?>(1:int32)field<?>(p)");
    sb_free(&sb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(result_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(equality, set_up, tear_down),
        cmocka_unit_test_setup_teardown(assignments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rewriting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(recursion, set_up, tear_down),
        cmocka_unit_test_setup_teardown(printing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
