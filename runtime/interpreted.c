/* A kernel's rounds in the reference interpreter, in place of its code. */
#include "runtime/runtime.h"

cpl_status interpret_report(cpl_module *module, const artifact *layout, const cpl_fault *fault)
{
    cpl_kernel k = {.module = module, .artifact = *layout};
    return cpl_kernel_report(&k, fault);
}

cpl_status kernel_interpret(const cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n)
{
    binding b;
    artifact layout;
    uint64_t ignored[2];
    cpl_spec spec = kernel_spec(k);
    cpl_status status = interp_prepare(k->module, k->function, &spec, &layout);
    if (status) return status;
    status = args_bind(module_context(k->module), &layout, args, count, n, &b);
    if (!status) status = interp_run(k->module, k->function, &spec, b.pointers, ignored);
    if (!status && b.fault.taken) status = interpret_report(k->module, &layout, &b.fault);
    artifact_free(&layout);
    return status;
}
