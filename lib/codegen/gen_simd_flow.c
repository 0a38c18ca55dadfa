/*
 * Statements and control flow for all lanes. A varying if runs both sides under masks; a varying
 * loop goes on while some lane is alive; break and continue switch lanes off. What is uniform keeps
 * its branches.
 */
#include "lib/codegen/gen_simd.h"

static bool is_short(const ir_block *b)
{
    int budget = 12; /* nodes: about what the test whether any lane is on costs */
    for (uint32_t i = 0; i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_BREAK || n->op == IR_CONTINUE) continue; /* takes lanes off a mask */
        if (n->op != IR_ASSIGN || !gen_is_cheap(n->kids[0], &budget)) return false;
    }
    return true;
}

static void enter(simd *s, simd_region *r)
{
    simd_region *outer = s->region;
    s->region = r;
    simd_block(s, r);
    s->region = outer;
}

static void side(simd *s, simd_region *r, LLVMValueRef mask)
{
    gen *g = s->g;
    s->mask = mask;
    if (is_short(r->block)) {
        enter(s, r);
        return;
    }
    LLVMBasicBlockRef some = gen_block_new(g, "some"), join = gen_block_new(g, "endsome");
    LLVMBuildCondBr(g->b, simd_any(s, mask), some, join);
    gen_at(g, some);
    enter(s, r);
    gen_br(g, join);
    gen_at(g, join);
}

static void if_by_lane(simd *s, const simd_construct *c)
{
    LLVMValueRef outer = s->mask, taken = simd_condition(s, c->n->kids[0]);
    side(s, c->body, simd_and(s, outer, taken));
    if (c->orelse) side(s, c->orelse, simd_and_not(s, outer, taken));
    s->mask = outer;
}

static void if_for_all(simd *s, const simd_construct *c)
{
    gen *g = s->g;
    LLVMValueRef outer = s->mask, cond = simd_expr(s, c->n->kids[0]).v;
    LLVMBasicBlockRef then = gen_block_new(g, "then"), join = gen_block_new(g, "endif");
    LLVMBasicBlockRef orelse = c->orelse ? gen_block_new(g, "else") : join;
    LLVMBuildCondBr(g->b, cond, then, orelse);
    gen_at(g, then);
    enter(s, c->body);
    gen_br(g, join);
    s->mask = outer;
    if (c->orelse) {
        gen_at(g, orelse);
        enter(s, c->orelse);
        gen_br(g, join);
        s->mask = outer;
    }
    gen_at(g, join);
}

static void keep(simd *s, simd_loop *l, simd_var *v)
{
    simd_kept k = {v, v->kept_by, simd_slot(s, simd_slot_type(s, v), "kept")};
    simd_move(s, v, k.slot, v->slot, NULL);
    v->kept_by = l->c;
    vec_push(&s->g->c->arena, &l->kept, k);
}

/* The slots of a loop that lanes leave one by one. */
static simd_loop begin(simd *s, simd_construct *c, LLVMBasicBlockRef next, LLVMBasicBlockRef exit)
{
    simd_loop l = {.outer = s->loop, .c = c, .next = next, .exit = exit};
    if (c->varying) {
        l.alive = simd_slot(s, s->t_mask, "alive");
        l.live = c->continues ? simd_slot(s, s->t_mask, "live") : l.alive;
        LLVMBuildStore(s->g->b, s->mask ? s->mask : simd_all(s), l.alive);
        for (uint32_t i = 0; i < s->plan->all.n; i++)
            if (simd_should_keep(s->plan->all.at[i], c)) keep(s, &l, s->plan->all.at[i]);
    }
    return l;
}

/* At the end of a round, for lanes that began it or were not lost on its way: what they would leave
 * with. */
static void update_kept(simd *s, simd_loop *l, LLVMValueRef mask)
{
    for (uint32_t i = 0; i < l->kept.n; i++)
        simd_move(s, l->kept.at[i].var, l->kept.at[i].slot, l->kept.at[i].var->slot, mask);
    simd_update_counts(s, l->c, mask);
}

static void end(simd *s, simd_loop *l)
{
    for (uint32_t i = 0; i < l->kept.n; i++) {
        simd_kept *k = &l->kept.at[i];
        simd_move(s, k->var, k->var->slot, k->slot, NULL);
        k->var->kept_by = k->outer;
    }
}

/* A round: lanes in `mask` begin it. */
static void do_round(simd *s, simd_loop *l, LLVMValueRef mask)
{
    gen *g = s->g;
    s->mask = mask;
    if (l->live && l->live != l->alive) LLVMBuildStore(g->b, mask ? mask : simd_all(s), l->live);
    s->loop = l;
    enter(s, l->c->body);
    s->loop = l->outer;
    gen_br(g, l->next);
    gen_at(g, l->next);
    if (l->alive) update_kept(s, l, simd_load_mask(s, l->alive));
}

static void set_counter(simd *s, const simd_construct *c, simd_val value)
{
    simd_write(s, s->plan->vars[c->n->loop->var->index], value, c->body);
}

/* Bounds that are the same in all lanes: a scalar counts. Lanes may still leave by break. */
static void for_together(simd *s, simd_construct *c, const simd_val *bounds)
{
    gen *g = s->g;
    LLVMValueRef outer = s->mask, alive = NULL;
    gen_counted k = {.type = bounds[0].type,
                     .start = bounds[0].v,
                     .stop = bounds[1].v,
                     .step = bounds[2].v};
    k.step_known = ir_is_int_const(c->n->kids[2], &k.step_value);
    simd_loop l = begin(s, c, NULL, NULL);
    gen_counted_head(g, &k);
    l.next = k.next;
    l.exit = k.exit;
    s->mask = l.alive ? simd_load_mask(s, l.alive) : outer;
    set_counter(s, c, simd_uniform(k.iv, k.type));
    do_round(s, &l, s->mask);
    if (l.alive) alive = simd_any(s, simd_load_mask(s, l.alive));
    gen_counted_next(g, &k, alive);
    end(s, &l);
    s->mask = outer;
}

/* start + round * step */
static simd_val counter_value(simd *s, const simd_val *bounds, LLVMValueRef round)
{
    gen *g = s->g;
    simd_val start = bounds[0], step = bounds[2];
    if (step.shape == SIMD_UNIFORM && start.shape != SIMD_VARYING) {
        start.v = LLVMBuildAdd(g->b, start.v, LLVMBuildMul(g->b, round, step.v, ""), "");
        return start;
    }
    LLVMValueRef way = LLVMBuildMul(g->b, simd_splat(s, round), simd_spread(s, step), "");
    return simd_varying(LLVMBuildAdd(g->b, simd_spread(s, start), way, ""), start.type);
}

/* Rounds of each lane; none in lanes that are off, whose bounds may be anything. */
static LLVMValueRef rounds_of(simd *s, const simd_construct *c, const simd_val *bounds)
{
    gen *g = s->g;
    gen_counted k = {.type = bounds[0].type};
    k.start = simd_spread(s, bounds[0]);
    k.stop = simd_spread(s, bounds[1]);
    k.step = simd_spread(s, bounds[2]);
    k.step_known = ir_is_int_const(c->n->kids[2], &k.step_value);
    gen_count_rounds(g, &k);
    bool down = k.step_known && type_is_signed(k.type) && k.step_value == -1;
    if (!k.rounds)
        k.rounds = down ? LLVMBuildSub(g->b, k.start, k.stop, "")
                        : LLVMBuildSub(g->b, k.stop, k.start, "");
    return LLVMBuildSelect(g->b, k.enter, k.rounds, LLVMConstNull(k.ty), "");
}

/* Bounds that differ: rounds are counted together, each lane has its own number of them. */
static void for_apart(simd *s, simd_construct *c, const simd_val *bounds)
{
    gen *g = s->g;
    LLVMTypeRef type = gen_type(g, bounds[0].type);
    LLVMValueRef outer = s->mask, rounds = rounds_of(s, c, bounds);
    LLVMBasicBlockRef head = gen_block_new(g, "for"), body = gen_block_new(g, "for.body");
    simd_loop l = begin(s, c, gen_block_new(g, "for.next"), gen_block_new(g, "for.end"));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef round = LLVMBuildPhi(g->b, type, "round");
    /* A lane is switched off when its count is reached, so that "not equal" will do. */
    LLVMValueRef more =
        simd_mask(s, LLVMBuildICmp(g->b, LLVMIntNE, simd_splat(s, round), rounds, ""));
    LLVMValueRef mask = simd_and(s, simd_load_mask(s, l.alive), more);
    LLVMBuildStore(g->b, mask, l.alive);
    LLVMBuildCondBr(g->b, simd_any(s, mask), body, l.exit);
    gen_at(g, body);
    s->mask = mask;
    set_counter(s, c, counter_value(s, bounds, round));
    do_round(s, &l, mask);
    LLVMValueRef following = LLVMBuildAdd(g->b, round, gen_int(type, 1), "");
    LLVMAddIncoming(round, (LLVMValueRef[]){LLVMConstNull(type), following},
                    (LLVMBasicBlockRef[]){before, LLVMGetInsertBlock(g->b)}, 2);
    LLVMBuildBr(g->b, head);
    gen_at(g, l.exit);
    end(s, &l);
    s->mask = outer;
}

static void do_for(simd *s, simd_construct *c)
{
    simd_val bounds[3];
    bool together = true;
    for (int i = 0; i < 3; i++) {
        bounds[i] = simd_expr(s, c->n->kids[i]);
        together &= bounds[i].shape == SIMD_UNIFORM;
    }
    simd_enter_loop(s->plan, c);
    if (together) for_together(s, c, bounds);
    else for_apart(s, c, bounds);
    simd_leave_loop(s->plan, c);
}

static void while_for_all(simd *s, simd_construct *c)
{
    gen *g = s->g;
    LLVMValueRef outer = s->mask;
    LLVMBasicBlockRef body = gen_block_new(g, "while.body");
    simd_loop l = begin(s, c, gen_block_new(g, "while"), gen_block_new(g, "while.end"));
    LLVMBuildBr(g->b, l.next);
    gen_at(g, l.next);
    LLVMBuildCondBr(g->b, simd_expr(s, c->n->kids[0]).v, body, l.exit);
    gen_at(g, body);
    s->loop = &l;
    enter(s, c->body);
    s->loop = l.outer;
    gen_br(g, l.next);
    gen_at(g, l.exit);
    s->mask = outer;
}

/* a and b as the front end writes it */
static bool is_and(const ir_node *n)
{
    return n->op == IR_COND && ir_is_const(n->kids[2]) && !n->kids[2]->bits;
}

static bool is_shared(const simd *s, const ir_node *n)
{
    int budget = 6;
    return !simd_varies(s->plan, n) && gen_is_cheap(n, &budget);
}

/* What all lanes that are left answer alike, and at once, is asked once: no, and the loop is
 * over. */
static void ask_all(simd *s, const ir_node *n, LLVMBasicBlockRef exit)
{
    gen *g = s->g;
    if (is_and(n)) {
        ask_all(s, n->kids[0], exit);
        ask_all(s, n->kids[1], exit);
    } else if (!ir_is_const(n) && is_shared(s, n)) {
        LLVMBasicBlockRef on = gen_block_new(g, "while.on");
        LLVMBuildCondBr(g->b, simd_expr(s, n).v, on, exit);
        gen_at(g, on);
    }
}

/* Takes the lanes off the mask that do not pass the parts of a condition that are shared, or those
 * that are not. */
static void ask_each(simd *s, const ir_node *n, bool shared)
{
    if (is_and(n)) {
        ask_each(s, n->kids[0], shared);
        ask_each(s, n->kids[1], shared);
    } else if ((!ir_is_const(n) && is_shared(s, n)) == shared) {
        s->mask = simd_and(s, s->mask, simd_condition(s, n));
    }
}

/*
 * A branch on what is shared before the first round would be one on what all rounds around have in
 * common, and LLVM would make two loops of the one around (1.4 ms for the Mandelbrot set). So it
 * goes into the mask there, if the rest of the condition does no harm without a lane alive.
 */
static bool ask_ahead(simd *s, const simd_loop *l, const ir_node *cond)
{
    int budget = 40;
    if (!gen_is_cheap(cond, &budget)) return false;
    s->mask = simd_load_mask(s, l->alive);
    ask_each(s, cond, true);
    LLVMBuildStore(s->g->b, s->mask, l->alive);
    return true;
}

/* The condition is evaluated only where some lane is alive; where lanes are lost in the body, that
 * is asked again at its end. */
static void while_by_lane(simd *s, simd_construct *c)
{
    gen *g = s->g;
    LLVMValueRef outer = s->mask;
    const ir_node *cond = c->n->kids[0];
    LLVMBasicBlockRef head = gen_block_new(g, "while"), body = gen_block_new(g, "while.body");
    simd_loop l = begin(s, c, gen_block_new(g, "while.next"), gen_block_new(g, "while.end"));
    bool ahead = ask_ahead(s, &l, cond);
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef mask = simd_load_mask(s, l.alive);
    if (!ir_is_const(cond) || !cond->bits) {
        if (!ahead) ask_all(s, cond, l.exit);
        s->mask = mask;
        ask_each(s, cond, false);
        mask = s->mask;
        LLVMBuildStore(g->b, mask, l.alive);
        LLVMBuildCondBr(g->b, simd_any(s, mask), body, l.exit);
    } else {
        LLVMBuildBr(g->b, body);
    }
    gen_at(g, body);
    do_round(s, &l, mask);
    if (ahead) ask_all(s, cond, l.exit);
    if (c->breaks) LLVMBuildCondBr(g->b, simd_any(s, simd_load_mask(s, l.alive)), head, l.exit);
    else LLVMBuildBr(g->b, head);
    gen_at(g, l.exit);
    end(s, &l);
    s->mask = outer;
}

static void do_while(simd *s, simd_construct *c)
{
    simd_begin_counts(s, c);
    simd_enter_loop(s->plan, c);
    if (c->varying) while_by_lane(s, c);
    else while_for_all(s, c);
    simd_leave_loop(s->plan, c);
    simd_end_counts(s, c);
}

static void turn_off(simd *s, LLVMValueRef slot, LLVMValueRef mask)
{
    LLVMBuildStore(s->g->b, simd_and_not(s, simd_load_mask(s, slot), mask), slot);
}

static void jump(simd *s, const ir_node *n)
{
    simd_loop *l = s->loop;
    LLVMValueRef mask = s->mask ? s->mask : simd_all(s);
    if (!l->c->varying) {
        LLVMBuildBr(s->g->b, n->op == IR_BREAK ? l->exit : l->next);
        return;
    }
    if (n->op == IR_BREAK) {
        update_kept(s, l, mask);
        turn_off(s, l->alive, mask);
    }
    if (n->op == IR_CONTINUE || l->live != l->alive) turn_off(s, l->live, mask);
}

static void construct(simd *s, simd_construct *c)
{
    switch (c->n->op) {
    case IR_IF:
        if (c->varying) if_by_lane(s, c);
        else if_for_all(s, c);
        break;
    case IR_WHILE: do_while(s, c); break;
    default: do_for(s, c);
    }
}

static void statement(simd *s, const ir_node *n)
{
    gen *g = s->g;
    switch (n->op) {
    case IR_ASSIGN:
        simd_write(s, s->plan->vars[n->var->index], simd_expr(s, n->kids[0]), s->region);
        break;
    case IR_EVAL: simd_expr(s, n->kids[0]); break;
    case IR_STORE: {
        if (gen_fills_table(n)) break;
        simd_val pointer = simd_expr(s, n->kids[0]), value = simd_expr(s, n->kids[1]);
        s->streams = s->aligned && n == s->plan->streamed;
        simd_store(s, pointer, value);
        s->streams = false;
        break;
    }
    case IR_CLEAR:
        if (gen_fills_table(n)) break;
        simd_clear(s, simd_expr(s, n->kids[0]));
        break;
    case IR_PRINTF:
    case IR_FAULT: simd_effect(s, n); break;
    case IR_FENCE: gen_fence(g, n); break;
    default: break; /* assume: what holds in lanes that are on need not in others */
    }
}

static bool is_construct(const ir_node *n)
{
    return n->op == IR_IF || n->op == IR_WHILE || n->op == IR_FOR;
}

/*
 * What follows a construct with jumps of the loop around runs under what they leave of the mask,
 * and only if that is something.
 */
void simd_block(simd *s, simd_region *r)
{
    gen *g = s->g;
    LLVMBasicBlockRef end = NULL;
    uint32_t k = 0;
    gen_place around = gen_debug_save(g);
    for (uint32_t i = 0; i < r->block->n && !gen_ended(g); i++) {
        const ir_node *n = r->block->at[i];
        gen_debug_at(g, n->span);
        s->quotients.n = 0;
        if (n->op == IR_BREAK || n->op == IR_CONTINUE) {
            jump(s, n);
            break;
        }
        if (!is_construct(n)) {
            statement(s, n);
            continue;
        }
        simd_construct *c = r->constructs.at[k++];
        construct(s, c);
        if (!c->jumps || !s->loop->c->varying || i + 1 == r->block->n || gen_ended(g)) continue;
        LLVMValueRef live = simd_load_mask(s, s->loop->live);
        s->mask = r == s->loop->c->body ? live : simd_and(s, s->mask, live);
        LLVMBasicBlockRef rest = gen_block_new(g, "rest");
        if (!end) end = gen_block_new(g, "endrest");
        LLVMBuildCondBr(g->b, simd_any(s, s->mask), rest, end);
        gen_at(g, rest);
    }
    gen_debug_restore(g, around);
    if (!end) return;
    gen_br(g, end);
    gen_at(g, end);
}
