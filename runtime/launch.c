/* Elementwise launches and plain calls. The host is synchronous. */
#include "runtime/runtime.h"
#include "runtime/profile.h"

#include <stdatomic.h>

cpl_status launch_count(cpl_context *cx, const cpl_arg *args, size_t count, int64_t *n)
{
    if (*n >= 0) return CPL_OK;
    if (*n != CPL_AUTO) return context_report(cx, CPL_EARG, "the number of iterations is negative");
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY) {
            *n = args[i].length;
            return CPL_OK;
        }
    return context_report(
        cx, CPL_EARG,
        "the number of iterations is not given and there is no array to take it from");
}

cpl_status cpl_elementwise_kernel(cpl_module *module, const char *function, const cpl_arg *args,
                                  size_t count, cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    if (!module || !kernel || (count && !args)) return CPL_EARG;
    if (args_have_arrays(args, count))
        return cpl_elementwise_kernel_for(module, function, NULL, args, count, kernel);
    kernel_request r = {.module = module,
                        .function = function,
                        .form = CPL_FORM_ELEMENTWISE,
                        .args = args,
                        .count = count,
                        .lasting = true};
    cpl_status status = kernel_for_args(&r, kernel);
    if (status) return status;
    kernel_settle(*kernel);
    cpl_kernel_retain(*kernel);
    return status;
}

/* The code to run for so many rounds. */
static packed_fn code_of(cpl_kernel *k, int64_t rounds)
{
    if (atomic_load_explicit(&k->quick, memory_order_acquire) && rounds > k->artifact.quick_rounds)
        tier_finish(k);
    return atomic_load_explicit(&k->packed, memory_order_acquire);
}

void kernel_run(cpl_kernel *k, const binding *b, int64_t rounds, void *result)
{
    code_of(k, rounds)(b->pointers, result);
}

/* Runs a kernel and records it. */
static void run_profiled(cpl_kernel *k, packed_fn packed, const binding *b, const cpl_arg *args,
                         size_t count, void *result)
{
    cpl_context *cx = module_context(k->module);
    profile_event e = {.what = CPL_PROFILE_KERNEL,
                       .name = k->function,
                       .device = "host",
                       .begin_ns = profile_now(cx)};
    packed(b->pointers, result);
    e.end_ns = profile_now(cx);
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY)
            e.bytes += (uint64_t)args[i].length * (args[i].record ? cpl_type_size(args[i].record)
                                                                  : cpl_dtype_size(args[i].dtype));
    profile_add(cx, &e);
}

static cpl_status run_bound(cpl_kernel *k, binding *b, const cpl_arg *args, size_t count,
                            int64_t rounds, void *result)
{
    packed_fn packed = code_of(k, rounds);
    if (profile_on(module_context(k->module))) run_profiled(k, packed, b, args, count, result);
    else packed(b->pointers, result);
    return b->fault.taken ? cpl_kernel_report(k, &b->fault) : CPL_OK;
}

/* Binds and runs a version that suits the arguments. */
static cpl_status bind_and_run(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                               int64_t rounds, void *result)
{
    binding b;
    cpl_status status = args_bind(module_context(k->module), &k->artifact, args, count, n, &b);
    return status ? status : run_bound(k, &b, args, count, rounds, result);
}

/* The same with those of the arguments that are values. */
static cpl_status run_values(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                             int64_t rounds, void *result)
{
    if (!args_have_bound(args, count)) return bind_and_run(k, args, count, n, rounds, result);
    cpl_arg values[MOST_ARGUMENTS];
    return bind_and_run(k, values, args_values(args, count, values), n, rounds, result);
}

/* The same of a kernel that the caller holds, or the version of it that suits them. */
static cpl_status run_held(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                           int64_t rounds, void *result)
{
    binding b;
    const artifact *a = &k->artifact;
    cpl_status status = args_bind(module_context(k->module), a, args, count, n, &b);
    if (status) return status;
    uint32_t facts = args_facts(a, args, count, n);
    if (!a->elementwise) facts &= ~(uint32_t)CPL_FACT_IN_ORDER; /* as the caller orders them */
    if (kernel_suits(k, facts)) return run_bound(k, &b, args, count, rounds, result);
    cpl_kernel *version;
    status = kernel_version(k, facts, &version);
    return status ? status : bind_and_run(version, args, count, n, rounds, result);
}

cpl_status cpl_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                               size_t count, int64_t n, cpl_event **event)
{
    if (event) *event = NULL;
    if (!kernel || (count && !args)) return CPL_EARG;
    if (queue || kernel->target || args_have_arrays(args, count))
        return device_elementwise_run(kernel, queue, args, count, n, event);
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (!kernel->artifact.elementwise)
        return context_report(cx, CPL_EARG, "'%s' is not an elementwise function",
                              kernel->function);
    if (count > MOST_ARGUMENTS)
        return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    cpl_status status = launch_count(cx, args, count, &n);
    if (status) return status;
    uint64_t nothing[2];
    return run_held(kernel, args, count, n, n, nothing);
}

cpl_status cpl_elementwise(cpl_module *module, const char *function, cpl_queue *queue,
                           const cpl_arg *args, size_t count, int64_t n, cpl_event **event)
{
    if (event) *event = NULL;
    if (!module || (count && !args)) return CPL_EARG;
    if (queue || args_have_arrays(args, count))
        return device_elementwise(module, function, queue, args, count, n, event);
    kernel_request r = {.module = module,
                        .function = function,
                        .form = CPL_FORM_ELEMENTWISE,
                        .args = args,
                        .count = count};
    cpl_kernel *k;
    uint64_t nothing[2];
    cpl_status status = launch_count(module_context(module), args, count, &n);
    r.n = n;
    if (!status) status = kernel_for_args(&r, &k);
    return status ? status : run_values(k, args, count, n, n, nothing);
}

cpl_status call_host(cpl_module *module, const char *function, const cpl_arg *args, size_t count,
                     void *result, cpl_kernel **ran)
{
    kernel_request r = {.module = module,
                        .function = function,
                        .form = CPL_FORM_FUNCTION,
                        .args = args,
                        .count = count,
                        .n = 1};
    uint64_t ignored[2];
    *ran = NULL;
    cpl_status status = kernel_for_args(&r, ran);
    return status ? status : run_values(*ran, args, count, 0, 1, result ? result : ignored);
}

cpl_status call_held(cpl_kernel *k, const cpl_arg *args, size_t count, void *result)
{
    uint64_t ignored[2];
    return run_held(k, args, count, 0, 1, result ? result : ignored);
}

cpl_status cpl_call(cpl_module *module, const char *function, const cpl_arg *args, size_t count,
                    void *result, const cpl_type **result_type)
{
    if (!module || (count && !args)) return CPL_EARG;
    if (args_have_arrays(args, count))
        return cpl_call_on(module, function, NULL, args, count, result, result_type);
    cpl_kernel *k;
    cpl_status status = call_host(module, function, args, count, result, &k);
    if (k && result_type) *result_type = k->artifact.result;
    return status;
}
