/*
 * Where variables are declared: counters by their loop; others by the assignment that comes first,
 * if it stands in the innermost block that holds all uses; all that remain at the top of the
 * function, where they are zero.
 */
#include "lib/opencl/ocl_int.h"

typedef struct plan {
    ocl *o;
    VEC(ocl_level) levels; /* around the node at hand */
} plan;

static void touch(plan *p, const ir_var *v)
{
    ocl_var *at = ocl_of(v);
    if (!at->first) {
        at->levels = p->levels.n;
        at->first = arena_array(&p->o->c->arena, at->levels, sizeof *at->first);
        memcpy(at->first, p->levels.at, at->levels * sizeof *at->first);
        return;
    }
    uint32_t same = 0;
    while (same < at->levels && same < p->levels.n &&
           at->first[same].block == p->levels.at[same].block)
        same++;
    at->levels = same;
}

static void use(plan *p, const ir_var *v, bool loads_element)
{
    ocl_var *at = ocl_of(v);
    touch(p, v);
    if (!at->active) at->counter = false;
    if (!loads_element) at->reads_only = false;
}

static void visit(plan *p, const ir_node *n, const ir_node *parent, const ir_node *above);

static void visit_block(plan *p, const ir_block *b)
{
    vec_push(&p->o->c->arena, &p->levels, ((ocl_level){b, 0}));
    for (uint32_t i = 0; i < b->n; i++) {
        p->levels.at[p->levels.n - 1].at = i;
        visit(p, b->at[i], NULL, NULL);
    }
    p->levels.n--;
}

/* x is used by a load of x, or of an element of x. */
static bool loads_element(const ir_node *n, const ir_node *parent, const ir_node *above)
{
    if (!parent) return false;
    if (parent->op == IR_LOAD) return true;
    return parent->op == IR_ELEM && parent->kids[0] == n && above && above->op == IR_LOAD;
}

static void visit_loop(plan *p, const ir_node *n)
{
    ocl_var *v = ocl_of(n->loop->var);
    touch(p, n->loop->var);
    v->assigned = true;
    if (v->active) v->counter = false;
    v->active++;
    visit_block(p, n->body);
    v->active--;
}

static void visit(plan *p, const ir_node *n, const ir_node *parent, const ir_node *above)
{
    for (uint32_t i = 0; i < n->kid_count; i++) visit(p, n->kids[i], n, parent);
    switch (n->op) {
    case IR_VAR: use(p, n->var, loads_element(n, parent, above)); break;
    case IR_ADDR:
        use(p, n->var, false);
        ocl_of(n->var)->addressed = true;
        ocl_of(n->var)->counter = false;
        break;
    case IR_ASSIGN:
        touch(p, n->var);
        ocl_of(n->var)->assigned = true;
        ocl_of(n->var)->counter = false;
        break;
    case IR_FOR: visit_loop(p, n); return;
    default: break;
    }
    if (n->body) visit_block(p, n->body);
    if (n->orelse) visit_block(p, n->orelse);
}

static bool mentions(const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR && n->var == v) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (mentions(n->kids[i], v)) return true;
    return false;
}

static const ir_node *declaration(const ir_var *v)
{
    const ocl_var *at = ocl_of(v);
    if (at->addressed || v->local || type_is_array(v->type) || !at->levels) return NULL;
    const ocl_level *l = &at->first[at->levels - 1];
    const ir_node *n = l->block->at[l->at];
    return n->op == IR_ASSIGN && n->var == v && !mentions(n->kids[0], v) ? n : NULL;
}

void ocl_plan(ocl *o, const ir_func *f)
{
    plan p = {.o = o};
    for (uint32_t i = 0; i < f->params.n + f->vars.n; i++) {
        ir_var *v = i < f->params.n ? f->params.at[i] : f->vars.at[i - f->params.n];
        ocl_var *at = arena_new(&o->c->arena, ocl_var);
        at->name = ocl_local_name(o, v->name);
        at->counter = !v->is_param && !v->local && type_is_int(v->type);
        at->reads_only = v->is_param && v->readonly && type_is_pointer(v->type);
        v->user = at;
    }
    visit_block(&p, f->body);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        ocl_var *at = ocl_of(f->vars.at[i]);
        if (!at->first) at->counter = false;
        if (!at->counter) at->declared = declaration(f->vars.at[i]);
    }
}
