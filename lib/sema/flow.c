/*
 * Reads before assignment, by forward data flow over the syntax tree. Along each path it keeps
 * which locals were certainly assigned, which may have been, and which were certainly read.
 *
 * A read of a local that nothing can have assigned is an error. So is one of a local whose every
 * assignment comes behind a read of it, as in a loop around s += x[i] without s = 0 before: a first
 * walk finds the locals with a genuine first assignment. A read that some path reaches without an
 * assignment is a warning. A loop's body may not run, unless its range is a literal one.
 */
#include "lib/sema/sema_int.h"

typedef struct state { /* bit sets by sema_var.index */
    uint64_t *must, *may, *read;
    bool dead;
} state;

typedef struct loop {
    struct loop *outer;
    state at_break, at_continue;
} loop;

typedef struct flow {
    instance *in;
    uint32_t words;
    uint64_t *genuine;                  /* has an assignment that no read of it comes before */
    uint64_t *reported, *warned, *lost; /* lost: private to a parallel loop that is over */
    loop *loop;
    const sema_parallel *parallel; /* innermost */
    bool emit;
} flow;

static bool has(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static void add(uint64_t *set, uint32_t i)
{
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static void drop(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static uint64_t *new_set(flow *f)
{
    return arena_array(&f->in->s->comp->arena, f->words, sizeof(uint64_t));
}

static state new_state(flow *f)
{
    return (state){new_set(f), new_set(f), new_set(f), true};
}

static void copy(flow *f, state *to, const state *from)
{
    memcpy(to->must, from->must, f->words * sizeof(uint64_t));
    memcpy(to->may, from->may, f->words * sizeof(uint64_t));
    memcpy(to->read, from->read, f->words * sizeof(uint64_t));
    to->dead = from->dead;
}

static state clone(flow *f, const state *from)
{
    state s = new_state(f);
    copy(f, &s, from);
    return s;
}

/* Where two paths meet. */
static void meet(flow *f, state *to, const state *from)
{
    if (from->dead) return;
    if (to->dead) {
        copy(f, to, from);
        return;
    }
    for (uint32_t i = 0; i < f->words; i++) {
        to->must[i] &= from->must[i];
        to->may[i] |= from->may[i];
        to->read[i] &= from->read[i];
    }
}

/* ---- reads and assignments ---- */

static bool is_private(const flow *f, const sema_var *v)
{
    for (uint32_t i = 0; f->parallel && i < f->parallel->privates.n; i++)
        if (f->parallel->privates.at[i] == v) return true;
    return false;
}

static const char *combined(const cpl_type *t)
{
    if (!sema_is_known(t) || type_is_scalar(t))
        return "what the rounds may combine: s += e, s *= e, s = s + e, s = min(s, e), s = max(s, "
               "e), s |= e and nothing else with s";
    if (type_is_complex(t))
        return "what the rounds may combine of complex numbers: s += e, s -= e, s = s + e and "
               "nothing else with s";
    if (sema_is_vector(t))
        return "what the rounds may combine of vectors: s += e, s *= e, s = s + e and nothing else "
               "with s";
    return "rounds combine numbers, complex numbers and vectors: add up the fields, x += p.x, and "
           "make p behind the loop";
}

static void report(flow *f, const sema_var *v, cpl_span span)
{
    if (!f->emit || has(f->reported, v->index)) return;
    add(f->reported, v->index);
    if (*v->name == '.') return; /* folds.c: of what has been refused */
    if (is_private(f, v)) {
        diag *d = sema_error(f->in, span,
                             "'%s' carries a value from one round of a parallel loop to the next",
                             v->name);
        sema_hint(f->in, d, "%s", combined(v->type));
    } else if (has(f->lost, v->index)) {
        diag *d =
            sema_error(f->in, span,
                       "'%s' belongs to the rounds of a parallel loop and has no value behind it",
                       v->name);
        sema_note(f->in, d, v->span, "'%s' is first assigned here", v->name);
    } else {
        diag *d = sema_error(f->in, span, "'%s' is read before it is assigned", v->name);
        if (f->emit && map_get(&f->in->f.fn->file->names, v->name))
            sema_hint(f->in, d, "what is assigned is a local; names of the file do not change");
    }
}

static void read_var(flow *f, state *s, const sema_var *v, cpl_span span)
{
    if (s->dead) return;
    if (!v->is_param) {
        if (!has(s->may, v->index) || (f->emit && !has(f->genuine, v->index))) {
            report(f, v, span);
        } else if (f->emit && *v->name != '.' && !has(s->must, v->index) &&
                   !has(f->warned, v->index)) {
            add(f->warned, v->index);
            sema_warning(f->in, span, "'%s' is not assigned on every path to here; it is 0 then",
                         v->name);
        }
    }
    add(s->read, v->index);
}

static void assign_var(flow *f, state *s, const sema_var *v)
{
    if (s->dead) return;
    if (!has(s->read, v->index)) add(f->genuine, v->index);
    add(s->must, v->index);
    add(s->may, v->index);
}

static void expr(flow *f, state *s, const ast_node *n);

static void conditional(flow *f, state *s, const ast_node *n)
{
    state before = clone(f, s);
    expr(f, s, n);
    memcpy(s->read, before.read, f->words * sizeof(uint64_t));
}

/* address(v) hands v out to be written. */
static void call(flow *f, state *s, const ast_node *n)
{
    bool address = sema_is_call_of(f->in, n, BI_ADDRESS);
    if (n->kids[0]->kind != AST_NAME && n->kids[0]->kind != AST_ATTRIBUTE) expr(f, s, n->kids[0]);
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const sema_var *v =
            n->kids[i]->kind == AST_NAME ? sema_local(f->in, n->kids[i]->name) : NULL;
        if (address && v) assign_var(f, s, v);
        else expr(f, s, n->kids[i]);
    }
}

static void expr(flow *f, state *s, const ast_node *n)
{
    uint32_t i = 0;
    switch (n->kind) {
    case AST_NAME: {
        const sema_var *v = sema_local(f->in, n->name);
        if (v) read_var(f, s, v, n->span);
        break;
    }
    case AST_CALL: call(f, s, n); break;
    case AST_BOOLOP:
    case AST_TERNARY:
        expr(f, s, n->kids[0]);
        for (i = 1; i < n->kid_count; i++) conditional(f, s, n->kids[i]);
        break;
    case AST_COMPARE:
        expr(f, s, n->kids[0]);
        expr(f, s, n->kids[1]);
        for (i = 2; i < n->kid_count; i++) conditional(f, s, n->kids[i]);
        break;
    default:
        for (; i < n->kid_count; i++) expr(f, s, n->kids[i]);
        break;
    }
}

static void assign_target(flow *f, state *s, const ast_node *n)
{
    if (n->kind == AST_NAME) {
        assign_var(f, s, sema_local(f->in, n->name));
    } else if (n->kind == AST_TUPLE) {
        for (uint32_t i = 0; i < n->kid_count; i++) assign_target(f, s, n->kids[i]);
    } else {
        expr(f, s, n);
    }
}

/* ---- statements ---- */

static void stmts(flow *f, state *s, const ast_list *list);

/* Locals that statements assign: what a loop's earlier rounds may have done. */
static void assigned(flow *f, const ast_list *list, uint64_t *set);

static void assigned_target(flow *f, const ast_node *n, uint64_t *set)
{
    if (n->kind == AST_NAME) add(set, sema_local(f->in, n->name)->index);
    else if (n->kind == AST_TUPLE)
        for (uint32_t i = 0; i < n->kid_count; i++) assigned_target(f, n->kids[i], set);
}

static void assigned_address(flow *f, const ast_node *n, uint64_t *set)
{
    if (n->kind == AST_CALL && n->kid_count == 2 && n->kids[1]->kind == AST_NAME &&
        sema_local(f->in, n->kids[1]->name) && sema_is_call_of(f->in, n, BI_ADDRESS))
        add(set, sema_local(f->in, n->kids[1]->name)->index);
    for (uint32_t i = 0; i < n->kid_count; i++) assigned_address(f, n->kids[i], set);
}

static void assigned(flow *f, const ast_list *list, uint64_t *set)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        uint32_t targets = n->kind == AST_ASSIGN                            ? n->kid_count - 1
                           : n->kind == AST_AUGASSIGN || n->kind == AST_FOR ? 1
                                                                            : 0;
        if (n->kind == AST_ANNASSIGN && n->kid_count == 3) targets = 1;
        for (uint32_t k = 0; k < targets; k++) assigned_target(f, n->kids[k], set);
        for (uint32_t k = 0; k < n->kid_count; k++) assigned_address(f, n->kids[k], set);
        assigned(f, n->body, set);
        assigned(f, n->orelse, set);
    }
}

static void enter(flow *f, loop *l)
{
    *l = (loop){f->loop, new_state(f), new_state(f)};
    f->loop = l;
}

static bool is_true(const flow *f, const ast_node *n)
{
    const sema_const *k = sema_const_of(f->in, n);
    return k && sema_const_float(*k) != 0;
}

/* Walks the body from state s, in which earlier rounds may have run; s becomes the state at its
 * end. */
static void body(flow *f, state *s, const ast_node *n)
{
    uint64_t *set = new_set(f);
    assigned(f, n->body, set);
    for (uint32_t i = 0; i < f->words; i++) s->may[i] |= set[i];
    stmts(f, s, n->body);
    meet(f, s, &f->loop->at_continue);
}

static void while_stmt(flow *f, state *s, const ast_node *n)
{
    loop l;
    enter(f, &l);
    bool forever = is_true(f, n->kids[0]);
    uint64_t *set = new_set(f);
    assigned(f, n->body, set);
    state head = clone(f, s);
    for (uint32_t i = 0; i < f->words; i++) head.may[i] |= set[i];
    expr(f, &head, n->kids[0]);
    state round = clone(f, &head);
    body(f, &round, n);
    f->loop = l.outer;
    copy(f, s, &head);
    s->dead |= forever;
    stmts(f, s, n->orelse);
    meet(f, s, &l.at_break);
}

/* A range whose bounds are literals and not empty runs its body at least once. */
static bool runs(const flow *f, const ast_node *call)
{
    sema_const k[3] = {{0}, {0}, {0}};
    uint32_t args = call->kind == AST_CALL ? call->kid_count - 1 - call->keyword_count : 0;
    if (args < 1 || args > 3) return false;
    for (uint32_t i = 0; i < args; i++) {
        const sema_const *c = sema_const_of(f->in, call->kids[1 + i]);
        if (!c) return false;
        k[i] = *c;
    }
    double start = args > 1 ? sema_const_float(k[0]) : 0, stop = sema_const_float(k[args > 1]);
    double step = args > 2 ? sema_const_float(k[2]) : 1;
    return step > 0 ? start < stop : step < 0 && start > stop;
}

static void for_stmt(flow *f, state *s, const ast_node *n)
{
    loop l;
    const ast_node *call_node = n->kids[1];
    if (call_node->kind == AST_CALL)
        for (uint32_t i = 1; i < call_node->kid_count; i++) expr(f, s, call_node->kids[i]);
    enter(f, &l);
    state round = clone(f, s);
    assign_target(f, &round, n->kids[0]);
    body(f, &round, n);
    f->loop = l.outer;
    if (runs(f, call_node)) copy(f, s, &round);
    else meet(f, s, &round);
    stmts(f, s, n->orelse);
    meet(f, s, &l.at_break);
}

/* Rounds see nothing of each other: what is private starts unassigned in each and has no value
 * afterwards. */
static void parallel_stmt(flow *f, state *s, const ast_node *n, const sema_parallel *p)
{
    loop l;
    const sema_parallel *outer = f->parallel;
    const ast_node *call_node = n->kids[1];
    for (uint32_t i = 1; i < call_node->kid_count; i++) expr(f, s, call_node->kids[i]);
    enter(f, &l);
    state round = clone(f, s);
    for (uint32_t i = 0; i < p->privates.n; i++) {
        drop(round.must, p->privates.at[i]->index);
        drop(round.may, p->privates.at[i]->index);
    }
    const sema_var *own = n->kids[0]->kind == AST_NAME ? sema_local(f->in, n->kids[0]->name) : NULL;
    assign_target(f, &round, n->kids[0]);
    f->parallel = p;
    stmts(f, &round, n->body);
    f->parallel = outer;
    f->loop = l.outer;
    for (uint32_t i = 0; i <= p->privates.n; i++) {
        const sema_var *v = i < p->privates.n ? p->privates.at[i] : own;
        if (!v) continue;
        drop(s->must, v->index);
        drop(s->may, v->index);
        add(f->lost, v->index);
    }
}

/* What stands behind a condition `a and (v := b)` asks for v where that holds: forms.c */
static bool is_decided(const ast_node *n)
{
    return n->kind == AST_NAME && strncmp(n->name, FORMS_DECIDED, strlen(FORMS_DECIDED)) == 0;
}

static void if_stmt(flow *f, state *s, const ast_node *n)
{
    expr(f, s, n->kids[0]);
    if (is_decided(n->kids[0])) {
        stmts(f, s, n->body);
        return;
    }
    state other = clone(f, s);
    stmts(f, s, n->body);
    stmts(f, &other, n->orelse);
    meet(f, s, &other);
}

static void jump(flow *f, state *s, state *to)
{
    if (f->loop) meet(f, to, s);
    s->dead = true;
}

static void assign_stmt(flow *f, state *s, const ast_node *n)
{
    uint32_t value = n->kid_count - 1;
    if (!sema_is_call_of(f->in, n->kids[value], BI_DECLARE)) expr(f, s, n->kids[value]);
    for (uint32_t i = 0; i < value; i++) assign_target(f, s, n->kids[i]);
}

static void stmt(flow *f, state *s, const ast_node *n)
{
    const sema_parallel *p = f->in->f.parallel[n->id];
    switch (n->kind) {
    case AST_ASSIGN: assign_stmt(f, s, n); break;
    case AST_AUGASSIGN:
        expr(f, s, n->kids[0]);
        expr(f, s, n->kids[1]);
        if (n->kids[0]->kind == AST_NAME) assign_target(f, s, n->kids[0]);
        break;
    case AST_ANNASSIGN:
        if (n->kid_count < 3) break;
        expr(f, s, n->kids[2]);
        assign_target(f, s, n->kids[0]);
        break;
    case AST_IF: if_stmt(f, s, n); break;
    case AST_WHILE: while_stmt(f, s, n); break;
    case AST_FOR:
        if (p) parallel_stmt(f, s, n, p);
        else for_stmt(f, s, n);
        break;
    case AST_BREAK: jump(f, s, f->loop ? &f->loop->at_break : NULL); break;
    case AST_CONTINUE: jump(f, s, f->loop ? &f->loop->at_continue : NULL); break;
    case AST_WITH: stmts(f, s, n->body); break;
    case AST_RETURN:
        if (n->kid_count) expr(f, s, n->kids[0]);
        s->dead = true;
        break;
    default:
        for (uint32_t i = 0; i < n->kid_count; i++) expr(f, s, n->kids[i]);
        break;
    }
}

static void stmts(flow *f, state *s, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) stmt(f, s, list->at[i]);
}

static state walk(flow *f)
{
    state s = new_state(f);
    s.dead = false;
    memset(f->lost, 0, f->words * sizeof(uint64_t));
    stmts(f, &s, sema_body(f->in));
    return s;
}

void sema_flow(instance *in)
{
    flow f = {.in = in, .words = in->all.n / 64 + 1};
    f.genuine = new_set(&f);
    f.reported = new_set(&f);
    f.warned = new_set(&f);
    f.lost = new_set(&f);
    (void)walk(&f);
    f.emit = true;
    state end = walk(&f);
    const ast_func *fn = in->sig->fn;
    if (end.dead || !in->returns_value || !sema_is_known(in->f.result)) return;
    if (type_is_pointer(in->f.result))
        sema_hint(in,
                  sema_error(in, in->value_span,
                             "'%s' returns an array here and may end without one", fn->name),
                  "return one at the end too, or nothing here: return");
    else if (!in->elementwise)
        sema_warning(in, fn->name_span, "'%s' may end without a return; it gives 0 then", fn->name);
}
