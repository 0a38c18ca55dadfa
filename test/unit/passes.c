/*
 * Passes on modules that no compilation gives them whole: functions outside, libraries without an
 * entry; and what the runner says when a pass leaves IR that is not valid or too much of it.
 */
#include "compiling.h"

#include "passes/pass.h"

typedef struct world {
    compilation c;
    jmp_buf on_oom;
    tgt_target target;
    pass_runner runner;
    strbuf text, log;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    compiling_begin(&w->c, &mem_libc, &w->on_oom);
    sb_init(&w->text, &mem_libc);
    sb_init(&w->log, &mem_libc);
    w->runner =
        (pass_runner){.cx = {.comp = &w->c, .target = &w->target}, .verify = true, .log = &w->log};
    *state = w;
    return target_parse("host", &w->target) ? 0 : -1;
}

static int tear_down(void **state)
{
    world *w = *state;
    sb_free(&w->text);
    sb_free(&w->log);
    compiling_end(&w->c);
    free(w);
    return 0;
}

static ir_module *parse(world *w, const char *text)
{
    source src = {.id = 1, .name = "k.cir", .text = text, .size = (uint32_t)strlen(text)};
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    assert_true(ir_verify(m, NULL));
    return m;
}

/* The module behind passes, as text. */
static const char *after(world *w, const char *text, const char *passes)
{
    ir_module *m = parse(w, text);
    if (!pass_run_list(&w->runner, m, passes)) fail_msg("%s", w->c.diags.first->message);
    w->text.n = 0;
    ir_print(&w->text, m);
    return w->text.at;
}

static const char outside[] = "cir 1\n\n"
                              "extern pure func half(float64) -> float64\n"
                              "extern func shout(float64)\n\n"
                              "entry func f(x: float64 global*, n: int64) {\n"
                              "  var i: int64\n"
                              "  var s: float64\n"
                              "  for i in (0:int64, n, 1:int64) {\n"
                              "    s = call half(load(elem(x, i)))\n"
                              "    call shout(s)\n"
                              "  }\n"
                              "}\n";

/* Every pass leaves functions alone that have no body. */
static void functions_outside(void **state)
{
    world *w = *state;
    static const char *const targets[] = {"host", "cuda", "opencl:spv1.2,-fp64", "opencl:c1.2"};
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        assert_true(target_parse(targets[t], &w->target));
        w->runner.cx.bounds_check = w->runner.cx.float32 = true;
        for (const pass_info *p = pass_table; p->name; p++) {
            if (strcmp(p->name, "legal") == 0 && t > 0) continue; /* refuses them: test/passes */
            const char *text = after(w, outside, p->name);
            bool kernel = strcmp(p->name, "grid") == 0 && t > 0;
            if (kernel) assert_non_null(strstr(text, "entry kernel func f("));
            else if (strcmp(p->name, "single") != 0) assert_string_equal(text, outside);
            assert_non_null(
                strstr(text,
                       "extern pure func half(float64) -> float64\nextern func shout(float64)\n"));
        }
    }
}

/* A pure function whose result nobody wants is not called, and then not there; one with effects
 * is. */
static void calls_nobody_needs(void **state)
{
    world *w = *state;
    const char *text =
        after(w,
              "cir 1\nextern pure func half(float64) -> float64\nextern func shout(float64)\n"
              "entry func f(a: float64) { call half(a) call shout(a) }\n",
              "dce");
    assert_string_equal(
        text,
        "cir 1\n\nextern func shout(float64)\n\nentry func f(a: float64) {\n  call shout(a)\n}\n");
}

/* Where there is no entry, somebody may ask for any function. */
static void libraries(void **state)
{
    world *w = *state;
    const char *text = after(w,
                             "cir 1\nfunc first(a: int32) -> int32 { return add(a, 0:int32) }\n"
                             "func second(a: int32) -> int32 { return a }\n",
                             "dce,fold");
    assert_string_equal(text, "cir 1\n\nfunc first(a: int32) -> int32 {\n  return a\n}\n\nfunc "
                              "second(a: int32) -> int32 {\n  return a\n}\n");
    w->runner.cx.bounds_check = true;
    text =
        after(w, "cir 1\nfunc f(x: int32 global*, x_len: int64 length(x)) { store(x, 1:int32) }\n",
              "bounds");
    assert_non_null(strstr(text, "  if lt(0:int64, x_len) {\n    store(x, 1:int32)\n  }\n"));
}

static const diag *last_diag(const world *w)
{
    const diag *d = w->c.diags.first;
    while (d && d->next) d = d->next;
    return d;
}

/* Our mistake, with the function that shows it; all of the mistakes, but one function. */
static void invalid(void **state)
{
    world *w = *state;
    for (int large = 0; large < 2; large++) {
        ir_module *m = parse(w, "cir 1\nfunc g() { return }\nentry func f(a: int32, b: float64) -> "
                                "int32 { return a }\n");
        ir_func *f = ir_find(m, "f");
        for (int i = 0; i < 600 && large; i++)
            ir_append(m, f->body,
                      ir_assign(m, f->params.at[0], ir_use(m, f->params.at[0], f->span), f->span));
        for (int i = 0; i < (large ? 90 : 2); i++)
            ir_append(m, f->body,
                      ir_assign(m, f->params.at[0], ir_use(m, f->params.at[1], f->span), f->span));
        uint32_t errors = w->c.diags.errors;
        assert_false(pass_run(&w->runner, m, pass_find("exits", 5)));
        assert_true(w->c.diags.errors > errors + 1);
        const diag *d = last_diag(w);
        assert_int_equal(d->status, CPL_EINTERNAL);
        assert_non_null(strstr(d->message,
                               "pass exits made IR that is not valid: exits: function 'f': "
                               "assign: the value is float64, expected int32 as 'a'"));
        assert_null(d->notes);
        const diag *first = w->c.diags.first;
        for (uint32_t i = 0; i < errors; i++) first = first->next;
        if (large) {
            assert_null(first->notes); /* more than a message should hold */
        } else {
            assert_non_null(first->notes);
            if (!strstr(first->notes->message, "func f(")) fail_msg("%s", first->notes->message);
            assert_non_null(
                strstr(first->notes->message,
                       "func f(a: int32, b: float64) -> int32 {\n  return a\n  a = b\n  a = b\n}"));
        }
    }
    /* Without the verifier nobody looks. */
    ir_module *m = parse(w, "cir 1\nentry func f(a: int32, b: float64) { }\n");
    ir_func *f = ir_find(m, "f");
    ir_append(m, f->body,
              ir_assign(m, f->params.at[0], ir_use(m, f->params.at[1], f->span), f->span));
    w->runner.verify = false;
    assert_true(pass_run(&w->runner, m, pass_find("exits", 5)));
}

/* Four times what users may write; any number when that is no number. */
static void too_much(void **state)
{
    world *w = *state;
    ir_module *m = parse(w, "cir 1\nentry func f(a: int32) { a = 1:int32 a = 2:int32 a = 3:int32 a "
                            "= 4:int32 a = 5:int32 }\n");
    w->c.max_ops = 3;
    assert_true(pass_run(&w->runner, m, pass_find("exits", 5)));
    w->c.max_ops = 2;
    assert_false(pass_run(&w->runner, m, pass_find("exits", 5)));
    assert_int_equal(last_diag(w)->status, CPL_ELIMIT);
    assert_non_null(strstr(last_diag(w)->message, "function 'f'"));
    assert_int_equal(w->c.max_ops, 2);
    w->c.diags = (diag_list){.arena = &w->c.arena};
    w->c.max_ops = UINT32_MAX;
    assert_true(pass_run(&w->runner, m, pass_find("exits", 5)));
}

static void lists(void **state)
{
    world *w = *state;
    ir_module *m = parse(w, "cir 1\nentry func f(a: int32) { a = add(1:int32, 2:int32) }\n");
    w->runner.print_after = "dce,fold";
    assert_true(pass_run_list(&w->runner, m, ",exits,,fold,"));
    assert_string_equal(w->log.at,
                        "// after fold\ncir 1\n\nentry func f(a: int32) {\n  a = 3:int32\n}\n");
    assert_int_equal(w->runner.runs[pass_find("exits", 5) - pass_table], 1);
    assert_false(pass_run_list(&w->runner, m, "fold,qqqqqqqqqqqqqq"));
    assert_string_equal(last_diag(w)->message, "there is no pass 'qqqqqqqqqqqqqq'");
    assert_null(last_diag(w)->hint);
    assert_false(pass_run_list(&w->runner, m, "folt"));
    assert_string_equal(last_diag(w)->hint, "did you mean 'fold'?");
    assert_null(pass_find("fol", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(functions_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(calls_nobody_needs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(libraries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(invalid, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_much, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
