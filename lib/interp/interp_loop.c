/* Loops. The rounds of a counted loop are fixed before the first one; the body may assign the
 * variable. */
#include "lib/interp/interp_int.h"

static bool before(const cpl_type *t, uint64_t a, uint64_t b)
{
    return type_is_signed(t) ? (int64_t)a < (int64_t)b : a < b;
}

/* (last - first - 1) / stride + 1 in unsigned arithmetic; 0 when first is not before last. */
static uint64_t distance(const cpl_type *t, uint64_t first, uint64_t last, uint64_t stride)
{
    return before(t, first, last) ? (last - first - 1) / stride + 1 : 0;
}

static uint64_t count_rounds(const cpl_type *t, uint64_t start, uint64_t stop, uint64_t step)
{
    if (step == 0) return 0;
    bool down = type_is_signed(t) && (int64_t)step < 0;
    return down ? distance(t, stop, start, 0 - step) : distance(t, start, stop, step);
}

static flow rounds_of(interp *in, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type;
    uint64_t start = interp_expr(in, n->kids[0]).bits, stop = interp_expr(in, n->kids[1]).bits,
             step = interp_expr(in, n->kids[2]).bits;
    if (in->failed) return FLOW_RETURN;
    uint64_t rounds = count_rounds(t, start, stop, step);
    for (uint64_t k = 0; k < rounds; k++) {
        if (!interp_step(in, n)) return FLOW_RETURN;
        interp_store(t, interp_address(in, n->loop->var),
                     (ir_value){.bits = ir_wrap_to(t, start + k * step)});
        flow f = interp_block(in, n->body);
        if (f == FLOW_RETURN || in->failed) return FLOW_RETURN;
        if (f == FLOW_BREAK) break;
    }
    return FLOW_NEXT;
}

/* Copies a variable of the frame to (save) or from in->saved, where *at is the offset. */
static void move_variable(interp *in, const ir_var *v, uint32_t *at, bool save)
{
    char *there = interp_address(in, v), *here = in->saved.at + *at;
    memcpy(save ? here : there, save ? there : here, v->type->size);
    *at += (uint32_t)v->type->size;
}

static void move_variables(interp *in, const ir_loop *l, uint32_t at, bool save)
{
    move_variable(in, l->var, &at, save);
    for (uint32_t i = 0; i < l->privates.n; i++) move_variable(in, l->privates.at[i], &at, save);
}

/* What belongs to the rounds of a parallel loop has its old value behind it, as when each thread
 * has its own. */
flow interp_for(interp *in, const ir_node *n)
{
    if (n->op == IR_FOR) return rounds_of(in, n);
    uint32_t base = in->saved.n, size = (uint32_t)n->loop->var->type->size;
    for (uint32_t i = 0; i < n->loop->privates.n; i++)
        size += (uint32_t)n->loop->privates.at[i]->type->size;
    while (in->saved.capacity - base < size)
        in->saved.at = vec_grow(&in->c->arena, in->saved.at, base, &in->saved.capacity, 1);
    in->saved.n = base + size;
    move_variables(in, n->loop, base, true);
    flow f = rounds_of(in, n);
    move_variables(in, n->loop, base, false);
    in->saved.n = base;
    return f;
}

flow interp_while(interp *in, const ir_node *n)
{
    while (interp_step(in, n) && interp_expr(in, n->kids[0]).bits && !in->failed) {
        flow f = interp_block(in, n->body);
        if (f == FLOW_RETURN || in->failed) return FLOW_RETURN;
        if (f == FLOW_BREAK) break;
    }
    return in->failed ? FLOW_RETURN : FLOW_NEXT;
}
