/* Loops on one thread, one round after the other. */
#include "lib/codegen/gen_int.h"

/*
 * A counted loop is built around a hidden induction variable, so that neither the body's
 * assignments to the loop variable nor the end of the type's range can disturb it, and with flags
 * that let LLVM see how far it runs:
 *
 *     if (rounds) { iv = start; do { v = iv; body; next: iv += step; } while (--rounds); }
 *
 * With a step of 1 or -1 the end is iv == stop, which is the same and needs no second counter.
 * Every iv that a round sees lies between start and stop, so the addition carries nsw (nuw for
 * unsigned types): where it would wrap, its value is not used.
 */
static LLVMValueRef before(gen *g, const gen_counted *l, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(g->b, type_is_signed(l->type) ? LLVMIntSLT : LLVMIntULT, a, b, "");
}

/* (last - first - 1) / stride + 1: right for every pair with first before last, as unsigned
 * arithmetic. */
static LLVMValueRef count(gen *g, const gen_counted *l, LLVMValueRef first, LLVMValueRef last,
                          LLVMValueRef stride)
{
    LLVMValueRef one = gen_int(l->ty, 1);
    LLVMValueRef span = LLVMBuildSub(g->b, LLVMBuildSub(g->b, last, first, ""), one, "");
    return LLVMBuildAdd(g->b, LLVMBuildUDiv(g->b, span, stride, ""), one, "");
}

static void count_up(gen *g, gen_counted *l)
{
    l->enter = before(g, l, l->start, l->stop);
    if (l->step_value != 1) l->rounds = count(g, l, l->start, l->stop, l->step);
}

static void count_down(gen *g, gen_counted *l)
{
    l->enter = before(g, l, l->stop, l->start);
    if (l->step_value != -1)
        l->rounds = count(g, l, l->stop, l->start, LLVMBuildNeg(g->b, l->step, ""));
}

static void count_either_way(gen *g, gen_counted *l)
{
    LLVMValueRef zero = LLVMConstNull(l->ty), one = gen_int(l->ty, 1);
    LLVMValueRef none = LLVMBuildICmp(g->b, LLVMIntEQ, l->step, zero, "");
    LLVMValueRef down = before(g, l, l->step, zero); /* false for unsigned types */
    LLVMValueRef low = LLVMBuildSelect(g->b, down, l->stop, l->start, "");
    LLVMValueRef high = LLVMBuildSelect(g->b, down, l->start, l->stop, "");
    LLVMValueRef stride = LLVMBuildSelect(g->b, down, LLVMBuildNeg(g->b, l->step, ""), l->step, "");
    /* the division is executed in any case */
    stride = LLVMBuildSelect(g->b, none, one, stride, "");
    l->rounds = count(g, l, low, high, stride);
    l->enter = LLVMBuildAnd(g->b, LLVMBuildNot(g->b, none, ""), before(g, l, low, high), "");
}

void gen_count_rounds(gen *g, gen_counted *l)
{
    bool is_signed = type_is_signed(l->type);
    l->ty = LLVMTypeOf(l->start);
    if (!l->step_known || !l->step_value) count_either_way(g, l);
    else if (is_signed && l->step_value < 0) count_down(g, l);
    else count_up(g, l);
}

static gen_counted evaluate(gen *g, const ir_node *n)
{
    gen_counted l = {.type = n->kids[0]->type};
    l.start = gen_expr(g, n->kids[0]).v;
    l.stop = gen_expr(g, n->kids[1]).v;
    l.step = gen_expr(g, n->kids[2]).v;
    l.step_known = ir_is_int_const(n->kids[2], &l.step_value);
    return l;
}

static LLVMValueRef advance(gen *g, const gen_counted *l)
{
    return type_is_signed(l->type) ? LLVMBuildNSWAdd(g->b, l->iv, l->step, "")
                                   : LLVMBuildNUWAdd(g->b, l->iv, l->step, "");
}

void gen_counted_head(gen *g, gen_counted *l)
{
    gen_count_rounds(g, l);
    l->pre = gen_block_new(g, "for.start");
    l->head = gen_block_new(g, "for");
    l->next = gen_block_new(g, "for.next");
    l->exit = gen_block_new(g, "for.end");
    LLVMBuildCondBr(g->b, l->enter, l->pre, l->exit);
    gen_at(g, l->pre);
    LLVMBuildBr(g->b, l->head);
    gen_at(g, l->head);
    l->iv = LLVMBuildPhi(g->b, l->ty, "iv");
    l->done = l->rounds ? LLVMBuildPhi(g->b, l->ty, "done") : NULL;
}

void gen_counted_next(gen *g, gen_counted *l, LLVMValueRef go_on)
{
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMValueRef following = advance(g, l);
    LLVMAddIncoming(l->iv, (LLVMValueRef[]){l->start, following},
                    (LLVMBasicBlockRef[]){l->pre, from}, 2);
    LLVMValueRef now = following, last = l->stop;
    if (l->done) {
        now = LLVMBuildNUWAdd(g->b, l->done, gen_int(l->ty, 1), "");
        last = l->rounds;
        LLVMAddIncoming(l->done, (LLVMValueRef[]){LLVMConstNull(l->ty), now},
                        (LLVMBasicBlockRef[]){l->pre, from}, 2);
    }
    LLVMValueRef more = LLVMBuildICmp(g->b, LLVMIntNE, now, last, "");
    if (go_on) more = LLVMBuildAnd(g->b, more, go_on, "");
    l->latch = LLVMBuildCondBr(g->b, more, l->head, l->exit);
    if (g->rest) gen_hint_short(g, l->latch);
    gen_at(g, l->exit);
}

void gen_counted_loop(gen *g, const ir_node *n, gen_counted *l)
{
    gen_counted_head(g, l);
    gen_loop loop = {g->loop, l->next, l->exit};
    gen_store(g, n->loop->var->user, (gen_val){l->iv, l->type});
    g->loop = &loop;
    gen_block(g, n->body);
    g->loop = loop.outer;
    gen_br(g, l->next);
    gen_at(g, l->next);
    gen_counted_next(g, l, NULL);
}

void gen_short_loop(gen *g, const ir_node *n, gen_counted *l)
{
    g->rest = true;
    gen_counted_loop(g, n, l);
    g->rest = false;
}

static bool has_loop(const ir_node *n)
{
    const ir_block *const blocks[] = {n->body, n->orelse};
    if (n->op == IR_FOR || n->op == IR_WHILE) return true;
    for (unsigned k = 0; k < 2; k++)
        for (uint32_t i = 0; blocks[k] && i < blocks[k]->n; i++)
            if (has_loop(blocks[k]->at[i])) return true;
    return false;
}

/*
 * On a GPU an unknown number of short rounds is done four at a time, as nvcc does it: LLVM by
 * itself unrolls by two, or not at all where there is a division. All pairs of 10^5 vortices
 * through local memory, on an H200: two 1.00 of nvcc's time, four 0.98, eight 0.975.
 */
static bool unrolls(const gen *g, const ir_node *n)
{
    enum { MOST_NODES = 100 };
    bool known = ir_is_const(n->kids[0]) && ir_is_const(n->kids[1]) && ir_is_const(n->kids[2]);
    if (!g->traits->unrolls || known) return false;
    for (uint32_t i = 0; i < n->body->n; i++)
        if (has_loop(n->body->at[i])) return false;
    return ir_block_size(n->body) <= MOST_NODES;
}

/* Long chains of functions computed in place gain by two vectors; of 512 bits one does: of 18
 * functions of both types none is faster by two on a Zen 5, and x^a*log(x+1) takes 1.1 times as
 * long. */
static gen_vectors vectors(const gen *g, const ir_node *n, uint32_t elementary)
{
    bool in_place = n->loop->independent && g->elementary != elementary;
    bool two = g->kind == TGT_HOST && in_place && g->vector_bits < GEN_HAS_MASKS;
    return two ? VECTORS_TWO : VECTORS_ANY;
}

static void for_rounds(gen *g, const ir_node *n)
{
    enum { UNROLL = 4 };
    if (n->loop->independent && gen_simd_for && gen_simd_for(g, n)) return;
    gen_counted l = evaluate(g, n);
    /* of use to the vectoriser, which devices have none of */
    bool apart = n->loop->independent && g->kind == TGT_HOST && !gen_rereads(g, n);
    LLVMMetadataRef outer = g->accesses, group = apart ? gen_access_group(g) : NULL;
    uint32_t elementary = g->elementary;
    if (group) g->accesses = group;
    gen_counted_loop(g, n, &l);
    g->accesses = outer;
    gen_hint_rounds(g, l.latch, group, vectors(g, n, elementary));
    if (!group && unrolls(g, n)) gen_hint_unroll(g, l.latch, UNROLL);
}

void gen_for(gen *g, const ir_node *n)
{
    bool outer = g->independent;
    const ir_loop *reducing = g->reducing;
    g->independent |= n->loop->independent;
    if (n->loop->reductions.n) g->reducing = n->loop;
    for_rounds(g, n);
    g->independent = outer;
    g->reducing = reducing;
}

void gen_while(gen *g, const ir_node *n)
{
    gen_loop loop = {g->loop, gen_block_new(g, "while"), gen_block_new(g, "while.end")};
    LLVMBasicBlockRef body = gen_block_new(g, "while.body");
    LLVMBuildBr(g->b, loop.next);
    gen_at(g, loop.next);
    LLVMBuildCondBr(g->b, gen_expr(g, n->kids[0]).v, body, loop.exit);
    gen_at(g, body);
    g->loop = &loop;
    gen_block(g, n->body);
    g->loop = loop.outer;
    gen_br(g, loop.next);
    gen_at(g, loop.exit);
}
