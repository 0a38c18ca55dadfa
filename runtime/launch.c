/*
 * Launches where arguments and options say: the one way from a caller's arguments to the code that
 * they run. Plain arguments of the host are bound and run here; others are placed where the launch
 * runs (device/place.c), their kernel is found (specialise.c) and given to its device
 * (device/submit.c).
 */
#include "runtime/device/device.h"
#include "runtime/leave.h"
#include "runtime/resolve.h"

#include <stdatomic.h>

static void tell_result(const cpl_launch_options *o, const cpl_kernel *k)
{
    if (o->result_type && kernel_form(k) == CPL_FORM_FUNCTION) *o->result_type = k->artifact.result;
}

cpl_status launch_rounds_of(const cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                            size_t count, int64_t *n)
{
    *n = kernel_form(k) == CPL_FORM_ELEMENTWISE ? o->n : 1;
    return launch_count(module_context(k->module), &k->artifact, args, count, n);
}

cpl_status launch_rounds_expected(cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args,
                                  size_t count, int64_t *n)
{
    *n = o->form == CPL_FORM_ELEMENTWISE || o->n > 1 ? o->n : 1;
    return launch_count(cx, NULL, args, count, n);
}

/* --- plain arguments of the host --- */

static bool is_plain(const cpl_launch_options *o, const cpl_kernel *k, const cpl_arg *args,
                     size_t count)
{
    return !o->queue && !(k && k->target) && !args_have_arrays(args, count);
}

/* Whether arrays lie on the host alone, where nobody is at work on them: *args are then plain
 * arguments, in `bare`. */
static bool is_bare(const cpl_launch_options *o, const cpl_kernel *k, const cpl_arg **args,
                    size_t count, cpl_arg *bare)
{
    cpl_context *cx = module_context(k->module);
    if (o->queue || o->event || o->automatic || k->target) return false;
    cpl_device *host = device_host(cx);
    cpl_queue *q = host ? cpl_device_queue(host) : NULL;
    if (!q || q->recording) return false;
    for (size_t i = 0; i < count; i++) {
        bare[i] = (*args)[i];
        bool is_own = bare[i].kind == CPL_ARG_ARRAY && bare[i].array;
        if (is_own && !place_bare(cx, &bare[i])) return false;
    }
    *args = bare;
    return true;
}

/* With those of the arguments that are values. */
static cpl_status run_values(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t rounds,
                             void *result)
{
    if (!args_have_bound(args, count)) return kernel_run_values(k, args, count, rounds, result);
    cpl_arg values[MOST_ARGUMENTS];
    return kernel_run_values(k, values, args_values(args, count, values), rounds, result);
}

/* A kernel that the caller holds, or the version of it that suits the arguments. */
static cpl_status run_held(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                           size_t count)
{
    binding b;
    int64_t rounds;
    const artifact *a = &k->artifact;
    cpl_context *cx = module_context(k->module);
    cpl_status status = launch_rounds_of(k, o, args, count, &rounds);
    if (status) return status;
    if (kernel_bind_at_a_glance(k, args, count, rounds, &b))
        return kernel_run_bound(k, &b, args, count, rounds, o->result);
    status = args_bind(cx, a, args, count, rounds, &b);
    if (status) return status;
    uint32_t facts = kernel_facts(cx, NULL, a, args, count, rounds);
    if (!a->elementwise) facts &= ~(uint32_t)CPL_FACT_IN_ORDER; /* as the caller orders them */
    if (kernel_suits(k, facts)) return kernel_run_bound(k, &b, args, count, rounds, o->result);
    cpl_kernel *version;
    status = kernel_version(k, facts, &version);
    return status ? status : kernel_run_values(version, args, count, rounds, o->result);
}

/* --- any others --- */

static kernel_request request_of(const placed *p, cpl_module *module, const char *function,
                                 cpl_form form)
{
    return (kernel_request){.module = module,
                            .function = function,
                            .form = form,
                            .target = p->queue->compiles,
                            .args = p->args,
                            .count = p->count,
                            .opaque = place_is_opaque(p),
                            .lasting = p->queue->recording != NULL,
                            .checked = true};
}

/* The version of a kernel that is right for these arguments. */
static cpl_status suited(cpl_kernel *k, const placed *p, int64_t n, cpl_kernel **fit)
{
    cpl_context *cx = module_context(k->module);
    uint32_t facts = kernel_facts(cx, k->target, &k->artifact, p->args, p->count, n);
    if (place_is_opaque(p)) facts &= ~(uint32_t)CPL_FACT_APART;
    if (!k->artifact.elementwise || !place_can_order(p, k)) facts &= ~(uint32_t)CPL_FACT_IN_ORDER;
    return kernel_version(k, facts, fit);
}

/* found: it is the version for these arguments. */
static cpl_status launch_on(cpl_kernel *k, bool found, placed *p, const cpl_launch_options *o)
{
    int64_t rounds;
    binding b;
    cpl_kernel *fit = k;
    cpl_status status = launch_rounds_of(k, o, p->args, p->count, &rounds);
    if (!status) status = submit_check(k, p);
    if (status) return status;
    bool bound = place_is_plain(p) && kernel_bind_at_a_glance(k, p->args, p->count, rounds, &b);
    if (!bound && !found) status = suited(k, p, rounds, &fit);
    if (status) return status;
    if (!fit->artifact.after) return submit(fit, p, o, rounds, bound ? &b : NULL);
    plan *whole;
    status = plan_find(fit, reduction_plan, NULL, &whole);
    return status ? status : plan_submit(whole, p, o, rounds);
}

/* The kernel for placed arguments; of them the values are left. */
static cpl_status find_placed(placed *p, cpl_module *module, const char *function,
                              const cpl_launch_options *o, cpl_kernel **kernel)
{
    kernel_request r = request_of(p, module, function, o->form);
    cpl_status status = launch_rounds_expected(p->device->cx, o, p->args, p->count, &r.n);
    if (!status) status = kernel_for_args(&r, kernel);
    if (!status) place_values(p);
    return status;
}

static cpl_status launch_placed(cpl_module *module, const char *function,
                                const cpl_launch_options *o, const cpl_arg *args, size_t count)
{
    placed p;
    cpl_kernel *k;
    cpl_status status = place_begin(&p, module_context(module), o, args, count);
    if (!status) status = find_placed(&p, module, function, o, &k);
    if (!status) tell_result(o, k);
    if (!status) status = launch_on(k, kernel_form(k) == o->form, &p, o);
    return place_end(&p, status);
}

cpl_status launch_by_name(cpl_module *module, const char *function, const cpl_launch_options *o,
                          const cpl_arg *args, size_t count)
{
    cpl_context *cx = module_context(module);
    if (!is_plain(o, NULL, args, count) || o->form == CPL_FORM_KERNEL)
        return launch_placed(module, function, o, args, count);
    kernel_request r = {
        .module = module, .function = function, .form = o->form, .args = args, .count = count};
    cpl_kernel *k;
    binding b;
    bool bound;
    cpl_status status = launch_rounds_expected(cx, o, args, count, &r.n);
    if (!status) status = kernel_bind_args(&r, &k, &b, &bound);
    if (!status && !bound) status = launch_rounds_of(k, o, args, count, &r.n);
    if (status) return status;
    tell_result(o, k);
    if (bound) return kernel_run_bound(k, &b, args, count, r.n, o->result);
    return run_values(k, args, count, r.n, o->result);
}

/* --- a kernel that is there --- */

cpl_status launch_held(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                       size_t count)
{
    tell_result(o, k);
    if (k->form != CPL_FORM_KERNEL) {
        cpl_arg bare[MOST_ARGUMENTS];
        if (is_plain(o, k, args, count) || is_bare(o, k, &args, count, bare))
            return run_held(k, o, args, count);
    }
    placed p;
    cpl_status status = place_begin(&p, module_context(k->module), o, args, count);
    if (!status) status = launch_on(k, false, &p, o);
    return place_end(&p, status);
}

/* --- kernels, and those to come --- */

cpl_status cpl_compile_begin(cpl_module *module, const char *function,
                             const cpl_launch_options *options, const cpl_arg *args, size_t count,
                             cpl_compile **compile)
{
    if (compile) *compile = NULL;
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (MISSING("module compile args", module, compile, UNLESS_NONE(args, count))) return CPL_EARG;
    if (!o) return CPL_EARG;
    placed p;
    cpl_status status = place_begin(&p, module_context(module), o, args, count);
    if (!status) {
        kernel_request r = request_of(&p, module, function, o->form);
        r.lasting = true;
        status = compile_begin(&r, kernel_for_args, false, compile);
    }
    place_drop(&p);
    return status;
}

static cpl_status kernel_of_args(cpl_module *module, const char *function,
                                 const cpl_launch_options *o, const cpl_arg *args, size_t count,
                                 cpl_kernel **kernel)
{
    placed p;
    cpl_context *cx = module_context(module);
    cpl_status status = place_begin(&p, cx, o, args, count);
    if (!status) {
        kernel_request r = request_of(&p, module, function, o->form);
        r.lasting |= !o->soon;
        if (o->soon) status = launch_rounds_expected(cx, o, p.args, p.count, &r.n);
        if (!status) status = kernel_for_args(&r, kernel);
    }
    place_drop(&p);
    if (!status && !o->soon) status = kernel_settle(*kernel);
    if (status) *kernel = NULL;
    else cpl_kernel_retain(*kernel);
    return status;
}

cpl_status cpl_kernel_for(cpl_module *module, const char *function,
                          const cpl_launch_options *options, const cpl_arg *args, size_t count,
                          cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options_or_spec(options, &room);
    if (MISSING("module kernel args", module, kernel, UNLESS_NONE(args, count))) return CPL_EARG;
    if (!o) return CPL_EARG;
    if (!o->spec) return kernel_of_args(module, function, o, args, count, kernel);
    if (!count) return kernel_of_spec(module, function, o->spec, kernel);
    return context_report(module_context(module), CPL_EARG,
                          "a kernel for a spec takes no arguments");
}
