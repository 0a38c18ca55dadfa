/*
 * Loops that do nothing but add to arrays and subtract from them atomically, without asking for
 * what was there: their rounds may sum elsewhere first. For tally on the host and grid on GPUs.
 */
#include "passes/pass_int.h"

typedef struct survey {
    pass_sums *to;
    uint32_t uses; /* of their arrays */
    bool floats;   /* sums of them count */
    bool other;    /* an effect that is no such sum, or something this cannot copy */
} survey;

static bool is_sum(const survey *s, const ir_node *effect)
{
    if (effect->op != IR_ATOMIC_ADD && effect->op != IR_ATOMIC_SUB) return false;
    const ir_node *p = effect->kids[0];
    bool suits = type_is_int(effect->type) || (s->floats && type_is_float(effect->type));
    return p->op == IR_ELEM && p->kids[0]->op == IR_VAR && p->kids[0]->var->is_param && suits;
}

static bool is_among(const pass_sums *to, const ir_var *v)
{
    for (uint32_t i = 0; i < to->n; i++)
        if (to->arrays[i] == v) return true;
    return false;
}

static bool look(void *user, ir_node *n)
{
    survey *s = user;
    if (n->op == IR_EVAL && is_sum(s, n->kids[0])) {
        ir_var *v = n->kids[0]->kids[0]->kids[0]->var;
        bool known = is_among(s->to, v);
        s->other |= !known && s->to->n == PASS_MOST_SUMS;
        if (!known && !s->other) s->to->arrays[s->to->n++] = v;
        s->to->sums++;
        for (uint32_t i = 0; i < 2; i++) ir_walk(n->kids[0]->kids[i], look, s);
        return false;
    }
    s->other |= ir_op_effects(n->op) & (IR_EFFECT_ORDER | IR_EFFECT_OUTPUT) || n->op == IR_FAULT ||
                n->op == IR_ADDR || n->op == IR_PARALLEL_FOR || n->op == IR_RETURN;
    return true;
}

static bool count_uses(void *user, ir_node *n)
{
    survey *s = user;
    s->uses +=
        (n->op == IR_VAR || n->op == IR_ASSIGN || n->op == IR_ADDR) && is_among(s->to, n->var);
    return true;
}

bool pass_only_sums(const ir_func *f, const ir_node *loop, bool floats, pass_sums *to)
{
    *to = (pass_sums){0};
    if (loop->op != IR_PARALLEL_FOR || loop->loop->reductions.n) return false;
    if (!pass_counts_rounds(loop->loop->var, loop->kids[0], loop->kids[2])) return false;
    survey s = {.to = to, .floats = floats};
    ir_walk_block(loop->body, look, &s);
    if (!to->n || s.other) return false;
    ir_walk_block(f->body, count_uses, &s);
    return s.uses == to->sums;
}

ir_var *pass_length_of(ir_module *m, ir_func *f, ir_var *array)
{
    if (array->extent) return array->extent;
    ir_var *length = ir_param_new(m, f, arena_printf(&m->comp->arena, "%s_len", array->name),
                                  comp_scalar(m->comp, CPL_INT64), f->span);
    ir_set_role(length, PARAM_LENGTH, array);
    return length;
}

ir_node *pass_hand_in(ir_module *m, ir_var *array, ir_node *index, ir_node *sum)
{
    ir_node *at = ir_op2(m, IR_ELEM, ir_use(m, array, sum->span), index, sum->span);
    ir_node *add = ir_op2(m, IR_ATOMIC_ADD, at, sum, sum->span);
    add->order = IR_RELAXED;
    add->scope = IR_SCOPE_DEVICE;
    return ir_eval(m, add, sum->span);
}
