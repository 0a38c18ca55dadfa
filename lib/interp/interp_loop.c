/* Loops. The rounds of a counted loop are fixed before the first one; the body may assign the variable. */
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

flow interp_for(interp *in, const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type;
    uint64_t start = interp_expr(in, n->kids[0]).bits, stop = interp_expr(in, n->kids[1]).bits, step = interp_expr(in, n->kids[2]).bits;
    if (in->failed) return FLOW_RETURN;
    uint64_t rounds = count_rounds(t, start, stop, step);
    for (uint64_t k = 0; k < rounds; k++) {
        if (!interp_step(in, n)) return FLOW_RETURN;
        interp_store(t, interp_address(in, n->loop->var), (ir_value){.bits = ir_wrap_to(t, start + k * step)});
        flow f = interp_block(in, n->body);
        if (f == FLOW_RETURN || in->failed) return FLOW_RETURN;
        if (f == FLOW_BREAK) break;
    }
    return FLOW_NEXT;
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
