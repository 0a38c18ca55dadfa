/*
 * outline: moves the body of each outermost parallel loop of f into a function f.par(captures,
 * first, end), called by fork.
 *
 * Does: the new function runs the rounds [first, end) in order, the loop variable being start +
 * round * step; one of int64 in steps of 1 counts from start + first itself. Variables of f that
 * the body uses are fields of a struct f.captures that f fills in and passes the address of: their
 * values, or their addresses where the body assigns them or takes their address. Private variables
 * and the loop variable become variables of the new function. Parallel loops inside become serial.
 * That loop over rounds is `independent`. Where rounds may report faults it does a piece of them at
 * a time, and none behind the piece in which a fault is found: what runs far beyond its arrays ends
 * soon. Where rounds ask who runs them f.par has a fourth parameter, worker, and the loop is not
 * `independent`. Requires: guards ran (the count of rounds uses raw division). A loop that still
 * has reductions becomes serial, and with in_order every loop does. Ensures: no parallel for, no
 * worker(). Keeps: schedule, chunk and threads, on fork. Source: the outlining of OpenMP compilers:
 * Liao et al., Effective source-to-source outlining (LCPC 2009).
 */
#include "passes/pass_int.h"

typedef struct capture { /* a variable that the body uses (ir_var.user while it is moved) */
    ir_var *outer;
    ir_var *inner; /* in the new function: the same, or a pointer to it */
    bool by_pointer;
} capture;

typedef struct outliner {
    ir_module *m;
    ir_func *from, *to;
    ir_var *worker; /* of `to`: its parameter; NULL: there is none */
    VEC(capture *) captures;
    VEC(ir_var *) touched; /* variables of `from` with user set */
    bool changed;
    bool in_order;
} outliner;

static arena *arena_of(const outliner *o)
{
    return &o->m->comp->arena;
}

/* Variables that live in the new function. */

static capture *bind(outliner *o, ir_var *outer, ir_var *inner, bool by_pointer)
{
    capture *c = arena_new(arena_of(o), capture);
    *c = (capture){outer, inner, by_pointer};
    outer->user = c;
    vec_push(arena_of(o), &o->touched, outer);
    return c;
}

static void make_local(outliner *o, ir_var *v)
{
    if (v->user) return;
    ir_var *copy = ir_var_new(o->m, o->to, v->name, v->type, v->span);
    copy->spelling = v->spelling;
    bind(o, v, copy, false);
}

static bool note_locals(void *user, ir_node *n)
{
    outliner *o = user;
    if (n->op != IR_PARALLEL_FOR) return true;
    make_local(o, n->loop->var);
    for (uint32_t i = 0; i < n->loop->privates.n; i++) make_local(o, n->loop->privates.at[i]);
    return true;
}

typedef struct use_walk {
    outliner *o;
    const ir_block *body;
} use_walk;

static void note_use(const use_walk *w, ir_var *v)
{
    outliner *o = w->o;
    if (v->user) return;
    bool by_pointer = ir_assigns(w->body, v);
    const cpl_type *type = by_pointer ? comp_pointer(o->m->comp, v->type, SPACE_PRIVATE) : v->type;
    ir_var *inner = ir_var_new(o->m, o->to, v->name, type, v->span);
    inner->spelling = v->spelling;
    inner->holds = v->is_param && !ir_assigns(o->from->body, v) ? v : NULL;
    vec_push(arena_of(o), &o->captures, bind(o, v, inner, by_pointer));
}

static bool note_uses(void *user, ir_node *n)
{
    const use_walk *w = user;
    if (n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) note_use(w, n->var);
    if (n->loop && n->loop->var) note_use(w, n->loop->var);
    return true;
}

/* The body, with the new function's variables. */

static ir_node *move_expr(outliner *o, ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = move_expr(o, n->kids[i]);
    if (n->op != IR_VAR && n->op != IR_ADDR) return n;
    const capture *c = n->var->user;
    if (!c->by_pointer) {
        n->var = c->inner;
        return n;
    }
    ir_node *pointer = ir_use(o->m, c->inner, n->span);
    return n->op == IR_ADDR ? pointer : ir_op1(o->m, IR_LOAD, pointer, n->span);
}

static void move_block(outliner *o, ir_block *b);

static void store_to(outliner *o, ir_block *out, const capture *c, ir_node *value, cpl_span span)
{
    if (ir_ops[value->op].class_ == IR_CLASS_EFFECT) { /* those stand alone */
        ir_var *t = ir_var_new(o->m, o->to, "value", value->type, span);
        ir_append(o->m, out, ir_assign(o->m, t, value, span));
        value = ir_use(o->m, t, span);
    }
    ir_append(o->m, out, ir_op2(o->m, IR_STORE, ir_use(o->m, c->inner, span), value, span));
}

/* What others see is no variable any more, and not reduced. */
static void move_reductions(ir_loop *l)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->reductions.n; i++) {
        ir_reduction r = l->reductions.at[i];
        const capture *c = r.var->user;
        if (c && c->by_pointer) l->independent = false;
        if (!c || c->by_pointer) continue;
        r.var = c->inner;
        l->reductions.at[kept++] = r;
    }
    l->reductions.n = l->independent ? kept : 0;
}

/* A serial loop whose variable is shared counts with one of its own. */
static void move_counter(outliner *o, ir_node *n)
{
    const capture *c = n->loop->var->user;
    move_reductions(n->loop);
    if (!c->by_pointer) {
        n->loop->var = c->inner;
        return;
    }
    ir_var *own = ir_var_new(o->m, o->to, n->loop->var->name, n->loop->var->type, n->span);
    n->loop->var = own;
    ir_block body = {0};
    store_to(o, &body, c, ir_use(o->m, own, n->span), n->span);
    for (uint32_t i = 0; i < n->body->n; i++) ir_append(o->m, &body, n->body->at[i]);
    *n->body = body;
}

/* worker() as what is known of it: a parameter, or 0. */
static void answer(outliner *o, ir_node *n, ir_var *worker)
{
    if (n->op != IR_ASSIGN || n->kids[0]->op != IR_WORKER) return;
    n->kids[0] = worker ? ir_use(o->m, worker, n->span) : pass_i64(o->m, 0, n->span);
    o->changed = true;
}

static void move_block(outliner *o, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        for (uint32_t k = 0; k < n->kid_count; k++) n->kids[k] = move_expr(o, n->kids[k]);
        if (n->body) move_block(o, n->body);
        if (n->orelse) move_block(o, n->orelse);
        if (n->op == IR_PARALLEL_FOR) pass_make_serial(n);
        if (n->op == IR_FOR) move_counter(o, n);
        answer(o, n, o->worker);
        const capture *c = n->op == IR_ASSIGN ? n->var->user : NULL;
        if (c && c->by_pointer) {
            store_to(o, &out, c, n->kids[0], n->span);
            continue;
        }
        if (c) n->var = c->inner;
        ir_append(o->m, &out, n);
    }
    *b = out;
}

/* The struct of captures. */

static const cpl_type *declare_captures(outliner *o)
{
    compilation *comp = o->m->comp;
    uint32_t n = o->captures.n;
    cpl_field *fields = arena_array(&comp->arena, n + 1, sizeof *fields);
    for (uint32_t i = 0; i < n; i++)
        fields[i] = (cpl_field){o->captures.at[i]->outer->name,
                                o->captures.at[i]->by_pointer ? o->captures.at[i]->inner->type
                                                              : o->captures.at[i]->outer->type,
                                0};
    /* a struct has a field */
    if (n == 0) fields[n++] = (cpl_field){"none", comp_scalar(comp, CPL_INT8), 0};
    const char *base = arena_printf(&comp->arena, "%s.captures", o->from->name), *name = base;
    for (unsigned k = 1;;
         k++) { /* other kernels of the context may have the name for other fields */
        const cpl_type *type = NULL;
        cpl_status status = type_declare_struct(comp->types, name, fields, n, &type);
        if (status == CPL_OK) return type;
        if (status != CPL_EEXIST) longjmp(*comp->on_oom, 1);
        name = arena_printf(&comp->arena, "%s.%u", base, k);
    }
}

/* In the new function: inner = load(field<outer>(captures)). */
static void unpack(outliner *o, ir_block *out, ir_var *param, const cpl_type *type, cpl_span span)
{
    ir_module *m = o->m;
    const cpl_type *pointer = comp_pointer(m->comp, type, SPACE_PRIVATE);
    for (uint32_t i = 0; i < o->captures.n; i++) {
        const capture *c = o->captures.at[i];
        ir_node *base = ir_typed(m, IR_PTRCAST, pointer, ir_use(m, param, span), span);
        ir_append(m, out,
                  ir_assign(m, c->inner, ir_op1(m, IR_LOAD, ir_field(m, base, i, span), span),
                            span));
        const capture *e = c->outer->extent && !c->by_pointer ? c->outer->extent->user : NULL;
        if (e && !e->by_pointer) c->inner->extent = e->inner;
    }
}

/* In the old one: store(field<outer>(addr(captures)), outer). */
static void pack(outliner *o, ir_block *out, ir_var *captures, cpl_span span)
{
    ir_module *m = o->m;
    for (uint32_t i = 0; i < o->captures.n; i++) {
        const capture *c = o->captures.at[i];
        ir_node *value = c->by_pointer ? ir_addr(m, c->outer, span) : ir_use(m, c->outer, span);
        ir_append(m, out,
                  ir_op2(m, IR_STORE, ir_field(m, ir_addr(m, captures, span), i, span), value,
                         span));
    }
}

static void forget(outliner *o)
{
    for (uint32_t i = 0; i < o->touched.n; i++) o->touched.at[i]->user = NULL;
    o->touched.n = 0;
    o->captures.n = 0;
}

/* Rounds between two looks at the record of faults: milliseconds of the shortest, and more than
 * most launches have, which do all of them whatever they find. */
enum { PIECE = 1 << 20 };

/* if at > first { taken = atomic_load(record); if taken != 0 { break } } */
static ir_node *stop_at_fault(outliner *o, ir_var *record, ir_node *later)
{
    ir_module *m = o->m;
    cpl_span span = later->span;
    const cpl_type *i32 = comp_scalar(m->comp, CPL_INT32);
    ir_block *look = ir_block_new(m), *leave = ir_block_new(m);
    ir_var *taken = ir_var_new(m, o->to, "taken", i32, span);
    ir_node *pointer = ir_typed(m, IR_PTRCAST, comp_pointer(m->comp, i32, record->type->space),
                                ir_use(m, record, span), span);
    ir_node *load = ir_op1(m, IR_ATOMIC_LOAD, pointer, span);
    load->order = IR_RELAXED;
    load->scope = IR_SCOPE_DEVICE;
    ir_append(m, look, ir_assign(m, taken, load, span));
    ir_append(m, leave, ir_op_new(m, IR_BREAK, NULL, 0, span));
    ir_node *found = ir_op2(m, IR_NE, ir_use(m, taken, span), ir_int(m, i32, 0, span), span);
    ir_append(m, look, ir_if(m, found, leave, NULL, span));
    return ir_if(m, later, look, NULL, span);
}

/* The loop over rounds from first to end as one over pieces around it. */
static ir_node *in_pieces(outliner *o, ir_node *rounds, ir_var *record)
{
    ir_module *m = o->m;
    cpl_span span = rounds->span;
    ir_node *first = rounds->kids[0], *end = rounds->kids[1];
    ir_var *at = ir_var_new(m, o->to, "at", first->type, span);
    ir_node *left = ir_op2(m, IR_SUB, end, ir_use(m, at, span), span);
    ir_node *size = ir_op2(m, IR_MIN, left, pass_i64(m, PIECE, span), span);
    rounds->kids[0] = ir_use(m, at, span);
    rounds->kids[1] = ir_op2(m, IR_ADD, ir_use(m, at, span), size, span);
    ir_block *body = ir_block_new(m);
    ir_node *later = ir_op2(m, IR_GT, ir_use(m, at, span), ir_copy(m, first), span);
    ir_append(m, body, stop_at_fault(o, record, later));
    ir_append(m, body, rounds);
    return ir_for(m, IR_FOR, at, first, ir_copy(m, end), pass_i64(m, PIECE, span), body, span);
}

/* Where the loop variable itself can count, but not from 0: what it begins with; else NULL. */
static ir_node *shift_of(outliner *o, const ir_var *v, const ir_node *start, const ir_node *step)
{
    ir_node *zero = pass_i64(o->m, 0, start->span);
    bool counts = !pass_counts_rounds(v, start, step) && pass_counts_rounds(v, zero, step);
    return counts ? ir_copy(o->m, start) : NULL;
}

/* Fills the new function; returns the type of its captures. */
static const cpl_type *move_body(outliner *o, ir_node *n, const ir_node *start, const ir_node *step)
{
    ir_module *m = o->m;
    const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
    ir_func *to = o->to;
    ir_var *param =
        ir_param_new(m, to, "captures",
                     comp_pointer(m->comp, comp_scalar(m->comp, CPL_UINT8), SPACE_GENERIC),
                     n->span);
    ir_var *first = ir_param_new(m, to, "first", i64, n->span),
           *end = ir_param_new(m, to, "end", i64, n->span);
    bool asks = pass_asks_worker(n->body);
    o->worker = asks ? ir_param_new(m, to, "worker", i64, n->span) : NULL;
    ir_block *body = ir_block_new(m);
    ir_var *counter = n->loop->var;
    note_locals(o, n);
    ir_node *shift = shift_of(o, counter, start, step);
    if (!shift && !pass_counts_rounds(counter, start, step)) {
        counter = ir_var_new(m, to, "round", i64, n->span);
        bind(o, counter, counter, false);
        ir_append(m, body,
                  ir_assign(m, n->loop->var, pass_round_value(m, counter, start, step, n->span),
                            n->span));
    }
    for (uint32_t i = 0; i < n->body->n; i++) ir_append(m, body, n->body->at[i]);
    ir_walk_block(body, note_locals, o);
    use_walk w = {o, body};
    ir_walk_block(body, note_uses, &w);
    if (shift) ir_walk(shift, note_uses, &w);
    move_block(o, body);
    const cpl_type *type = declare_captures(o);
    ir_use_type(m, type);
    unpack(o, to->body, param, type, n->span);
    counter = ((capture *)counter->user)->inner;
    ir_node *low = ir_use(m, first, n->span), *high = ir_use(m, end, n->span);
    if (shift) {
        shift = move_expr(o, shift);
        low = ir_op2(m, IR_ADD, low, shift, n->span);
        high = ir_op2(m, IR_ADD, high, ir_copy(m, shift), n->span);
    }
    ir_node *rounds = ir_for(m, IR_FOR, counter, low, high, pass_i64(m, 1, n->span), body, n->span);
    rounds->loop->independent = !asks; /* what a worker has of its own, its rounds share */
    const ir_var *record = ir_param_of(o->from, PARAM_FAULT, NULL);
    const capture *c = record ? record->user : NULL; /* NULL: the body reports nothing */
    ir_append(m, to->body, c && !c->by_pointer ? in_pieces(o, rounds, c->inner) : rounds);
    return type;
}

static void outline_loop(outliner *o, ir_block *out, ir_node *n)
{
    ir_module *m = o->m;
    const pass_loops none = {0};
    const cpl_type *nothing = comp_scalar(m->comp, CPL_VOID);
    ir_node *start = pass_stable_bound(m, o->from, &none, out, n->kids[0], n->body, "start");
    ir_node *stop = pass_stable_bound(m, o->from, &none, out, n->kids[1], n->body, "stop");
    ir_node *step = pass_stable_bound(m, o->from, &none, out, n->kids[2], n->body, "step");
    ir_node *rounds = pass_rounds(m, start, stop, step, n->span);
    const char *name = arena_printf(&m->comp->arena, "%s.par", o->from->name);
    o->to = ir_func_new(m, name, IR_INTERNAL, nothing, n->span);
    const cpl_type *type = move_body(o, n, start, step);
    ir_var *captures = ir_var_new(m, o->from, "captures", type, n->span);
    pack(o, out, captures, n->span);
    forget(o);

    ir_node *fork = ir_node_new(m, IR_FORK, nothing, n->span, 2);
    fork->kids[0] =
        ir_typed(m, IR_PTRCAST, o->to->params.at[0]->type, ir_addr(m, captures, n->span), n->span);
    fork->kids[1] = rounds;
    fork->func = o->to;
    fork->loop = arena_new(&m->comp->arena, ir_loop);
    fork->loop->schedule = n->loop->schedule;
    fork->loop->chunk = n->loop->chunk;
    fork->loop->threads = n->loop->threads;
    ir_append(m, out, fork);
}

static void outline_block(outliner *o, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_PARALLEL_FOR) {
            o->changed = true;
            if (n->loop->reductions.n == 0 && !o->in_order) {
                outline_loop(o, &out, n);
                continue;
            }
            pass_make_serial(n);
        }
        if (n->body) outline_block(o, n->body);
        if (n->orelse) outline_block(o, n->orelse);
        answer(o, n, NULL);
        ir_append(o->m, &out, n);
    }
    *b = out;
}

bool pass_outline(pass_context *cx, ir_module *m)
{
    outliner o = {.m = m, .in_order = cx->in_order};
    uint32_t funcs = m->funcs.n; /* those made here have no parallel loops */
    for (uint32_t i = 0; i < funcs; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->body) continue;
        for (uint32_t k = 0; k < f->params.n; k++) f->params.at[k]->user = NULL;
        for (uint32_t k = 0; k < f->vars.n; k++) f->vars.at[k]->user = NULL;
        o.from = f;
        outline_block(&o, f->body);
    }
    return o.changed;
}
