/*
 * Whether a round of an independent loop reads what it has stored itself, in elements that lie
 * apart. Of a loop whose rounds it is told not to meet, LLVM's vectoriser asks for no dependences,
 * so for none within a round either; and it moves strided loads up to the first of their
 * interleaved group, strided stores down to the last of theirs (InterleavedAccessInfo), past one
 * another.
 */
#include "lib/codegen/gen_int.h"

typedef struct reads {
    const ir_node *loop;
    /* where the stores up to here go: next to those of the round before, or elsewhere */
    VEC(const ir_node *) next, apart;
    arena *a;
    bool again;
    bool second; /* in the second walk over a loop in the round */
} reads;

/* What v holds in all of a round from where it is assigned on; NULL: no one such value. */
static const ir_node *value_of(const reads *r, const ir_var *v)
{
    const ir_node *value = NULL;
    const ir_block *body = r->loop->body;
    for (uint32_t i = 0; i < body->n; i++) {
        const ir_node *s = body->at[i];
        ir_block one = {(ir_node **)&s, 1, 1};
        if (!ir_assigns(&one, v)) continue;
        if (value || s->op != IR_ASSIGN || s->var != v) return NULL;
        value = s->kids[0];
    }
    return value;
}

static bool is_fixed(const reads *r, const ir_var *v) /* the same in all of a round */
{
    return v == r->loop->loop->var || !ir_assigns(r->loop->body, v) || value_of(r, v);
}

static bool all_fixed(const reads *r, const ir_node *n)
{
    if (n->op == IR_VAR && !is_fixed(r, n->var)) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!all_fixed(r, n->kids[i])) return false;
    return !ir_op_effects(n->op);
}

/* the same in all rounds */
static bool is_invariant(const reads *r, const ir_node *n)
{
    if (ir_has_load(n)) return false;
    if (n->op == IR_VAR) return n->var != r->loop->loop->var && !ir_assigns(r->loop->body, n->var);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!is_invariant(r, n->kids[i])) return false;
    return true;
}

/* an index that goes up by one from round to round */
static bool counts_up(const reads *r, const ir_node *n)
{
    if (n->op == IR_VAR) {
        if (n->var == r->loop->loop->var) return true;
        const ir_node *value = value_of(r, n->var);
        return value && counts_up(r, value);
    }
    if (n->op == IR_SUB) return counts_up(r, n->kids[0]) && is_invariant(r, n->kids[1]);
    return n->op == IR_ADD && ((counts_up(r, n->kids[0]) && is_invariant(r, n->kids[1])) ||
                               (is_invariant(r, n->kids[0]) && counts_up(r, n->kids[1])));
}

/* a scalar next to that of the round before: such accesses are in no group */
static bool is_next(const reads *r, const ir_node *pointer)
{
    return pointer->op == IR_ELEM && type_is_scalar(pointer->type->elem) &&
           pointer->kids[0]->op == IR_VAR && counts_up(r, pointer->kids[1]);
}

/* The index without the constants that are added to it; their sum goes to *more. */
static const ir_node *without_constants(const ir_node *n, uint64_t *more)
{
    int64_t c;
    for (;;) {
        if (n->op != IR_ADD && n->op != IR_SUB) return n;
        if (ir_is_int_const(n->kids[1], &c)) {
            *more += n->op == IR_ADD ? (uint64_t)c : -(uint64_t)c;
            n = n->kids[0];
        } else if (n->op == IR_ADD && ir_is_int_const(n->kids[0], &c)) {
            *more += (uint64_t)c;
            n = n->kids[1];
        } else {
            return n;
        }
    }
}

static bool differ_by_constant(const reads *r, const ir_node *a, const ir_node *b)
{
    uint64_t more_a = 0, more_b = 0;
    const ir_node *x = without_constants(a, &more_a), *y = without_constants(b, &more_b);
    if (x->op == IR_CONST && y->op == IR_CONST) return x->bits + more_a != y->bits + more_b;
    return more_a != more_b && ir_equal(x, y) && all_fixed(r, x);
}

/* The parameter whose array a pointer leads into, or NULL. */
static const ir_var *array_of(const ir_node *pointer)
{
    while (pointer->op != IR_VAR) {
        if (ir_op_kind(pointer->op) != IR_KIND_ADDRESS || !pointer->kid_count) return NULL;
        pointer = pointer->kids[0];
    }
    return pointer->var->is_param ? pointer->var : pointer->var->holds;
}

/* Pointers into one array, with the same steps down to where they part. */
static bool part(const reads *r, const ir_node *a, const ir_node *b)
{
    if (a->op != b->op || a->op == IR_VAR) return false;
    if (!ir_equal(a->kids[0], b->kids[0])) return part(r, a->kids[0], b->kids[0]);
    if (a->op == IR_FIELD) return a->field != b->field && all_fixed(r, a->kids[0]);
    return (a->op == IR_ELEM || a->op == IR_ITEM) && all_fixed(r, a->kids[0]) &&
           differ_by_constant(r, a->kids[1], b->kids[1]);
}

/* Pointers that lead to different memory in a round. Different parameters do: where those overlap,
 * a launch has no independent loop. */
static bool is_apart(const reads *r, const ir_node *a, const ir_node *b)
{
    const ir_var *of_a = array_of(a), *of_b = array_of(b);
    return of_a && of_b && (of_a != of_b || part(r, a, b));
}

static void see_read(reads *r, const ir_node *pointer)
{
    enum { MOST = 64 }; /* stores to look at: longer bodies take LLVM's own checks */
    bool next = is_next(r, pointer);
    r->again |= r->apart.n > MOST || (!next && r->next.n > MOST);
    for (uint32_t i = 0; i < r->apart.n && !r->again; i++)
        r->again = !is_apart(r, r->apart.at[i], pointer);
    for (uint32_t i = 0; i < r->next.n && !r->again && !next; i++)
        r->again = !is_apart(r, r->next.at[i], pointer);
}

static void see_written(reads *r, const ir_node *pointer)
{
    if (is_next(r, pointer)) vec_push(r->a, &r->next, pointer);
    else vec_push(r->a, &r->apart, pointer);
}

static bool see(void *user, ir_node *n) /* an ir_visitor */
{
    reads *r = user;
    const ir_node *read = ir_read_from(n), *written = ir_written_to(n);
    if (read && read->type->space == SPACE_GLOBAL) see_read(r, read);
    for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], see, r);
    bool second = r->second, loops = n->loop || n->op == IR_WHILE;
    if (n->body) ir_walk_block(n->body, see, r);
    if (n->body && loops && !second) { /* what a round before has stored */
        r->second = true;
        ir_walk_block(n->body, see, r);
        r->second = false;
    }
    if (n->orelse) ir_walk_block(n->orelse, see, r);
    if (written && written->type->space == SPACE_GLOBAL) see_written(r, written);
    return false;
}

bool gen_rereads(const gen *g, const ir_node *loop)
{
    reads r = {.loop = loop, .a = &g->m->comp->arena};
    ir_walk_block(loop->body, see, &r);
    return r.again;
}
