/* interpret_grid: kernels of a kernel file, or built, in the reference interpreter. What
 * devices refuse of C. */
#include "unit.h"
#include "launches.h"

#include "cpl/cpl.h"

#include <stdio.h>

static const char source_text[] = "from compyle.low_level import *\n"
                                  "def total(x, out, n, tmp):\n"
                                  "    tile = declare('LOCAL_MEM matrix(8, \"int\")')\n"
                                  "    i = LID_0 + LDIM_0*GID_0\n"
                                  "    tile[LID_0] = 0\n"
                                  "    if i < n:\n"
                                  "        tile[LID_0] = x[i]\n"
                                  "    local_barrier()\n"
                                  "    s = subgroup_add(tile[LID_0])\n"
                                  "    tmp[LID_0] = s\n"
                                  "    local_barrier()\n"
                                  "    if LID_0 == 0:\n"
                                  "        atomic_add(out[0], tmp[LDIM_0 - 1], scope='device')\n"
                                  "        out[1 + GID_0] = GDIM_0\n"
                                  "def foreign(i, x):\n"
                                  "    x[i] = plus_one(x[i])\n"
                                  "def past(x):\n"
                                  "    x[LID_0] = 1\n"
                                  "def stuck(x):\n"
                                  "    if x[LID_0] > 1:\n"
                                  "        local_barrier()\n";

typedef struct world {
    cpl_context *cx;
    cpl_module *m;
    char message[512];
} world;

static void sink(void *user, const cpl_diag *d)
{
    world *w = user;
    if (d->severity == CPL_ERROR) snprintf(w->message, sizeof w->message, "%s", d->message);
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    assert_int_equal(cpl_context_create(NULL, &w->cx), CPL_OK);
    cpl_context_set_sink(w->cx, sink, w);
    assert_int_equal(cpl_module_from_source(w->cx, "k.py", source_text, sizeof source_text - 1,
                                            &w->m),
                     CPL_OK);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

static void sums(void **state)
{
    world *w = *state;
    int32_t x[21], out[4] = {0};
    for (int i = 0; i < 21; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 21), cpl_arg_array(CPL_INT32, out, 4),
                      cpl_arg_int(21), cpl_arg_local(CPL_INT32, 8)};
    assert_int_equal(interpret_grid(w->m, "total", (int64_t[]){21, 1, 1}, (int64_t[]){8, 1, 1},
                                    args, 4),
                     CPL_OK);
    assert_int_equal(out[0], 210);
    for (int i = 1; i < 4; i++) assert_int_equal(out[i], 3);
    out[0] = 0;
    assert_int_equal(interpret_grid(w->m, "total", (int64_t[]){0, 1, 1}, NULL, args, 4), CPL_OK);
    assert_int_equal(out[0], 0); /* nothing ran */
}

static void refuses(void **state)
{
    world *w = *state;
    int32_t x[4] = {1, 2, 3, 4};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 4)};
    const int64_t eight[] = {8, 1, 1}, many[] = {2048, 1, 1}, four[] = {4, 1, 1};
    assert_int_equal(interpret_grid(w->m, "past", many, many, args, 1), CPL_ELIMIT);
    assert_int_equal(interpret_grid(w->m, "past", (int64_t[]){-2, 1, 1}, NULL, args, 1),
                     CPL_ELIMIT);
    assert_int_equal(interpret_grid(w->m, "past", NULL, NULL, args, 1), CPL_EARG);
    assert_int_equal(interpret_grid(w->m, "stuck", four, four, args, 1), CPL_EINTERNAL);
    assert_string_equal(
        w->message,
        "interpreting 'stuck': barrier: not all work-items of the group reach the barrier");
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    assert_int_equal(interpret_grid(w->m, "past", eight, eight, args, 1), CPL_EBOUNDS);
    for (int i = 0; i < 4; i++) assert_int_equal(x[i], 1);
}

/* A count takes as many rounds as its type holds, compiled and interpreted, called by any form. */
static void narrow_counts(void **state)
{
    static const char text[] = "cir 1\n"
                               "entry elementwise func f(n: uint8, x: int8 global*) {\n"
                               "  var i: uint8\n"
                               "  parallel for i in (0:uint8, n, 1:uint8) {\n"
                               "    store(elem(x, convert<int64>(i)), 1:int8)\n"
                               "  }\n"
                               "}\n";
    world *w = *state;
    cpl_module *m;
    int8_t x[300] = {0};
    assert_int_equal(cpl_module_from_ir(w->cx, "f.cir", text, sizeof text - 1, &m), CPL_OK);
    const cpl_form forms[] = {CPL_FORM_ELEMENTWISE, CPL_FORM_FUNCTION};
    for (int i = 0; i < 4; i++) {
        cpl_status (*run)(cpl_module *, const char *, const cpl_launch_options *, const cpl_arg *,
                          size_t) = i % 2 ? cpl_interpret : cpl_launch;
        cpl_launch_options o = options_of(forms[i / 2], NULL);
        cpl_arg arg = cpl_arg_array(CPL_INT8, x, 256);
        assert_int_equal(run(m, "f", &o, &arg, 1), CPL_EARG);
        assert_string_equal(w->message, "256 iterations do not fit the count 'n', which is uint8");
        assert_int_equal(x[0], 0);
        arg.length = 255;
        assert_int_equal(run(m, "f", &o, &arg, 1), CPL_OK);
        for (int k = 0; k < 256; k++) assert_int_equal(x[k], k < 255);
        memset(x, 0, sizeof x);
    }
    cpl_module_release(m);
}

/* One more than that is refused, and so is what has a small number in its low bits: no iteration of
 * it runs. As many as that run, in code that does nothing. */
static void counts_of_every_type(void **state)
{
    static const char *const types[] = {"int8",  "int16",  "int32",  "int64",
                                        "uint8", "uint16", "uint32", "uint64"};
    world *w = *state;
    for (int t = 0; t < 8; t++) {
        char text[256];
        const char *type = types[t];
        cpl_module *m;
        int bits = (8 << t % 4) - (t < 4);
        int64_t most = bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX,
                beyond[] = {most + 1, 2 * (most + 1), 2 * (most + 1) + 5, INT64_MAX};
        snprintf(text, sizeof text,
                 "cir 1\nentry elementwise func f(n: %s) {\n  var i: %s\n"
                 "  parallel for i in (0:%s, n, 1:%s) {\n  }\n}\n",
                 type, type, type, type);
        assert_int_equal(cpl_module_from_ir(w->cx, "f.cir", text, strlen(text), &m), CPL_OK);
        assert_int_equal(launch_rounds(m, "f", NULL, NULL, 0, most, NULL), CPL_OK);
        for (int i = 0; i < 8 && most < INT64_MAX; i++) {
            cpl_launch_options o = rounds_on(NULL, beyond[i / 2], NULL);
            char said[96];
            snprintf(said, sizeof said, "%lld iterations do not fit the count 'n', which is %s",
                     (long long)beyond[i / 2], type);
            assert_int_equal((i % 2 ? cpl_interpret : cpl_launch)(m, "f", &o, NULL, 0), CPL_EARG);
            assert_string_equal(w->message, said);
        }
        cpl_module_release(m);
    }
}

/* sum[0] += x[LID_0] by way of local memory and a pointer to some. */
static void built(void **state)
{
    world *w = *state;
    const cpl_type *i32, *pointer;
    assert_int_equal(cpl_type_parse(w->cx, "int32", &i32), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int32[]", &pointer), CPL_OK);
    cpl_ir_builder *b;
    assert_int_equal(cpl_ir_builder_create(w->cx, "built", &b), CPL_OK);
    cpl_ir_func *f = cpl_ir_function(b, "k", CPL_IR_KERNEL, NULL);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", pointer, CPL_IR_READONLY),
               *sum = cpl_ir_param(b, f, "sum", pointer, 0);
    cpl_ir_var *t = cpl_ir_param(b, f, "t", cpl_ir_local_pointer(b, i32), 0);
    cpl_ir_begin(b, f);
    cpl_ir_var *all = cpl_ir_local_memory(b, "all", i32), *got = cpl_ir_local(b, "got", i32);
    cpl_ir_value *lid = cpl_ir_index(b, CPL_IR_LOCAL_ID, 0);
    cpl_ir_do(b, cpl_ir_op2(b, "store", cpl_ir_op2(b, "elem", cpl_ir_use(b, t), lid),
                            cpl_ir_op1(b, "load", cpl_ir_op2(b, "elem", cpl_ir_use(b, x), lid))));
    cpl_ir_barrier(b, CPL_IR_SPACE_LOCAL);
    cpl_ir_assign(b, got,
                  cpl_ir_op1(b, "subgroup_add",
                             cpl_ir_op1(b, "load", cpl_ir_op2(b, "elem", cpl_ir_use(b, t), lid))));
    cpl_ir_do(b, cpl_ir_op2(b, "store", cpl_ir_addr(b, all), cpl_ir_use(b, got)));
    cpl_ir_barrier(b, CPL_IR_SPACE_GLOBAL);
    cpl_ir_vcopy(b, 2, cpl_ir_use(b, sum), cpl_ir_use(b, t));
    cpl_ir_do(b, cpl_ir_op2(b, "store", cpl_ir_use(b, sum),
                            cpl_ir_op1(b, "load", cpl_ir_addr(b, all))));
    cpl_ir_end(b);
    cpl_module *m;
    assert_int_equal(cpl_ir_finish(b, &m), CPL_OK);
    assert_int_equal(cpl_ir_builder_status(b), CPL_OK);
    assert_null(cpl_ir_index(b, CPL_IR_GROUP_ID, 3));
    assert_int_equal(cpl_ir_builder_status(b), CPL_EARG);
    cpl_ir_builder_free(b);
    int32_t in[4] = {1, 20, 300, 4000}, out[2] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, in, 4), cpl_arg_array(CPL_INT32, out, 2),
                      cpl_arg_local(CPL_INT32, 4)};
    assert_int_equal(interpret_grid(m, "k", (int64_t[]){4, 1, 1}, NULL, args, 3), CPL_OK);
    assert_int_equal(out[0], 4321);
    assert_int_equal(out[1], 20);
    cpl_module_release(m);
}

static double plus_one(double a)
{
    return a + 1;
}

static void no_c_on_devices(void **state)
{
    static const char *const targets[] = {"cuda", "opencl", "opencl:c1.2"};
    world *w = *state;
    assert_int_equal(cpl_extern_register(w->cx, "plus_one", "float64(float64)",
                                         (void *)(uintptr_t)plus_one, true),
                     CPL_OK);
    const cpl_type *types[1];
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &types[0]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 1;
    cpl_blob text;
    assert_int_equal(cpl_module_emit(w->m, "foreign", &spec, CPL_STAGE_LLVM, NULL, &text), CPL_OK);
    cpl_blob_free(&text);
    for (int i = 0; i < 3; i++) {
        spec.target = targets[i];
        spec.passes = "inline,grid,legal";
        assert_int_equal(cpl_module_emit(w->m, "foreign", &spec, CPL_STAGE_IR, NULL, &text),
                         CPL_EUNSUPPORTED);
        assert_non_null(strstr(w->message, "the C function 'plus_one' is on the host only"));
    }
    spec.target = "cuda:sm_20";
    assert_int_equal(cpl_module_emit(w->m, "foreign", &spec, CPL_STAGE_IR, NULL, &text), CPL_EARG);
    assert_string_equal(w->message, "there is no target 'cuda:sm_20'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(narrow_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts_of_every_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(built, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_c_on_devices, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("interpret_launch", tests, NULL, NULL);
}
