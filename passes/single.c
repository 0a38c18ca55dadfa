/*
 * single: computes float64 as float32 where the device has no float64.
 *
 * Does: scalars, fixed arrays and pointers into private or local memory of float64 become float32,
 * everywhere at once: variables, parameters, constants, ops. Requires: pass_context.float32, and a
 * device without float64; else nothing happens. Runs first, so that constants are folded as they
 * are computed.
 * Ensures: no float64, unless some lies in memory that others share, in a struct or in an entry's
 * result, or is taken apart into bits or bytes: then everything stays, for legal to refuse. Keeps:
 * everything else; a parameter of the entry takes float32 from the launch. Source: the option of
 * OpenCL C compilers, -cl-single-precision-constant, made whole.
 */
#include "passes/pass_int.h"

typedef struct single {
    ir_module *m;
    bool whole; /* so far, all of float64 can be replaced */
    bool changed;
} single;

static bool holds_double(const cpl_type *t)
{
    while (type_is_array(t) || type_is_pointer(t)) t = t->elem;
    for (uint32_t i = 0; type_is_struct(t) && i < t->field_count; i++)
        if (holds_double(t->fields[i].type)) return true;
    return type_is(t, CPL_FLOAT64);
}

static bool replaceable(const cpl_type *t)
{
    while (holds_double(t)) {
        if (type_is_scalar(t)) return true;
        if (type_is_struct(t)) return false;
        if (type_is_pointer(t) && t->space != SPACE_PRIVATE && t->space != SPACE_LOCAL)
            return false;
        t = t->elem;
    }
    return true;
}

/* The type with float32 in place of float64. */
static const cpl_type *replaced(const single *s, const cpl_type *t)
{
    compilation *c = s->m->comp;
    if (!holds_double(t)) return t;
    if (type_is_scalar(t)) return comp_scalar(c, CPL_FLOAT32);
    const cpl_type *elem = replaced(s, t->elem);
    return type_is_array(t) ? comp_array(c, elem, t->count) : comp_pointer(c, elem, t->space);
}

/* Ops that see how wide a float is. */
static bool looks_inside(const ir_node *n)
{
    if (n->op != IR_BITS && n->op != IR_PTRCAST && n->op != IR_STRIDED) return false;
    return holds_double(n->type) != holds_double(n->kids[0]->type) ||
           (n->op != IR_PTRCAST && holds_double(n->type));
}

static bool survey(void *user, ir_node *n)
{
    single *s = user;
    if (!replaceable(n->type) || looks_inside(n)) s->whole = false;
    /* its parameters are C's; legal refuses the call */
    if (n->op == IR_CALL && n->func->linkage == IR_EXTERN) s->whole = false;
    return s->whole;
}

static void survey_func(single *s, ir_func *f)
{
    if (f->linkage == IR_ENTRY && holds_double(f->result)) s->whole = false;
    if (!replaceable(f->result)) s->whole = false;
    for (uint32_t i = 0; i < f->params.n; i++) s->whole &= replaceable(f->params.at[i]->type);
    for (uint32_t i = 0; i < f->vars.n; i++) s->whole &= replaceable(f->vars.at[i]->type);
    ir_walk_block(f->body, survey, s);
}

static bool replace(void *user, ir_node *n)
{
    single *s = user;
    if (!holds_double(n->type)) return true;
    n->type = replaced(s, n->type);
    if (n->op == IR_CONST) n->number = ir_round_to(n->type, n->number);
    s->changed = true;
    return true;
}

static void replace_vars(single *s, ir_var *const *vars, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        s->changed |= holds_double(vars[i]->type);
        vars[i]->type = replaced(s, vars[i]->type);
    }
}

bool pass_single(pass_context *cx, ir_module *m)
{
    single s = {.m = m, .whole = true};
    if (!cx->float32 || !target_is_device(cx->target) || cx->target->fp64) return false;
    pass_drop_unreferenced(m);
    for (uint32_t i = 0; i < m->funcs.n && s.whole; i++)
        if (m->funcs.at[i]->body) survey_func(&s, m->funcs.at[i]);
    for (uint32_t i = 0; i < m->funcs.n && s.whole; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->body) continue;
        f->result = replaced(&s, f->result);
        replace_vars(&s, f->params.at, f->params.n);
        replace_vars(&s, f->vars.at, f->vars.n);
        ir_walk_block(f->body, replace, &s);
    }
    return s.changed;
}
