/* Kernels that were told facts of their arguments, by their callers or by launches. */
#include "world.h"
#include "launches.h"

#include <stdio.h>

enum { N = 100 };

static cpl_module *module(world *w)
{
    static const char text[] =
        "def half(i, x, y):\n    y[i] = (len(x) - i) // 2\n" /* computes in 32 bits if it may */
        "def next(i, x, y):\n    y[i] = x[i] + 1\n"
        "def count(i, x, h):\n    atomic_add(h[x[i]], 1)\n" /* collects in private if it may */
        "def count_beside(i, x, h, unused):\n    atomic_add(h[x[i]], 1)\n";
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &m), CPL_OK);
    return m;
}

static cpl_status make(world *w, cpl_module *m, const char *function, uint32_t facts,
                       cpl_kernel **k)
{
    const cpl_type *types[2];
    cpl_spec spec;
    cpl_spec_init(&spec);
    for (int i = 0; i < 2; i++)
        assert_int_equal(cpl_type_parse(w->cx, "int64[]", &types[i]), CPL_OK);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 2;
    spec.facts = facts;
    return spec_kernel(m, function, &spec, k);
}

typedef struct arrays {
    int64_t x[N + 1], y[N];
    cpl_arg args[2];
} arrays;

static void fill(arrays *a)
{
    for (int i = 0; i < N; i++) a->x[i] = i % 7, a->y[i] = 0;
    a->args[0] = cpl_arg_array(CPL_INT64, a->x, N);
    a->args[1] = cpl_arg_array(CPL_INT64, a->y, N);
}

/* What the caller promised is what the function at the address relies on; nothing else is made. */
static void promised(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *told, *plain;
    arrays a;
    assert_int_equal(make(w, m, "half", CPL_FACT_SMALL, &told), CPL_OK);
    void *address = cpl_kernel_address(told);
    assert_non_null(address);
    assert_int_equal(compiles(w), 1);
    assert_int_equal(make(w, m, "half", 0, &plain), CPL_OK);
    assert_int_equal(compiles(w), 2);
    assert_ptr_not_equal(cpl_kernel_address(plain), address);
    fill(&a);
    for (int i = 0; i < 2; i++)
        assert_int_equal(run_rounds(i ? told : plain, NULL, a.args, 2, N, NULL), CPL_OK);
    for (int i = 0; i < N; i++) assert_int_equal(a.y[i], (N - i) / 2);
    assert_int_equal(compiles(w), 2);
    cpl_kernel_release(told);
    cpl_kernel_release(plain);
    cpl_module_release(m);
}

/* Code that a launch was told as much of is nobody's promise: whoever calls it by its address may
 * give it anything, whatever else was made of the function, before or after. */
static void promised_by_one_alone(void **state)
{
    enum { ALL = CPL_FACT_APART | CPL_FACT_SMALL | CPL_FACT_LARGE };
    world *w = *state;
    for (uint32_t facts = 1; facts <= ALL; facts++)
        for (int first = 0; first < 2 && !(facts & ~(uint32_t)ALL); first++) {
            cpl_module *m = module(w);
            cpl_kernel *told = NULL, *launched = NULL;
            arrays a;
            fill(&a);
            for (int k = 0; k < 2; k++)
                if (k == first) assert_int_equal(make(w, m, "half", facts, &told), CPL_OK);
                else assert_int_equal(rounds_kernel(m, "half", a.args, 2, &launched), CPL_OK);
            assert_ptr_not_equal(told, launched);
            if (facts & CPL_FACT_SMALL)
                assert_ptr_not_equal(cpl_kernel_address(told), cpl_kernel_address(launched));
            cpl_kernel_release(told);
            cpl_kernel_release(launched);
            cpl_module_release(m);
        }
}

/* A promise is checked where the library can: launches with other arguments run other code. */
static void broken(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *k;
    arrays a;
    assert_int_equal(make(w, m, "count", CPL_FACT_SMALL | CPL_FACT_APART, &k), CPL_OK);
    fill(&a);
    assert_int_equal(run_rounds(k, NULL, a.args, 2, N, NULL), CPL_OK);
    for (int i = 0; i < N; i++) assert_int_equal(a.y[i], i < 7 ? N / 7 + (i < N % 7) : 0);
    assert_int_equal(compiles(w), 1);
    /* the counter is the number to count */
    memset(a.x, 0, sizeof a.x);
    a.args[1] = a.args[0];
    a.args[0].length = a.args[1].length = 1;
    assert_int_equal(run_rounds(k, NULL, a.args, 2, 1, NULL), CPL_OK);
    assert_int_equal(a.x[0], 1);
    assert_int_equal(compiles(w), 2);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* What no round touches may lie across anything: the code is the same, and in no order. */
static void unused(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *k;
    arrays a;
    fill(&a);
    cpl_arg args[3] = {a.args[0], a.args[1], a.args[1]};
    for (int i = 0; i < 3; i++) { /* as long as h, across it, and across x */
        if (i == 1) args[2].data = a.y + 1, args[2].length = N - 1;
        if (i == 2) args[2] = cpl_arg_array(CPL_INT64, a.x + 1, N);
        assert_int_equal(rounds_kernel(m, "count_beside", args, 3, &k), CPL_OK);
        assert_int_equal(run_rounds(k, NULL, args, 3, N, NULL), CPL_OK);
        assert_int_equal(compiles(w), 1);
        cpl_kernel_release(k);
    }
    for (int i = 0; i < 7; i++) assert_int_equal(a.y[i], 3 * (N / 7 + (i < N % 7)));
    cpl_module_release(m);
}

/* Told that arrays overlap, rounds run in order; and whatever it was told, a launch looks. */
static void in_order(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *told, *plain;
    arrays a;
    assert_int_equal(make(w, m, "next", CPL_FACT_IN_ORDER, &told), CPL_OK);
    assert_int_equal(make(w, m, "next", 0, &plain), CPL_OK);
    void *address = cpl_kernel_address(told);
    void (*next)(int64_t n, const int64_t *x, int64_t *y);
    memcpy(&next, &address, sizeof next);
    for (int i = 0; i < 3; i++) {
        fill(&a);
        a.args[1].data = a.x + 1;
        if (i == 0) next(N, a.x, a.x + 1);
        else assert_int_equal(run_rounds(i == 1 ? told : plain, NULL, a.args, 2, N, NULL), CPL_OK);
        for (int k = 0; k <= N; k++) assert_int_equal(a.x[k], k);
    }
    assert_int_equal(compiles(w), 2); /* the one that is in order does for both */
    cpl_kernel_release(told);
    cpl_kernel_release(plain);
    cpl_module_release(m);
}

/* Who makes a kernel for anybody gets that in his launches, and nothing is compiled in them;
 * launches by name have one of their own, which was told more. */
static void by_name(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *plain, *again;
    arrays a;
    fill(&a);
    assert_int_equal(make(w, m, "half", 0, &plain), CPL_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(run_rounds(plain, NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 1);
    for (int i = 0; i < 3; i++)
        assert_int_equal(launch_rounds(m, "half", NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 2);
    assert_int_equal(rounds_kernel(m, "half", a.args, 2, &again), CPL_OK);
    assert_ptr_not_equal(again, plain);
    /* its address is anybody's: what was made first does */
    assert_ptr_equal(cpl_kernel_address(again), cpl_kernel_address(plain));
    assert_int_equal(compiles(w), 2);
    cpl_kernel_release(again);
    cpl_kernel_release(plain);
    cpl_module_release(m);
}

/* A kernel that somebody made for overlapping arrays of one launch runs in parallel in others. */
static void lasting(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *k;
    arrays a;
    fill(&a);
    a.args[1].data = a.x + 1;
    assert_int_equal(rounds_kernel(m, "next", a.args, 2, &k), CPL_OK);
    assert_int_equal(run_rounds(k, NULL, a.args, 2, N, NULL), CPL_OK);
    for (int i = 0; i <= N; i++) assert_int_equal(a.x[i], i);
    assert_int_equal(compiles(w), 2);
    fill(&a);
    assert_int_equal(run_rounds(k, NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 2);
    cpl_kernel_release(k);
    cpl_module_release(m);
}

/* Typed IR says itself what its entries are, whatever the launch takes them for. */
static void as_typed_ir_says(void **state)
{
    world *w = *state;
    static const char text[] =
        "cir 1\n"
        "entry elementwise func next(n: int64, x: int64 global*, y: int64 global*) {\n"
        "  var i: int64\n"
        "  parallel for i in (0:int64, n, 1:int64) {\n"
        "    store(elem(y, i), add(load(elem(x, i)), 1:int64))\n"
        "  }\n"
        "}\n";
    for (int form = CPL_FORM_FUNCTION; form <= CPL_FORM_ELEMENTWISE; form++) {
        cpl_module *m;
        arrays a;
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.form = (cpl_form)form;
        o.n = N;
        assert_int_equal(cpl_module_from_ir(w->cx, "k.cir", text, sizeof text - 1, &m), CPL_OK);
        fill(&a);
        a.args[1].data = a.x + 1;
        assert_int_equal(cpl_launch(m, "next", &o, a.args, 2), CPL_OK);
        for (int i = 0; i <= N; i++) assert_int_equal(a.x[i], i);
        cpl_module_release(m);
    }
}

/* --- large results --- */

enum { MOST = 150, SHIFTS = 9 };

/* y[shift + k] = 2*x[k] + 1, and nothing around it. */
static void check_line(cpl_module *m, cpl_dtype type, size_t shift, int64_t n)
{
    static _Alignas(64) union {
        double f64[MOST + SHIFTS];
        float f32[MOST + SHIFTS];
        int16_t i16[MOST + SHIFTS];
    } x, y;
    for (size_t k = 0; k < MOST + SHIFTS; k++)
        if (type == CPL_FLOAT64) x.f64[k] = (double)k, y.f64[k] = -1;
        else if (type == CPL_FLOAT32) x.f32[k] = (float)k, y.f32[k] = -1;
        else x.i16[k] = (int16_t)k, y.i16[k] = -1;
    char *to = (char *)&y + shift * cpl_dtype_size(type);
    cpl_arg args[] = {cpl_arg_array(type, &x, n), cpl_arg_array(type, to, n)};
    assert_int_equal(launch_rounds(m, "line", NULL, args, 2, n, NULL), CPL_OK);
    for (int64_t k = 0; k < MOST + SHIFTS; k++) {
        int64_t from = k - (int64_t)shift;
        double found = type == CPL_FLOAT64   ? y.f64[k]
                       : type == CPL_FLOAT32 ? (double)y.f32[k]
                                             : y.i16[k];
        double expected = from < 0 || from >= n ? -1 : (double)(2 * from + 1);
        if (found != expected) fail_msg("shift %zu, n %d, at %d: %g", shift, (int)n, (int)k, found);
    }
}

/* Wherever rows begin, and however few rounds there are before and behind them. */
static void past_caches(void **state)
{
    static const cpl_dtype types[] = {CPL_FLOAT64, CPL_FLOAT32, CPL_INT16};
    static const char text[] = "def line(i, x, y):\n    y[i] = 2*x[i] + 1\n";
    world *w = *state;
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(w->cx, "k.py", text, strlen(text), &m), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "large_bytes", 1), CPL_OK);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t shift = 0; shift < SHIFTS; shift++)
            for (int64_t n = 0; n <= MOST; n++) check_line(m, types[t], shift, n);
    cpl_module_release(m);
}

/* A version for large results is for those alone, and where nothing is written alone there is none;
 * 800 bytes are large here. */
static void large(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    arrays a;
    fill(&a);
    assert_int_equal(cpl_context_set_option(w->cx, "large_bytes", sizeof a.y), CPL_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(launch_rounds(m, "next", NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 1);
    a.args[1].length = N - 1;
    for (int i = 0; i < 3; i++)
        assert_int_equal(launch_rounds(m, "next", NULL, a.args, 2, N - 1, NULL), CPL_OK);
    assert_int_equal(compiles(w), 2);
    for (int i = 0; i < N; i++) assert_int_equal(a.y[i], i % 7 + 1);
    a.args[1].length = N;
    for (int i = 0; i < 3; i++)
        assert_int_equal(launch_rounds(m, "count", NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 3);
    a.args[1].length = N - 1;
    assert_int_equal(launch_rounds(m, "count", NULL, a.args, 2, N, NULL), CPL_OK);
    assert_int_equal(compiles(w), 3);
    cpl_module_release(m);
}

static void refused(void **state)
{
    world *w = *state;
    cpl_module *m = module(w);
    cpl_kernel *k;
    assert_int_equal(make(w, m, "half", 16, &k), CPL_EARG);
    assert_int_equal(make(w, m, "half", UINT32_MAX, &k), CPL_EARG);
    assert_null(k);
    cpl_module_release(m);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(promised, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(promised_by_one_alone, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(broken, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(unused, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(in_order, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(by_name, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(lasting, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(as_typed_ir_says, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(past_caches, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(large, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
