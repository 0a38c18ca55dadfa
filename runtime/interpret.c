/* Launches and calls in the reference interpreter. */
#include "runtime/runtime.h"

enum { MOST_ITEMS = 1024, USUAL_ITEMS = 64 }; /* of a group */

/* What is asked for. */
typedef struct request {
    cpl_module *module;
    const char *function;
    const cpl_launch_options *options;
    size_t count;
    int64_t n; /* rounds of an elementwise function */
} request;

/* A kernel's grid. */
typedef struct grid {
    int64_t groups[3];
    int32_t size[3]; /* of a group */
} grid;

/* The grid in groups: global sizes are rounded up to whole ones. False for sizes that are none. */
static bool grid_of(const cpl_launch_options *o, grid *g)
{
    int64_t items = 1;
    for (int i = 0; i < 3; i++) {
        int64_t global = o->global[i], wanted = launch_local(o, i);
        if (!wanted) wanted = global > USUAL_ITEMS ? USUAL_ITEMS : global > 0 ? global : 1;
        if (global < 0 || wanted < 1 || wanted > MOST_ITEMS) return false;
        items *= wanted;
        g->size[i] = (int32_t)wanted;
        g->groups[i] = global / wanted + (global % wanted != 0);
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

static cpl_status run_bound(const request *r, const cpl_spec *spec, const artifact *layout,
                            const cpl_arg *args, const grid *g)
{
    binding b;
    uint64_t ignored[2];
    cpl_status status = args_bind(module_context(r->module), layout, args, r->count, r->n, &b);
    if (status || (layout->elementwise && r->n == 0)) return status;
    bind_sizes(layout, args, &b);
    void *result = r->options->result;
    if (r->options->form == CPL_FORM_KERNEL)
        status = interp_run_grid(r->module, r->function, spec, g->groups, g->size, b.pointers);
    else status = interp_run(r->module, r->function, spec, b.pointers, result ? result : ignored);
    if (result) binding_returned(&b, layout, result);
    return status || !b.fault.taken ? status : interpret_report(r->module, layout, &b.fault);
}

/* With plain arguments. */
static cpl_status run(void *user, const cpl_arg *args)
{
    request r = *(const request *)user;
    cpl_context *cx = module_context(r.module);
    arg_code codes[MOST_ARGUMENTS];
    const cpl_type *types[MOST_ARGUMENTS];
    cpl_bind binds[MOST_ARGUMENTS];
    cpl_arg values[MOST_ARGUMENTS];
    grid g;
    cpl_spec spec;
    cpl_spec_init(&spec);
    const cpl_launch_options *o = r.options;
    spec.form = o->form;
    cpl_status status = o->form == CPL_FORM_KERNEL ? launch_grid_size(cx, r.function, o) : CPL_OK;
    if (status) return status;
    if (o->form == CPL_FORM_KERNEL && !grid_of(o, &g))
        return context_report(cx, CPL_ELIMIT,
                              "a work-group has 1 to %d work-items, and a grid no negative size",
                              MOST_ITEMS);
    status = args_codes(r.module, args, r.count, false, codes);
    if (!status && !cpl_module_is_ir(r.module)) {
        spec.types = types;
        spec.type_count = r.count;
        spec.binds = binds;
        spec.bind_count = args_binds(codes, r.count, binds);
        status = args_types(cx, codes, r.count, types);
    }
    int64_t expected = r.n;
    if (!status && o->form == CPL_FORM_ELEMENTWISE)
        status = launch_count(cx, NULL, args, r.count, &expected);
    artifact layout;
    if (!status) status = interp_prepare(r.module, r.function, &spec, &layout);
    if (status) return status;
    r.count = args_values(args, r.count, values);
    if (layout.elementwise) status = launch_count(cx, &layout, values, r.count, &r.n);
    if (!status) status = run_bound(&r, &spec, &layout, values, &g);
    if (o->result_type && o->form == CPL_FORM_FUNCTION) *o->result_type = layout.result;
    artifact_free(&layout);
    return status;
}

cpl_status cpl_interpret(cpl_module *module, const char *function,
                         const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    cpl_launch_options room;
    const cpl_launch_options *o = launch_options(options, &room);
    if (MISSING("module args", module, UNLESS_NONE(args, count))) return CPL_EARG;
    if (!o) return CPL_EARG;
    cpl_context *cx = module_context(module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    request r = {.module = module, .function = function, .options = o, .count = count, .n = o->n};
    if (!args_have_arrays(args, count)) return run(&r, args);
    return device_on_host(cx, o->automatic, args, count, run, &r);
}
