/*
 * elementary: computes mathematics by functions of the language.
 *
 * Does: each op of kind MATH becomes a call of the function of its name that
 * pass_context.find_elementary finds, of float64; narrower floats are widened before and rounded
 * once behind. What arms of cond and conditions of loops need is moved as pass_rewriter does it.
 * Without reproducible, ops that have such a function of float64, or of float32 for narrower ones.
 * Requires: calls are inlined later. On devices: float64, and with reproducible quotients, roots
 * and subnormal numbers of float32 as IEEE 754 has them; otherwise the first such op is an error.
 * Ensures, with reproducible: no mathematics but remainder, nextafter and ldexp, which have one
 * right result.
 * Keeps: everything else.
 */
#include "passes/pass_int.h"

typedef struct elementary {
    pass_context *cx;
    bool changed, refused;
} elementary;

static bool has_one_result(uint32_t op)
{
    return op == IR_REMAINDER || op == IR_NEXTAFTER || op == IR_LDEXP;
}

static bool divides(uint32_t op)
{
    return op == IR_DIV || op == IR_SQRT;
}

/* What float32 would be computed with on the device that has other results; NULL: nothing. */
static const char *differs(const tgt_target *t, const ir_node *n)
{
    bool computes = ir_op_kind(n->op) == IR_KIND_ARITHMETIC || divides(n->op);
    if (!type_is(n->type, CPL_FLOAT32) || !computes) return NULL;
    if (!t->subnormals) return "subnormal numbers";
    return !t->rounds_division && divides(n->op) ? "correctly rounded division" : NULL;
}

static void check_device(elementary *e, compilation *c, const ir_node *n)
{
    const tgt_target *t = e->cx->target;
    const char *lacks = target_is_device(t) && !e->refused ? differs(t, n) : NULL;
    if (!lacks) return;
    e->refused = true;
    diag *d = diag_error(&c->diags, CPL_EUNSUPPORTED, n->span,
                         "'%s' of float32 in the same bits everywhere takes %s, which the device "
                         "lacks",
                         ir_ops[n->op].text, lacks);
    diag_hint(&c->diags, d, "compute it in float64");
}

static ir_node *compute(pass_rewriter *r, ir_node *n)
{
    elementary *e = r->user;
    if (e->cx->reproducible) check_device(e, r->m->comp, n);
    if (ir_op_kind(n->op) != IR_KIND_MATH || has_one_result(n->op)) return n;
    bool wide = e->cx->reproducible || type_is(n->type, CPL_FLOAT64);
    if (wide && target_is_device(e->cx->target) && !e->cx->target->fp64) {
        diag_error(&r->m->comp->diags, CPL_EUNSUPPORTED, n->span,
                   "'%s' in the same bits everywhere takes float64, which the device lacks",
                   ir_ops[n->op].text);
        return n;
    }
    ir_func *f = e->cx->find_elementary(e->cx->user, r->m, ir_ops[n->op].text,
                                        wide ? CPL_FLOAT64 : CPL_FLOAT32);
    if (!f) return n;
    for (uint32_t i = 0; i < n->kid_count; i++)
        n->kids[i] = ir_convert(r->m, f->result, n->kids[i], n->span);
    ir_var *t = pass_var(r->m, r->f, &r->parallel, ir_ops[n->op].text, f->result, n->span);
    pass_emit(r, ir_assign(r->m, t, ir_call(r->m, f, n->kids, n->kid_count, n->span), n->span));
    e->changed = true;
    return ir_convert(r->m, n->type, ir_use(r->m, t, n->span), n->span);
}

bool pass_elementary(pass_context *cx, ir_module *m)
{
    elementary e = {.cx = cx};
    pass_rewriter r = {.m = m, .expr = compute, .user = &e};
    pass_drop_unreferenced(m);
    uint32_t count = m->funcs.n; /* not those that are found meanwhile */
    for (uint32_t i = 0; i < count && cx->find_elementary; i++)
        if (m->funcs.at[i]->body) pass_rewrite_func(&r, m->funcs.at[i]);
    return e.changed;
}
