/* Launches of kernels in the reference interpreter. */
#include "runtime/runtime.h"

enum { MOST_ITEMS = 1024, USUAL_ITEMS = 64 }; /* of a group */

/* The grid in groups: global sizes are rounded up to whole ones. False for sizes that are none. */
static bool grid_of(const int64_t global[3], const int64_t local[3], int64_t groups[3],
                    int32_t size[3])
{
    int64_t items = 1;
    for (int i = 0; i < 3; i++) {
        int64_t wanted = local ? local[i] : i == 0 ? USUAL_ITEMS : 1;
        if (!local && wanted > global[i]) wanted = global[i] > 0 ? global[i] : 1;
        if (global[i] < 0 || wanted < 1 || wanted > MOST_ITEMS) return false;
        items *= wanted;
        size[i] = (int32_t)wanted;
        groups[i] = global[i] / wanted + (global[i] % wanted != 0);
    }
    return items <= MOST_ITEMS;
}

/* Local memory is passed as its size in bytes. */
static void bind_sizes(const artifact *a, const cpl_arg *args, binding *b)
{
    for (size_t i = 0, next = 0; i < a->param_count; i++) {
        if (a->params[i].role != PARAM_ARG) continue;
        const cpl_arg *arg = &args[next++];
        if (arg->kind == CPL_ARG_LOCAL)
            b->values[i].i64 = arg->length * (int64_t)cpl_dtype_size(arg->dtype);
    }
}

cpl_status cpl_interpret_launch(cpl_module *module, const char *function, const int64_t global[3],
                                const int64_t local[3], const cpl_arg *args, size_t count)
{
    if (!module || !global || (count && !args)) return CPL_EARG;
    cpl_context *cx = module_context(module);
    int64_t groups[3];
    int32_t size[3];
    if (!grid_of(global, local, groups, size))
        return context_report(cx, CPL_ELIMIT,
                              "a work-group has 1 to %d work-items, and a grid no negative size",
                              MOST_ITEMS);
    arg_code codes[MOST_ARGUMENTS];
    const cpl_type *types[MOST_ARGUMENTS];
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_KERNEL;
    cpl_status status = args_codes(cx, args, count, codes);
    if (!status && !cpl_module_is_ir(module)) {
        spec.types = types;
        spec.type_count = count;
        status = args_types(cx, codes, count, types);
    }
    artifact layout;
    if (!status) status = interp_prepare(module, function, &spec, &layout);
    if (status) return status;
    binding b;
    status = args_bind(cx, &layout, args, count, 0, &b);
    if (!status) {
        bind_sizes(&layout, args, &b);
        status = interp_run_grid(module, function, &spec, groups, size, b.pointers);
    }
    if (!status && b.fault.taken) {
        cpl_kernel k = {.module = module, .artifact = layout};
        status = cpl_kernel_report(&k, &b.fault);
    }
    artifact_free(&layout);
    return status;
}
