/*
 * What the runtime asks of drivers at their limits, by what the stand-in driver is asked for:
 * groups of every size, local memory side by side and as much as there is, as many parameters as
 * can be, parts of buffers, command queues of the host program.
 */
#include "device_world.h"
#include "launches.h"

void *clCreateCommandQueue(void *context, void *device, uint64_t properties, int *error);
int clReleaseCommandQueue(void *queue);
void *clCreateContext(const intptr_t *properties, unsigned count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *user,
                      int *error);
int clReleaseContext(void *context);
int clFinish(void *queue);

static const char kernels[] = "from compyle.low_level import LID_0, declare\n"
                              "def nothing(x):\n"
                              "    x[0] = 1\n"
                              "def two(x, t, u):\n"
                              "    t[LID_0] = 1\n"
                              "    u[LID_0] = 2\n"
                              "    x[0] = 1\n"
                              "def fixed(x, t):\n"
                              "    u = declare('LOCAL_MEM matrix(100, \"double\")')\n"
                              "    u[LID_0] = 1\n"
                              "    t[LID_0] = u[LID_0]\n"
                              "    x[0] = 1\n"
                              "def wide(i, a, b, c, d, e, f, g, h, p, q, r, s):\n"
                              "    o = 0\n"
                              "    a[i, o, o, o, o, o, o, o] = b[i, o, o, o, o, o, o, o]\n"
                              "    c[i, o, o, o, o, o, o, o] = d[i, o, o, o, o, o, o, o]\n"
                              "    e[i, o, o, o, o, o, o, o] = f[i, o, o, o, o, o, o, o]\n"
                              "    g[i, o, o, o, o, o, o, o] = h[i, o, o, o, o, o, o, o]\n"
                              "    p[i, o, o, o, o, o, o, o] = q[i, o, o, o, o, o, o, o]\n"
                              "    r[i, o, o, o, o, o, o, o] = s[i, o, o, o, o, o, o, o]\n"
                              "def sum(i, x, y, z):\n"
                              "    z[i] = x[i] + y[i]\n"
                              "def touch(i, x):\n"
                              "    x[i] = 1\n"
                              "def total(x, n):\n"
                              "    s = 0.0\n"
                              "    for i in prange(n):\n"
                              "        s += x[i]\n"
                              "    return s\n"
                              "def left(i, x):\n"
                              "    x[i] = 1\n"
                              "def right(i, x):\n"
                              "    x[i] = 2\n";

static uint32_t offsets[2]; /* that the last launch of `two` was given, on CUDA */

static void run_two(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    for (int i = 0; i < 2; i++) memcpy(&offsets[i], args[1 + i], sizeof offsets[i]);
}

static void run_nothing(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)args, (void)global, (void)local;
}

static size_t seen_global[3], seen_local[3]; /* of the last launch of `touch` or `sum` */

static void run_seen(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)args;
    memcpy(seen_global, global, sizeof seen_global);
    memcpy(seen_local, local, sizeof seen_local);
}

static bool faulty[2]; /* whether left and right find an index out of bounds */

static void run_checked(void *const *args, bool fault)
{
    const cpl_fault f = {.taken = 1, .index = 9, .extent = 4};
    if (fault) memcpy(*(void *const *)args[3], &f, sizeof f); /* behind n, x and its length */
}

static void run_left(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    run_checked(args, faulty[0]);
}

static void run_right(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    run_checked(args, faulty[1]);
}

static void run_total(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global, (void)local;
    **(double *const *)args[3] = 0;
}

static int set_up_limits(void **state)
{
    open_standin();
    standin_register("two", run_two);
    standin_register("nothing", run_nothing);
    standin_register("fixed", run_nothing);
    standin_register("wide", run_nothing);
    standin_register("sum", run_seen);
    standin_register("touch", run_seen);
    standin_register("total_parts", run_seen);
    standin_register("total", run_total);
    standin_register("left", run_left);
    standin_register("right", run_right);
    return set_up_source(state, "limits.py", kernels);
}

static cpl_array *zeros(world *w, cpl_device *d, cpl_dtype dtype, int64_t n)
{
    cpl_array *x;
    OK(w, cpl_array_create(w->cx, d, dtype, n, &x));
    return x;
}

/* A group runs if the device takes each of its sizes, and all of its work-items. */
static void groups_of_every_size(void **state)
{
    world *w = *state;
    static const int64_t sizes[] = {1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025};
    enum { SIZES = sizeof sizes / sizeof *sizes, MOST = 1024 };
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_device_info info = info_of(d);
        cpl_array *x = zeros(w, d, CPL_INT32, 4);
        cpl_arg args[] = {cpl_arg_of_array(x)};
        cpl_kernel *k;
        OK(w, grid_kernel(w->module, "nothing", cpl_device_queue(d), args, 1, &k));
        for (int i = 0; i < SIZES * SIZES * SIZES; i++) {
            const int64_t size[3] = {sizes[i % SIZES], sizes[i / SIZES % SIZES],
                                     sizes[i / SIZES / SIZES]};
            bool fits = size[0] * size[1] * size[2] <= MOST;
            for (int t = 0; t < 3; t++) fits = fits && size[t] <= info.max_group[t];
            forget(w);
            cpl_status status = run_grid(k, NULL, size, size, args, 1, NULL);
            if (status != (fits ? CPL_OK : CPL_ELIMIT))
                fail_msg("%s: a group of %d, %d, %d: %s", info.label, (int)size[0], (int)size[1],
                         (int)size[2], w->said.text);
        }
        OK(w, cpl_queue_finish(cpl_device_queue(d)));
        cpl_kernel_release(k);
        cpl_array_release(x);
    }
}

/* A kernel may take fewer work-items than others of the device: of the two that reduce, each. */
static void each_kernel_has_its_limit(void **state)
{
    world *w = *state;
    static const unsigned limits[][2] = {{1, 1024},  {2, 1024},  {255, 1024}, {256, 1024},
                                         {257, 256}, {1024, 64}, {1024, 1}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) EACH_DEVICE(w, d)
        {
            if (is_host(d)) continue;
            standin_most_group("total_parts", limits[i][0]);
            standin_most_group("total", limits[i][1]);
            standin_most_group("touch", limits[i][0]);
            cpl_module *m; /* drivers are asked when kernels are loaded */
            OK(w, cpl_module_from_source(w->cx, "limits.py", kernels, sizeof kernels - 1, &m));
            cpl_array *x = zeros(w, d, CPL_FLOAT64, 5000);
            cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(5000)};
            double sum = 1;
            cpl_launch_options o = once_on(cpl_device_queue(d), &sum, NULL);
            OK(w, cpl_launch(m, "total", &o, args, 2));
            assert_true(sum == 0);
            assert_int_equal(seen_local[0], limits[i][0] < 256 ? limits[i][0] : 256);
            assert_int_equal(seen_global[0], 256 * seen_local[0]);
            OK(w, launch_rounds(m, "touch", cpl_device_queue(d), args, 1, CPL_AUTO, NULL));
            OK(w, cpl_queue_finish(cpl_device_queue(d)));
            assert_true(seen_local[0] <= limits[i][0]);
            cpl_array_release(x);
            cpl_module_release(m);
        }
}

/* How many groups a launch of so many rounds is given; 0: too many. */
static int64_t groups_for(world *w, cpl_kernel *k, const cpl_arg *arg, int64_t n)
{
    forget(w);
    cpl_status status = run_rounds(k, NULL, arg, 1, n, NULL);
    if (status == CPL_ELIMIT) {
        assert_non_null(strstr(w->said.text, "too many for one launch"));
        return 0;
    }
    assert_int_equal(status, CPL_OK);
    for (size_t i = 0; i < cpl_device_count(w->cx); i++)
        OK(w, cpl_queue_finish(cpl_device_queue(cpl_device_get(w->cx, i))));
    assert_int_equal(seen_global[0] % seen_local[0], 0);
    return (int64_t)(seen_global[0] / seen_local[0]);
}

/* Of the groups that an elementwise launch gives, none is idle. A kernel that refuses some number
 * has work-items that take no further rounds: all of them have one. */
static void check_rounds(world *w, cpl_kernel *k, const cpl_arg *arg)
{
    bool limited = groups_for(w, k, arg, (int64_t)1 << 42) == 0;
    int64_t rounds = 1; /* of a group */
    while (groups_for(w, k, arg, rounds + 1) == 1) rounds++;
    assert_int_equal(rounds % (int64_t)seen_local[0], 0);
    for (int power = 0; power < 42; power++)
        for (int64_t by = -1; by <= 1; by++) {
            int64_t n = ((int64_t)1 << power) + by, groups = n > 0 ? groups_for(w, k, arg, n) : 1;
            if (n <= 0) continue;
            if (!groups) assert_true(limited && (n - 1) / rounds >= INT32_MAX);
            else assert_true(groups <= INT32_MAX && (groups - 1) * rounds < n);
            if (groups && limited) assert_true(n <= groups * rounds);
        }
}

static void rounds_have_work_items(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_array *x = zeros(w, d, CPL_INT32, 4);
        cpl_arg arg = cpl_arg_of_array(x);
        cpl_kernel *k;
        OK(w, rounds_kernel_for(w->module, "touch", cpl_device_queue(d), &arg, 1, &k));
        check_rounds(w, k, &arg);
        if (info_of(d).kind == CPL_DEVICE_CUDA)
            assert_int_equal(groups_for(w, k, &arg, (int64_t)1 << 42), 0);
        cpl_kernel_release(k);
        cpl_array_release(x);
    }
}

/* CUDA's grids are smaller in their second and third dimension. */
static void grids_of_every_dimension(void **state)
{
    world *w = *state;
    static const int64_t counts[] = {1, 65535, 65536, INT32_MAX, (int64_t)INT32_MAX + 1};
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_array *x = zeros(w, d, CPL_INT32, 4);
        cpl_arg arg = cpl_arg_of_array(x);
        cpl_kernel *k;
        bool cuda = info_of(d).kind == CPL_DEVICE_CUDA;
        OK(w, grid_kernel(w->module, "nothing", cpl_device_queue(d), &arg, 1, &k));
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 5; c++) {
                int64_t global[3] = {2, 2, 2}, local[3] = {2, 2, 2};
                global[i] = 2 * counts[c] - 1; /* the last group is not full */
                bool fits = counts[c] <= (cuda && i ? 65535 : INT32_MAX);
                forget(w);
                assert_int_equal(run_grid(k, NULL, global, local, &arg, 1, NULL),
                                 fits ? CPL_OK : CPL_ELIMIT);
            }
        OK(w, cpl_queue_finish(cpl_device_queue(d)));
        cpl_kernel_release(k);
        cpl_array_release(x);
    }
}

/* On CUDA each begins at a multiple of 16 bytes, behind all of the one before. */
static void local_memory_side_by_side(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_INT8, CPL_INT16, CPL_FLOAT32, CPL_FLOAT64};
    cpl_device *d;
    OK(w, cpl_device_find(w->cx, "cuda", &d));
    cpl_array *x = zeros(w, d, CPL_INT32, 4);
    const int64_t one[3] = {1, 1, 1};
    for (int t = 0; t < 16; t++)
        for (int64_t n = 1; n <= 40; n++) {
            cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_local(types[t % 4], n),
                              cpl_arg_local(types[t / 4], 3)};
            cpl_kernel *k;
            OK(w, grid_kernel(w->module, "two", cpl_device_queue(d), args, 3, &k));
            OK(w, run_grid(k, NULL, one, one, args, 3, NULL));
            OK(w, cpl_queue_finish(cpl_device_queue(d)));
            size_t end = offsets[0] + (size_t)n * cpl_dtype_size(types[t % 4]);
            if (offsets[0] % 16 || offsets[1] % 16 || offsets[1] < end)
                fail_msg("%d elements of %s at %u, others at %u", (int)n,
                         cpl_dtype_name(types[t % 4]), offsets[0], offsets[1]);
            cpl_kernel_release(k);
        }
    cpl_array_release(x);
}

/* All of a group's is given, and no more: of parameters and of the kernel's own. */
static void local_memory_has_an_end(void **state)
{
    world *w = *state;
    const int64_t one[3] = {1, 1, 1};
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_array *x = zeros(w, d, CPL_INT32, 4);
        int64_t most = (int64_t)info_of(d).local_memory;
        cpl_launch_options o = grid_on(cpl_device_queue(d), one, one, NULL);
        for (int i = 0; i < 2; i++) { /* another parameter of 16, or 800 of the kernel's own */
            cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_local(CPL_FLOAT64, 1),
                              cpl_arg_local(CPL_INT8, 16)};
            const int64_t left = (most - (i ? 800 : 16)) / 8, more[] = {left + 1, INT32_MAX};
            const char *name = i ? "fixed" : "two";
            args[1].length = left;
            OK(w, cpl_launch(w->module, name, &o, args, i ? 2 : 3));
            for (int k = 0; k < 2; k++) {
                args[1].length = more[k];
                FAILS(w, cpl_launch(w->module, name, &o, args, i ? 2 : 3), CPL_ELIMIT,
                      "bytes of local memory a group");
            }
        }
        OK(w, cpl_queue_finish(cpl_device_queue(d)));
        cpl_array_release(x);
    }
}

/* An array of 8 dimensions with strides takes 17 of them. */
static void many_parameters(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_arg args[12];
        cpl_array *x = zeros(w, d, CPL_FLOAT64, 4), *v;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dims = 8;
        for (int i = 0; i < 8; i++) o.shape[i] = 1, o.strides[i] = 8;
        o.shape[0] = 2;
        o.strides[0] = 16;
        OK(w, cpl_array_view(x, &o, &v));
        for (int i = 0; i < 12; i++) args[i] = cpl_arg_of_array(v);
        OK(w, launch_rounds(w->module, "wide", cpl_device_queue(d), args, 12, CPL_AUTO, NULL));
        OK(w, cpl_queue_finish(cpl_device_queue(d)));
        cpl_array_release(v);
        cpl_array_release(x);
    }
}

/* n floats of the array from a byte on. */
static cpl_array *view(world *w, cpl_array *array, size_t at, int64_t n)
{
    cpl_array *v;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = n;
    o.offset = at;
    OK(w, cpl_array_view(array, &o, &v));
    return v;
}

/* Two cl_mem of somebody else's may be parts of one: a kernel that relies on arrays being apart
 * makes way for another version, by name and by handle. */
static void foreign_memory_may_be_shared(void **state)
{
    world *w = *state;
    cpl_device *d;
    OK(w, cpl_device_find(w->cx, "opencl", &d));
    cpl_array *x = zeros(w, d, CPL_FLOAT32, 64), *y = zeros(w, d, CPL_FLOAT32, 64), *foreign[2];
    cpl_arg own[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_of_array(y)}, others[3];
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT32;
    o.dims = 1;
    o.shape[0] = 64;
    for (int i = 0; i < 2; i++) {
        size_t offset;
        void *memory = cpl_array_address(i ? y : x, d, &offset);
        OK(w, cpl_array_wrap(w->cx, d, &o, memory, &foreign[i]));
        others[i] = cpl_arg_of_array(foreign[i]);
    }
    own[1] = cpl_arg_of_array(x);
    others[2] = others[1];
    others[1] = others[0];
    cpl_kernel *k;
    OK(w, rounds_kernel_for(w->module, "sum", cpl_device_queue(d), own, 3, &k));
    OK(w, run_rounds(k, NULL, own, 3, CPL_AUTO, NULL));
    uint64_t before = compiles(w);
    OK(w, run_rounds(k, NULL, others, 3, CPL_AUTO, NULL));
    assert_int_equal(compiles(w), before + 1);
    OK(w, launch_rounds(w->module, "sum", NULL, others, 3, CPL_AUTO, NULL));
    OK(w, launch_rounds(w->module, "sum", NULL, own, 3, CPL_AUTO, NULL));
    assert_int_equal(compiles(w), before + 1);
    OK(w, cpl_queue_finish(cpl_device_queue(d)));
    cpl_kernel_release(k);
    for (int i = 0; i < 2; i++) cpl_array_release(foreign[i]);
    cpl_array_release(x);
    cpl_array_release(y);
}

/* Without addresses: a part for each place and length, and one for two arguments that share it. */
static void parts_of_buffers(void **state)
{
    world *w = *state;
    cpl_device *d;
    OK(w, cpl_device_find(w->cx, "opencl", &d));
    cpl_array *x = zeros(w, d, CPL_FLOAT32, 1024), *z = zeros(w, d, CPL_FLOAT32, 16);
    for (size_t at = 1024; at <= 2048; at += 1024)
        for (int64_t n = 1; n <= 6; n++)
            for (int64_t m = 1; m <= 6; m++) {
                cpl_array *a = view(w, x, 1024, n), *b = view(w, x, at, m);
                cpl_arg args[] = {cpl_arg_of_array(a), cpl_arg_of_array(b), cpl_arg_of_array(z)};
                uint64_t before = standin_count("clCreateSubBuffer");
                OK(w, launch_rounds(w->module, "sum", NULL, args, 3, 1, NULL));
                uint64_t made = standin_count("clCreateSubBuffer") - before;
                if (made != (at == 1024 && n == m ? 1 : 2))
                    fail_msg("%d elements and %d, %s: %d parts", (int)n, (int)m,
                             at == 1024 ? "from one place" : "apart", (int)made);
                cpl_array_release(a);
                cpl_array_release(b);
            }
    cpl_array_release(x);
    cpl_array_release(z);
}

/* A part reaches from the first byte of a view's elements to the last, however far apart they
 * are. */
static void parts_hold_all_of_a_view(void **state)
{
    world *w = *state;
    static const cpl_dtype types[] = {CPL_INT8, CPL_INT16, CPL_FLOAT32, CPL_FLOAT64};
    enum { BYTES = 4096 };
    cpl_device *d;
    OK(w, cpl_device_find(w->cx, "opencl", &d));
    for (int t = 0; t < 4; t++) {
        int64_t size = (int64_t)cpl_dtype_size(types[t]);
        cpl_array *x = zeros(w, d, types[t], BYTES / size), *v;
        for (int apart = 1; apart <= 5; apart++)
            for (int64_t n = 1; n <= 6; n++)
                for (size_t from = 128; from <= 1024; from *= 2) {
                    cpl_array_options o;
                    cpl_array_options_init(&o);
                    o.dims = 1;
                    o.shape[0] = n;
                    o.strides[0] = apart * size;
                    o.offset = from;
                    OK(w, cpl_array_view(x, &o, &v));
                    cpl_arg arg = cpl_arg_of_array(v);
                    uint64_t at, bytes;
                    OK(w, launch_rounds(w->module, "touch", NULL, &arg, 1, n, NULL));
                    bytes = standin_part(&at);
                    assert_int_equal(at, from);
                    assert_int_equal(bytes, (n - 1) * apart * size + size);
                    cpl_array_release(v);
                }
        cpl_array_release(x);
    }
}

/* A command queue of the host program's is his again when ours, made of it, are gone. */
static void queues_of_the_host_program(void **state)
{
    world *w = *state;
    cpl_device *d;
    void *id;
    int error;
    OK(w, cpl_device_find(w->cx, "opencl", &d));
    void *context = cpl_device_native(d, &id);
    void *native = clCreateCommandQueue(context, id, 0, &error);
    assert_non_null(native);
    cpl_array *x = zeros(w, d, CPL_FLOAT64, 4);
    cpl_arg args[] = {cpl_arg_of_array(x)};
    for (int round = 0; round < 3; round++) {
        cpl_queue_options o;
        cpl_queue_options_init(&o);
        o.use_native = true;
        o.native = native;
        cpl_queue *a, *b;
        OK(w, cpl_queue_create(d, &o, &a));
        OK(w, cpl_queue_create(d, &o, &b));
        cpl_kernel *k;
        const int64_t one[3] = {1, 1, 1};
        OK(w, grid_kernel(w->module, "nothing", a, args, 1, &k));
        OK(w, run_grid(k, a, one, one, args, 1, NULL));
        cpl_queue_release(a);
        OK(w, run_grid(k, b, one, one, args, 1, NULL));
        OK(w, cpl_queue_finish(b));
        OK(w, cpl_array_pull(x, NULL)); /* the array remembers its last queue */
        cpl_kernel_release(k);
        cpl_queue_release(b);
        assert_int_equal(clFinish(native), 0);
    }
    cpl_array_release(x);
    assert_int_equal(clFinish(native), 0);
    assert_int_equal(clReleaseCommandQueue(native), 0);
}

/* One of another context, or device, or out of order, is refused, and still his. */
static void queues_of_elsewhere(void **state)
{
    world *w = *state;
    cpl_device *d, *other;
    void *ids[2];
    int error;
    OK(w, cpl_device_find(w->cx, "opencl:0", &d));
    OK(w, cpl_device_find(w->cx, "opencl:1", &other));
    void *contexts[] = {cpl_device_native(d, &ids[0]), cpl_device_native(other, &ids[1]), NULL};
    contexts[2] = clCreateContext(NULL, 2, ids, NULL, NULL, &error);
    assert_non_null(contexts[2]);
    for (int k = 0; k < 3 * 2 * 2; k++) {
        int of = k % 3, on = k / 3 % 2, out_of_order = k / 6;
        void *native = clCreateCommandQueue(contexts[of], ids[on], (uint64_t)out_of_order, &error);
        assert_non_null(native);
        cpl_queue *q;
        cpl_queue_options o;
        cpl_queue_options_init(&o);
        o.use_native = true;
        o.native = native;
        bool good = !of && !on && !out_of_order;
        forget(w);
        cpl_status status = cpl_queue_create(d, &o, &q);
        if (status != (good ? CPL_OK : CPL_EARG)) fail_msg("case %d: %d", k, status);
        if (!good &&
            !strstr(w->said.text, of || on ? "is not of opencl:0 and the context" : "out of order"))
            fail_msg("case %d: %s", k, w->said.text);
        if (good) cpl_queue_release(q);
        assert_int_equal(clReleaseCommandQueue(native), 0);
    }
    assert_int_equal(clReleaseContext(contexts[2]), 0);
}

/* A wait tells of the faults of all kernels before it, whichever they are, once. */
static void faults_of_several_kernels(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    EACH_DEVICE(w, d)
    {
        if (is_host(d)) continue;
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *x = zeros(w, d, CPL_INT32, 4);
        cpl_arg args[] = {cpl_arg_of_array(x)};
        for (int i = 0; i < 8; i++) {
            faulty[0] = i & 1, faulty[1] = i & 2;
            bool swapped = i & 4;
            OK(w, launch_rounds(w->module, swapped ? "right" : "left", q, args, 1, 4, NULL));
            OK(w, launch_rounds(w->module, swapped ? "left" : "right", q, args, 1, 4, NULL));
            forget(w);
            assert_int_equal(cpl_queue_finish(q), i & 3 ? CPL_EBOUNDS : CPL_OK);
            assert_int_equal(strstr(w->said.text, "in 'left'") != NULL, faulty[0]);
            assert_int_equal(strstr(w->said.text, "in 'right'") != NULL, faulty[1]);
            OK(w, cpl_queue_finish(q));
        }
        cpl_array_release(x);
    }
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    setenv("CPL_STANDIN_SVM", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(groups_of_every_size, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(each_kernel_has_its_limit, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(rounds_have_work_items, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(grids_of_every_dimension, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(local_memory_side_by_side, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(local_memory_has_an_end, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(many_parameters, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(foreign_memory_may_be_shared, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(parts_of_buffers, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(parts_hold_all_of_a_view, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(queues_of_the_host_program, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(queues_of_elsewhere, set_up_limits, close_standin),
        cmocka_unit_test_setup_teardown(faults_of_several_kernels, set_up_limits, close_standin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
