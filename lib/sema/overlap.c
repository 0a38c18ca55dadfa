/*
 * Assignments to slices that read the array which they write, elsewhere than they write it. As
 * NumPy has it, all is read as it was, and without a copy of the array where an order of the rounds
 * does that:
 *
 *     a[1:] = a[:-1]            from the last round to the first
 *     a[i:i + n] = a[j:j + n]   from the end that j < i says when the statement runs
 *     a[:] = a[::-1]            two rounds at once, of which each reads what the other one writes
 *     a[1:-1] = a[:-2] + a[2:]  in order, where the last few elements that were overwritten are
 *                               kept
 *
 * Of several dimensions each loop has its own order: reads that lie ahead of what is written in
 * each of them are made in time. Anything else would take memory, and is refused.
 */
#include "lib/sema/rewrite.h"

/* ---- places ---- */

/* n is base + *more, or *more alone, where base is NULL. */
static const ast_node *base_of(const ast_node *n, int64_t *more)
{
    bool sum = n->kind == AST_BINARY && (n->op == TOK_ADD || n->op == TOK_SUB);
    const ast_node *last = sum ? n->kids[1] : n;
    *more = 0;
    if (last->kind != AST_INT || last->overflow || last->integer > INT32_MAX) return n;
    *more = sum && n->op == TOK_SUB ? -(int64_t)last->integer : (int64_t)last->integer;
    return sum ? n->kids[0] : NULL;
}

/* Whether two indices are never the same: t and t - 1. */
static bool differ(const ast_node *a, const ast_node *b)
{
    int64_t more, other;
    if (a->kind == AST_SLICE || b->kind == AST_SLICE) return false;
    const ast_node *base = base_of(a, &more), *of = base_of(b, &other);
    return more != other && (base == of || (base && of && sema_same(base, of, false)));
}

/* The array that a name is of: of a row's, that which it is a row of. */
const char *overlap_array(const rewriter *r, const ast_node *name)
{
    const sema_row *row = map_get(&r->rows, name->name);
    return row ? row->array : name->name;
}

/* The indices of n, a name with or without some behind it: of the array. NULL for those of a row
 * that has a name. */
static void whole_parts(rewriter *r, const ast_node *n, ast_list *out)
{
    arena *a = &r->s->comp->arena;
    bool index = n->kind == AST_INDEX;
    const sema_row *row = map_get(&r->rows, index ? n->kids[0]->name : n->name);
    sema_view view = row ? row->view : (sema_view){0};
    uint32_t used = 0, mine = index ? slices_part_count(n) : 0;
    for (uint32_t k = 0; k < view.parts || used < mine; k++) {
        bool given = k < view.parts && !(view.open >> k & 1);
        vec_push(a, out,
                 given         ? NULL
                 : used < mine ? slices_part(n, used++)
                               : slices_whole(r, (ast_node *)n, NULL)->kids[1]);
    }
}

/*
 * Whether n, an element, a slice or a row of the array that is written, is other elements than
 * those which other rounds write: each reads what it writes where slices are the same, or another
 * row. Rows of one array are the same or have no element in common.
 */
static bool is_apart(rewriter *r, const ast_node *target, const ast_node *n)
{
    ast_list to = {0}, from = {0};
    bool own = n->kind == AST_NAME || slices_rank(n) > 0;
    whole_parts(r, target, &to);
    whole_parts(r, n, &from);
    const ast_node *all = slices_whole(r, (ast_node *)n, NULL)->kids[1];
    for (uint32_t i = 0; i < to.n || i < from.n; i++) {
        const ast_node *a = i < to.n ? to.at[i] : all, *b = i < from.n ? from.at[i] : all;
        if (a && b && differ(a, b)) return true;
        bool slice = (a && a->kind == AST_SLICE) || (b && b->kind == AST_SLICE);
        own = own && (!slice || (a && b && sema_same(a, b, false)));
    }
    return own;
}

static bool is_index(const ast_node *n)
{
    return n->kind == AST_INDEX && n->kids[0]->kind == AST_NAME;
}

/* Whether n itself is such a place. */
static bool is_elsewhere(rewriter *r, const ast_node *target, const ast_node *n)
{
    const ast_node *of = target->kids[0], *name = is_index(n) ? n->kids[0] : n;
    if (name->kind != AST_NAME || strcmp(overlap_array(r, name), overlap_array(r, of)) != 0)
        return false;
    bool other = strcmp(name->name, of->name) != 0;
    return (is_index(n) || other) && !is_apart(r, target, n);
}

bool overlap_is_read(rewriter *r, const ast_node *target, const ast_node *n)
{
    if (is_elsewhere(r, target, n)) return true;
    for (uint32_t i = is_index(n); i < n->kid_count; i++)
        if (overlap_is_read(r, target, n->kids[i])) return true;
    return false;
}

/* ---- where one slice reads what another one writes ---- */

typedef enum relation {
    SAME,     /* each round reads what it writes */
    AHEAD,    /* what a later round writes */
    BEHIND,   /* what an earlier round has written */
    EITHER,   /* one of these, or SAME: that is known when the statement runs */
    TURNED,   /* the one goes up where the other one goes down */
    NEVER,    /* there is no element that both have */
    UNORDERED /* anything */
} relation;

typedef struct meeting { /* of two slices, of one dimension */
    relation is;
    int64_t by; /* of AHEAD and BEHIND: how many rounds, where the steps are the same; else 0 */
} meeting;

/* Where a slice begins that goes up, in an array of any length that has elements there. */
static bool is_known(const ast_node *begin, int64_t *at)
{
    *at = 0;
    if (begin->kind == AST_NONE) return true;
    *at = begin->kind == AST_INT && !begin->overflow ? (int64_t)begin->integer : -1;
    return *at >= 0 && *at <= INT32_MAX;
}

/* By how much the begin of what is read lies behind that of what is written. */
static bool distance(const ast_node *to, const ast_node *from, bool down, int64_t *by)
{
    int64_t begin, other;
    *by = 0;
    if (sema_same(to->kids[0], from->kids[0], false)) return true;
    if (down || !is_known(to->kids[0], &begin) || !is_known(from->kids[0], &other)) return false;
    *by = other - begin;
    return true;
}

static meeting meet(const ast_node *to, const ast_node *from)
{
    int64_t step, other, by;
    bool literal = slices_step(to->kids[2], &step) && slices_step(from->kids[2], &other);
    if (!literal) return (meeting){UNORDERED, 0};
    if (other == -step) return (meeting){TURNED, 0};
    bool known = (step < 0) == (other < 0) && distance(to, from, step < 0, &by);
    if (!known) return (meeting){step == other ? EITHER : UNORDERED, 0};
    if (step == other && by % step != 0) return (meeting){NEVER, 0};
    int64_t rounds = by / step, more = step < 0 ? step - other : other - step;
    if (step == other) return (meeting){rounds > 0 ? AHEAD : rounds ? BEHIND : SAME, rounds};
    bool later = step < 0 ? by <= 0 : by >= 0, earlier = step < 0 ? by >= 0 : by <= 0;
    return (meeting){later && more > 0 ? AHEAD : earlier && more < 0 ? BEHIND : UNORDERED, 0};
}

/* ---- the order that all reads allow ---- */

enum { KEPT = 8 }; /* elements that are kept, at most */

typedef struct reader { /* of the array that is written, elsewhere */
    ast_node *at;
    ast_list parts;              /* all indices, as whole_parts gives them */
    bool own;                    /* of the row that is written, not just of a row */
    meeting meets[SLICES_DIMS];  /* of each loop */
    uint32_t where[SLICES_DIMS]; /* which of its own indices the slice of each loop is */
} reader;

struct overlap {
    rewriter *r;
    const ast_node *target;
    ast_list to;                 /* its indices */
    uint32_t where[SLICES_DIMS]; /* as of a reader */
    uint32_t dims;
    VEC(reader) readers;
    uint8_t way[SLICES_DIMS];         /* relation of all reads, of each loop */
    const reader *asked[SLICES_DIMS]; /* of EITHER: one that says it */
    bool turned;
    uint32_t kept; /* elements, of what the last rounds have overwritten */
    const char *first[SLICES_DIMS], *by[SLICES_DIMS]; /* of EITHER: the first round, the next */
    const char *sum[SLICES_DIMS];                     /* of TURNED: of two rounds */
    const char *old[KEPT + 1];                        /* of so many rounds ago */
};

static void find_where(const ast_node *n, uint32_t *where)
{
    for (uint32_t i = 0; i < slices_part_count(n); i++)
        if (slices_part(n, i)->kind == AST_SLICE) *where++ = i;
}

/* False: nothing can be said of it. */
static bool add_reader(overlap *o, ast_node *n)
{
    reader found = {.at = n,
                    .own = is_index(n) && strcmp(n->kids[0]->name, o->target->kids[0]->name) == 0};
    uint32_t k = 0;
    whole_parts(o->r, n, &found.parts);
    if (!is_index(n) || found.parts.n != o->to.n) return false;
    for (uint32_t i = 0; i < o->to.n; i++) {
        const ast_node *to = o->to.at[i], *from = found.parts.at[i];
        bool slice = to && to->kind == AST_SLICE;
        if (slice != (from && from->kind == AST_SLICE)) return false;
        if (slice) found.meets[k] = meet(to, from);
        else found.own = found.own && (!to || !from ? to == from : sema_same(to, from, false));
        if (slice && found.meets[k++].is == NEVER) return true;
    }
    if (k != o->dims) return false;
    find_where(n, found.where);
    vec_push(&o->r->s->comp->arena, &o->readers, found);
    return true;
}

static bool find_readers(overlap *o, ast_node *n)
{
    if (is_elsewhere(o->r, o->target, n)) return add_reader(o, n);
    for (uint32_t i = is_index(n); i < n->kid_count; i++)
        if (!find_readers(o, n->kids[i])) return false;
    return true;
}

/* The slice that is the index of loop k. */
static const ast_node *slice_of(const ast_list *parts, uint32_t k)
{
    for (uint32_t i = 0;; i++)
        if (parts->at[i] && parts->at[i]->kind == AST_SLICE && k-- == 0) return parts->at[i];
}

static bool same_slices(const reader *a, const reader *b, uint32_t k)
{
    return sema_same(slice_of(&a->parts, k), slice_of(&b->parts, k), false);
}

/* All reads are of the elements that one other round writes. */
static bool can_turn(overlap *o)
{
    const reader *first = &o->readers.at[0];
    for (uint32_t i = 0; i < o->readers.n; i++)
        for (uint32_t k = 0; k < o->dims; k++) {
            const reader *x = &o->readers.at[i];
            relation is = x->meets[k].is;
            if (is != first->meets[k].is || (is != SAME && is != TURNED)) return false;
            if (is == TURNED && !same_slices(x, first, k)) return false;
            o->way[k] = (uint8_t)is;
        }
    return true;
}

/* Which way loop k runs: SAME where that does not matter. */
static bool find_way(overlap *o, uint32_t k)
{
    const reader *asked = NULL;
    o->way[k] = SAME;
    for (uint32_t i = 0; i < o->readers.n; i++) {
        const reader *x = &o->readers.at[i];
        relation is = x->meets[k].is;
        if (is == SAME) continue;
        if (is == UNORDERED || (o->way[k] != SAME && o->way[k] != is)) return false;
        if (asked && !same_slices(x, asked, k)) return false;
        if (is == EITHER) asked = x;
        o->way[k] = (uint8_t)is;
    }
    o->asked[k] = asked;
    return true;
}

/* In order, where what lies behind is of the last KEPT rounds. */
static bool can_keep(overlap *o)
{
    if (o->dims != 1) return false;
    for (uint32_t i = 0; i < o->readers.n; i++) {
        const reader *x = &o->readers.at[i];
        const meeting *m = &x->meets[0];
        bool behind = m->is == BEHIND && x->own && m->by < 0 && -m->by <= KEPT;
        if (!behind && m->is != AHEAD && m->is != SAME) return false;
        if (behind && -m->by > o->kept) o->kept = (uint32_t)-m->by;
    }
    o->way[0] = AHEAD;
    return true;
}

static bool find_order(overlap *o)
{
    for (uint32_t i = 0; i < o->readers.n; i++)
        for (uint32_t k = 0; k < o->dims; k++) o->turned |= o->readers.at[i].meets[k].is == TURNED;
    if (o->turned) return can_turn(o);
    bool all = true;
    for (uint32_t k = 0; all && k < o->dims; k++) all = find_way(o, k);
    return all || can_keep(o);
}

overlap *overlap_find(rewriter *r, const ast_node *target, ast_node *value)
{
    overlap *o = arena_new(&r->s->comp->arena, overlap);
    *o = (overlap){.r = r, .target = target, .dims = slices_rank(target)};
    whole_parts(r, target, &o->to);
    find_where(target, o->where);
    return find_readers(o, value) && find_order(o) ? o : NULL;
}

bool overlap_is_free(const overlap *o)
{
    bool free = true;
    for (uint32_t k = 0; k < o->dims; k++) free &= o->way[k] == SAME || o->way[k] == TURNED;
    return free;
}

/* ---- what stands in front of the loops ---- */

static ast_node *begin_of(const overlap *o, const ast_node *n, const uint32_t *where, uint32_t k)
{
    const ast_node *begin = slices_part(n, where[k])->kids[0]; /* begin + at*step, by now */
    return rewrite_name(o->r, begin->name, n->span);
}

static int64_t step_of(const overlap *o, uint32_t k)
{
    int64_t step;
    slices_step(slice_of(&o->to, k)->kids[2], &step);
    return step;
}

static ast_node *integer(const overlap *o, int64_t value)
{
    return rewrite_integer(o->r, value, o->target->span);
}

static ast_node *name(const overlap *o, const char *of)
{
    return rewrite_name(o->r, of, o->target->span);
}

static ast_node *last_round(const slicing *x, uint32_t k)
{
    return rewrite_binary(x->r, TOK_SUB, name(x->order, x->count[k]), integer(x->order, 1));
}

/* first, by = count - 1, -1 where the begin that is read lies in front, else 0, 1 */
static void ask(const slicing *x, uint32_t k)
{
    overlap *o = x->order;
    ast_node *read = begin_of(o, o->asked[k]->at, o->asked[k]->where, k);
    ast_node *written = begin_of(o, o->target, o->where, k);
    token_kind op = step_of(o, k) < 0 ? TOK_GT : TOK_LT;
    const char *back = rewrite_before(x->r, "back", rewrite_compare(x->r, op, read, written));
    o->first[k] =
        rewrite_before(x->r, "first",
                       rewrite_choose(x->r, name(o, back), last_round(x, k), integer(o, 0)));
    o->by[k] = rewrite_before(x->r, "by",
                              rewrite_choose(x->r, name(o, back), integer(o, -1), integer(o, 1)));
}

/* The sum of two rounds of which each reads what the other one writes; -1: there are none. */
static void add_rounds(overlap *o, uint32_t k)
{
    rewriter *r = o->r;
    const reader *x = &o->readers.at[0];
    int64_t step = step_of(o, k);
    const char *apart = rewrite_before(r, "apart",
                                       rewrite_binary(r, TOK_SUB, begin_of(o, x->at, x->where, k),
                                                      begin_of(o, o->target, o->where, k)));
    bool unit = step == 1 || step == -1;
    ast_node *sum =
        rewrite_binary(r, unit ? TOK_MUL : TOK_FLOORDIV, name(o, apart), integer(o, step));
    if (!unit) {
        ast_node *rest = rewrite_binary(r, TOK_MOD, name(o, apart), integer(o, step));
        ast_node *fits = rewrite_compare(r, TOK_EQ, rest, integer(o, 0));
        sum = rewrite_choose(r, fits, sum, integer(o, -1));
    }
    o->sum[k] = rewrite_before(r, "sum", sum);
}

/* A copy of n for another round: with[k] in the place of index k, where it is not NULL. */
static ast_node *at_round(const slicing *x, const ast_node *n, ast_node *const *with)
{
    for (uint32_t k = 0; n->kind == AST_NAME && k < x->dims; k++)
        if (n->name == x->index[k] && with[k]) return rewrite_copy(x->r, with[k]);
    ast_node *c = rewrite_copied(x->r, n);
    for (uint32_t i = 0; i < n->kid_count; i++) c->kids[i] = at_round(x, n->kids[i], with);
    return c;
}

static ast_list *new_list(overlap *o)
{
    ast_list *list = arena_new(&o->r->s->comp->arena, ast_list);
    *list = (ast_list){0};
    return list;
}

/* An empty body of `if condition:`, at the end of the list. */
static ast_node *choice(overlap *o, ast_list *to, ast_node *condition)
{
    ast_node *n = rewrite_node(o->r, AST_IF, o->target->span, 1);
    n->kids[0] = condition;
    n->body = new_list(o);
    n->orelse = new_list(o);
    vec_push(&o->r->s->comp->arena, to, n);
    return n;
}

/* if count > 0: old1 = a[...]; old2 = ..., of rounds that are none; reads behind become names. */
static void keep_old(const slicing *x)
{
    overlap *o = x->order;
    rewriter *r = x->r;
    if (!o->kept) return;
    ast_node *some = rewrite_compare(r, TOK_GT, name(o, x->count[0]), integer(o, 0));
    ast_node *n = choice(o, &r->before, some);
    for (uint32_t d = 1; d <= o->kept; d++) {
        ast_node *round = integer(o, -(int64_t)d);
        o->old[d] = rewrite_made_name(r, "old");
        rewrite_assign(r, n->body, o->old[d], at_round(x, o->target, &round));
    }
    for (uint32_t i = 0; i < o->readers.n; i++) {
        const reader *of = &o->readers.at[i];
        if (of->meets[0].is != BEHIND) continue;
        of->at->kind = AST_NAME;
        of->at->kid_count = 0;
        of->at->name = o->old[-of->meets[0].by];
    }
}

void overlap_begin(slicing *x)
{
    overlap *o = x->order;
    for (uint32_t k = 0; k < o->dims; k++) {
        if (o->way[k] == EITHER) ask(x, k);
        if (o->way[k] == TURNED) add_rounds(o, k);
    }
    keep_old(x);
}

/* ---- the loops ---- */

const char *overlap_round(const slicing *x, uint32_t k)
{
    bool on = !x->order || (x->order->way[k] != BEHIND && x->order->way[k] != EITHER);
    return on ? x->index[k] : rewrite_made_name(x->r, "round");
}

void overlap_place(const slicing *x, uint32_t k, const char *round, ast_list *body)
{
    overlap *o = x->order;
    if (round == x->index[k]) return;
    ast_node *at = name(o, round);
    if (o->way[k] == EITHER)
        at = rewrite_binary(x->r, TOK_ADD, name(o, o->first[k]),
                            rewrite_binary(x->r, TOK_MUL, name(o, o->by[k]), at));
    else at = rewrite_binary(x->r, TOK_SUB, last_round(x, k), at);
    rewrite_assign(x->r, body, x->index[k], at);
}

/* ---- two rounds at once ---- */

static ast_node *both(overlap *o, ast_node *a, ast_node *b)
{
    return rewrite_choose(o->r, a, b, rewrite_truth(o->r, false, o->target->span));
}

/* Whether the other round is one, after this one, or is this one. */
typedef struct others {
    ast_node *exists, *later, *same;
} others;

static others compare_rounds(const slicing *x, const char *const *other)
{
    overlap *o = x->order;
    rewriter *r = x->r;
    cpl_span span = o->target->span;
    others s = {rewrite_truth(r, true, span), rewrite_truth(r, false, span),
                rewrite_truth(r, true, span)};
    for (uint32_t k = x->dims; k-- > 0;) {
        if (!other[k]) continue;
        ast_node *low = rewrite_compare(r, TOK_GE, name(o, other[k]), integer(o, 0));
        ast_node *high = rewrite_compare(r, TOK_LT, name(o, other[k]), name(o, x->count[k]));
        ast_node *more = rewrite_compare(r, TOK_GT, name(o, other[k]), name(o, x->index[k]));
        ast_node *equal = rewrite_compare(r, TOK_EQ, name(o, other[k]), name(o, x->index[k]));
        s.exists = both(o, low, both(o, high, s.exists));
        s.later = rewrite_choose(r, more, rewrite_truth(r, true, span),
                                 both(o, rewrite_copy(r, equal), s.later));
        s.same = both(o, equal, s.same);
    }
    return s;
}

/*
 * if the other round is a later one: v = e; w = e of the other one; a[...] = v; a[...] = w
 * else: if it is none or this one: a[...] = e
 */
static void fill_turned(const slicing *x, ast_list *to, ast_node *body)
{
    overlap *o = x->order;
    rewriter *r = x->r;
    const char *other[SLICES_DIMS] = {0};
    ast_node *with[SLICES_DIMS] = {0};
    for (uint32_t k = 0; k < x->dims; k++) {
        if (o->way[k] != TURNED) continue;
        other[k] = rewrite_made_name(r, "other");
        rewrite_assign(r, to, other[k],
                       rewrite_binary(r, TOK_SUB, name(o, o->sum[k]), name(o, x->index[k])));
        with[k] = name(o, other[k]);
    }
    others s = compare_rounds(x, other);
    ast_node *two = choice(o, to, both(o, s.exists, s.later));
    ast_node *none = rewrite_compare(r, TOK_EQ, rewrite_copy(r, s.exists),
                                     rewrite_truth(r, false, o->target->span));
    ast_node *one =
        choice(o, two->orelse,
               rewrite_choose(r, none, rewrite_truth(r, true, o->target->span), s.same));
    ast_node *copies[2] = {rewrite_copy(r, body), at_round(x, body, with)};
    const char *values[2];
    for (int i = 0; i < 2; i++) {
        values[i] = rewrite_made_name(r, "value");
        rewrite_assign(r, two->body, values[i], copies[i]->kids[1]);
    }
    for (int i = 0; i < 2; i++) {
        copies[i]->kids[1] = rewrite_name(r, values[i], body->kids[1]->span);
        vec_push(&r->s->comp->arena, two->body, copies[i]);
    }
    vec_push(&r->s->comp->arena, one->body, body);
}

/* old: cur = a[...]; a[...] = e; old2 = old1; old1 = cur */
static void fill_kept(const slicing *x, ast_list *to, ast_node *body)
{
    overlap *o = x->order;
    const char *now = rewrite_made_name(x->r, "now");
    rewrite_assign(x->r, to, now, rewrite_copy(x->r, body->kids[0]));
    vec_push(&x->r->s->comp->arena, to, body);
    for (uint32_t d = o->kept; d > 0; d--)
        rewrite_assign(x->r, to, o->old[d], name(o, d > 1 ? o->old[d - 1] : now));
}

void overlap_fill(const slicing *x, ast_list *to, ast_node *body)
{
    overlap *o = x->order;
    if (o && o->turned) fill_turned(x, to, body);
    else if (o && o->kept) fill_kept(x, to, body);
    else vec_push(&x->r->s->comp->arena, to, body);
}
