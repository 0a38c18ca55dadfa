/* Versions of variables, of which loops have their own. */
#include "lib/codegen/gen_simd.h"

static simd_var *var_new(simd_plan *p, ir_var *v)
{
    simd_var *x = arena_new(&p->g->c->arena, simd_var);
    x->var = v;
    x->reduces = IR_OP_COUNT;
    vec_push(&p->g->c->arena, &p->all, x);
    return x;
}

simd_var *simd_version(simd_plan *p, ir_var *v)
{
    if (!p->vars[v->index]) p->vars[v->index] = var_new(p, v);
    return p->vars[v->index];
}

simd_var *simd_own_version(simd_plan *p, simd_construct *c, ir_var *v, const ir_node *start)
{
    simd_own own = {.var = v, .inside = var_new(p, v), .start = start};
    vec_push(&p->g->c->arena, &c->own, own);
    return own.inside;
}

void simd_enter_loop(simd_plan *p, simd_construct *c)
{
    for (uint32_t i = 0; i < c->own.n; i++) {
        simd_var **place = &p->vars[c->own.at[i].var->index];
        c->own.at[i].outside = *place;
        *place = c->own.at[i].inside;
    }
}

void simd_leave_loop(simd_plan *p, simd_construct *c)
{
    for (uint32_t i = 0; i < c->own.n; i++) p->vars[c->own.at[i].var->index] = c->own.at[i].outside;
}
