/* cpl_module_types_each: what inference found for a function and all that it calls. */
#include "lib/driver/internal.h"

typedef struct types_job {
    cpl_module *m;
    const char *function;
    const cpl_spec *spec;
    int64_t options[OPTION_COUNT];
    cpl_stats stats;
    arena kept; /* what is visited, past the end of the compilation */
    cpl_function_types *found;
    uint32_t count;
} types_job;

static uint32_t line_of(const ast_file *file, cpl_span span)
{
    return source_locate(file->src, span.begin).line;
}

static cpl_variable variable(types_job *j, const sema_func *f, const sema_var *v,
                             cpl_variable_kind kind)
{
    const cpl_type *type = v->type;
    const char *text = sema_type_name(&j->kept, type);
    /* a number that nothing gave a type has the default's */
    if (!type->table) type = type_scalar(j->m->cx->types, type->dtype);
    return (cpl_variable){
        .name = arena_strdup(&j->kept, v->name),
        .kind = kind,
        .type = kind == CPL_VARIABLE_BOUND ? NULL : type,
        .text = arena_strdup(&j->kept, text),
        .line = line_of(f->fn->file, v->span),
    };
}

static void add_variables(types_job *j, const sema_func *f, cpl_function_types *types)
{
    size_t n = 0;
    cpl_variable *all =
        arena_array(&j->kept, f->params.n + f->bound.n + f->vars.n, sizeof *types->variables);
    for (uint32_t i = 0; i < f->params.n; i++)
        all[n++] = variable(j, f, f->params.at[i], CPL_VARIABLE_PARAMETER);
    for (uint32_t i = 0; i < f->bound.n; i++)
        all[n++] = variable(j, f, f->bound.at[i], CPL_VARIABLE_BOUND);
    for (uint32_t i = 0; i < f->vars.n; i++)
        all[n++] = variable(j, f, f->vars.at[i],
                            f->vars.at[i]->local_memory ? CPL_VARIABLE_SHARED : CPL_VARIABLE_LOCAL);
    types->variables = all;
    types->variable_count = n;
}

static void add_calls(types_job *j, const sema_func *f, cpl_function_types *types)
{
    const char **calls = arena_array(&j->kept, f->calls.n, sizeof *calls);
    for (uint32_t i = 0; i < f->calls.n; i++)
        calls[i] = arena_strdup(&j->kept, f->calls.at[i]->symbol);
    types->calls = calls;
    types->call_count = f->calls.n;
}

static cpl_status collect(compilation *c, void *arg)
{
    types_job *j = arg;
    pipeline p;
    pipeline_init(&p, c, j->m, j->function, j->spec, j->options, &j->stats);
    if (j->m->is_ir) {
        diag_error(&c->diags, CPL_EARG, (cpl_span){j->m->src->src.id, 0, 0},
                   "typed IR carries its types; ask for ir");
        return CPL_EARG;
    }
    if (!pipeline_front(&p) || !pipeline_sema(&p)) return CPL_EINTERNAL;
    arena_init(&j->kept, j->kept.mem, c->on_oom);
    j->found = arena_array(&j->kept, p.program->funcs.n, sizeof *j->found);
    for (uint32_t i = 0; i < p.program->funcs.n; i++) {
        const sema_func *f = p.program->funcs.at[i];
        cpl_function_types *types = &j->found[j->count++];
        types->size = sizeof *types;
        types->name = arena_strdup(&j->kept, f->fn->name);
        types->symbol = arena_strdup(&j->kept, f->symbol);
        types->file = arena_strdup(&j->kept, f->fn->file->src->name);
        types->line = line_of(f->fn->file, f->fn->span);
        types->result = f->result;
        types->nodes = f->fn->node_count;
        add_variables(j, f, types);
        add_calls(j, f, types);
    }
    return CPL_OK;
}

cpl_status cpl_module_types_each(cpl_module *module, const char *function, const cpl_spec *spec,
                                 void (*visit)(void *user, const cpl_function_types *found),
                                 void *user)
{
    if (MISSING("module spec visit", module, spec, NOT_NULL(visit))) return CPL_EARG;
    cpl_context *cx = module->cx;
    cpl_spec given;
    cpl_status status = context_read_spec(cx, spec, &given);
    if (!status) status = module_check_binds(module, given.binds, given.bind_count);
    if (status) return status;
    types_job j = {.m = module, .function = function, .spec = &given, .kept.mem = &cx->mem};
    context_options(cx, &given, j.options);
    status = context_compile(cx, j.options, collect, &j);
    for (uint32_t i = 0; status == CPL_OK && i < j.count; i++) visit(user, &j.found[i]);
    arena_free(&j.kept);
    return status;
}
