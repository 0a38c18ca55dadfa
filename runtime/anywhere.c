/*
 * The calls that launch, and where: on the device that is expected to be done first, where that is
 * asked for (device/choice.c), else where arguments and options say (launch.c).
 */
#include "runtime/device/device.h"

/* A function has calls of its own for that. */
static cpl_status launches(cpl_context *cx, const cpl_launch_options *o)
{
    if (!o->kernels && !o->interpret) return CPL_OK;
    return context_report(cx, CPL_EARG,
                          "the launch options kernels and interpret are for algorithms; "
                          "of a function cpl_kernel_for gives the kernel, and cpl_interpret "
                          "interprets it");
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
    cpl_status status = launch_rounds_of(k, o, plain, count, &n);
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
    if (!status) status = launch_rounds_expected(cx, o, plain, count, &r.n);
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
    if (!module || (count && !args))
        return MISSING("module args", module, UNLESS_NONE(args, count));
    if (!o) return CPL_EARG;
    cpl_context *cx = module_context(module);
    if (count > MOST_ARGUMENTS) return args_too_many(cx);
    cpl_status status = launches(cx, o);
    if (status) return status;
    if (o->form != CPL_FORM_FUNCTION && choice_wanted(cx, o, args, count))
        return launch_anywhere(module, function, o, args, count);
    return launch_by_name(module, function, o, args, count);
}

cpl_status cpl_kernel_launch(cpl_kernel *kernel, const cpl_launch_options *options,
                             const cpl_arg *args, size_t count)
{
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (!kernel || (count && !args))
        return MISSING("kernel args", kernel, UNLESS_NONE(args, count));
    if (!o) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (count > MOST_ARGUMENTS) return args_too_many(cx);
    cpl_status status = launches(cx, o);
    if (status) return status;
    bool anywhere = !kernel->target && kernel_form(kernel) != CPL_FORM_FUNCTION &&
                    choice_wanted(cx, o, args, count);
    return anywhere ? launch_held_anywhere(kernel, o, args, count)
                    : launch_held(kernel, o, args, count);
}
