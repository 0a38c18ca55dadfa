/* Functions of mathematics that are written in the language, for the pass elementary. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"
#include "lib/lower/lower.h"

static ast_file *file_of(pipeline *p)
{
    sema_env env = module_env(p->module);
    if (!p->elementary_file)
        p->elementary_file =
            front_file(p->comp, env.find_file(env.user, &p->comp->arena, SEMA_ELEMENTARY, NULL));
    return p->elementary_file;
}

static ir_func *make(pipeline *p, ir_module *m, const ast_func *fn)
{
    const cpl_type *f64 = comp_scalar(p->comp, CPL_FLOAT64), *types[] = {f64, f64};
    sema_request request = {.function = fn->name,
                            .library = p->elementary_file,
                            .types = types,
                            .type_count = fn->param_count,
                            .form = SEMA_FUNCTION};
    sema_env env = module_env(p->module);
    sema_program *program = sema_analyse(p->comp, p->elementary_file, &request, &env);
    if (!program) return NULL;
    ir_module *made = lower_program(program, &(lower_options){0});
    ir_func *f = ir_entry(made);
    ir_adopt(m, made);
    return f;
}

ir_func *pipeline_elementary(void *user, ir_module *m, const char *name)
{
    pipeline *p = user;
    ir_func *found = map_get(&p->elementary, name);
    if (found) return found;
    const ast_func *fn = file_of(p) ? ast_find_func(p->elementary_file, name) : NULL;
    found = fn ? make(p, m, fn) : NULL;
    if (found) map_put(&p->comp->arena, &p->elementary, name, found);
    return found;
}
