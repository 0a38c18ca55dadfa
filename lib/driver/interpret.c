/* Running a function in the reference interpreter instead of compiling it. */
#include "lib/driver/internal.h"
#include "lib/interp/interp.h"

typedef struct job {
    cpl_module *m;
    const char *function;
    const cpl_spec *spec;
    artifact *layout;        /* prepare: filled in */
    const void *const *args; /* run */
    void *result;
    const int64_t *groups; /* of a kernel's grid, or NULL: a call */
    const int32_t *size;
    int64_t options[OPTION_COUNT];
    cpl_stats stats;
} job;

static void *resolve(void *user, const char *symbol)
{
    return extern_address(user, symbol);
}

/* The IR as lowered, or after the passes that spec names; bounds checks are a pass, and so is what
 * makes results reproducible: with them the default passes run. */
static bool lowered(job *j, compilation *c, pipeline *p)
{
    pipeline_init(p, c, j->m, j->function, j->spec, j->options, &j->stats);
    p->interpreted = true;
    if (!pipeline_front(p) || !pipeline_sema(p) || !pipeline_lower(p)) return false;
    mark_parameters(p);
    bool wanted = p->passes || j->options[OPT_bounds_check] || j->options[OPT_reproducible];
    if (wanted && !pipeline_passes(p)) return false;
    return check_roles(p, false);
}

static cpl_status prepare(compilation *c, void *arg)
{
    job *j = arg;
    pipeline p;
    if (!lowered(j, c, &p)) return CPL_EINTERNAL;
    return describe_entry(j->layout, &p, ir_entry(p.ir)) ? CPL_OK : CPL_ENOMEM;
}

cpl_status interp_prepare(cpl_module *m, const char *function, const cpl_spec *spec,
                          artifact *layout)
{
    *layout = (artifact){.mem = &m->cx->mem};
    sb_init(&layout->object, layout->mem);
    job j = {.m = m, .function = function, .spec = spec, .layout = layout};
    context_options(m->cx, spec, j.options);
    cpl_status status = context_compile(m->cx, j.options, prepare, &j);
    if (status) artifact_free(layout);
    return status;
}

static cpl_status run(compilation *c, void *arg)
{
    job *j = arg;
    pipeline p;
    if (!lowered(j, c, &p)) return CPL_EINTERNAL;
    c->diags = (diag_list){.arena = c->diags.arena}; /* prepare has said what there is to say */
    interp_options options = {.resolve = resolve, .user = j->m->cx, .unwanted = worker_unwanted};
    ir_func *entry = ir_entry(p.ir);
    bool ok = j->groups ? interp_launch(p.ir, entry, j->groups, j->size, j->args, &options)
                        : interp_call(p.ir, entry, j->args, j->result, &options);
    return ok ? CPL_OK : CPL_EINTERNAL;
}

cpl_status interp_run(cpl_module *m, const char *function, const cpl_spec *spec,
                      const void *const *args, void *result)
{
    job j = {.m = m, .function = function, .spec = spec, .args = args, .result = result};
    context_options(m->cx, spec, j.options);
    return context_compile(m->cx, j.options, run, &j);
}

cpl_status interp_run_grid(cpl_module *m, const char *function, const cpl_spec *spec,
                           const int64_t groups[3], const int32_t size[3], const void *const *args)
{
    job j = {
        .m = m, .function = function, .spec = spec, .args = args, .groups = groups, .size = size};
    context_options(m->cx, spec, j.options);
    return context_compile(m->cx, j.options, run, &j);
}
