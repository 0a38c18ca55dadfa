/* Memory runs out in launches, calls and what compiles for them. */
#include "fault_alloc.h"

#include "runtime/runtime.h"

static cpl_status launch(world *w)
{
    double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 8), cpl_arg_array(CPL_FLOAT64, y, 8),
                      cpl_arg_float(2), cpl_arg_int(1)};
    cpl_status status = launch_rounds(w->m, "axpb", NULL, args, 4, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (y[0] == 1 && y[1] > 2.68 && y[1] < 2.69));
    return status;
}

/* The text of an expression becomes a source of the module. */
static cpl_status launch_bound(world *w)
{
    double x[4] = {0, 1, 2, 3};
    cpl_bind twice = cpl_bind_expression("lambda t: t + t"), rounds = cpl_bind_integer(3),
             root = cpl_bind_function("sqrt");
    cpl_arg args[] = {cpl_arg_bound(&twice), cpl_arg_bound(&rounds),
                      cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_bound(&root)};
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 4, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (x[2] == 4 && x[0] == 0));
    return status;
}

static cpl_status launch_strided(world *w)
{
    int32_t x[16], y[16] = {0};
    for (int i = 0; i < 16; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 8), cpl_arg_array(CPL_INT32, y, 8)};
    args[0].stride = args[1].stride = 8;
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 2, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (y[14] == 14 && y[13] == 0));
    return status;
}

static cpl_status launch_overlapping(world *w)
{
    int32_t x[9] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 8), cpl_arg_array(CPL_INT32, x + 1, 8)};
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 2, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || x[8] == 8);
    return status;
}

/* A fault that a check finds is told as such whatever else failed. */
static cpl_status launch_checked(world *w)
{
    double x[3] = {1, 2, 3}, y[4] = {0};
    int32_t k[4] = {0, 2, 3, 1};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, y, 4), cpl_arg_array(CPL_FLOAT64, x, 3),
                      cpl_arg_array(CPL_INT32, k, 4)};
    return launch_rounds(w->m, NULL, NULL, args, 3, CPL_AUTO, NULL);
}

static cpl_status make_kernel(world *w)
{
    const cpl_type *types[2];
    cpl_status status = cpl_type_parse(w->cx, "float64[]", &types[0]);
    if (!status) status = cpl_type_parse(w->cx, "int32", &types[1]);
    if (status) return status;
    int64_t options[2] = {INT64_MIN, INT64_MIN};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = types;
    spec.type_count = 2;
    spec.options = options;
    spec.option_count = 2;
    cpl_kernel *k = (cpl_kernel *)1;
    status = spec_kernel(w->m, "total", &spec, &k);
    if (status) {
        assert_null(k);
        return status;
    }
    double x[3] = {1, 2, 3};
    void *address = cpl_kernel_address(k);
    double (*total)(const double *x, int32_t n);
    memcpy(&total, &address, sizeof total);
    assert_true(total(x, 3) == 6);
    cpl_kernel_release(k);
    return CPL_OK;
}

static cpl_status call(world *w)
{
    cpl_arg args[] = {cpl_arg_float(1.5), cpl_arg_int(2)};
    double result = 0;
    cpl_status status = call_once(w->m, NULL, args, 2, &result, NULL);
    assert_true(status != CPL_OK || result == 2.25);
    return status;
}

static cpl_status interpret(world *w)
{
    cpl_arg args[] = {cpl_arg_float(1.5), cpl_arg_int(2)};
    double result = 0;
    cpl_status status = interpret_rounds(w->m, NULL, CPL_FORM_FUNCTION, args, 2, 0, &result, NULL);
    assert_true(status != CPL_OK || result == 2.25);
    return status;
}

static const char total[] =
    "def total(x, n):\n    s = 0.0\n    for i in range(n):\n        s += x[i]\n    return s\n";
static const char squared[] =
    "def f(x, n):\n    p = 1.0\n    for i in range(n):\n        p *= x\n    return p\n";

const scenario fault_alloc_launches[] = {
    {"kernel -O0", total, make_kernel, .opt_level = 0, .fresh = true},
    {"kernel -O3", total, make_kernel, .opt_level = 3, .fresh = true},
    {"kernel through the cache", .text = total, .act = make_kernel, .cache = true, .fresh = true},
    {"launch", .text = axpb, .act = launch, .fresh = true},
    {"launch in tiers", axpb, launch, .opt_level = 1, .tiers = true, .fresh = true},
    {"bound",
     "def f(i, f, n, x, g):\n    for k in static_range(n):\n        x[i] = f(x[i])\n"
     "    x[i] = g(x[i])\n",
     launch_bound, .fresh = true},
    {"strided", "def f(i, x, y):\n    y[i] = x[i]\n", launch_strided, .fresh = true},
    {"overlapping", "def f(i, x, y):\n    y[i] = x[i] + 1\n", launch_overlapping, .fresh = true},
    {"bounds", .text = "def gather(i, y, x, k):\n    y[i] = x[k[i]]\n", .act = launch_checked,
     .checked = true, .expected = CPL_EBOUNDS, .fresh = true},
    {"call", squared, call, .fresh = true},
    {"interpreter", .text = squared, .act = interpret},
    {0},
};
