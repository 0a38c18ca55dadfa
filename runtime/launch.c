/*
 * Launches: the one way from a caller's arguments to the code that they run. Plain arguments of the
 * host are bound and run here; others are placed where the launch runs (device/place.c), their
 * kernel is found (specialise.c) and given to its device (device/submit.c).
 */
#include "runtime/device/device.h"
#include "runtime/leave.h"
#include "runtime/resolve.h"

#include <stdatomic.h>

static void tell_result(const cpl_launch_options *o, const cpl_kernel *k)
{
    if (o->result_type && kernel_form(k) == CPL_FORM_FUNCTION) *o->result_type = k->artifact.result;
}

/* The rounds of a launch of a kernel: of what is no elementwise function one. */
static cpl_status rounds_of(const cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                            size_t count, int64_t *n)
{
    *n = kernel_form(k) == CPL_FORM_ELEMENTWISE ? o->n : 1;
    return launch_count(module_context(k->module), &k->artifact, args, count, n);
}

/* The same as far as it is known before there is a kernel: about as many. */
static cpl_status expected_rounds(cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args,
                                  size_t count, int64_t *n)
{
    *n = o->form == CPL_FORM_ELEMENTWISE ? o->n : 1;
    return launch_count(cx, NULL, args, count, n);
}

/* A function has calls of its own for that. */
static cpl_status launches(cpl_context *cx, const cpl_launch_options *o)
{
    if (!o->kernels && !o->interpret) return CPL_OK;
    return context_report(cx, CPL_EARG,
                          "the launch options kernels and interpret are for algorithms; "
                          "of a function cpl_kernel_for gives the kernel, and cpl_interpret "
                          "interprets it");
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
    cpl_status status = rounds_of(k, o, args, count, &rounds);
    if (!status) status = args_bind(cx, a, args, count, rounds, &b);
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
                            .lasting = p->queue->recording != NULL};
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

static cpl_status launch_on(cpl_kernel *k, placed *p, const cpl_launch_options *o)
{
    int64_t rounds;
    cpl_kernel *fit;
    cpl_status status = rounds_of(k, o, p->args, p->count, &rounds);
    if (!status) status = submit_check(k, p);
    if (!status) status = suited(k, p, rounds, &fit);
    if (status) return status;
    if (!fit->artifact.after) return submit(fit, p, o, rounds);
    plan *whole;
    status = plan_find(fit, reduction_plan, NULL, &whole);
    return status ? status : plan_submit(whole, p, o, rounds);
}

/* The kernel for placed arguments; of them the values are left. */
static cpl_status find_placed(placed *p, cpl_module *module, const char *function,
                              const cpl_launch_options *o, cpl_kernel **kernel)
{
    kernel_request r = request_of(p, module, function, o->form);
    cpl_status status = expected_rounds(p->device->cx, o, p->args, p->count, &r.n);
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
    if (!status) status = launch_on(k, &p, o);
    return place_end(&p, status);
}

/* --- a kernel that is there --- */

static cpl_status launch_held(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                              size_t count)
{
    if (k->form != CPL_FORM_KERNEL) {
        cpl_arg bare[MOST_ARGUMENTS];
        if (is_plain(o, k, args, count) || is_bare(o, k, &args, count, bare))
            return run_held(k, o, args, count);
    }
    placed p;
    cpl_status status = place_begin(&p, module_context(k->module), o, args, count);
    if (!status) status = launch_on(k, &p, o);
    return place_end(&p, status);
}

/* --- where it is done first --- */

static double rounds_in_all(const cpl_launch_options *o, const cpl_kernel *k, int64_t n)
{
    if (k->form != CPL_FORM_KERNEL) return (double)n;
    double rounds = 1;
    for (int i = 0; i < 3; i++) rounds *= o->global[i] > 0 ? (double)o->global[i] : 1;
    return rounds;
}

/* By the host's kernel, which tells what the function does. plain: what the arguments are. */
static cpl_status choose_for(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                             size_t count, const cpl_arg *plain, device_choice *c)
{
    int64_t n;
    cpl_status status = rounds_of(k, o, plain, count, &n);
    if (status) return status;
    const choice_of w = {.name = k->function,
                         .key = (uint64_t)(uintptr_t)k->family,
                         .kernel = k,
                         .passes = 1,
                         .work = k->artifact.work * rounds_in_all(o, k, n),
                         .args = args,
                         .count = count};
    return choice_make(module_context(k->module), &w, c);
}

static cpl_status kernel_elsewhere(cpl_kernel *k, const char *target, const cpl_arg *plain,
                                   size_t count, cpl_kernel **there)
{
    cpl_context *cx = module_context(k->module);
    uint32_t facts = kernel_facts(cx, target, &k->artifact, plain, count, 0);
    return kernel_for_target(k, target, facts, there);
}

/* Not every device can do what a function does. */
static cpl_status launch_after_refusal(cpl_kernel *k, const cpl_launch_options *o,
                                       const device_choice *c, const cpl_arg *args, size_t count)
{
    cpl_context *cx = module_context(k->module);
    choice_refused(c);
    context_note(cx, "'%s' cannot run on %s, as was said: it runs elsewhere", k->function,
                 c->queue->device->info.label);
    return cpl_kernel_launch(k, o, args, count);
}

/* plain: what the arguments are, which are values. */
static cpl_status launch_chosen(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                                size_t count, const cpl_arg *plain)
{
    device_choice c;
    cpl_launch_options there = *o;
    cpl_status status = choose_for(k, o, args, count, plain, &c);
    if (status) return status;
    bool here = is_host(c.queue->device);
    if (!here || c.moves) there.queue = c.queue; /* what is here is plain, or as good as that */
    there.automatic = c.moves;
    cpl_kernel *other = k;
    if (!here) status = kernel_elsewhere(k, c.queue->compiles, plain, count, &other);
    if (status == CPL_EUNSUPPORTED) return launch_after_refusal(k, o, &c, args, count);
    if (!status) status = launch_held(other, &there, args, count);
    choice_end(&c, status);
    return status;
}

static cpl_status launch_held_anywhere(cpl_kernel *k, const cpl_launch_options *o,
                                       const cpl_arg *args, size_t count)
{
    cpl_arg plain[MOST_ARGUMENTS];
    cpl_status status = place_describe(module_context(k->module), args, count, plain);
    return status ? status : launch_chosen(k, o, args, count, plain);
}

static cpl_status launch_anywhere(cpl_module *module, const char *function,
                                  const cpl_launch_options *o, const cpl_arg *args, size_t count)
{
    cpl_kernel *k;
    cpl_arg plain[MOST_ARGUMENTS], values[MOST_ARGUMENTS];
    cpl_context *cx = module_context(module);
    kernel_request r = {
        .module = module, .function = function, .form = o->form, .args = plain, .count = count};
    cpl_status status = place_describe(cx, args, count, plain);
    if (!status) status = expected_rounds(cx, o, plain, count, &r.n);
    if (!status) status = kernel_for_args(&r, &k);
    if (status) return status;
    args_values(plain, count, plain);
    return launch_chosen(k, o, values, args_values(args, count, values), plain);
}

/* --- entries --- */

cpl_status cpl_launch(cpl_module *module, const char *function, const cpl_launch_options *options,
                      const cpl_arg *args, size_t count)
{
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (!module || (count && !args)) return BAD_CALL;
    if (!o) return CPL_EARG;
    cpl_context *cx = module_context(module);
    if (count > MOST_ARGUMENTS) return args_too_many(cx);
    cpl_status status = launches(cx, o);
    if (status) return status;
    if (o->form != CPL_FORM_FUNCTION && choice_wanted(cx, o, args, count))
        return launch_anywhere(module, function, o, args, count);
    if (!is_plain(o, NULL, args, count) || o->form == CPL_FORM_KERNEL)
        return launch_placed(module, function, o, args, count);
    kernel_request r = {
        .module = module, .function = function, .form = o->form, .args = args, .count = count};
    cpl_kernel *k;
    status = expected_rounds(cx, o, args, count, &r.n);
    if (!status) status = kernel_for_args(&r, &k);
    if (!status) status = rounds_of(k, o, args, count, &r.n);
    if (status) return status;
    tell_result(o, k);
    return run_values(k, args, count, r.n, o->result);
}

cpl_status cpl_kernel_launch(cpl_kernel *kernel, const cpl_launch_options *options,
                             const cpl_arg *args, size_t count)
{
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (!kernel || (count && !args)) return BAD_CALL;
    if (!o) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (count > MOST_ARGUMENTS) return args_too_many(cx);
    cpl_status status = launches(cx, o);
    if (status) return status;
    tell_result(o, kernel);
    bool anywhere = !kernel->target && kernel_form(kernel) != CPL_FORM_FUNCTION &&
                    choice_wanted(cx, o, args, count);
    return anywhere ? launch_held_anywhere(kernel, o, args, count)
                    : launch_held(kernel, o, args, count);
}

cpl_status cpl_compile_begin(cpl_module *module, const char *function,
                             const cpl_launch_options *options, const cpl_arg *args, size_t count,
                             cpl_compile **compile)
{
    if (compile) *compile = NULL;
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (!module || !compile || (count && !args)) return BAD_CALL;
    if (!o) return CPL_EARG;
    placed p;
    cpl_status status = place_begin(&p, module_context(module), o, args, count);
    if (!status) {
        kernel_request r = request_of(&p, module, function, o->form);
        r.lasting = true;
        status = compile_begin(&r, kernel_for_args, compile);
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
        if (o->soon) status = expected_rounds(cx, o, p.args, p.count, &r.n);
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
    if (!module || !kernel || (count && !args)) return BAD_CALL;
    if (!o) return CPL_EARG;
    if (!o->spec) return kernel_of_args(module, function, o, args, count, kernel);
    if (!count) return kernel_of_spec(module, function, o->spec, kernel);
    return context_report(module_context(module), CPL_EARG,
                          "a kernel for a spec takes no arguments");
}
