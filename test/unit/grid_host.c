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
        TEST(graphs_hold_grids), TEST(called_from_c),      TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
