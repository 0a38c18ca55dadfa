/* What a host program can ask of a kernel: which arrays it reads and writes, whether launches are
 * short; arrays that must not be written. */
#include "world.h"
#include "launches.h"

#include <stdio.h>

static const char kernels[] = "def put(p, v):\n"
                              "    p[0] = v\n"
                              "def get(p):\n"
                              "    return p[1]\n"
                              "def copy(i, x, y):\n"
                              "    y[i] = x[i]\n"
                              "def add(i, x, y):\n"
                              "    y[i] += x[i]\n"
                              "def through(i, x, y, z, k):\n"
                              "    put(y, get(x))\n"
                              "    q = address(z[k])\n"
                              "    q[0] = 1\n"
                              "def unused(i, x, y):\n"
                              "    y[i] = i\n"
                              "def atomic(i, x, y):\n"
                              "    atomic_add(x[i], 1)\n"
                              "def chosen(i, x, y, z, k):\n"
                              "    (x if k else y)[0] = z[0]\n"
                              "def peeks(i, x, y, z, k):\n"
                              "    z[0] = (x if k else y)[1]\n"
                              "def both(i, x, y, z, k):\n"
                              "    (x if k else y)[0] += z[0]\n"
                              "def nested(i, x, y, z, k):\n"
                              "    (x if k > 1 else y if k else z)[0] = 1\n"
                              "def within(i, x, y, z, k):\n"
                              "    z[0] = ((x if k else y) if k > 1 else y)[0]\n"
                              "def branches(i, x, y, z, k):\n"
                              "    if k:\n"
                              "        p = address(x[k])\n"
                              "    else:\n"
                              "        p = address(y[k])\n"
                              "    z[0] = p[0]\n"
                              "def puts(i, x, y, z, k):\n"
                              "    put(x if k else y, get(z))\n"
                              "def gets(i, x, y, z, k):\n"
                              "    z[0] = get(x if k else y)\n"
                              "def outside(i, x, y, z, k):\n"
                              "    fill(x)\n"
                              "    z[0] = peek(y)\n"
                              "def outside_chosen(i, x, y, z, k):\n"
                              "    z[0] = peek(x if k else y)\n"
                              "def turns(p: 'doublep', q: 'doublep', n: int) -> int:\n"
                              "    p[0] = 1\n"
                              "    return turns(q, p, n - 1) if n > 0 else 1\n"
                              "def recursive(i, x, y, z, k):\n"
                              "    z[0] = turns(x, y, k)\n"
                              "def constant(i, x, y):\n"
                              "    for k in range(10):\n"
                              "        y[i] += x[i]\n"
                              "def loops(i, x, n):\n"
                              "    for k in range(n):\n"
                              "        x[i] += k\n"
                              "def waits(i, x):\n"
                              "    while x[i] < 10:\n"
                              "        x[i] += 1\n"
                              "def recurs(n: int) -> int:\n"
                              "    return 1 if n < 2 else n*recurs(n - 1)\n";

static double x[4], y[4], z[4];

static cpl_kernel *kernel(world *w, const char *name, const cpl_arg *args, size_t count)
{
    cpl_kernel *k = NULL;
    if (!w->module)
        assert_int_equal(cpl_module_from_source(w->cx, "k.py", kernels, sizeof kernels - 1,
                                                &w->module),
                         CPL_OK);
    assert_int_equal(rounds_kernel(w->module, name, args, count, &k), CPL_OK);
    return k;
}

/* Of each parameter, n included: '-', 'r', 'w', 'b'. */
static void check_access(world *w, const char *name, size_t count, const char *expected)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_array(CPL_FLOAT64, y, 4),
                      cpl_arg_array(CPL_FLOAT64, z, 4), cpl_arg_int(1)};
    cpl_kernel *k = kernel(w, name, args, count);
    char found[8] = "";
    for (size_t i = 0; i <= count; i++) found[i] = "-rwb"[cpl_kernel_access(k, i)];
    if (strcmp(found, expected) != 0) fail_msg("%s: %s, expected %s", name, found, expected);
    assert_int_equal(cpl_kernel_access(k, count + 1), CPL_ACCESS_NONE);
    cpl_kernel_release(k);
}

static double peek(const double *p)
{
    return p[0];
}

static void fill(double *p)
{
    p[0] = 1;
}

static void what_is_accessed(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_extern_register(w->cx, "fill", "void(float64*)", (void *)(uintptr_t)fill,
                                         false),
                     CPL_OK);
    assert_int_equal(cpl_extern_register(w->cx, "peek", "float64(float64*)",
                                         (void *)(uintptr_t)peek, true),
                     CPL_OK);
    check_access(*state, "copy", 2, "-rw");
    check_access(*state, "add", 2, "-rb");
    check_access(*state, "unused", 2, "--w");
    check_access(*state, "atomic", 2, "-b-");
    /* a pointer in a local may be any of them */
    check_access(*state, "through", 4, "-bww-");
    check_access(*state, "both", 4, "-bbb-");
    check_access(*state, "branches", 4, "-rrb-");
    check_access(*state, "chosen", 4, "-wwr-");
    check_access(*state, "peeks", 4, "-rrw-");
    check_access(*state, "nested", 4, "-www-");
    check_access(*state, "within", 4, "-rrw-");
    check_access(*state, "puts", 4, "-wwr-");
    check_access(*state, "gets", 4, "-rrw-");
    check_access(*state, "outside", 4, "-brw-");
    check_access(*state, "outside_chosen", 4, "-rrw-");
    check_access(*state, "recursive", 4, "-www-");
    assert_int_equal(cpl_kernel_access(NULL, 0), CPL_ACCESS_NONE);
}

static int64_t short_below(world *w, const char *name, size_t count, cpl_arg second)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), second};
    cpl_kernel *k = kernel(w, name, args, count);
    assert_string_equal(cpl_kernel_function(k), name);
    int64_t rounds = cpl_kernel_short_below(k);
    cpl_kernel_release(k);
    return rounds;
}

static void what_is_short(void **state)
{
    world *w = *state;
    cpl_arg array = cpl_arg_array(CPL_FLOAT64, y, 4);
    int64_t one = short_below(w, "copy", 2, array), ten = short_below(w, "constant", 2, array);
    assert_true(one > 100 && ten > 10 && one > 2 * ten);
    assert_int_equal(short_below(w, "loops", 2, cpl_arg_int(3)), 0);
    assert_int_equal(short_below(w, "waits", 1, array), 0);
    cpl_spec spec;
    cpl_spec_init(&spec);
    cpl_kernel *k;
    assert_int_equal(spec_kernel(w->module, "recurs", &spec, &k), CPL_OK);
    assert_int_equal(cpl_kernel_short_below(k), 0);
    cpl_kernel_release(k);
    assert_int_equal(cpl_kernel_short_below(NULL), 0);
    assert_null(cpl_kernel_function(NULL));
}

/* By name, by handle, interpreted; each array alone. */
static void what_must_not_be_written(void **state)
{
    world *w = *state;
    for (int writes = 0; writes < 2; writes++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_array(CPL_FLOAT64, y, 4)};
        cpl_kernel *k = kernel(w, "copy", args, 2);
        args[writes] = cpl_arg_const_array(CPL_FLOAT64, writes ? y : x, 4);
        x[0] = 3, y[0] = 5;
        cpl_status expected = writes ? CPL_EARG : CPL_OK;
        cpl_status got = launch_rounds(w->module, "copy", NULL, args, 2, 4, NULL);
        if (got != expected) fail_msg("%d: %s", got, w->said.text);
        assert_int_equal(run_rounds(k, NULL, args, 2, 4, NULL), expected);
        assert_int_equal(interpret_rounds(w->module, "copy", CPL_FORM_ELEMENTWISE, args, 2, 4, NULL,
                                          NULL),
                         expected);
        assert_true(y[0] == (writes ? 5 : 3));
        if (writes) assert_non_null(strstr(w->said.text, "argument 'y' is read-only"));
        cpl_kernel_release(k);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_accessed, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(what_is_short, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(what_must_not_be_written, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
