/*
 * Arrays of several dimensions as arguments: contiguous ones and views with strides of all kinds
 * reach kernels as their shapes say, on the host, in the interpreter and on whatever devices there
 * are; other numbers of dimensions, and shapes that are none, are refused by name.
 */
#include "device_world.h"
#include "launches.h"

static const char kernels[] = "def rows(r, x, y):\n"
                              "    for c in range(x.shape[1]):\n"
                              "        y[r, c] = 10*x[r][c] + c + 100*len(x)\n"
                              "def at(a, i, j, k):\n"
                              "    return a[i, j][k]\n"
                              "def cube(i, x, y):\n"
                              "    for j in range(y.shape[1]):\n"
                              "        for k in range(y.shape[2]):\n"
                              "            y[i, j, k] = 10*at(x, i, j, k) + k + 100*j\n"
                              "def flat(i, x, y):\n"
                              "    y[i] = 10*x[i] + len(x)\n"
                              "def line(i, x, y):\n"
                              "    y[i] = x[i]*x.shape[0]\n"
                              "def total(x):\n"
                              "    s = 0.0\n"
                              "    for r in range(len(x)):\n"
                              "        for c in range(x.shape[1]):\n"
                              "            s += x[r, c]\n"
                              "    return s\n"
                              "def grid(i, j, x, y):\n"
                              "    y[i, j] = 10*x[i, j] + j + 100*len(x)\n"
                              "def block(i, j, k, x, y):\n"
                              "    y[i, j, k] = 10*x[i, j, k] + k + 100*j\n"
                              "def behind(i, x):\n"
                              "    x[i, 3] = 1\n"
                              "def below(i, x):\n"
                              "    x[i + 1, 0] += 1\n";

static int set_up_kernels(void **state)
{
    return set_up_source(state, "shapes.py", kernels);
}

/* Elements of a buffer of doubles, by their numbers. */
enum { BUFFER = 240, HALF = BUFFER / 2 };
typedef struct view {
    int dims;
    int64_t first, shape[3], strides[3]; /* in elements; strides all zero: contiguous */
} view;

static int64_t stride_of(const view *v, int d)
{
    int64_t dense = 1;
    if (v->strides[0] || v->strides[1] || v->strides[2]) return v->strides[d];
    for (int i = d + 1; i < v->dims && i < 3; i++) dense *= v->shape[i];
    return dense;
}

static int64_t place_of(const view *v, int64_t i, int64_t j, int64_t k)
{
    return v->first + i * stride_of(v, 0) + j * stride_of(v, 1) +
           (v->dims > 2 ? k * stride_of(v, 2) : 0);
}

/* What rows and cube write. */
static void expect(double *buffer, const view *x, const view *y)
{
    for (int64_t i = 0; i < x->shape[0]; i++)
        for (int64_t j = 0; j < x->shape[1]; j++)
            for (int64_t k = 0; k < (x->dims > 2 ? x->shape[2] : 1); k++)
                buffer[place_of(y, i, j, k)] =
                    10 * buffer[place_of(x, i, j, k)] +
                    (double)(x->dims > 2 ? k + 100 * j : j + 100 * x->shape[0]);
}

static cpl_arg plain(double *buffer, const view *v, int64_t strides[3])
{
    for (int d = 0; d < v->dims; d++) strides[d] = stride_of(v, d) * (int64_t)sizeof *buffer;
    bool dense = !v->strides[0] && !v->strides[1] && !v->strides[2];
    return cpl_arg_array_nd(CPL_FLOAT64, buffer + v->first, v->dims, v->shape,
                            dense ? NULL : strides);
}

static cpl_array *part(world *w, cpl_array *whole, const view *v)
{
    cpl_array_options o;
    cpl_array *a;
    cpl_array_options_init(&o);
    o.dims = v->dims;
    o.offset = (size_t)v->first * sizeof(double);
    for (int d = 0; d < v->dims; d++) {
        o.shape[d] = v->shape[d];
        o.strides[d] = stride_of(v, d) * (int64_t)sizeof(double);
    }
    OK(w, cpl_array_view(whole, &o, &a));
    return a;
}

static void fill(double *buffer)
{
    for (int i = 0; i < BUFFER; i++) buffer[i] = i + 0.5;
}

static void same(const double *a, const double *b, const char *where)
{
    for (int i = 0; i < BUFFER; i++)
        if (a[i] != b[i]) fail_msg("%s: element %d is %g, not %g", where, i, a[i], b[i]);
}

/* An index for the first dimension, or one for each: the same is written. */
static const char *function_for(const view *x, bool all)
{
    return x->dims > 2 ? all ? "block" : "cube" : all ? "grid" : "rows";
}

static void run_plain(world *w, const view *x, const view *y, bool all, const double *want)
{
    const char *function = function_for(x, all);
    double buffer[BUFFER];
    int64_t strides[2][3];
    cpl_arg args[] = {plain(buffer, x, strides[0]), plain(buffer, y, strides[1])};
    fill(buffer);
    OK(w, launch_rounds(w->module, function, NULL, args, 2, CPL_AUTO, NULL));
    same(buffer, want, "host");
    fill(buffer);
    OK(w,
       interpret_rounds(w->module, function, CPL_FORM_ELEMENTWISE, args, 2, CPL_AUTO, NULL, NULL));
    same(buffer, want, "interpreter");
    cpl_kernel *k;
    OK(w, rounds_kernel(w->module, function, args, 2, &k));
    fill(buffer);
    OK(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL));
    same(buffer, want, "kernel");
    cpl_kernel_release(k);
}

static void run_placed(world *w, cpl_device *d, const view *x, const view *y, bool all,
                       const double *want)
{
    double buffer[BUFFER];
    cpl_array *whole;
    fill(buffer);
    OK(w, cpl_array_create(w->cx, d, CPL_FLOAT64, BUFFER, &whole));
    OK(w, cpl_array_write(whole, NULL, buffer, NULL));
    cpl_array *from = part(w, whole, x), *to = part(w, whole, y);
    cpl_arg args[] = {cpl_arg_of_array(from), cpl_arg_of_array(to)};
    OK(w, launch_rounds(w->module, function_for(x, all), NULL, args, 2, CPL_AUTO, NULL));
    OK(w, cpl_array_read(whole, NULL, buffer, NULL));
    same(buffer, want, info_of(d).label);
    cpl_array_release(from);
    cpl_array_release(to);
    cpl_array_release(whole);
}

static const view pairs[][2] = {
    /* contiguous */
    {{2, 0, {5, 7}, {0}}, {2, HALF, {5, 7}, {0}}},
    {{2, 0, {1, 40}, {0}}, {2, HALF, {1, 40}, {0}}},
    {{2, 0, {40, 1}, {0}}, {2, HALF, {40, 1}, {0}}},
    {{3, 0, {4, 3, 5}, {0}}, {3, HALF, {4, 3, 5}, {0}}},
    /* a part of each row; every other row; both ends first; transposed */
    {{2, 2, {5, 3}, {8, 1}}, {2, HALF, {5, 3}, {0}}},
    {{2, 0, {4, 6}, {12, 1}}, {2, HALF, {4, 6}, {6, 1}}},
    {{2, 39, {5, 8}, {-8, -1}}, {2, HALF + 39, {5, 8}, {-8, -1}}},
    {{2, 0, {8, 5}, {1, 8}}, {2, HALF, {8, 5}, {0}}},
    {{2, 0, {8, 5}, {0}}, {2, HALF, {8, 5}, {1, 8}}},
    {{3, 1, {3, 4, 2}, {20, 5, 2}}, {3, HALF, {3, 4, 2}, {2, 6, 1}}},
    /* one row for all, one number for all */
    {{2, 3, {6, 4}, {0, 1}}, {2, HALF, {6, 4}, {0}}},
    {{3, 3, {2, 3, 4}, {0, 0, 2}}, {3, HALF, {2, 3, 4}, {0}}},
    /* in each other's gaps, and in place */
    {{2, 0, {5, 6}, {12, 2}}, {2, 1, {5, 6}, {12, 2}}},
    {{2, 0, {5, 6}, {12, 2}}, {2, 0, {5, 6}, {12, 2}}},
    /* nothing */
    {{2, 0, {0, 7}, {0}}, {2, 0, {0, 7}, {0}}},
    {{2, 0, {7, 0}, {0}}, {2, 0, {7, 0}, {0}}},
    {{3, 0, {2, 0, 3}, {0}}, {3, 0, {2, 0, 3}, {0}}},
};

static void views(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const view *x = &pairs[i][0], *y = &pairs[i][1];
        double want[BUFFER];
        fill(want);
        expect(want, x, y);
        for (int all = 0; all < 2; all++) {
            run_plain(w, x, y, all, want);
            EACH_DEVICE(w, d) run_placed(w, d, x, y, all, want);
        }
    }
}

static void checked(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    views(state);
    double x[12] = {0};
    const int64_t shape[] = {4, 3}, strides[] = {3 * sizeof *x, sizeof *x}, odd[] = {sizeof *x, 32};
    cpl_arg dense = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL),
            same_again = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, strides),
            strided = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, odd);
    cpl_arg *all[] = {&dense, &same_again, &strided};
    for (int i = 0; i < 3; i++) {
        FAILS(w, launch_rounds(w->module, "behind", NULL, all[i], 1, CPL_AUTO, NULL), CPL_EBOUNDS,
              "shapes.py:25:5: error: in 'behind': index 3 is out of bounds of 'x', which has 3 "
              "elements along dimension 1");
        FAILS(
            w, launch_rounds(w->module, "below", NULL, all[i], 1, CPL_AUTO, NULL), CPL_EBOUNDS,
            "in 'below': index 4 is out of bounds of 'x', which has 4 elements along dimension 0");
        double sum = 0;
        for (int k = 0; k < 12; k++) sum += x[k];
        assert_true(sum == 3 * (i + 1));
    }
}

static void flat_and_several(void **state)
{
    world *w = *state;
    double x[12], y[12], sum;
    for (int i = 0; i < 12; i++) x[i] = i;
    const int64_t shape[] = {3, 4}, gaps[] = {3, 2}, steps[] = {32, 16}, twelve = 12, two = 16;
    cpl_arg flat_args[] = {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL),
                           cpl_arg_array(CPL_FLOAT64, y, 12)};
    OK(w, launch_rounds(w->module, "flat", NULL, flat_args, 2, CPL_AUTO, NULL));
    for (int i = 0; i < 12; i++) assert_true(y[i] == 10 * x[i] + 12);
    /* with a step, of one dimension: as a length and a stride, and as a shape */
    cpl_arg stepped[] = {cpl_arg_array_nd(CPL_FLOAT64, x, 1, &gaps[0], &two), flat_args[1]};
    OK(w, launch_rounds(w->module, "flat", NULL, stepped, 2, CPL_AUTO, NULL));
    for (int i = 0; i < 3; i++) assert_true(y[i] == 10 * x[2 * i] + 3);
    OK(w, launch_rounds(w->module, "line", NULL, stepped, 2, CPL_AUTO, NULL));
    for (int i = 0; i < 3; i++) assert_true(y[i] == 3 * x[2 * i]);
    OK(w, call_once(w->module, "total", flat_args, 1, &sum, NULL));
    assert_true(sum == 66);
    cpl_arg one = cpl_arg_array_nd(CPL_FLOAT64, x, 1, &twelve, NULL),
            apart = cpl_arg_array_nd(CPL_FLOAT64, x, 2, gaps, steps);
    FAILS(w, call_once(w->module, "total", &flat_args[1], 1, &sum, NULL), CPL_EARG,
          "argument 'x' has 1 dimension, and the function takes it with 2");
    FAILS(w, call_once(w->module, "total", &one, 1, &sum, NULL), CPL_EARG,
          "argument 'x' has 1 dimension, and the function takes it with 2");
    flat_args[0] = apart;
    FAILS(
        w, launch_rounds(w->module, "flat", NULL, flat_args, 2, CPL_AUTO, NULL), CPL_EARG,
        "argument 'x' has 2 dimensions and elements that are not side by side row by row, and the "
        "function takes it as flat");
    FAILS(w, launch_rounds(w->module, "line", NULL, flat_args, 2, CPL_AUTO, NULL), CPL_EARG,
          "argument 'x' has 2 dimensions, and the function takes it with 1");
    cpl_arg cubes[] = {apart, apart};
    FAILS(w, launch_rounds(w->module, "cube", NULL, cubes, 2, CPL_AUTO, NULL), CPL_EARG,
          "argument 'x' has 2 dimensions, and the function takes it with 3");
}

/* What is given for j, and how many rounds, decide. */
static void indices(void **state)
{
    world *w = *state;
    double x[12], y[12] = {0};
    for (int i = 0; i < 12; i++) x[i] = i;
    const int64_t shape[] = {3, 4};
    cpl_arg two = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL),
            to = cpl_arg_array_nd(CPL_FLOAT64, y, 2, shape, NULL);
    cpl_arg args[] = {cpl_arg_int(2), two, to}, *some = args + 1;
    OK(w, launch_rounds(w->module, "grid", NULL, args, 3, 2, NULL));
    for (int i = 0; i < 12; i++) assert_true(y[i] == (i % 4 == 2 && i < 8 ? 10 * x[i] + 302 : 0));
    FAILS(w, launch_rounds(w->module, "grid", NULL, some, 2, 12, NULL), CPL_EARG,
          "the function runs over the shape of its first array");
    FAILS(w, interpret_rounds(w->module, "grid", CPL_FORM_ELEMENTWISE, some, 2, 12, NULL, NULL),
          CPL_EARG, "the function runs over the shape of its first array");
    FAILS(w, launch_rounds(w->module, "block", NULL, some, 2, CPL_AUTO, NULL), CPL_EARG,
          "argument 'x' has 2 dimensions, and the function takes it with 3");
    FAILS(w, launch_rounds(w->module, "grid", NULL, some, 1, CPL_AUTO, NULL), CPL_EARG,
          "no type for parameter 'y' of 'grid'");
}

/* Where a dimension is 0 there is nothing to do, however large the others are. */
static void empty_at_once(void **state)
{
    world *w = *state;
    double x = 1;
    const int64_t shapes[][3] = {{(int64_t)1 << 62, 0, 1}, {2, (int64_t)1 << 61, 0}, {0, 4, 4}};
    for (int i = 0; i < 6; i++) {
        const char *name = i < 3 ? "block" : "grid";
        cpl_arg at = cpl_arg_array_nd(CPL_FLOAT64, &x, i < 3 ? 3 : 2, shapes[i % 3], NULL);
        if (i == 4) continue; /* of two dimensions, with elements */
        cpl_arg args[] = {at, at};
        cpl_kernel *k;
        OK(w, launch_rounds(w->module, name, NULL, args, 2, CPL_AUTO, NULL));
        OK(w, rounds_kernel_for(w->module, name, NULL, args, 2, &k));
        OK(w, run_rounds(k, NULL, args, 2, CPL_AUTO, NULL));
        OK(w,
           interpret_rounds(w->module, name, CPL_FORM_ELEMENTWISE, args, 2, CPL_AUTO, NULL, NULL));
        cpl_kernel_release(k);
    }
    assert_true(x == 1);
}

/* Plain pointers that move to a device for a launch. */
static void moved(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    double x[30], y[30];
    const int64_t shape[] = {5, 3}, apart[] = {-48, 16}, zero[] = {0, 0}, one[] = {1, 1},
                  none[] = {0, 3};
    for (int i = 0; i < 30; i++) x[i] = i;
    EACH_DEVICE(w, d)
    {
        cpl_arg args[] = {cpl_arg_array_nd(CPL_FLOAT64, x + 24, 2, shape, apart),
                          cpl_arg_array_nd(CPL_FLOAT64, y, 2, shape, NULL)};
        cpl_queue *q = cpl_device_queue(d);
        OK(w, launch_rounds(w->module, "rows", q, args, 2, CPL_AUTO, NULL));
        for (int i = 0; i < 15; i++)
            assert_true(y[i] == 10 * x[24 - 6 * (i / 3) + 2 * (i % 3)] + i % 3 + 500);
        args[0] = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, zero);
        if (is_host(d)) OK(w, launch_rounds(w->module, "rows", q, args, 2, CPL_AUTO, NULL));
        else
            FAILS(w, launch_rounds(w->module, "rows", q, args, 2, CPL_AUTO, NULL), CPL_EARG,
                  "argument 1 is one element for all its indices");
        args[0] = cpl_arg_array_nd(CPL_FLOAT64, x + 7, 2, one, zero); /* which it has */
        args[1] = cpl_arg_array_nd(CPL_FLOAT64, y, 2, one, NULL);
        OK(w, launch_rounds(w->module, "rows", q, args, 2, CPL_AUTO, NULL));
        assert_true(y[0] == 10 * x[7] + 100);
        args[0] = cpl_arg_array_nd(CPL_FLOAT64, x, 2, none, zero);
        args[1] = cpl_arg_array_nd(CPL_FLOAT64, y, 2, none, NULL);
        OK(w, launch_rounds(w->module, "rows", q, args, 2, CPL_AUTO, NULL));
    }
}

/* A kernel keeps what it was made for. */
static void held(void **state)
{
    world *w = *state;
    double x[24] = {0}, y[24];
    const int64_t shape[] = {3, 4}, gaps[] = {64, 8};
    cpl_arg dense[] = {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL),
                       cpl_arg_array_nd(CPL_FLOAT64, y, 2, shape, NULL)};
    cpl_arg apart[] = {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, gaps), dense[1]};
    cpl_kernel *k;
    OK(w, rounds_kernel(w->module, "rows", dense, 2, &k));
    assert_string_equal(cpl_kernel_signature(k),
                        "void rows(int64_t n, const double *x, double *y, int64_t x_shape0, "
                        "int64_t x_shape1, int64_t y_shape0, int64_t y_shape1)");
    assert_non_null(strstr(cpl_kernel_types(k), "rows(r: int64, x: float64[,], y: float64[,])"));
    FAILS(w, run_rounds(k, NULL, apart, 2, CPL_AUTO, NULL), CPL_EARG,
          "argument 'x' has gaps between its elements, and the kernel was compiled for elements "
          "side by side");
    cpl_kernel_release(k);
    OK(w, rounds_kernel(w->module, "rows", apart, 2, &k));
    OK(w, run_rounds(k, NULL, apart, 2, CPL_AUTO, NULL));
    OK(w, run_rounds(k, NULL, dense, 2, CPL_AUTO, NULL));
    for (int i = 0; i < 12; i++) assert_true(y[i] == i % 4 + 300);
    cpl_kernel_release(k);
}

static void no_shapes(void **state)
{
    world *w = *state;
    static double x[12];
    static const int64_t shape[] = {3, 4}, negative[] = {3, -4}, odd[] = {32, 4}, out = INT64_MAX,
                         huge[] = {INT64_MAX, 2}, empty[] = {INT64_MAX, INT64_MAX, 0},
                         far[] = {INT64_MAX - 7, 8};
    cpl_arg good = cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, NULL), lengths = good, both = good,
            dims = good, none = good;
    lengths.length = 11;
    both.stride = 8;
    dims.dims = CPL_MAX_DIMS + 1;
    none.shape = NULL;
    const struct {
        cpl_arg arg;
        const char *said;
    } bad[] = {
        {cpl_arg_array_nd(CPL_FLOAT64, x, 2, negative, NULL), "1 has a negative length"},
        {lengths, "1 has another length than its shape"},
        {both, "1 has a stride beside a shape"},
        {dims, "1 has no valid number of dimensions"},
        {none, "1 has dimensions without a shape"},
        {cpl_arg_array_nd(CPL_FLOAT64, x, -1, shape, NULL), "1 has no valid number of dimensions"},
        {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, odd), "1 is not aligned to its elements"},
        {cpl_arg_array_nd(CPL_FLOAT64, x, 2, huge, NULL), "1 is larger than memory can be"},
        {cpl_arg_array_nd(CPL_FLOAT64, x, 1, &out, NULL), "1 is larger than memory can be"},
        {cpl_arg_array_nd(CPL_FLOAT64, x, 2, shape, far), "1 is larger than memory can be"},
        {cpl_arg_array_nd(CPL_FLOAT64, NULL, 2, shape, NULL), "1 is NULL but has a length"},
    };
    double sum = -1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FAILS(w, call_once(w->module, "total", &bad[i].arg, 1, &sum, NULL), CPL_EARG, bad[i].said);
        FAILS(w,
              interpret_rounds(w->module, "total", CPL_FORM_FUNCTION, &bad[i].arg, 1, 0, &sum,
                               NULL),
              CPL_EARG, bad[i].said);
        assert_true(sum == -1);
    }
    const int64_t one[] = {1, 2}, none_of[] = {0, 2}, any[] = {17, 16};
    cpl_arg row = cpl_arg_array_nd(CPL_FLOAT64, x, 2, one, any),
            no_row = cpl_arg_array_nd(CPL_FLOAT64, (char *)x + 1, 2, none_of, odd);
    x[0] = 1, x[1] = 100, x[2] = 2;
    OK(w, call_once(w->module, "total", &row, 1, &sum, NULL));
    assert_true(sum == 3);
    OK(w, call_once(w->module, "total", &no_row, 1, &sum, NULL));
    assert_true(sum == 0);
    cpl_arg nothing[] = {cpl_arg_array_nd(CPL_FLOAT64, NULL, 3, empty, NULL),
                         cpl_arg_array_nd(CPL_FLOAT64, NULL, 3, empty, NULL)};
    OK(w, launch_rounds(w->module, "cube", NULL, nothing, 2, 0, NULL));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(views),   TEST(checked),       TEST(flat_and_several),
                                       TEST(indices), TEST(empty_at_once), TEST(moved),
                                       TEST(held),    TEST(no_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
