/* Parallel loops over prange; sema has found what each variable is to them, and that nothing leaves
 * one. */
#include "lib/lower/lower_int.h"

static ir_op reduce_op(sema_reduce op)
{
    switch (op) {
    case SEMA_MUL: return IR_MUL;
    case SEMA_MIN: return IR_MIN;
    case SEMA_MAX: return IR_MAX;
    case SEMA_AND: return IR_AND;
    case SEMA_OR: return IR_OR;
    case SEMA_XOR: return IR_XOR;
    default: return IR_ADD;
    }
}

static bool reads(const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR && n->var == v) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads(n->kids[i], v)) return true;
    return false;
}

/*
 * v = min(e, v) as min(v, e): a round's NaN changes nothing then, wherever v is written, and the
 * operation is associative. min(e, v) gives the NaN, and forgets all rounds in front of it.
 */
static bool put_first(void *user, ir_node *n)
{
    const ir_var *v = user;
    if (n->op != IR_ASSIGN || n->var != v) return true;
    for (ir_node *at = n->kids[0]; at->kid_count;) {
        bool chooses = at->op == IR_MIN || at->op == IR_MAX;
        if (chooses && reads(at->kids[1], v)) {
            ir_node *first = at->kids[0];
            at->kids[0] = at->kids[1];
            at->kids[1] = first;
        }
        at = at->kids[0];
    }
    return true;
}

static void make_private(lower *l, ir_loop *loop, const lower_var *v)
{
    arena *a = &l->comp->arena;
    if (v->var != loop->var) vec_push(a, &loop->privates, v->var);
    if (v->var->extent) vec_push(a, &loop->privates, v->var->extent);
    if (v->stride) vec_push(a, &loop->privates, v->stride);
}

/*
 * Complex numbers and vectors: v += e in a round gives a variable of the round, that begins as the
 * neutral element, the value e; its fields go to variables that the loop reduces, and it begins
 * anew.
 */
static ir_node *field(lower *l, const lower_var *v, uint32_t i, cpl_span span)
{
    return ir_field(l->m, ir_addr(l->m, v->var, span), i, span);
}

static void begin_anew(lower *l, const lower_var *v, cpl_span span)
{
    for (uint32_t i = 0; i < v->var->type->field_count; i++) {
        ir_node *none = ir_neutral(l->m, v->sums->op, v->var->type->fields[i].type, span);
        lower_emit(l, ir_op2(l->m, IR_STORE, field(l, v, i, span), none, span));
    }
}

void lower_combine(lower *l, lower_var *v, cpl_span span)
{
    for (uint32_t i = 0; i < v->var->type->field_count; i++) {
        ir_var *sum = v->sums->fields[i];
        ir_node *part = ir_op1(l->m, IR_LOAD, field(l, v, i, span), span);
        ir_node *both = ir_op2(l->m, v->sums->op, ir_use(l->m, sum, span), part, span);
        lower_emit(l, ir_assign(l->m, sum, both, span));
    }
    begin_anew(l, v, span);
}

/* In front of the loop. */
static const lower_sums *begin_sums(lower *l, const lower_var *v, ir_op op, cpl_span span)
{
    arena *a = &l->comp->arena;
    const cpl_type *type = v->var->type;
    lower_sums *sums = arena_new(a, lower_sums);
    sums->op = op;
    sums->fields = arena_array(a, type->field_count, sizeof *sums->fields);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const char *name = arena_printf(a, "%s_%s", v->var->name, type->fields[i].name);
        lower_var *sum = lower_var_new(l, name, type->fields[i].type, false, span);
        ir_node *part = ir_op1(l->m, IR_LOAD, field(l, v, i, span), span);
        lower_emit(l, ir_assign(l->m, sum->var, part, span));
        sums->fields[i] = sum->var;
    }
    return sums;
}

static const lower_sums **begin_all_sums(lower *l, const sema_parallel *p, cpl_span span)
{
    uint32_t n = p->reductions.n;
    const lower_sums **sums = arena_array(&l->comp->arena, n, sizeof *sums);
    for (uint32_t i = 0; i < n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        bool fields = type_is_struct(v->var->type);
        sums[i] = fields ? begin_sums(l, v, reduce_op(p->reductions.at[i].op), span) : NULL;
    }
    return sums;
}

/* Behind the loop. */
static void end_sums(lower *l, lower_var *v, const lower_sums *sums, cpl_span span)
{
    uint32_t n = v->var->type->field_count;
    ir_node **items = arena_array(&l->comp->arena, n, sizeof(ir_node *));
    for (uint32_t i = 0; i < n; i++) items[i] = ir_use(l->m, sums->fields[i], span);
    lower_assign_var(l, v, lower_struct_of(l, v->var->type, items, span), span);
}

/* The variable of the round. */
static lower_var *inner_var(lower *l, const lower_var *v, const lower_sums *sums, cpl_span span)
{
    lower_var *inner = lower_var_new(l, v->var->name, v->var->type, false, span);
    inner->may_change = v->may_change;
    inner->sums = sums;
    begin_anew(l, inner, span);
    return inner;
}

/* The body of a loop that reduces structs, which are other variables in it. */
static ir_block *body_of(lower *l, const ast_node *s, const lower_rounds *r,
                         const lower_sums *const *sums)
{
    const sema_parallel *p = l->sf->parallel[s->id];
    uint32_t n = p->reductions.n;
    lower_var **outer = arena_array(&l->comp->arena, n, sizeof(lower_var *));
    lower_loop state = {0};
    ir_block *before = lower_enter(l);
    for (uint32_t i = 0; sums && i < n; i++) {
        sema_var *v = p->reductions.at[i].var;
        outer[i] = v->user;
        if (sums[i]) v->user = inner_var(l, outer[i], sums[i], s->span);
    }
    ir_block *start = lower_leave(l, before), *body = lower_rounds_body(l, s, &state, r);
    for (uint32_t i = 0; sums && i < n; i++) p->reductions.at[i].var->user = outer[i];
    if (!start->n) return body;
    for (uint32_t i = 0; i < body->n; i++) ir_append(l->m, start, body->at[i]);
    return start;
}

/* Who runs its rounds: as the loop says, else as the compilation's options do. */
static void set_schedule(const lower_options *options, const sema_parallel *p, ir_loop *loop)
{
    bool given = p->has_schedule || p->chunk;
    ir_schedule own = p->schedule == SEMA_DYNAMIC  ? IR_DYNAMIC
                      : p->schedule == SEMA_GUIDED ? IR_GUIDED
                                                   : IR_STATIC;
    loop->schedule = p->has_schedule ? own : given ? IR_STATIC : options->schedule;
    loop->chunk = given ? p->chunk : options->chunk;
    loop->threads = p->threads ? p->threads : options->threads;
}

/* What its rounds may do at once. */
static void set_parallel(lower *l, const sema_parallel *p, ir_loop *loop,
                         const lower_sums *const *sums)
{
    set_schedule(l->options, p, loop);
    for (uint32_t i = 0; i < p->reductions.n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        ir_op op = reduce_op(p->reductions.at[i].op);
        uint32_t n = sums[i] ? v->var->type->field_count : 1;
        for (uint32_t k = 0; k < n; k++)
            vec_push(&l->comp->arena, &loop->reductions,
                     ((ir_reduction){op, sums[i] ? sums[i]->fields[k] : v->var}));
    }
}

/* Of what a serial entry calls the rounds run in order; in a serial function there is none. */
void lower_prange(lower *l, const ast_node *s)
{
    arena *a = &l->comp->arena;
    const sema_parallel *p = l->sf->parallel[s->id];
    bool serial = l->p->entry->serial;
    lower_rounds r = lower_rounds_of(l, s);
    const lower_sums **sums = serial ? NULL : begin_all_sums(l, p, s->span);
    /* temporaries of the body come behind: each belongs to the round */
    uint32_t outside = l->f->vars.n;
    ir_block *body = body_of(l, s, &r, sums);
    for (uint32_t i = 0; i < p->reductions.n; i++) {
        const lower_var *v = p->reductions.at[i].var->user;
        ir_op op = reduce_op(p->reductions.at[i].op);
        if (op == IR_MIN || op == IR_MAX) ir_walk_block(body, put_first, v->var);
    }
    ir_node *n = ir_for(l->m, serial ? IR_FOR : IR_PARALLEL_FOR, r.var, r.bounds[0], r.bounds[1],
                        r.bounds[2], body, s->span);
    lower_emit(l, n);
    if (serial) return;
    set_parallel(l, p, n->loop, sums);
    make_private(l, n->loop, r.target);
    for (uint32_t i = 0; i < p->privates.n; i++)
        if (p->privates.at[i]->user != r.target) make_private(l, n->loop, p->privates.at[i]->user);
    for (uint32_t i = outside; i < l->f->vars.n; i++)
        vec_push(a, &n->loop->privates, l->f->vars.at[i]);
    for (uint32_t i = 0; i < p->reductions.n; i++)
        if (sums[i]) end_sums(l, p->reductions.at[i].var->user, sums[i], s->span);
}
