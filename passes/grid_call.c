/* For the pass grid: an entry that calls itself, which a kernel cannot, becomes two functions. */
#include "passes/pass_int.h"

typedef struct redirect {
    const ir_func *from;
    ir_func *to;
} redirect;

static bool redirect_call(void *user, ir_node *n)
{
    const redirect *r = user;
    if (n->op == IR_CALL && n->func == r->from) n->func = r->to;
    return true;
}

/* The parameters of another function, with what they belong to. */
static void copy_params(ir_module *m, const ir_func *from, ir_func *to)
{
    for (uint32_t i = 0; i < from->params.n; i++) {
        ir_var *v = from->params.at[i], *copy = ir_param_new(m, to, v->name, v->type, v->span);
        copy->spelling = v->spelling;
        copy->noalias = v->noalias;
        copy->readonly = v->readonly;
        copy->unread = v->unread;
        copy->role = v->role;
        copy->axis = v->axis;
        v->user = copy;
    }
    for (uint32_t i = 0; i < from->params.n; i++) {
        const ir_var *v = from->params.at[i];
        to->params.at[i]->of = v->of ? v->of->user : NULL;
        to->params.at[i]->extent = v->extent ? v->extent->user : NULL;
    }
    for (uint32_t i = 0; i < from->params.n; i++) from->params.at[i]->user = NULL;
}

/* entry(a, b): return entry.body(a, b) */
static void call_body(ir_module *m, ir_func *entry, ir_func *body)
{
    cpl_span span = entry->span;
    ir_node **args = arena_array(&m->comp->arena, entry->params.n, sizeof(ir_node *));
    for (uint32_t i = 0; i < entry->params.n; i++) args[i] = ir_use(m, entry->params.at[i], span);
    ir_node *call = ir_call(m, body, args, entry->params.n, span);
    entry->body = ir_block_new(m);
    if (type_is_void(entry->result)) {
        ir_append(m, entry->body, ir_eval(m, call, span));
        return;
    }
    ir_var *result = ir_var_new(m, entry, "result", entry->result, span);
    ir_append(m, entry->body, ir_assign(m, result, call, span));
    ir_append(m, entry->body, ir_return(m, ir_use(m, result, span), span));
}

void pass_call_apart(ir_module *m, ir_func *f)
{
    const char *name = arena_printf(&m->comp->arena, "%s.body", f->name);
    ir_func *body = ir_func_new(m, name, IR_INTERNAL, f->result, f->span);
    uint32_t at = m->funcs.n - 1;
    for (; m->funcs.at[at] != f; at--) m->funcs.at[at] = m->funcs.at[at - 1];
    m->funcs.at[at] = body;
    m->funcs.at[at + 1] = f;
    name = body->name;
    *body = *f;
    body->name = name;
    body->linkage = IR_INTERNAL;
    memset(&f->params, 0, sizeof f->params);
    memset(&f->vars, 0, sizeof f->vars);
    f->names = NULL;
    f->recursive = false;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body)
            ir_walk_block(m->funcs.at[i]->body, redirect_call, &(redirect){f, body});
    copy_params(m, body, f);
    call_body(m, f, body);
}
