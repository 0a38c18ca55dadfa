/*
 * Checks that leave a loop: before the outermost loop in which some can be decided at once for all
 * rounds, their conditions are evaluated, and the loop is there twice, without these checks and
 * with all: R. Gupta, A fresh look at optimizing array bound checking (PLDI 1990), with the
 * versioning of J. Moreira et al., From flop to megaflops (TOPLAS 22, 2000). Loops inside the fast
 * copy may do the same for what is left; the slow copy is never divided again, so code grows
 * linearly with the nesting.
 */
#include "passes/bounds_int.h"

#define CHECK_OPS 30 /* that one check adds, about */
/* On devices a loop of more than so many times what its checks add stays one: they cost little
 * there, and compilers of OpenCL C take time that grows with the square of a kernel's size. */
#define LARGE 4

/* The hash set of accesses that need no check. */

static uint32_t slot_of(const bounds *b, const ir_node *n)
{
    uint32_t i = (uint32_t)((uintptr_t)n >> 4) * 2654435769u & (b->safe_slots - 1);
    while (b->safe[i] && b->safe[i] != n) i = (i + 1) & (b->safe_slots - 1);
    return i;
}

bool bounds_is_safe(const bounds *b, const ir_node *access)
{
    return b->safe_slots > 0 && b->safe[slot_of(b, access)] == access;
}

static void insert(bounds *b, const ir_node *access)
{
    uint32_t i = slot_of(b, access);
    b->safe_count++;
    b->safe[i] = access;
}

void bounds_mark_safe(bounds *b, const ir_node *access)
{
    if (b->safe_count * 2 >= b->safe_slots) {
        const ir_node **old = b->safe;
        uint32_t slots = b->safe_slots;
        b->safe_slots = slots ? slots * 2 : 64;
        b->safe = arena_array(&b->m->comp->arena, b->safe_slots, sizeof *b->safe);
        b->safe_count = 0;
        for (uint32_t i = 0; i < slots; i++)
            if (old[i]) insert(b, old[i]);
    }
    insert(b, access);
}

/* The walk over the loop. */

typedef struct hoist {
    bounds *b;
    bounds_ranges ranges;
    VEC(const ir_node *) found;  /* accesses that can be decided in front */
    VEC(bounds_facts *) refined; /* variables with a refinement each, innermost last */
    VEC(bounds_facts *) defined; /* variables whose def is set, innermost last */
    uint32_t accesses;           /* with checks */
} hoist;

static arena *arena_of(const hoist *h)
{
    return &h->b->m->comp->arena;
}

static bool count_assigns(void *user, ir_node *n)
{
    bounds *b = user;
    if (n->op == IR_ASSIGN) bounds_facts_of(b, n->var)->assigns++;
    if (n->loop && n->loop->var) bounds_facts_of(b, n->loop->var)->assigns++;
    for (uint32_t i = 0; n->loop && i < n->loop->reductions.n; i++)
        bounds_facts_of(b, n->loop->reductions.at[i].var)->assigns += 2;
    for (uint32_t i = 0; n->loop && i < n->loop->privates.n; i++)
        bounds_facts_of(b, n->loop->privates.at[i])->is_private = true;
    return true;
}

static void try_access(hoist *h, ir_node *n)
{
    bounds_checks checks = {0};
    if (bounds_is_safe(h->b, n)) return;
    bounds_find(h->b->m, n->kids[0], &checks);
    if (checks.n == 0) return;
    h->accesses++;
    uint32_t before = h->ranges.conditions.n;
    for (uint32_t i = 0; i < checks.n; i++) {
        if (bounds_hoistable(&h->ranges, &checks.at[i])) continue;
        h->ranges.conditions.n = before;
        return;
    }
    vec_push(arena_of(h), &h->found, n);
}

/* Comparisons of a loop variable that hold in a place. */

static ir_op mirrored(ir_op op)
{
    switch (op) {
    case IR_LT: return IR_GT;
    case IR_LE: return IR_GE;
    case IR_GT: return IR_LT;
    case IR_GE: return IR_LE;
    default: return op;
    }
}

static ir_op negated(ir_op op)
{
    switch (op) {
    case IR_LT: return IR_GE;
    case IR_LE: return IR_GT;
    case IR_GT: return IR_LE;
    case IR_GE: return IR_LT;
    case IR_EQ: return IR_NE;
    default: return IR_EQ;
    }
}

static const ir_node *without_converts(const ir_node *n)
{
    while (n->op == IR_CONVERT && type_is_int(n->kids[0]->type) &&
           bounds_holds_all(n->type, n->kids[0]->type))
        n = n->kids[0];
    return n;
}

/* side is v + c: notes v + c op bound. */
static void note_comparison(hoist *h, const ir_node *side, ir_op op, const ir_node *bound)
{
    int64_t c = 0;
    const cpl_type *type = side->type;
    side = without_converts(side);
    if ((side->op == IR_ADD || side->op == IR_SUB) && ir_is_int_const(side->kids[1], &c) &&
        c > -INT32_MAX && c < INT32_MAX) {
        if (side->op == IR_SUB) c = -c;
        type = side->type;
        side = without_converts(side->kids[0]);
    }
    if (side->op != IR_VAR) return;
    bounds_facts *f = bounds_facts_of(h->b, side->var);
    if (!f->loop) return;
    vec_push(arena_of(h), &f->refinements, ((bounds_refinement){op, bound, c, type}));
    vec_push(arena_of(h), &h->refined, f);
}

static void note_condition(hoist *h, const ir_node *c, bool holds)
{
    switch (c->op) {
    case IR_NOT: note_condition(h, c->kids[0], !holds); return;
    case IR_AND:
    case IR_OR:
        if (holds != (c->op == IR_AND)) return;
        note_condition(h, c->kids[0], holds);
        note_condition(h, c->kids[1], holds);
        return;
    case IR_COND: { /* a and b, a or b, as lowered: the arm that is a constant or a again */
        const ir_node *other = holds ? c->kids[2] : c->kids[1];
        bool decided =
            ir_equal(other, c->kids[0]) || (ir_is_const(other) && (other->bits != 0) != holds);
        if (!decided) return;
        note_condition(h, c->kids[0], holds);
        note_condition(h, holds ? c->kids[1] : c->kids[2], holds);
        return;
    }
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: {
        ir_op op = holds ? (ir_op)c->op : negated((ir_op)c->op);
        if (op == IR_NE || !type_is_int(c->kids[0]->type)) return;
        note_comparison(h, c->kids[0], op, c->kids[1]);
        note_comparison(h, c->kids[1], mirrored(op), c->kids[0]);
        return;
    }
    default: return;
    }
}

static void forget_refinements(hoist *h, uint32_t mark)
{
    while (h->refined.n > mark) h->refined.at[--h->refined.n]->refinements.n--;
}

static void visit_expr(hoist *h, ir_node *n)
{
    uint32_t mark = h->refined.n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->op == IR_COND && i > 0) note_condition(h, n->kids[0], i == 1);
        visit_expr(h, n->kids[i]);
        forget_refinements(h, mark);
    }
    if (bounds_is_access(n)) try_access(h, n);
}

static void visit_block(hoist *h, ir_block *b);

static void visit_loop(hoist *h, ir_node *n)
{
    bounds_facts *f = bounds_facts_of(h->b, n->loop->var);
    bool counts = !f->taken && !ir_assigns(n->body, n->loop->var);
    if (counts) f->loop = n;
    visit_block(h, n->body);
    f->loop = NULL;
}

static void visit_if(hoist *h, ir_node *n)
{
    uint32_t mark = h->refined.n;
    note_condition(h, n->kids[0], true);
    visit_block(h, n->body);
    forget_refinements(h, mark);
    if (!n->orelse) return;
    note_condition(h, n->kids[0], false);
    visit_block(h, n->orelse);
    forget_refinements(h, mark);
}

/* A variable assigned once in the loop is its value from here to the end of the block. */
static void note_assign(hoist *h, const ir_node *n)
{
    bounds_facts *f = bounds_facts_of(h->b, n->var);
    if (f->assigns != 1 || f->taken || !type_is_int(n->var->type)) return;
    if (ir_ops[n->kids[0]->op].class_ != IR_CLASS_EXPR) return;
    f->def = n->kids[0];
    vec_push(arena_of(h), &h->defined, f);
}

static void visit_block(hoist *h, ir_block *b)
{
    uint32_t mark = h->defined.n;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        for (uint32_t k = 0; k < n->kid_count; k++) visit_expr(h, n->kids[k]);
        if (bounds_is_access(n)) try_access(h, n);
        if (n->op == IR_ASSIGN) note_assign(h, n);
        else if (n->op == IR_IF) visit_if(h, n);
        else if (n->loop && n->body) visit_loop(h, n);
        else if (n->body) visit_block(h, n->body);
    }
    while (h->defined.n > mark) h->defined.at[--h->defined.n]->def = NULL;
}

/* The conditions [from, to) as a balanced tree of `and`. */
static ir_node *join(bounds *b, const bounds_ranges *ranges, uint32_t from, uint32_t to)
{
    if (to - from == 1) return ranges->conditions.at[from];
    uint32_t middle = from + (to - from + 1) / 2;
    return ir_op2(b->m, IR_AND, join(b, ranges, from, middle), join(b, ranges, middle, to),
                  ranges->outer->span);
}

static void version(bounds *b, ir_node *n, ir_node *condition)
{
    pass_rewriter *r = &b->r;
    ir_block *fast = ir_block_new(b->m), *slow = ir_block_new(b->m), *out = r->out;
    ir_node *copy = ir_copy(b->m, n); /* not marked safe: it has all its checks */
    r->out = fast;
    pass_rewrite_loop(r, n);
    r->out = slow;
    b->no_hoist++;
    pass_rewrite_loop(r, copy);
    b->no_hoist--;
    r->out = out;
    pass_emit(r, ir_if(b->m, condition, fast, slow, n->span));
}

/* On devices all work-items run a reduction that stands alone, not one of two copies (grid.c). */
static bool stays_whole(const bounds *b, const ir_node *n)
{
    return b->device && n->op == IR_PARALLEL_FOR && n->loop->reductions.n;
}

bool bounds_loop(pass_rewriter *r, ir_node *n)
{
    bounds *b = r->user;
    if (b->no_hoist > 0) return false;
    for (uint32_t i = 0; i < n->kid_count;
         i++) /* the ranges need bounds that they can read again */
        if (ir_has_load(n->kids[i])) n->kids[i] = pass_save(r, n->kids[i], "bound");
    b->epoch++;
    hoist h = {.b = b, .ranges = {.b = b, .outer = n}};
    ir_walk(n, count_assigns, b);
    visit_loop(&h, n);
    if (h.found.n == 0) return false;
    uint32_t checks = h.accesses * CHECK_OPS, growth = ir_size(n) + checks;
    bool decided = h.ranges.conditions.n == 0, large = b->device && ir_size(n) / LARGE > checks;
    if (!decided && (stays_whole(b, n) || large || b->size + growth > pass_max_ops(b->m->comp)))
        return false;
    for (uint32_t i = 0; i < h.found.n; i++) bounds_mark_safe(b, h.found.at[i]);
    b->changed = true;
    if (decided) return false;
    b->size += growth;
    version(b, n, join(b, &h.ranges, 0, h.ranges.conditions.n));
    return true;
}
