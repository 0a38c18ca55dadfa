/* Loops: while, for over range, their else parts. */
#include "lib/lower/lower_int.h"

/* A break that leaves the loop whose body the list is. */
static bool has_break(const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *s = list->at[i];
        bool loop = s->kind == AST_WHILE || s->kind == AST_FOR;
        if (s->kind == AST_BREAK || (!loop && has_break(s->body)) || has_break(s->orelse))
            return true;
    }
    return false;
}

static bool has_else(const ast_node *s)
{
    return s->orelse && s->orelse->n;
}

/* The flag that tells an else part whether its loop was left by break. */
static void begin_else(lower *l, const ast_node *s, lower_loop *loop)
{
    if (!has_else(s) || !has_break(s->body)) return;
    loop->broke = lower_var_new(l, "broke", l->type_bool, false, s->span)->var;
    lower_emit(l, ir_assign(l->m, loop->broke, ir_int(l->m, l->type_bool, 0, s->span), s->span));
}

static void end_else(lower *l, const ast_node *s, const lower_loop *loop)
{
    if (!has_else(s)) return;
    if (!loop->broke) {
        lower_stmts(l, s->orelse);
        return;
    }
    ir_block *before = lower_enter(l);
    lower_stmts(l, s->orelse);
    ir_block *orelse = lower_leave(l, before);
    lower_emit(l, ir_if(l->m, lower_not(l, ir_use(l->m, loop->broke, s->span), s->span), orelse,
                        NULL, s->span));
}

ir_block *lower_loop_body(lower *l, const ast_node *s, lower_loop *loop, ir_block *start)
{
    ir_block *before = l->block;
    l->block = start;
    loop->outer = l->loop;
    l->loop = loop;
    lower_stmts(l, s->body);
    l->loop = loop->outer;
    l->block = before;
    return start;
}

/* A condition that needs statements is tested inside the loop: while true { ...; if not c { break }
 * ... }. */
void lower_while(lower *l, const ast_node *s)
{
    lower_loop loop = {0};
    begin_else(l, s, &loop);
    ir_block *before = lower_enter(l);
    ir_node *c = lower_cond(l, s->kids[0]);
    if (l->block->n) {
        ir_block *stop = ir_block_new(l->m);
        ir_append(l->m, stop, ir_op_new(l->m, IR_BREAK, NULL, 0, s->kids[0]->span));
        lower_emit(l, ir_if(l->m, lower_not(l, c, s->kids[0]->span), stop, NULL, s->kids[0]->span));
        c = ir_int(l->m, l->type_bool, 1, s->kids[0]->span);
    }
    ir_block *body = lower_loop_body(l, s, &loop, lower_leave(l, before));
    lower_emit(l, ir_while(l->m, c, body, s->span));
    end_else(l, s, &loop);
}

static bool can_count(const cpl_type *t)
{
    return type_is_int(t) && type_bits(t) >= 32;
}

/* range(stop), range(start, stop), range(start, stop, step); prange alike, with keywords behind. */
lower_rounds lower_rounds_of(lower *l, const ast_node *s)
{
    const ast_node *call = s->kids[1];
    const sema_ref *ref = &l->sf->refs[s->kids[0]->id];
    uint32_t n = call->kid_count - 1 - call->keyword_count;
    ir_node *args[3] = {NULL, NULL, NULL};
    lower_operands(l, call->kids + 1, n < 3 ? n : 3, args);

    lower_rounds r = {0};
    r.target = ref->var->user;
    r.var = r.target->var;
    if (!can_count(r.var->type))
        r.var = lower_var_new(l, "round", lower_type_of(l, call), false, s->span)->var;
    ir_node *start = n > 1 ? args[0] : NULL, *stop = n > 1 ? args[1] : args[0],
            *step = n > 2 ? args[2] : NULL;
    r.bounds[0] = start ? lower_convert(l, start, r.var->type, call->span)
                        : ir_int(l->m, r.var->type, 0, call->span);
    r.bounds[1] = lower_convert(l, stop, r.var->type, call->span);
    r.bounds[2] = step ? lower_convert(l, step, r.var->type, call->span)
                       : ir_int(l->m, r.var->type, 1, call->span);
    return r;
}

ir_block *lower_rounds_body(lower *l, const ast_node *s, lower_loop *loop, const lower_rounds *r)
{
    ir_block *start = ir_block_new(l->m);
    if (r->var != r->target->var) {
        cpl_span span = s->kids[0]->span;
        ir_node *value = lower_convert(l, ir_use(l->m, r->var, span), r->target->var->type, span);
        ir_append(l->m, start, ir_assign(l->m, r->target->var, value, span));
    }
    return lower_loop_body(l, s, loop, start);
}

void lower_for(lower *l, const ast_node *s)
{
    lower_loop loop = {0};
    lower_rounds r = lower_rounds_of(l, s);
    begin_else(l, s, &loop);
    ir_block *body = lower_rounds_body(l, s, &loop, &r);
    lower_emit(l,
               ir_for(l->m, IR_FOR, r.var, r.bounds[0], r.bounds[1], r.bounds[2], body, s->span));
    end_else(l, s, &loop);
}
