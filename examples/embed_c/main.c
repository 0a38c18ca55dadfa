/*
 * A kernel given as text, run over arrays of a C program: on all cores, compiled while the program
 * does something else, and on a device. What goes wrong is shown as cplc shows it.
 */
#include <cpl/cpl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "def wave(i, x, y, a, b):\n"
                             "    y[i] = a*sin(x[i]) + b\n"
                             "\n"
                             "def typo(i, x, amplitude):\n"
                             "    x[i] = amplitud*x[i]\n";

enum { N = 1000000 };
static double x[N], y[N];

/* Says why a call failed; 1 for CPL_OK. */
static int is_ok(cpl_status status)
{
    if (status) fprintf(stderr, "embed_c: %s\n", cpl_last_error());
    return status == CPL_OK;
}

/* Of all values; 1 when they are right. */
static int check(const char *where)
{
    double worst = 0;
    for (int i = 0; i < N; i++) worst = fmax(worst, fabs(y[i] - (2.5 * sin(x[i]) + 1)));
    printf("wave on %s: %d elements, largest difference from libm %.2g\n", where, N, worst);
    return worst < 1e-14;
}

/* An error has a status; its text is kept for the thread, with the place in the source. */
static int show_an_error(cpl_module *module)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_float(2)};
    cpl_status status = cpl_launch(module, "typo", NULL, args, 2);
    printf("%s:\n%s\n", cpl_status_message(status), cpl_last_error());
    return status == CPL_ENOTFOUND;
}

/* The kernel is made on another thread, while this one fills the array. */
static int run_on_all_cores(cpl_module *module)
{
    cpl_arg args[] = {cpl_arg_const_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(2.5), cpl_arg_int(1)};
    cpl_compile *compile;
    if (!is_ok(cpl_compile_begin(module, "wave", NULL, args, 4, &compile))) return 0;
    for (int i = 0; i < N; i++) x[i] = 1e-5 * i;
    cpl_kernel *kernel;
    cpl_status status;
    while ((status = cpl_compile_wait(compile, 10, &kernel)) ==
           CPL_ETIMEDOUT); /* an event loop would turn here, woken by cpl_compile_notify, and call
                              cpl_compile_cancel when the user wants that */
    cpl_compile_release(compile);
    if (!is_ok(status)) return 0;
    status = cpl_kernel_launch(kernel, NULL, args, 4);
    cpl_kernel_release(kernel);
    return is_ok(status) && check("all cores");
}

/* The first GPU that computes in float64, else the host, which is a device too. */
static cpl_device *find_device(cpl_context *context)
{
    static const char *const kinds[] = {"cuda", "opencl", "host"};
    cpl_device *device = NULL;
    for (int i = 0; i < 3 && !device; i++) {
        cpl_device_info info = {.size = sizeof info};
        if (cpl_device_find(context, kinds[i], &device)) continue;
        if (cpl_device_info_get(device, &info) || !info.fp64) device = NULL;
    }
    return device;
}

static int run_on_a_device(cpl_context *context, cpl_module *module)
{
    cpl_device *device = find_device(context);
    cpl_device_info info = {.size = sizeof info};
    if (!device || !is_ok(cpl_device_info_get(device, &info))) return 0;
    cpl_array *from = NULL, *to = NULL;
    cpl_status status = cpl_array_create(context, device, CPL_FLOAT64, N, &from);
    if (!status) status = cpl_array_create(context, device, CPL_FLOAT64, N, &to);
    if (!status) status = cpl_array_write(from, NULL, x, NULL);
    if (!status) {
        cpl_arg args[] = {cpl_arg_of_array(from), cpl_arg_of_array(to), cpl_arg_float(2.5),
                          cpl_arg_int(1)};
        status = cpl_launch(module, "wave", NULL, args, 4); /* may return before it has run */
    }
    memset(y, 0, sizeof y);
    if (!status) status = cpl_array_read(to, NULL, y, NULL); /* waits */
    cpl_array_release(from);
    cpl_array_release(to);
    return is_ok(status) && check(info.label);
}

int main(void)
{
    cpl_context *context;
    cpl_module *module = NULL;
    int ok = is_ok(cpl_context_create(NULL, &context)) &&
             is_ok(cpl_module_from_source(context, "wave.py", source, strlen(source), &module)) &&
             show_an_error(module) && run_on_all_cores(module) && run_on_a_device(context, module);
    cpl_module_release(module);
    cpl_context_release(context);
    return ok ? 0 : 1;
}
