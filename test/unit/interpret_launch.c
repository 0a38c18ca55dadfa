/* cpl_interpret_launch: kernels of a kernel file in the reference interpreter. */
#include "unit.h"

#include "cpl/cpl.h"

#include <stdio.h>

static const char source_text[] =
    "from compyle.low_level import *\n"
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
    assert_int_equal(cpl_module_from_source(w->cx, "k.py", source_text, sizeof source_text - 1, &w->m), CPL_OK);
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
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 21), cpl_arg_array(CPL_INT32, out, 4), cpl_arg_int(21), cpl_arg_local(CPL_INT32, 8)};
    assert_int_equal(cpl_interpret_launch(w->m, "total", (int64_t[]){21, 1, 1}, (int64_t[]){8, 1, 1}, args, 4), CPL_OK);
    assert_int_equal(out[0], 210);
    for (int i = 1; i < 4; i++) assert_int_equal(out[i], 3);
    out[0] = 0;
    assert_int_equal(cpl_interpret_launch(w->m, "total", (int64_t[]){0, 1, 1}, NULL, args, 4), CPL_OK);
    assert_int_equal(out[0], 0); /* nothing ran */
}

static void refuses(void **state)
{
    world *w = *state;
    int32_t x[4] = {1, 2, 3, 4};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 4)};
    const int64_t eight[] = {8, 1, 1}, many[] = {2048, 1, 1}, four[] = {4, 1, 1};
    assert_int_equal(cpl_interpret_launch(w->m, "past", many, many, args, 1), CPL_ELIMIT);
    assert_int_equal(cpl_interpret_launch(w->m, "past", (int64_t[]){-1, 1, 1}, NULL, args, 1), CPL_ELIMIT);
    assert_int_equal(cpl_interpret_launch(w->m, "past", NULL, NULL, args, 1), CPL_EARG);
    assert_int_equal(cpl_interpret_launch(w->m, "stuck", four, four, args, 1), CPL_EINTERNAL);
    assert_string_equal(w->message, "interpreting 'stuck': barrier: not all work-items of the group reach the barrier");
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    assert_int_equal(cpl_interpret_launch(w->m, "past", eight, eight, args, 1), CPL_EBOUNDS);
    for (int i = 0; i < 4; i++) assert_int_equal(x[i], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("interpret_launch", tests, NULL, NULL);
}
