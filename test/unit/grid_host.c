/* Kernels over a grid on the host: plain memory, what the interpreter computes, faults, graphs, the
 * compiled function as C calls it, and memory that runs out. */
#include "device_world.h"
#include "launches.h"

enum { M = 1000, GROUP = 64 };

static cpl_queue *host_queue(world *w)
{
    return cpl_device_queue(cpl_device_get(w->cx, 0));
}

static void fill(int32_t *x, int32_t *y)
{
    for (int i = 0; i < M; i++) x[i] = 7 * i, y[i] = 0;
}

static void plain_memory(void **state)
{
    world *w = *state;
    int32_t x[M], y[M], z[M];
    fill(x, y);
    fill(x, z);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, M), cpl_arg_array(CPL_INT32, y, M),
                      cpl_arg_local(CPL_INT32, GROUP), cpl_arg_int(M)};
    const int64_t global[3] = {M, 1, 1}, local[3] = {GROUP, 1, 1};
    cpl_launch_options o = grid_on(NULL, global, local, NULL);
    OK(w, cpl_launch(w->module, "reverse", &o, args, 4));
    args[1].data = z;
    OK(w, cpl_interpret(w->module, "reverse", &o, args, 4));
    assert_memory_equal(y, z, sizeof y);
    assert_int_equal(y[0], x[GROUP - 1]);
    cpl_device_info info = info_of(cpl_device_get(w->cx, 0));
    assert_int_equal(info.max_group_size, 1024);
    assert_int_equal(info.subgroup_size, 32);
}

static void faults_have_places(void **state)
{
    world *w = *state;
    int32_t x[M], y[M];
    fill(x, y);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, M), cpl_arg_array(CPL_INT32, y, M - 1),
                      cpl_arg_int(M)};
    const int64_t global[3] = {M, 1, 1};
    cpl_launch_options o = grid_on(NULL, global, NULL, NULL);
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    FAILS(w, cpl_launch(w->module, "bumped", &o, args, 3), CPL_EBOUNDS,
          "index 999 is out of bounds of 'y', which has 999 elements");
    args[1].length = M;
    OK(w, cpl_launch(w->module, "bumped", &o, args, 3));
    assert_int_equal(y[M - 1], 3 * x[M - 1] + 1);
}

/* One function, with the same arguments, called once and over a grid, whichever came first. */
static void forms_have_kernels_of_their_own(void **state)
{
    enum { ITEMS = 3, LENGTH = 4 };
    static const char text[] = "def count(x):\n    for k in range(len(x)):\n"
                               "        atomic_add(x[k], 1)\n";
    world *w = *state;
    const int64_t global[3] = {ITEMS, 1, 1}, local[3] = {1, 1, 1};
    for (int first = 0; first < 2; first++) {
        int32_t x[LENGTH] = {0}, wanted = 0;
        cpl_module *m;
        cpl_arg arg = cpl_arg_array(CPL_INT32, x, LENGTH);
        OK(w, cpl_module_from_source(w->cx, "count.py", text, sizeof text - 1, &m));
        for (int k = 0; k < 4; k++) {
            bool grid = (k + first) % 2;
            cpl_launch_options o =
                grid ? grid_on(NULL, global, local, NULL) : options_of(CPL_FORM_FUNCTION, NULL);
            OK(w, cpl_launch(m, "count", &o, &arg, 1));
            wanted += grid ? ITEMS : 1;
            for (int i = 0; i < LENGTH; i++) assert_int_equal(x[i], wanted);
        }
        cpl_module_release(m);
    }
}

static void graphs_hold_grids(void **state)
{
    world *w = *state;
    cpl_queue *q = host_queue(w);
    cpl_array *x, *y;
    cpl_graph *graph;
    int32_t values[M], none[M];
    fill(values, none);
    OK(w, cpl_array_create(w->cx, NULL, CPL_INT32, M, &x));
    OK(w, cpl_array_create(w->cx, NULL, CPL_INT32, M, &y));
    OK(w, cpl_array_write(x, q, values, NULL));
    OK(w, cpl_array_write(y, q, none, NULL));
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_local(CPL_INT32, GROUP),
                      cpl_arg_int(M)};
    const int64_t global[3] = {M, 1, 1}, local[3] = {GROUP, 1, 1};
    cpl_launch_options o = grid_on(q, global, local, NULL);
    OK(w, cpl_graph_begin(q));
    OK(w, cpl_launch(w->module, "reverse", &o, args, 4));
    OK(w, cpl_graph_end(q, &graph));
    for (int round = 0; round < 2; round++) {
        OK(w, cpl_array_write(y, q, none, NULL));
        OK(w, cpl_graph_launch(graph, q, NULL));
        int32_t got[M];
        OK(w, cpl_array_read(y, q, got, NULL));
        assert_int_equal(got[0], values[GROUP - 1]);
        assert_int_equal(got[GROUP], values[2 * GROUP - 1]);
    }
    cpl_graph_release(graph);
    cpl_array_release(x);
    cpl_array_release(y);
}

/* bumped needs no memory beyond the grid itself: no local memory, nothing kept. */
static void called_from_c(void **state)
{
    world *w = *state;
    int32_t x[M], y[M];
    fill(x, y);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, M), cpl_arg_array(CPL_INT32, y, M),
                      cpl_arg_int(M)};
    cpl_kernel *k;
    OK(w, grid_kernel(w->module, "bumped", NULL, args, 3, &k));
    assert_string_equal(cpl_kernel_signature(k),
                        "void bumped(const int32_t *x, int32_t *y, int32_t n, cpl_grid *cpl_grid)");
    void (*bumped)(const int32_t *, int32_t *, int32_t, cpl_grid *);
    void *address = cpl_kernel_address(k);
    memcpy(&bumped, &address, sizeof bumped);
    cpl_grid grid = {.groups = {M / 50, 2, 1}, .items = {50, 2, 1}, .workers = 3, .piece = 2};
    assert_int_equal(cplrt_grid_bytes(&grid, 0, 0), sizeof grid);
    bumped(x, y, M, &grid);
    for (int i = 0; i < M; i++) assert_int_equal(y[i], 3 * x[i] + 1);
    cpl_kernel_release(k);
}

/* --- local memory --- */

enum { PARTS = 5, BEHIND = 1024 }; /* BEHIND: of each block, to see who writes there */

/* Each group marks all its local memory, and counts what is not as it left it. */
#define MARK(name, n, by) "    for k in range(" n "):\n        " name "[k] = " by "*GID_0 + k\n"
#define COUNT(name, n, by)                                                                         \
    "    for k in range(" n "):\n        bad[GID_0] += " name "[k] != " by "*GID_0 + k\n"
static const char parts_text[] = "def parts(bad, a, b, c, d, e, na, nb, nc, nd, ne):\n" MARK("a",
                                                                                             "na",
                                                                                             "1")
    MARK("b", "nb", "2") MARK("c", "nc", "3") MARK("d", "nd", "4") MARK("e", "ne", "5")
        COUNT("a", "na", "1") COUNT("b", "nb", "2") COUNT("c", "nc", "3") COUNT("d", "nd", "4")
            COUNT("e", "ne",
                  "5") "def parts_and_own(bad, a, b, c, d, e, na, nb, nc, nd, ne):\n"
                       "    own = declare('LOCAL_MEM matrix(5, \"int\")')\n" MARK(
                           "own", "5",
                           "7") "    parts(bad, a, b, c, d, e, na, nb, nc, nd, ne)\n" COUNT("own",
                                                                                            "5",
                                                                                            "7");

static void mark_behind(char *p, size_t size)
{
    memset(p + size, 0x5A, BEHIND);
}

static void *guarded_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    char *p = block;
    for (size_t i = 0; p && i < BEHIND; i++)
        if (p[old_size + i] != 0x5A) *(int *)user += 1;
    if (!new_size) {
        free(block);
        return NULL;
    }
    p = realloc(block, new_size + BEHIND);
    if (p) mark_behind(p, new_size);
    return p;
}

/* Parameters in local memory of any length, whole cache lines or not: neither those of one group
 * nor those of two share any, and nothing lies behind what was asked for. */
static void parts_of_local_memory(void **state)
{
    enum { GROUPS = 5 };
    static const int lengths[] = {1, 15, 16, 17, 33};
    static const cpl_dtype types[PARTS] = {CPL_INT32, CPL_INT64, CPL_INT32, CPL_INT16, CPL_INT32};
    (void)state;
    int behind = 0;
    cpl_context *cx;
    cpl_module *m;
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.alloc = guarded_alloc;
    options.alloc_user = &behind;
    assert_int_equal(cpl_context_create(&options, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "tiers", 0), CPL_OK);
    assert_int_equal(cpl_module_from_source(cx, "parts.py", parts_text, sizeof parts_text - 1, &m),
                     CPL_OK);
    const int count = sizeof lengths / sizeof *lengths;
    for (int i = 0; i < 2 * count * count * count; i++) {
        int n[PARTS] = {lengths[i % count], lengths[i / count % count],
                        lengths[i / count / count % count], lengths[(i + i / count) % count],
                        lengths[i * 2 % count]};
        bool own = i >= count * count * count;
        int64_t bad[GROUPS] = {0};
        cpl_arg args[1 + 2 * PARTS] = {cpl_arg_array(CPL_INT64, bad, GROUPS)};
        for (int k = 0; k < PARTS; k++) {
            args[1 + k] = cpl_arg_local(types[k], n[k]);
            args[1 + PARTS + k] = cpl_arg_int(n[k]);
        }
        const int64_t global[3] = {GROUPS, 1, 1}, local[3] = {1, 1, 1};
        cpl_launch_options o = grid_on(NULL, global, local, NULL);
        assert_int_equal(cpl_launch(m, own ? "parts_and_own" : "parts", &o, args, 1 + 2 * PARTS),
                         CPL_OK);
        for (int k = 0; k < GROUPS; k++)
            if (bad[k] || behind)
                fail_msg("%d, %d, %d, %d and %d elements: %d of group %d changed, %d bytes written "
                         "behind",
                         n[0], n[1], n[2], n[3], n[4], (int)bad[k], k, behind);
    }
    cpl_module_release(m);
    cpl_context_release(cx);
    assert_int_equal(behind, 0);
}

static cpl_status launch_reverse(cpl_context *cx)
{
    int32_t x[M], y[M];
    cpl_module *m = NULL;
    fill(x, y);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, M), cpl_arg_array(CPL_INT32, y, M),
                      cpl_arg_local(CPL_INT32, GROUP), cpl_arg_int(M)};
    const int64_t global[3] = {M, 1, 1}, local[3] = {GROUP, 1, 1};
    cpl_launch_options o = grid_on(NULL, global, local, NULL);
    cpl_status status = cpl_module_from_source(cx, "device.py", source, sizeof source - 1, &m);
    if (!status) status = cpl_launch(m, "reverse", &o, args, 4);
    if (!status && y[0] != x[GROUP - 1]) status = CPL_EINTERNAL;
    cpl_module_release(m);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    cpl_status status = CPL_ENOMEM;
    for (long n = 1; status != CPL_OK; n += n < 40 ? 1 : n / 16) {
        flaky f = {0, n, 0};
        messages said = {"", 0};
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.alloc = flaky_alloc;
        options.alloc_user = &f;
        options.sink = collect;
        options.sink_user = &said;
        cpl_context *cx = NULL;
        status = cpl_context_create(&options, &cx);
        if (!status) status = launch_reverse(cx);
        cpl_context_release(cx);
        assert_int_equal(f.live_bytes, 0);
        assert_true(status == CPL_OK || status == CPL_ENOMEM);
        assert_true(n < 100000);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_module, tear_down_module)
    const struct CMUnitTest tests[] = {
        TEST(plain_memory),      TEST(faults_have_places), TEST(forms_have_kernels_of_their_own),
        TEST(graphs_hold_grids), TEST(called_from_c),      TEST(parts_of_local_memory),
        TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
