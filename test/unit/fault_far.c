/*
 * Code far from everything: between any two compilations four gigabytes of addresses are taken
 * away, so that each kernel lies out of reach of a 32-bit displacement from the library, from the
 * functions of the host and from other kernels. All of them load and run, then and at the end.
 */
#include "fault.h"
#include "launches.h"

#include <math.h>
#include <sys/mman.h>

static const size_t APART = (size_t)4 << 30;

enum { N = 64 };

static double host_twice(double x)
{
    return 2 * x;
}

/* What code refers to: constants of its own, libm and libmvec, libomp, functions of the host, the
 * library's report of faults, libc. */
typedef struct shape {
    const char *text;
    double (*model)(double x, long k);
} shape;

static double model_line(double x, long k)
{
    return x * 1.5 + (double)k;
}

static double model_math(double x, long k)
{
    return pow(fabs(sin(x)), 1.25) + exp(-x) + (double)k;
}

static double model_host(double x, long k)
{
    return 2 * x + (double)k;
}

static double model_table(double x, long k)
{
    double s = 0;
    for (int j = 0; j < 32; j++) s += (double)j * x;
    return s + (double)k;
}

static const shape shapes[] = {
    {"def f(i, x, y):\n    y[i] = x[i]*1.5 + %ld.0\n", model_line},
    {"from math import sin, exp\ndef f(i, x, y):\n    y[i] = abs(sin(x[i]))**1.25 + exp(-x[i]) + "
     "%ld.0\n",
     model_math},
    {"def f(i, x, y):\n    y[i] = host_twice(x[i]) + %ld.0\n", model_host},
    {"def f(i, x, y):\n    t = declare('matrix(32)')\n    for j in range(32):\n        t[j] = "
     "j*x[i]\n    s = 0.0\n    for j in range(32):\n"
     "        s += t[j]\n    y[i] = s + %ld.0\n",
     model_table},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void run(cpl_kernel *kernel, long k)
{
    double x[N], y[N] = {0};
    for (int i = 0; i < N; i++) x[i] = 0.05 * i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N)};
    assert_int_equal(run_rounds(kernel, NULL, args, 2, N, NULL), CPL_OK);
    for (int i = 0; i < N; i++) {
        double wanted = shapes[k % SHAPES].model(x[i], k);
        if (!(fabs(y[i] - wanted) <= 1e-12 * (1 + fabs(wanted))))
            fail_msg("kernel %ld gives %.17g for %.17g", k, y[i], wanted);
    }
}

static cpl_kernel *compile(cpl_context *cx, long k)
{
    char text[512];
    snprintf(text, sizeof text, shapes[k % SHAPES].text, k);
    assert_int_equal(cpl_context_set_option(cx, "opt_level", k % 8 < SHAPES ? 0 : 3), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "bounds_check", k % 3 == 0), CPL_OK);
    cpl_module *m = fault_module(cx, text);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, NULL, 0), cpl_arg_array(CPL_FLOAT64, NULL, 0)};
    cpl_kernel *kernel = NULL;
    cpl_status status = rounds_kernel(m, "f", args, 2, &kernel);
    if (status) fail_msg("kernel %ld: %s", k, cpl_status_message(status));
    cpl_module_release(m); /* the kernel holds it */
    return kernel;
}

static char *take(size_t size)
{
    char *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(at != MAP_FAILED);
    return at;
}

/* Linux hands out addresses from above: with the holes above the gap full, what comes next lies
 * below it. Nothing is given back. */
static void leave_a_gap(void)
{
    char *gap = take(APART);
    for (size_t size = 1 << 20; size >= 4096; size /= 4)
        while (take(size) > gap) continue;
}

static uint64_t distance(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x > y ? x - y : y - x;
}

static void code_far_from_everything(void **state)
{
    (void)state;
    long n = test_rounds(300, 1000), far = 0;
    messages said = {0};
    cpl_context *cx = fault_context(NULL, &said);
    assert_int_equal(cpl_extern_register(cx, "host_twice", "float64(float64)",
                                         (void *)(uintptr_t)host_twice, true),
                     CPL_OK);
    cpl_kernel **kernels = calloc((size_t)n, sizeof *kernels);
    for (long k = 0; k < n; k++) {
        leave_a_gap();
        kernels[k] = compile(cx, k);
        run(kernels[k], k);
        far += distance(cpl_kernel_address(kernels[k]), (void *)(uintptr_t)run_rounds) > INT32_MAX;
    }
    for (long k = 0; k < n; k++) run(kernels[k], k);
    assert_int_equal(far, n);
    fault_figures("far", "\"compiles\": %ld, \"farther_than_2_GiB\": %ld, \"failures\": 0", n, far);
    for (long k = 0; k < n; k++) cpl_kernel_release(kernels[k]);
    free(kernels);
    cpl_context_release(cx);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_far_from_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
