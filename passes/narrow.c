/*
 * narrow: computes int64 in 32 bits where no result can differ.
 *
 * Does: divisions, comparisons and conversions to floats that depend on a loop and whose operands
 * lie in int32 take int32, with all that is added and multiplied in them; so do local variables to
 * which nothing but widened int32 is assigned. 64-bit numbers have half as many lanes, and CPUs
 * before AVX-512 neither convert nor multiply them in vectors. Sums in indices stay: LLVM must see
 * that a linear one does not wrap, and gathers whose index was cut to 32 bits took up to a third
 * longer on a core with AVX2, which loads lane by lane. Requires: the fact SMALL: the entry's n and
 * the lengths of its arrays are fewer than 2^31. Runs behind inline, and before guards copy the
 * operands of divisions. Ensures: pass_context.relies has the fact where anything changed, for it
 * may rest on it. Keeps: values, wrapping and all: sums and products wrap alike in their low 32
 * bits, and only what provably fits is read from those. Source: demanded bits, as in LLVM's BDCE
 * and TruncInstCombine; intervals after P. and R. Cousot (POPL 1977).
 */
#include "passes/narrow_int.h"

static const cpl_type *int32_of(const narrow *w)
{
    return comp_scalar(w->m->comp, CPL_INT32);
}

static bool is_int64(const ir_node *n)
{
    return type_is(n->type, CPL_INT64);
}

static bool divides(ir_op op)
{
    return op == IR_DIV || op == IR_REM || op == IR_FLOORDIV || op == IR_FLOORMOD;
}

/* The operation means the same on the low halves of its operands. */
static bool exact_in_32(const ir_node *n)
{
    int64_t count;
    if (!narrow_fits(n->kids[0])) return false;
    if (n->op == IR_SHR) return ir_is_int_const(n->kids[1], &count) && count >= 0 && count < 32;
    if (!narrow_fits(n->kids[1])) return false;
    narrow_range a = narrow_range_of(n->kids[0]), b = narrow_range_of(n->kids[1]);
    bool wraps = a.lo == INT32_MIN && b.lo <= -1 && b.hi >= -1; /* MIN / -1 */
    return !divides((ir_op)n->op) || !wraps;
}

/* The low 32 bits of an int64, of which it takes the nodes. */
static ir_node *low(narrow *w, ir_node *n)
{
    ir_module *m = w->m;
    int64_t count;
    switch (n->op) {
    case IR_CONST: return ir_int(m, int32_of(w), (int64_t)n->bits, n->span);
    case IR_CONVERT:
        if (type_is_float(n->kids[0]->type)) break; /* it saturates */
        return ir_convert(m, int32_of(w), n->kids[0], n->span);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_AND:
    case IR_OR:
    case IR_XOR: return ir_op2(m, (ir_op)n->op, low(w, n->kids[0]), low(w, n->kids[1]), n->span);
    case IR_NEG:
    case IR_NOT: return ir_op1(m, (ir_op)n->op, low(w, n->kids[0]), n->span);
    case IR_COND:
        return ir_op3(m, IR_COND, n->kids[0], low(w, n->kids[1]), low(w, n->kids[2]), n->span);
    case IR_SHL:
        if (!ir_is_int_const(n->kids[1], &count) || count < 0 || count >= 32) break;
        return ir_op2(m, IR_SHL, low(w, n->kids[0]), low(w, n->kids[1]), n->span);
    case IR_DIV:
    case IR_REM:
    case IR_FLOORDIV:
    case IR_FLOORMOD:
    case IR_MIN:
    case IR_MAX:
    case IR_SHR:
        if (!exact_in_32(n)) break;
        return ir_op2(m, (ir_op)n->op, low(w, n->kids[0]), low(w, n->kids[1]), n->span);
    default: break;
    }
    return ir_convert(m, int32_of(w), n, n->span);
}

/* What low goes through and asks nothing. */
static bool is_sum(const ir_node *n)
{
    switch (n->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_NEG:
    case IR_NOT:
    case IR_AND:
    case IR_OR:
    case IR_XOR: return true;
    default: return false;
    }
}

/* A loop's variable among the terms: the comparison may tell LLVM about the loop. */
static bool counts(const ir_node *n)
{
    const narrow_fact *f = n->op == IR_VAR ? n->var->user : NULL;
    if (f) return f->counter;
    if (!is_sum(n) && n->op != IR_CONVERT) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (counts(n->kids[i])) return true;
    return false;
}

static ir_node *narrowed_comparison(narrow *w, ir_node *n)
{
    ir_node *a = n->kids[0], *b = n->kids[1];
    if (!is_int64(a) || !narrow_depends(n) || (a->op != IR_CONVERT && b->op != IR_CONVERT))
        return n;
    if (!narrow_fits(a) || !narrow_fits(b) || counts(a) || counts(b)) return n;
    w->changed = true;
    return ir_op2(w->m, (ir_op)n->op, low(w, a), low(w, b), n->span);
}

static ir_node *narrowed(void *user, ir_node *n)
{
    narrow *w = user;
    switch (n->op) {
    case IR_DIV:
    case IR_REM:
    case IR_FLOORDIV:
    case IR_FLOORMOD:
        if (!is_int64(n) || !narrow_depends(n) || !exact_in_32(n)) return n;
        w->changed = true;
        return ir_convert(w->m, n->type, low(w, n), n->span);
    case IR_CONVERT:
        if (!type_is_float(n->type) || !is_int64(n->kids[0]) || !narrow_depends(n) ||
            !narrow_fits(n->kids[0]))
            return n;
        w->changed = true;
        return ir_convert(w->m, n->type, low(w, n->kids[0]), n->span);
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: return narrowed_comparison(w, n);
    default: return n;
    }
}

/* Variables. */

static bool widens_int32(const ir_node *n)
{
    return n->op == IR_CONVERT && type_is(n->kids[0]->type, CPL_INT32);
}

static bool pin(void *user, ir_node *n)
{
    (void)user;
    narrow_fact *f = n->op == IR_ASSIGN ? n->var->user : NULL;
    if (f && !widens_int32(n->kids[0])) f->pinned = true;
    return true;
}

static ir_node *retyped(void *user, ir_node *n)
{
    narrow *w = user;
    if (n->op == IR_CONVERT && type_is(n->type, CPL_INT32) && is_int64(n->kids[0]) &&
        widens_int32(n->kids[0]))
        return n->kids[0]->kids[0];
    if (n->op != IR_VAR && n->op != IR_ASSIGN) return n;
    if (!type_is(n->var->type, CPL_INT32)) return n;
    if (n->op == IR_VAR && is_int64(n)) {
        n->type = n->var->type;
        return ir_typed(w->m, IR_CONVERT, comp_scalar(w->m->comp, CPL_INT64), n, n->span);
    }
    if (n->op == IR_ASSIGN && is_int64(n->kids[0])) n->kids[0] = n->kids[0]->kids[0];
    return n;
}

static void narrow_variables(narrow *w, ir_func *f)
{
    ir_walk_block(f->body, pin, NULL);
    w->again = false;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        ir_var *v = f->vars.at[i];
        const narrow_fact *x = v->user;
        if (!x || x->pinned || !type_is(v->type, CPL_INT64)) continue;
        v->type = int32_of(w);
        w->again = w->changed = true;
    }
    if (w->again) ir_rewrite_block(f->body, retyped, w);
}

bool pass_narrow(pass_context *cx, ir_module *m)
{
    narrow w = {.m = m};
    if (!(cx->facts & CPL_FACT_SMALL)) return false;
    ir_mark_recursive(m);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->body) continue;
        w.entry = f->linkage == IR_ENTRY && !f->recursive;
        do {
            narrow_facts_find(&w, f);
            ir_rewrite_block(f->body, narrowed, &w);
            narrow_variables(&w, f);
        } while (w.again);
        for (uint32_t k = 0; k < f->params.n; k++) f->params.at[k]->user = NULL;
        for (uint32_t k = 0; k < f->vars.n; k++) f->vars.at[k]->user = NULL;
    }
    if (w.changed) cx->relies |= CPL_FACT_SMALL;
    return w.changed;
}
