/* Elementwise launches, plain calls and the same in the reference interpreter. The host is synchronous. */
#include "runtime/runtime.h"

typedef struct spec_storage {
    const cpl_type *types[MOST_ARGUMENTS];
    cpl_spec spec;
} spec_storage;

static cpl_status make_spec(cpl_context *cx, cpl_module *module, cpl_form form, const cpl_arg *args, size_t count, spec_storage *s)
{
    if (count > MOST_ARGUMENTS) return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    cpl_spec_init(&s->spec);
    s->spec.form = form;
    cpl_status status = args_types(cx, args, count, s->types);
    if (cpl_module_is_ir(module)) return status; /* its functions carry their types */
    s->spec.types = s->types;
    s->spec.type_count = count;
    return status;
}

/* n of a launch: as given, or the length of the first array. */
static cpl_status launch_count(cpl_context *cx, const cpl_arg *args, size_t count, int64_t *n)
{
    if (*n >= 0) return CPL_OK;
    if (*n != CPL_AUTO) return context_report(cx, CPL_EARG, "the number of iterations is negative");
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY) {
            *n = args[i].length;
            return CPL_OK;
        }
    return context_report(cx, CPL_EARG, "the number of iterations is not given and there is no array to take it from");
}

cpl_status cpl_elementwise_kernel(cpl_module *module, const char *function, const cpl_arg *args, size_t count, cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    if (!module || !kernel || (count && !args)) return CPL_EARG;
    spec_storage s;
    cpl_status status = make_spec(module_context(module), module, CPL_FORM_ELEMENTWISE, args, count, &s);
    return status ? status : cpl_kernel_create(module, function, &s.spec, kernel);
}

static cpl_status run_bound(cpl_kernel *k, binding *b, void *result)
{
    k->packed(b->pointers, result);
    return b->fault.taken ? cpl_kernel_report(k, &b->fault) : CPL_OK;
}

cpl_status cpl_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args, size_t count, int64_t n,
                               cpl_event **event)
{
    (void)queue;
    if (event) *event = NULL;
    if (!kernel || (count && !args)) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    if (!kernel->artifact.elementwise) return context_report(cx, CPL_EARG, "'%s' is not an elementwise function", kernel->function);
    if (count > MOST_ARGUMENTS) return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    cpl_status status = launch_count(cx, args, count, &n);
    if (status) return status;
    binding b;
    status = args_bind(cx, &kernel->artifact, args, count, n, &b);
    if (status) return status;
    uint64_t nothing[2];
    if (!args_overlap(&kernel->artifact, args, count)) return run_bound(kernel, &b, nothing);
    cpl_kernel *in_order;
    status = kernel_variant(kernel, "num_threads", 1, &in_order);
    if (status) return status;
    status = run_bound(in_order, &b, nothing);
    cpl_kernel_release(in_order);
    return status;
}

cpl_status cpl_elementwise(cpl_module *module, const char *function, cpl_queue *queue, const cpl_arg *args, size_t count, int64_t n,
                           cpl_event **event)
{
    if (event) *event = NULL;
    cpl_kernel *k;
    cpl_status status = cpl_elementwise_kernel(module, function, args, count, &k);
    if (status) return status;
    status = cpl_elementwise_run(k, queue, args, count, n, event);
    cpl_kernel_release(k);
    return status;
}

cpl_status cpl_call(cpl_module *module, const char *function, const cpl_arg *args, size_t count, void *result,
                    const cpl_type **result_type)
{
    if (!module || (count && !args)) return CPL_EARG;
    cpl_context *cx = module_context(module);
    spec_storage s;
    cpl_status status = make_spec(cx, module, CPL_FORM_FUNCTION, args, count, &s);
    cpl_kernel *k;
    if (!status) status = cpl_kernel_create(module, function, &s.spec, &k);
    if (status) return status;
    binding b;
    uint64_t ignored[2];
    status = args_bind(cx, &k->artifact, args, count, 0, &b);
    if (!status) status = run_bound(k, &b, result ? result : ignored);
    if (result_type) *result_type = k->artifact.result;
    cpl_kernel_release(k);
    return status;
}

cpl_status cpl_interpret(cpl_module *module, const char *function, cpl_form form, const cpl_arg *args, size_t count, int64_t n,
                         void *result, const cpl_type **result_type)
{
    if (!module || (count && !args)) return CPL_EARG;
    cpl_context *cx = module_context(module);
    spec_storage s;
    cpl_status status = make_spec(cx, module, form, args, count, &s);
    if (!status && form == CPL_FORM_ELEMENTWISE) status = launch_count(cx, args, count, &n);
    artifact layout;
    if (!status) status = interp_prepare(module, function, &s.spec, &layout);
    if (status) return status;
    binding b;
    uint64_t ignored[2];
    status = args_bind(cx, &layout, args, count, n, &b);
    if (!status) status = interp_run(module, function, &s.spec, b.pointers, result ? result : ignored);
    if (!status && b.fault.taken) {
        cpl_kernel k = {.module = module, .artifact = layout};
        status = cpl_kernel_report(&k, &b.fault);
    }
    if (result_type) *result_type = layout.result;
    artifact_free(&layout);
    return status;
}

cpl_status cpl_event_wait(cpl_event *event)
{
    (void)event;
    return CPL_OK;
}

void cpl_event_release(cpl_event *event)
{
    (void)event;
}
