/* Functions of mathematics that are written in the language, for the pass elementary. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"
#include "lib/lower/lower.h"

static ast_file *file_of(pipeline *p, elementary_library *l, const char *module)
{
    sema_env env = module_env(p->module);
    if (!l->file)
        l->file = front_file(p->comp, env.find_file(env.user, &p->comp->arena, module, NULL));
    return l->file;
}

static ir_func *make(pipeline *p, ir_module *m, ast_file *file, const ast_func *fn, cpl_dtype dtype)
{
    const cpl_type *type = comp_scalar(p->comp, dtype), *types[] = {type, type};
    sema_request request = {.function = fn->name,
                            .library = file,
                            .types = types,
                            .type_count = fn->param_count,
                            .form = SEMA_FUNCTION};
    sema_env env = module_env(p->module);
    sema_program *program = sema_analyse(p->comp, file, &request, &env);
    if (!program) return NULL;
    ir_module *made = lower_program(program, &(lower_options){0});
    ir_func *f = ir_entry(made);
    ir_adopt(m, made);
    return f;
}

ir_func *pipeline_elementary(void *user, ir_module *m, const char *name, cpl_dtype dtype)
{
    pipeline *p = user;
    bool wide = dtype == CPL_FLOAT64;
    elementary_library *l = &p->elementary[!wide];
    ir_func *found = map_get(&l->found, name);
    if (found) return found;
    /* A lower max_ops is for what users write, which was counted as it was lowered. */
    if (p->comp->max_ops && p->comp->max_ops < LIMIT_OPS) p->comp->max_ops = LIMIT_OPS;
    ast_file *file = file_of(p, l, wide ? SEMA_ELEMENTARY : SEMA_ELEMENTARY32);
    const ast_func *fn = file ? ast_find_func(file, name) : NULL;
    found = fn ? make(p, m, file, fn, dtype) : NULL;
    if (found) map_put(&p->comp->arena, &l->found, name, found);
    return found;
}
